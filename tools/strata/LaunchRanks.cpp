// --ranks=N: starts the process again, N times, by a launcher of MPI.
#include "InRanks.h"
#include "Messages.h"

#include "strata/runtime/Variables.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

using llvm::StringRef;

namespace strata::tool {
namespace {

constexpr StringRef option = "--ranks";

// The words of this process's command line, from the program's file on.
std::vector<std::string> ownCommand() {
  std::vector<std::string> words;
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!text)
    return words;
  llvm::SmallVector<StringRef> parts;
  (*text)->getBuffer().drop_back().split(parts, '\0');
  words.assign(parts.begin(), parts.end());
  words.front() = llvm::sys::fs::getMainExecutable(words.front().c_str(), nullptr);
  return words;
}

// The option's value, which is taken out of the words; "" if it is missing.
std::optional<std::string> takeOption(std::vector<std::string> &words) {
  for (auto word = words.begin(); word != words.end(); ++word) {
    StringRef text = *word;
    if (text.starts_with("--"))
      text = text.drop_front();
    if (!text.consume_front(option.drop_front()))
      continue;
    if (text.consume_front("=")) {
      std::string value = text.str();
      words.erase(word);
      return value;
    }
    if (!text.empty())
      continue;
    std::string value = word + 1 == words.end() ? "" : word[1];
    words.erase(word, std::min(word + 2, words.end()));
    return value;
  }
  return std::nullopt;
}

// The launcher beside the library that STRATA_MPI names, else the first one where programs are.
std::optional<std::string> findLauncherProgram() {
  llvm::SmallString<128> folder;
  if (const char *library = runtime::variable("STRATA_MPI");
      library && StringRef(library).contains('/')) {
    folder = llvm::sys::path::parent_path(llvm::sys::path::parent_path(library));
    llvm::sys::path::append(folder, "bin");
  }
  for (const char *name : {"mpiexec", "mpirun"}) {
    if (!folder.empty())
      if (auto found = llvm::sys::findProgramByName(name, {folder.str()}))
        return *found;
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  }
  return std::nullopt;
}

// Open MPI refuses more processes than cores unless it is told that they are meant.
bool isOpenMpi(const std::string &launcher) {
  llvm::SmallString<128> file;
  if (llvm::sys::fs::createTemporaryFile("strata", "txt", file))
    return false;
  const std::optional<StringRef> streams[] = {StringRef(""), StringRef(file), StringRef(file)};
  llvm::sys::ExecuteAndWait(launcher, {launcher, "--version"}, std::nullopt, streams, 10);
  auto said = llvm::MemoryBuffer::getFile(file);
  llvm::sys::fs::remove(file);
  return said &&
         ((*said)->getBuffer().contains("Open MPI") || (*said)->getBuffer().contains("OpenRTE"));
}

} // namespace

std::optional<int> launchRanks() {
  std::vector<std::string> command = ownCommand();
  std::optional<std::string> value = takeOption(command);
  if (!value)
    return std::nullopt;
  if (std::optional<runtime::dist::Launcher> launcher = runtime::dist::findLauncher())
    return refuseInRanks(*launcher,
                         "--ranks asks for several processes, and " + launcher->name +
                             " has started some already",
                         "one of the two");
  int64_t ranks = 0;
  if (StringRef(*value).getAsInteger(10, ranks) || ranks < 1 || ranks > INT32_MAX)
    return refuse("'" + *value + "' is no number of ranks", "--ranks=4");
  if (const char *given = runtime::variable("STRATA_MPI"); given && StringRef(given) == "self")
    return refuse(
        "--ranks asks for processes that work together, and STRATA_MPI=self for such as work "
        "by themselves",
        "one of the two");
  std::optional<std::string> launcher = findLauncherProgram();
  if (!launcher)
    return fail(
        "--ranks needs a launcher of MPI, and there is neither mpiexec nor mpirun",
        "'pip install mpich' or Debian's openmpi-bin has one; without it the program runs in "
        "one process");
  std::vector<std::string> words{*launcher, "-n", std::to_string(ranks)};
  if (isOpenMpi(*launcher))
    words.emplace_back("--oversubscribe");
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(launcher->c_str(), arguments.data());
  return fail("cannot start '" + *launcher + "': " + std::strerror(errno));
}

} // namespace strata::tool
