// Threads of a program's pool come to the arena of a call, and go.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Team.h"

#include <algorithm>
#include <tbb/global_control.h>
#include <utility>

namespace strata::runtime {

// The team that this thread belongs to, and whether it is the calling thread, outside of loops.
static thread_local Team *currentTeam = nullptr;
static thread_local bool isCalling = false;

Team::Membership::Membership(Team &entered, bool asCalling)
    : outerTeam(std::exchange(currentTeam, &entered)),
      outerCalls(std::exchange(isCalling, asCalling)) {}

Team::Membership::~Membership() {
  currentTeam = outerTeam;
  isCalling = outerCalls;
}

// In loops all threads round, and flush denormal numbers, as the thread does that makes the team,
// whoever calls later.
Team::Team(const ThreadPool &pool)
    : pool(pool), arena(pool.threads, static_cast<unsigned>(pool.threads)) {
  arena.initialize();
}

void Team::ask(int64_t most) {
  most = std::min(most, threads() - 1);
  if (most <= asked)
    return;
  asked = most;
  int64_t missing;
  {
    const std::lock_guard lock(mutex);
    wanted = true;
    missing = std::max<int64_t>(most - submitted - helping, 0);
    submitted += missing;
  }
  for (; missing > 0; --missing)
    pool.submit(pool.state, runTask, new std::shared_ptr<Team>(shared_from_this()));
}

void Team::letGo() {
  if (asked == 0)
    return;
  asked = 0;
  std::vector<tbb::task_handle> ended;
  const std::lock_guard lock(mutex);
  wanted = false;
  ended.swap(waiting);
}

void Team::runTask(void *argument) {
  const std::unique_ptr<std::shared_ptr<Team>> held(static_cast<std::shared_ptr<Team> *>(argument));
  (*held)->help();
}

void Team::help() {
  std::unique_lock lock(mutex);
  --submitted;
  // A pool may run a task on the thread that submits it, or while that waits in a loop; calls whose
  // threads helped each other would wait for each other, too.
  if (currentTeam || helping >= threads() - 1)
    return;
  while (wanted) {
    // There is a place in the arena for every thread that is counted here, from before it enters
    // until after it has left: a thread that found none would have to wait for one.
    ++helping;
    lock.unlock();
    {
      const Membership membership(*this, /*calls=*/false);
      arena.execute([this] { workUntilLetGo(); });
    }
    lock.lock();
    --helping;
  }
}

void Team::workUntilLetGo() {
  tbb::task_group work;
  {
    const std::lock_guard lock(mutex);
    if (!wanted)
      return;
    waiting.push_back(work.defer([] {})); // is never run
  }
  work.wait();
}

int64_t threadCount() {
  if (currentTeam)
    return currentTeam->threads();
  // Neither the arena alone nor the control alone knows.
  const auto allowed = static_cast<int64_t>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  return std::min<int64_t>(tbb::this_task_arena::max_concurrency(), allowed);
}

Team *callingTeam() { return isCalling ? currentTeam : nullptr; }

void letHelpersGo() {
  if (Team *own = callingTeam())
    own->letGo();
}

} // namespace strata::runtime
