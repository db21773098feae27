// Joins the processes that a launcher has started, and ends with them.
#include "InRanks.h"
#include "Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"

#include <fcntl.h>
#include <unistd.h>

using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Job;
using strata::runtime::dist::Launcher;
using strata::runtime::dist::Patience;
using strata::runtime::dist::World;

namespace strata::tool {
namespace {

/// The part of this process in a job.
struct Joined {
  std::unique_ptr<World> world;
  Job job;

  explicit Joined(std::unique_ptr<World> joined) : world(std::move(joined)), job(*world) {}
};

std::optional<Joined> &joined() {
  static std::optional<Joined> one;
  return one;
}

Patience patienceOf(double deadline) {
  return {.deadline = deadline, .note = [](const std::string &text) { noteFromRank(text); }};
}

void tell(const runtime::Error &error) { failInRank(error.sentence()); }

// What this process prints from here on is lost.
void silence() {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0)
    return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

// What decides a run besides files: launchers do not hand all variables to other nodes.
bool agreeOnCommand(llvm::ArrayRef<const char *> arguments) {
  if (!agreeInRanks("the command line", llvm::join(arguments, "\n")))
    return false;
  std::vector<llvm::StringRef> variables;
  for (char **variable = environ; *variable; ++variable)
    if (llvm::StringRef text = *variable;
        text.starts_with("STRATA_CPU=") || text.starts_with("SPARSE_FILE_NAME"))
      variables.push_back(text);
  llvm::sort(variables);
  return agreeInRanks("the environment (STRATA_CPU, SPARSE_FILE_NAME)",
                      llvm::join(variables, "\n"));
}

int runTogether(llvm::ArrayRef<const char *> arguments, llvm::function_ref<int()> command) {
  Result<std::unique_ptr<World>> world = World::open({.patience = patienceOf(0)});
  if (!world) {
    if (!world.error().shown)
      fail(world.error().sentence());
    return exitFailure;
  }
  joined().emplace(std::move(*world));
  Job &job = joined()->job;
  if (!job.speaks()) {
    silence();
    keepMessages();
  }
  int code = agreeOnCommand(arguments) ? command() : exitFailure;
  llvm::outs().flush();
  code = job.conclude(
      code, messagesKept(),
      [&](const std::string &text) { showFromRank(text, job.placeOfFailure()); }, tell);
  joined().reset();
  return code;
}

} // namespace

World *worldHere() { return joined() ? joined()->world.get() : nullptr; }
Job *jobHere() { return joined() ? &joined()->job : nullptr; }
bool speaksForAll() { return !joined() || joined()->job.speaks(); }

bool agreeInRanks(const std::string &what, llvm::StringRef content) {
  Job *job = jobHere();
  if (!job)
    return true;
  const runtime::dist::Agreed thing = {what, content};
  Status status = job->agree({&thing, 1});
  if (!status.ok() && !status.error().shown)
    fail(status.error().sentence());
  return status.ok();
}

int runInRanks(InRanks kind, llvm::ArrayRef<const char *> arguments,
               llvm::function_ref<int()> command) {
  if (kind == InRanks::Together)
    if (std::optional<int> ended = launchRanks())
      return *ended;
  std::optional<Launcher> launcher = runtime::dist::findLauncher();
  if (!launcher)
    return command();
  if (kind == InRanks::Together)
    return runTogether(arguments, command);
  if (launcher->processes <= 1 && launcher->rank == 0)
    return command();
  if (launcher->rank > 0)
    return exitMisuse;
  return refuse("strata " + llvm::StringRef(arguments.front()) +
                    " is the work of one process, and " + launcher->name + " has started several",
                "a call without the launcher");
}

bool setDeadline(const llvm::opt::Arg *option) {
  if (!option)
    return true;
  double seconds = 0;
  if (llvm::StringRef text = option->getValue(); text.getAsDouble(seconds) || !(seconds > 0)) {
    refuse("'" + text + "' is no deadline", "a number of seconds: --deadline=60");
    return false;
  }
  if (World *world = worldHere())
    world->setPatience(patienceOf(seconds));
  return true;
}

} // namespace strata::tool
