// Starts strata-hdf5 by posix_spawn, which, unlike fork, threads of the process may call.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5Process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace strata::runtime {

void Descriptor::close() {
  if (number >= 0)
    ::close(number);
  number = -1;
}

Result<Descriptor> makeMemoryFile() {
  Descriptor made(memfd_create("strata-hdf5", MFD_CLOEXEC));
  Descriptor file(made ? fcntl(made.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1);
  if (!file)
    return systemError("make shared memory");
  return file;
}

namespace {

constexpr const char *programName = "strata-hdf5";

/// Where the program lies; its name alone, to be found in PATH, if it is nowhere near.
std::string findProgram() {
  Dl_info facts;
  if (dladdr(reinterpret_cast<const void *>(&findProgram), &facts) == 0 || !facts.dli_fname)
    return programName;
  const std::string self = facts.dli_fname;
  const std::string folder = self.substr(0, self.rfind('/') + 1);
  for (const char *from : {"", "bin/", "../bin/", "../../bin/"})
    if (std::string path = folder + from + programName;
        !folder.empty() && access(path.c_str(), X_OK) == 0)
      return path;
  return programName;
}

/// What a process is started with: descriptors, and no signal blocked.
class Setting {
public:
  Setting(int input, int output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  Setting(const Setting &) = delete;
  ~Setting() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

} // namespace

Result<Hdf5Process> Hdf5Process::start(const std::vector<std::string> &arguments, int input,
                                       int output) {
  const std::string program = findProgram();
  std::vector<char *> texts = {const_cast<char *>(programName)};
  for (const std::string &argument : arguments)
    texts.push_back(const_cast<char *>(argument.c_str()));
  texts.push_back(nullptr);
  Setting setting(input, output);
  pid_t process = -1;
  if (const int failed = posix_spawnp(&process, program.c_str(), &setting.actions,
                                      &setting.attributes, texts.data(), environ))
    return Error{Error::System,
                 "cannot start the program 'strata-hdf5', which reads and writes HDF5 files: " +
                     std::string(std::strerror(failed)),
                 failed == ENOENT ? "it beside Strata's library or program, or in PATH" : ""};
  return Hdf5Process(process);
}

void Hdf5Process::wait() {
  // Whoever ignores the ends of processes has no exit status of this one; what it left tells more.
  while (process >= 0 && waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  process = -1;
}

} // namespace strata::runtime
