// Samples /proc/self/status. The peak that the kernel keeps (VmHWM) counts files' pages too.
#include "Footprint.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace strata::benchmark {

int64_t residentBytes() {
  char text[4096];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0)
    return 0;
  text[length] = 0;
  const char *line = std::strstr(text, "RssAnon:");
  return line ? std::strtoll(line + std::strlen("RssAnon:"), nullptr, 10) * 1024 : 0;
}

FootprintWatch::FootprintWatch()
    : watcher([this] {
        while (!ended) {
          look();
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
      }) {}

FootprintWatch::~FootprintWatch() {
  ended = true;
  watcher.join();
}

void FootprintWatch::look() {
  int64_t now = residentBytes(), before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
}

int64_t FootprintWatch::peak() {
  look();
  return most.exchange(residentBytes());
}

} // namespace strata::benchmark
