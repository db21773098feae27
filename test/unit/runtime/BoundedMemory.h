// A bound on what a test may take.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_RUNTIME_BOUNDEDMEMORY_H
#define STRATA_TEST_UNIT_RUNTIME_BOUNDEDMEMORY_H

#include <cstdint>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace strata::test {

/// While it lives, the process's address space grows by 128 MiB at most: what asks for more fails.
/// (Sanitizers map memory of their own, so that there is no bound with these.)
class BoundedMemory {
public:
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
  static constexpr bool effective = false;
#else
  static constexpr bool effective = true;
#endif

  BoundedMemory() {
    long pages = 0;
    if (FILE *facts = std::fopen("/proc/self/statm", "r")) {
      (void)!std::fscanf(facts, "%ld", &pages);
      std::fclose(facts);
    }
    getrlimit(RLIMIT_AS, &before);
    if (!effective)
      return;
    rlimit bound = before;
    bound.rlim_cur =
        static_cast<rlim_t>(int64_t{pages} * sysconf(_SC_PAGESIZE) + (int64_t{128} << 20));
    setrlimit(RLIMIT_AS, &bound);
  }
  BoundedMemory(const BoundedMemory &) = delete;
  ~BoundedMemory() { setrlimit(RLIMIT_AS, &before); }

private:
  rlimit before = {};
};

} // namespace strata::test
#endif // STRATA_TEST_UNIT_RUNTIME_BOUNDEDMEMORY_H
