// Which threads work in the loops of a call: oneTBB's, or those of a pool that the program has.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_TEAM_H
#define STRATA_RUNTIME_TEAM_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <vector>

namespace strata::runtime {

/// A pool of threads that the program has; strata_pool of strata.h says what it promises.
struct ThreadPool {
  void *state;
  int32_t threads; ///< that work at once, the calling one included
  void (*submit)(void *state, void (*task)(void *argument), void *argument);
};

/// A calling thread, and the threads of a pool that help it.
///
/// They meet in an arena that has places for threads of the program alone, so that none of oneTBB's
/// own comes. Helpers take work from the call's loops until it lets them go. The call needs none of
/// them: what no helper takes, the calling thread does itself. Tasks that the pool has still to run
/// hold the team, and those that come too late end at once.
class Team : public std::enable_shared_from_this<Team> {
public:
  /// The pool must have at least one thread.
  explicit Team(const ThreadPool &pool);

  int64_t threads() const { return pool.threads; }
  /// Makes a call: returns what the body returns. Only one thread at a time may do so.
  template <typename Body> auto call(const Body &body) {
    const Call call(*this);
    return body();
  }
  /// For the calling thread: runs a loop for which so many more threads can be used.
  template <typename Loop> auto run(int64_t most, const Loop &loop) {
    ask(most);
    const Membership membership(*this, /*calls=*/false); // loops inside have the same helpers
    return arena.execute([&] { return loop(); });
  }
  /// For the calling thread: helpers that have come leave.
  void letGo();

private:
  /// While one lives, its thread is in the team.
  class Membership {
  public:
    Membership(Team &team, bool calls);
    ~Membership();
    Membership(const Membership &) = delete;

  private:
    Team *outerTeam;
    bool outerCalls;
  };

  /// While one lives, its thread is the one that calls.
  class Call {
  public:
    explicit Call(Team &team) : team(team), membership(team, /*calls=*/true) {}
    ~Call() { team.letGo(); }
    Call(const Call &) = delete;

  private:
    Team &team;
    Membership membership;
  };

  void ask(int64_t most);
  static void runTask(void *argument);
  void help();
  void workUntilLetGo();

  const ThreadPool pool;
  tbb::task_arena arena;
  /// How many helpers this call has asked for since it let them go; the calling thread's alone.
  int64_t asked = 0;

  std::mutex mutex; ///< of what follows
  bool wanted = false;
  int64_t submitted = 0; ///< tasks that have not begun
  int64_t helping = 0;   ///< threads in the arena beside the calling one
  /// The handles for which helpers wait, one each: a helper leaves when its handle is destroyed.
  std::vector<tbb::task_handle> waiting;
};

/// How many threads may work at once in a loop of this thread.
int64_t threadCount();
/// The team whose calling thread this is, outside of loops; null if there is none.
Team *callingTeam();
/// Runs a loop for which so many more threads can be used: those of the pool, if this thread makes
/// a call with one. They may come at any time, or never.
template <typename Loop> auto withHelp(int64_t most, const Loop &loop) {
  Team *team = most > 0 ? callingTeam() : nullptr;
  return team ? team->run(most, loop) : loop();
}
/// Before what takes long and is not divided: helpers may do something else.
void letHelpersGo();

} // namespace strata::runtime

#endif // STRATA_RUNTIME_TEAM_H
