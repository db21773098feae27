#include "Work.h"

#include <cstring>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace strata::test {

WorkCounter::WorkCounter() {
  perf_event_attr wanted;
  std::memset(&wanted, 0, sizeof wanted);
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.size = sizeof wanted;
  wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  counter = int(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0));
}

WorkCounter::~WorkCounter() {
  if (counter >= 0)
    close(counter);
}

static int64_t nanoseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

int64_t WorkCounter::now() const {
  int64_t count = 0;
  if (counter < 0)
    return nanoseconds();
  return read(counter, &count, sizeof count) == ssize_t(sizeof count) ? count : 0;
}

void WorkCounter::begin() {
  doneBefore = secondsBefore = 0;
  runs = false;
  resume();
}

void WorkCounter::pause() {
  if (!runs)
    return;
  doneBefore += now() - doneAtResume;
  secondsBefore += nanoseconds() - secondsAtResume;
  runs = false;
}

void WorkCounter::resume() {
  if (runs)
    return;
  runs = true;
  secondsAtResume = nanoseconds();
  doneAtResume = now();
}

int64_t WorkCounter::work() const { return doneBefore + (runs ? now() - doneAtResume : 0); }

double WorkCounter::seconds() const {
  return double(secondsBefore + (runs ? nanoseconds() - secondsAtResume : 0)) / 1e9;
}

} // namespace strata::test
