// Forks a child, limits it, and reads what it writes.
#include "serve/Worker.h"

#include "strata/runtime/Counted.h"
#include "strata/tensor/Quantities.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_create_ruleset)
#include <linux/landlock.h>
#define STRATA_LANDLOCK
#endif

namespace strata::tool {

using runtime::Result;
using runtime::Status;

static void limit(int resource, rlim_t most) {
  rlimit present;
  if (getrlimit(decltype(RLIMIT_CPU)(resource), &present) == 0 && most < present.rlim_max)
    present.rlim_max = most;
  present.rlim_cur = std::min(present.rlim_max, most);
  setrlimit(decltype(RLIMIT_CPU)(resource), &present);
}

#ifdef STRATA_LANDLOCK
// From here on only these can be opened, to be read; no file can be written, made or removed.
// Systems without Landlock go on: what a request reads and writes is checked before.
static void restrictFiles(const std::vector<std::string> &readable) {
  constexpr uint64_t reads = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = reads | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                            LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                            LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  int set = int(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
  if (set < 0)
    return;
  for (const std::string &name : readable) {
    int place = open(name.c_str(), O_PATH | O_CLOEXEC);
    struct stat what;
    if (place < 0 || fstat(place, &what) != 0)
      continue;
    landlock_path_beneath_attr below{};
    below.allowed_access = S_ISDIR(what.st_mode) ? reads : uint64_t(LANDLOCK_ACCESS_FS_READ_FILE);
    below.parent_fd = place;
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
    close(place);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    syscall(SYS_landlock_restrict_self, set, 0);
  close(set);
}
#else
static void restrictFiles(const std::vector<std::string> &) {}
#endif

static void enterLimits(const WorkerLimits &limits) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL); // it does not outlive the server
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGPIPE})
    std::signal(signal, SIG_DFL);
  auto seconds = rlim_t(limits.time.count() / 1000 + 1);
  limit(RLIMIT_CPU, seconds * rlim_t(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))));
#if !__has_feature(address_sanitizer) // which reserves far more
  limit(RLIMIT_DATA, rlim_t(limits.memoryBytes));
#endif
  limit(RLIMIT_FSIZE, rlim_t(64) << 20);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 256);
  [[maybe_unused]] int priority = nice(5);
  restrictFiles(limits.readable);
}

// Closes all descriptors but the standard ones and this one: those of connections are others'.
static void keepOnly(int descriptor) {
  if (descriptor > 3)
    syscall(SYS_close_range, 3u, unsigned(descriptor) - 1, 0u);
  syscall(SYS_close_range, unsigned(descriptor) + 1, ~0u, 0u);
}

static void writeAll(int descriptor, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      _exit(3);
    done += size_t(count);
  }
}

Result<Worker> Worker::start(const Work &work, const WorkerLimits &limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return runtime::Error{runtime::Error::System, std::string("no pipe: ") + std::strerror(errno)};
  pid_t child = fork();
  if (child < 0) {
    Status failed =
        runtime::Error{runtime::Error::System, std::string("no process: ") + std::strerror(errno)};
    close(ends[0]);
    close(ends[1]);
    return failed;
  }
  if (child == 0) {
    if (ends[1] > 2)
      keepOnly(ends[1]);
    enterLimits(limits);
    writeAll(ends[1], work());
    _exit(0);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Worker(child, ends[0], limits);
}

Worker::Worker(pid_t child, int pipe, const WorkerLimits &limits)
    : child(child), pipe(pipe), limits(limits),
      end(std::chrono::steady_clock::now() + limits.time) {}

Worker::Worker(Worker &&other)
    : child(std::exchange(other.child, 0)), pipe(std::exchange(other.pipe, -1)),
      limits(other.limits), end(other.end), text(std::move(other.text)), complete(other.complete) {}

Worker::~Worker() {
  kill();
  if (pipe >= 0)
    close(pipe);
}

void Worker::kill() {
  if (child <= 0)
    return;
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  child = 0;
}

bool Worker::read() {
  char buffer[65536];
  while (true) {
    ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno != EAGAIN;
    if (count == 0)
      return complete = true;
    text.append(buffer, size_t(count));
    if (text.size() > limits.resultBytes)
      return true;
  }
}

Status Worker::finish() {
  if (text.size() > limits.resultBytes)
    return runtime::Error{runtime::Error::Request,
                          "the answer is larger than " + bytesInWords(double(limits.resultBytes))};
  if (!complete)
    return runtime::Error{runtime::Error::Request,
                          "this takes more than " + counted(limits.time.count() / 1000, "second") +
                              ", and was ended"};
  int status = 0;
  pid_t ended = waitpid(child, &status, 0);
  child = 0;
  if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return {};
  std::string how = WIFSIGNALED(status) ? std::string(": ") + strsignal(WTERMSIG(status)) : "";
  return runtime::Error{runtime::Error::Request, "the compiler was ended" + how,
                        "a request that takes at most " + bytesInWords(double(limits.memoryBytes)) +
                            " of memory"};
}

} // namespace strata::tool
