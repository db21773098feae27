// fork, a pipe, and waitpid.
#include "Child.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strata::test {

std::string ChildEnd::text() const {
  if (signal == SIGALRM || signal == SIGPROF)
    return "no end";
  if (signal)
    return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "exit status " + std::to_string(status);
}

static bool writeAll(int file, const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t done = write(file, next, size);
    if (done < 0 && errno != EINTR)
      return false;
    if (done > 0) {
      next += done;
      size -= static_cast<size_t>(done);
    }
  }
  return true;
}

static bool readAll(int file, void *data, size_t size) {
  char *next = static_cast<char *>(data);
  while (size > 0) {
    ssize_t done = read(file, next, size);
    if (done == 0 || (done < 0 && errno != EINTR))
      return false;
    if (done > 0) {
      next += done;
      size -= static_cast<size_t>(done);
    }
  }
  return true;
}

ChildEnd inChild(const std::function<void(const Report &)> &work,
                 const std::function<void(const std::string &)> &receive) {
  int ends[2];
  fflush(nullptr);
  if (pipe(ends) != 0)
    return {0, 1};
  pid_t child = fork();
  if (child < 0)
    return {0, 1};
  if (child == 0) {
    close(ends[0]);
    work([&](const std::string &text) {
      auto size = static_cast<uint64_t>(text.size());
      if (!writeAll(ends[1], &size, sizeof size) || !writeAll(ends[1], text.data(), text.size()))
        _exit(1);
    });
    fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  uint64_t size = 0;
  while (readAll(ends[0], &size, sizeof size)) {
    std::string text(size, '\0');
    if (!readAll(ends[0], text.data(), size))
      break;
    receive(text);
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    return {WTERMSIG(status), 0};
  return {0, WEXITSTATUS(status)};
}

// What waits for ever takes no time on a processor.
void limitSeconds(unsigned seconds) {
  constexpr unsigned patience = 10;
  itimerval limit = {};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(patience * seconds);
}

} // namespace strata::test
