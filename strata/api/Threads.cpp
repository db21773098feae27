// Which threads work in calls, and how many: oneTBB's, or those of a pool that the program has.
#include "strata/api/Handles.h"
#include "strata/runtime/Team.h"
#include "strata/runtime/Variables.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

using namespace strata;
using namespace strata::api;
using llvm::StringRef;

/// The threads that the process has chosen.
struct strata::api::Threads {
  /// Null where there is none.
  std::shared_ptr<const strata_pool> pool = {};
  /// How many of the pool's work in a call.
  int32_t ofPool = 1;
  /// Without a pool, so many threads of oneTBB's are in an arena of their own, beside what the
  /// process has. Calls at the same time have an arena each: a thread waits for a place in one that
  /// is full.
  int32_t ofArena = 0;
  std::mutex mutex = {}; ///< of what follows
  std::vector<std::unique_ptr<tbb::task_arena>> unused = {};

  int32_t count() const { return pool ? ofPool : ofArena; }
  template <typename Body> void execute(const Body &body) {
    std::unique_ptr<tbb::task_arena> arena = take();
    arena->execute([&] { body(); });
    std::lock_guard<std::mutex> lock(mutex);
    unused.push_back(std::move(arena));
  }

private:
  std::unique_ptr<tbb::task_arena> take() {
    std::lock_guard<std::mutex> lock(mutex);
    if (unused.empty())
      return std::make_unique<tbb::task_arena>(ofArena);
    std::unique_ptr<tbb::task_arena> arena = std::move(unused.back());
    unused.pop_back();
    return arena;
  }
};

static std::mutex mutex; // of what follows
static int32_t wanted = 0;
static std::shared_ptr<const strata_pool> givenPool;

static int32_t threadsInEnvironment() {
  int32_t count = 0;
  const char *given = runtime::variable("STRATA_NUM_THREADS");
  return given && !StringRef(given).getAsInteger(10, count) ? count : 0;
}

// Null is as many of oneTBB's threads as the process's arena has. oneTBB warns on standard error of
// arenas for more threads than it would start.
static std::shared_ptr<Threads> choose() {
  int32_t count = wanted > 0 ? wanted : threadsInEnvironment();
  if (!givenPool && count <= 0)
    return nullptr;
  auto made = std::make_shared<Threads>();
  if (givenPool) {
    int32_t all = givenPool->submit ? std::max(givenPool->threads, 1) : 1; // the calling one
    made->pool = givenPool;
    made->ofPool = count > 0 ? std::min(count, all) : all;
    return made;
  }
  constexpr auto parallelism = tbb::global_control::max_allowed_parallelism;
  auto most = static_cast<int32_t>(tbb::global_control::active_value(parallelism));
  made->ofArena = std::min(count, most);
  return made;
}

// It stays when the process ends, as a pool may have gone before.
static std::shared_ptr<Threads> &chosen() {
  static auto &threads = *new std::shared_ptr<Threads>(choose());
  return threads;
}

static std::shared_ptr<Threads> threads() {
  std::lock_guard<std::mutex> lock(mutex);
  return chosen();
}

void strata_set_threads(int32_t count) {
  std::shared_ptr<Threads> before; // is released without the lock
  std::lock_guard<std::mutex> lock(mutex);
  wanted = count;
  before = std::exchange(chosen(), choose());
}

void strata_use_pool(const strata_pool *given) {
  std::shared_ptr<const strata_pool> pool;
  if (given)
    pool.reset(new strata_pool(*given), [](const strata_pool *unused) {
      if (unused->release)
        unused->release(unused->state);
      delete unused;
    });
  std::shared_ptr<Threads> before; // both are released without the lock
  std::lock_guard<std::mutex> lock(mutex);
  givenPool.swap(pool);
  before = std::exchange(chosen(), choose());
}

int32_t strata_threads() {
  std::shared_ptr<Threads> used = threads();
  return used ? used->count() : tbb::this_task_arena::max_concurrency();
}

strata_error *strata::api::inTurn(strata_session &session,
                                  llvm::function_ref<strata_error *()> body) {
  std::shared_ptr<Threads> used = threads(); // a pool is released when the turn has ended
  Turn turn(session.turn);
  session.interrupt.lower();
  session.compiler.clearStatus();
  if (!used)
    return body();
  if (!used->pool) {
    strata_error *error = nullptr;
    used->execute([&] { error = body(); });
    return error;
  }
  if (session.threads.lock() != used) {
    session.threads = used;
    session.team = std::make_shared<runtime::Team>(
        runtime::ThreadPool{used->pool->state, used->ofPool, used->pool->submit});
  }
  return session.team->call(body);
}

bool strata::api::besideTurns(llvm::function_ref<void()> body) {
  std::shared_ptr<Threads> used = threads();
  if (used && used->pool)
    return false;
  used ? used->execute(body) : body();
  return true;
}
