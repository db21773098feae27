// Lets messages go on while a process computes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_PROGRESS_H
#define STRATA_RUNTIME_DIST_PROGRESS_H

#include "strata/runtime/dist/World.h"

#include <atomic>

namespace strata::runtime::dist {

/// A library of MPI sends long messages piece by piece, whenever somebody asks whether they have
/// come. As long as this is there, a thread asks; nobody else may communicate meanwhile. Where MPI
/// was started for one thread, nobody asks. With STRATA_OVERLAP=0 in the environment, for
/// comparison, the messages have come when this begins.
class Progress {
public:
  Progress(const World &world, std::vector<Channel *> channels);
  Progress(const Progress &) = delete;
  ~Progress();

private:
  void ask();

  std::vector<Channel *> channels;
  std::atomic<bool> hasEnded = false;
  std::thread thread;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_PROGRESS_H
