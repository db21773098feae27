// An observer is told what a program does, and gets what it prints.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_OBSERVER_H
#define STRATA_HOST_OBSERVER_H

#include "strata/host/Program.h"
#include "strata/runtime/Status.h"

#include <cstdio>
#include <span>
#include <string_view>

namespace strata::host {

struct State;

class Observer {
public:
  virtual ~Observer();

  virtual void print(std::string_view text) = 0;
  /// Shows what was printed before anything else happens.
  virtual void flush() = 0;
  virtual void warn(const Instruction &at, const std::string &text) = 0;
  virtual void fail(const Instruction &at, const runtime::Error &error) = 0;

  virtual void begin(const Instruction &) {}
  /// Without an error so far.
  virtual runtime::Status end(const Instruction &, const State &) { return {}; }
  /// A tensor has moved: what each process has sent to others, in bytes.
  virtual void moved(const Instruction &, std::span<const int64_t> /*bytes*/) {}
  /// Cells have fetched what they need, by a new plan, or by one that was kept.
  virtual void fetched(const Instruction &, std::span<const int64_t> /*bytes*/, bool /*isNew*/) {}
  /// Rows of an array that cells read together were copied for that, so many bytes in this process.
  virtual void copied(const Instruction &, int64_t /*bytes*/) {}
  /// A process has spent so many seconds to bring what rounds need, and to wait for it.
  virtual void waited(const Instruction &, double /*seconds*/) {}
  virtual void enterLoop(const Instruction &) {}
  /// Iterations are counted from 1.
  virtual void beginIteration(int64_t /*number*/) {}
  virtual void leaveLoop() {}
};

/// Prints on one stream, and tells what is wrong, and where, on another.
class Console : public Observer {
public:
  explicit Console(const Program &program, FILE *out = stdout, FILE *messages = stderr)
      : program(program), out(out), messages(messages) {}

  void print(std::string_view text) override;
  void flush() override;
  void warn(const Instruction &at, const std::string &text) override;
  void fail(const Instruction &at, const runtime::Error &error) override;

private:
  const Program &program;
  FILE *out, *messages;
};

} // namespace strata::host

#endif // STRATA_HOST_OBSERVER_H
