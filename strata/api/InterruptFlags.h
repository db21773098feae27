// What ends the runs of a session that do not hold its turn.
#ifndef STRATA_API_INTERRUPTFLAGS_H
#define STRATA_API_INTERRUPTFLAGS_H

#include <array>
#include <atomic>
#include <cstdint>

namespace strata::api {

/// Ends a kernel that looks at it. Any thread may raise it, and a signal handler.
class InterruptFlag {
public:
  void raise() { std::atomic_ref(raised).store(1, std::memory_order_relaxed); }
  void lower() { std::atomic_ref(raised).store(0, std::memory_order_relaxed); }
  const volatile int32_t *address() const { return &raised; }

private:
  int32_t raised = 0;
};

/// A flag for each run, which a signal handler can raise: there are neither locks nor allocations.
class InterruptFlags {
  struct Flag {
    std::atomic<bool> taken = false;
    InterruptFlag raised = {};
  };

public:
  /// A flag that is down, held while this lives; none if all are held.
  class Held {
  public:
    explicit Held(InterruptFlags &flags) {
      for (Flag &flag : flags.all)
        if (!flag.taken.exchange(true)) {
          flag.raised.lower();
          held = &flag;
          return;
        }
    }
    ~Held() {
      if (held)
        held->taken = false;
    }
    Held(const Held &) = delete;
    explicit operator bool() const { return held; }
    const volatile int32_t *flag() const { return held->raised.address(); }

  private:
    Flag *held = nullptr;
  };

  void raiseAll() {
    for (Flag &flag : all)
      if (flag.taken)
        flag.raised.raise();
  }

private:
  std::array<Flag, 64> all;
};

} // namespace strata::api

#endif // STRATA_API_INTERRUPTFLAGS_H
