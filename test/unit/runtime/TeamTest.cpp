// Which threads work in loops: those of a team, whatever its pool does.
#include "strata/runtime/Parallel.h"
#include "test/unit/Workers.h"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace strata::runtime {
namespace {

using Task = std::function<void()>;

/// A pool that hands each task to a function.
struct Given {
  std::function<void(Task)> take;

  ThreadPool pool(int32_t threads) {
    return {this, threads, [](void *state, void (*task)(void *), void *argument) {
              static_cast<Given *>(state)->take([=] { task(argument); });
            }};
  }
};

/// A pool with threads of its own.
struct Pool : Given {
  explicit Pool(int threads) : workers(threads) {
    take = [this](Task task) { workers.take(std::move(task)); };
  }

  test::Workers workers;
};

/// Waits until so many threads are in a loop at once, and returns what each of them is asked.
template <typename Ask> auto meet(int64_t threads, Ask ask) {
  std::mutex mutex;
  std::condition_variable came;
  std::multiset<decltype(ask())> there;
  parallelFor(
      tbb::blocked_range<int64_t>(0, threads),
      [&](const tbb::blocked_range<int64_t> &) {
        std::unique_lock lock(mutex);
        there.insert(ask());
        came.notify_all();
        came.wait_for(lock, std::chrono::seconds(20),
                      [&] { return there.size() == static_cast<size_t>(threads); });
      },
      tbb::simple_partitioner());
  return there;
}

std::multiset<std::thread::id> meet(int64_t threads) {
  return meet(threads, std::this_thread::get_id);
}

int64_t sumInLoop(int64_t count) {
  return parallelReduce(
      tbb::blocked_range<int64_t>(0, count, 16), int64_t{0},
      [](const tbb::blocked_range<int64_t> &range, int64_t sum) {
        for (int64_t at = range.begin(); at < range.end(); ++at)
          sum += at;
        return sum;
      },
      std::plus<>());
}

TEST(TeamTest, ThePoolsThreadsHelp) {
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads - 1);
    const auto team = std::make_shared<Team>(pool.pool(threads));
    std::multiset<std::thread::id> all = pool.workers.ids();
    all.insert(std::this_thread::get_id());
    for (int call = 0; call < 20; ++call)
      team->call([&] {
        EXPECT_EQ(threadCount(), threads);
        EXPECT_EQ(meet(threads), all);
        EXPECT_EQ(meet(threads), all); // who came stays
        letHelpersGo();
        EXPECT_EQ(meet(threads), all); // and comes again
      });
    EXPECT_LE(pool.workers.taken, 40 * (threads - 1));
  }
}

TEST(TeamTest, HelpersRoundAsTheCallDoes) {
  Given pool;
  std::vector<std::thread> helpers;
  pool.take = [&](const Task &task) {
    helpers.emplace_back([task] {
      std::fesetround(FE_UPWARD);
      task();
    });
  };
  const auto team = std::make_shared<Team>(pool.pool(3));
  team->call([] {
    const int nearest = FE_TONEAREST;
    EXPECT_THAT(meet(3, std::fegetround), testing::ElementsAre(nearest, nearest, nearest));
  });
  for (std::thread &helper : helpers)
    helper.join();
}

TEST(TeamTest, HelpIsAskedForWhereALoopIsDivided) {
  Pool pool(4);
  const auto team = std::make_shared<Team>(pool.pool(5));
  team->call([&] {
    parallelFor(0, 1, [](int) {});
    parallelFor(0, 0, [](int) {});
    parallelFor(1, 0, [](int) {});
    sumInLoop(16);
    EXPECT_EQ(pool.workers.taken, 0);
    parallelFor(0, 3, [](int) {});
    EXPECT_EQ(pool.workers.taken, 2);
    sumInLoop(1000);
    EXPECT_EQ(pool.workers.taken, 4);
  });
  sumInLoop(1000); // oneTBB's threads work in it
  EXPECT_EQ(pool.workers.taken, 4);
}

TEST(TeamTest, APoolMayRunTasksAtOnce) {
  Given pool;
  pool.take = [](const Task &task) { task(); };
  const auto team = std::make_shared<Team>(pool.pool(3));
  EXPECT_EQ(team->call([] { return sumInLoop(1000); }), 499500);
}

TEST(TeamTest, APoolMayRunTasksInsideLoops) {
  Given pool;
  tbb::task_group group;
  pool.take = [&](const Task &task) { group.run(task); };
  const auto team = std::make_shared<Team>(pool.pool(3));
  for (int call = 0; call < 100; ++call)
    EXPECT_EQ(team->call([] { return sumInLoop(1000); }), 499500);
  group.wait();
}

TEST(TeamTest, TasksMayBeginAfterTheCall) {
  std::vector<Task> tasks;
  {
    Given pool;
    pool.take = [&](Task task) { tasks.push_back(std::move(task)); };
    const auto team = std::make_shared<Team>(pool.pool(4));
    for (int call = 0; call < 3; ++call)
      EXPECT_EQ(team->call([] { return sumInLoop(1000); }), 499500);
    EXPECT_EQ(tasks.size(), 3U); // those that have not begun are enough
  }
  for (const Task &task : tasks) // the last one ends the team
    std::thread(task).join();
}

TEST(TeamTest, ACallersThreadHelpsNoOtherCall) {
  Given pool;
  std::vector<Task> tasks;
  pool.take = [&](Task task) { tasks.push_back(std::move(task)); };
  const auto first = std::make_shared<Team>(pool.pool(2));
  const auto second = std::make_shared<Team>(pool.pool(2));
  first->call([&] {
    sumInLoop(1000);
    std::thread([&] {
      second->call([&] {
        sumInLoop(1000);
        tasks.front()(); // the first one's, which waits for this thread
      });
    }).join();
  });
  ASSERT_EQ(tasks.size(), 2U);
  tasks.back()();
}

TEST(TeamTest, TeamsShareAPool) {
  Pool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> right = 0;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      const auto team = std::make_shared<Team>(pool.pool(4));
      for (int call = 0; call < 2000; ++call)
        right += team->call([&] { return sumInLoop(100 + call); }) ==
                 static_cast<int64_t>(100 + call) * (99 + call) / 2;
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(right, 6000);
}

} // namespace
} // namespace strata::runtime
