// A process that does one piece of work, within limits, and ends.
#ifndef STRATA_TOOLS_SERVE_WORKER_H
#define STRATA_TOOLS_SERVE_WORKER_H

#include "strata/runtime/Status.h"

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace strata::tool {

struct WorkerLimits {
  std::chrono::milliseconds time{10'000};
  /// Files and folders that it may read, with what is below them.
  std::vector<std::string> readable = {};
  int64_t memoryBytes = int64_t(2) << 30; ///< of data that it may write
  size_t resultBytes = size_t(16) << 20;  ///< of what it gives back
};

/// A child of this process, made by fork: this process must have one thread alone. Work that
/// crashes, or is hostile, ends the child. It can open no files to write them, and to read only
/// some (by Linux's Landlock, where that is there), runs at a lower priority, and keeps none of
/// this process's connections.
class Worker {
public:
  using Work = std::function<std::string()>;

  static runtime::Result<Worker> start(const Work &work, const WorkerLimits &limits);
  Worker(Worker &&other);
  Worker &operator=(Worker &&) = delete;
  ~Worker(); ///< kills it if it still runs

  /// What becomes readable when more of its result is there, or it has ended.
  int descriptor() const { return pipe; }
  std::chrono::steady_clock::time_point deadline() const { return end; }
  /// Takes what is there of the result. True once that is all, or there is too much.
  bool read();
  /// Why there is no result, after read() was true or the deadline has passed; ends the worker.
  runtime::Status finish();
  const std::string &result() const { return text; }

private:
  Worker(pid_t child, int pipe, const WorkerLimits &limits);
  void kill();

  pid_t child;
  int pipe;
  WorkerLimits limits;
  std::chrono::steady_clock::time_point end;
  std::string text;
  bool complete = false;
};

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_WORKER_H
