// Calls with a pool of threads that the program has.
#include "ApiTest.h"
#include "test/unit/Workers.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace strata::test {
namespace {

struct Task {
  void (*function)(void *);
  void *argument;

  void run() const { function(argument); }
};

/// A pool that hands each task to a function.
struct Given {
  std::function<void(Task)> take;
  std::atomic<int> released = 0;

  ~Given() { strata_use_pool(nullptr); }

  strata_pool pool(int32_t threads) {
    strata_pool pool = {};
    pool.state = this;
    pool.threads = threads;
    pool.submit = [](void *state, void (*task)(void *), void *argument) {
      static_cast<Given *>(state)->take({task, argument});
    };
    pool.release = [](void *state) { ++static_cast<Given *>(state)->released; };
    return pool;
  }
  void use(int32_t threads) {
    const strata_pool used = pool(threads);
    strata_use_pool(&used);
  }
};

/// A pool with threads of its own.
struct Pool : Given {
  explicit Pool(int threads) : workers(threads) {
    take = [this](Task task) { workers.take([task] { task.run(); }); };
  }

  Workers workers;
};

std::set<std::string> threadsOfProcess() {
  std::set<std::string> threads;
  for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task"))
    threads.insert(thread.path().filename());
  return threads;
}

class PoolTest : public ApiTest {
protected:
  static constexpr int64_t size = 20000, count = 100000;

  PoolTest() {
    std::mt19937 random(1);
    for (std::vector<int32_t> &column : coordinates)
      for (int64_t entry = 0; entry < count; ++entry)
        column.push_back(int32_t(random() % size));
    for (int64_t entry = 0; entry < count; ++entry)
      entries.push_back(double(random()) / double(random.max()));
    for (int64_t at = 0; at < size; ++at)
      elements.push_back(double(random()) / double(random.max()));
  }
  ~PoolTest() override {
    strata_use_pool(nullptr);
    strata_set_threads(0);
  }

  strata_tensor *packed(const char *text) {
    int64_t shape[] = {size, size};
    strata_array columns[] = {array(coordinates[0], STRATA_I32), array(coordinates[1], STRATA_I32)};
    strata_tensor *tensor = nullptr;
    succeed(strata_tensor_from_coordinates(session, format(text, 2), shape, count, columns,
                                           array(entries, STRATA_F64), STRATA_SUM_DUPLICATES,
                                           &tensor));
    return keep(tensor);
  }

  strata_tensor *converted(strata_tensor *from, const char *text) {
    strata_tensor *tensor = nullptr;
    succeed(strata_tensor_convert(from, format(text, 2), &tensor));
    return keep(tensor);
  }

  /// All that is computed of what calls of each kind return.
  std::vector<double> work() {
    std::vector<double> all;
    auto add = [&](strata_tensor *tensor) {
      std::vector<double> values = valuesOf(tensor);
      all.insert(all.end(), values.begin(), values.end());
    };
    strata_tensor *a = packed("CSR"), *x = vector(elements);
    add(converted(a, "CSC"));
    std::string file = testing::TempDir() + "strata-pool-test.mtx";
    succeed(strata_tensor_write(a, file.c_str()));
    strata_tensor *read = nullptr;
    succeed(strata_tensor_read(session, file.c_str(), format("CSR", 2), &read));
    std::filesystem::remove(file);
    add(keep(read));
    strata_format *csr = format("CSR", 2), *dense = format("Dense", 1);
    add(run(statement("y(i) = A(i,j) * x(j)", {{"A", csr}, {"x", dense}}), {a, x}));
    add(run(statement("y(j) = A(i,j) * x(i)", {{"A", csr}, {"x", dense}}), {a, x}));
    strata_statement *product = statement("C(i,k) = A(i,j) * B(j,k)", {{"A", csr}, {"B", csr}});
    for (int time = 0; time < 3; ++time)
      add(run(product, {a, a}));
    return all;
  }

  std::vector<int32_t> coordinates[2];
  std::vector<double> entries, elements;
};

// This test is the first, so that oneTBB has no threads yet.
TEST_F(PoolTest, CallsStartNoThreads) {
  Pool pool(3);
  pool.use(4);
  EXPECT_EQ(strata_threads(), 4);
  std::set<std::string> before = threadsOfProcess();
  std::vector<double> results = work();
  EXPECT_EQ(threadsOfProcess(), before);
  EXPECT_GT(pool.workers.begun, 0);
  strata_use_pool(nullptr);
  EXPECT_EQ(pool.released, 1);
  int begun = pool.workers.begun;
  EXPECT_EQ(work(), results);
  EXPECT_EQ(pool.workers.begun, begun);
}

TEST_F(PoolTest, ResultsAreTheSame) {
  std::vector<double> results = work();
  for (int threads : {1, 2, 5}) {
    Pool pool(threads - 1);
    pool.use(threads);
    EXPECT_EQ(strata_threads(), threads);
    EXPECT_EQ(work(), results) << threads;
    EXPECT_EQ(pool.workers.begun > 0, threads > 1);
    strata_set_threads(2); // of the pool's
    EXPECT_EQ(strata_threads(), std::min(threads, 2));
    EXPECT_EQ(work(), results);
    strata_set_threads(0);
    strata_use_pool(nullptr);
  }
}

TEST_F(PoolTest, SmallCallsSubmitNothing) {
  Given pool;
  int submitted = 0;
  pool.take = [&](Task task) {
    ++submitted;
    task.run();
  };
  pool.use(4);
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  for (int time = 0; time < 10; ++time)
    EXPECT_THAT(valuesOf(run(spmv, {matrix(), vector(ones)})), testing::ElementsAre(3, 0, 7));
  EXPECT_EQ(submitted, 0);
}

TEST_F(PoolTest, TasksMayRunAtAnyTime) {
  std::vector<double> results = work();
  static std::vector<Task> tasks;
  static auto &kept = *new std::vector<Task>; // what tasks hold that never run is never freed
  Given atOnce, afterwards, never;
  atOnce.take = [](Task task) { task.run(); };
  afterwards.take = [](Task task) { tasks.push_back(task); };
  never.take = [](Task task) { kept.push_back(task); };
  for (Given *pool : {&atOnce, &afterwards}) {
    pool->use(4);
    EXPECT_EQ(work(), results);
    strata_use_pool(nullptr);
    EXPECT_EQ(pool->released, 1);
  }
  EXPECT_EQ(tasks.size(), 3U);
  strata_use_pool(nullptr);
  for (Task task : tasks)
    std::thread([=] { task.run(); }).join();
  never.use(4);
  EXPECT_EQ(work(), results);
}

TEST_F(PoolTest, PoolsWithoutThreadsAreNoError) {
  std::vector<double> results = work();
  strata_pool pool = {};
  for (int32_t threads : {-1, 0, 8}) {
    pool.threads = threads;
    strata_use_pool(&pool);
    EXPECT_EQ(strata_threads(), 1);
    EXPECT_EQ(work(), results);
  }
}

TEST_F(PoolTest, PoolsAreReplacedWhileCallsRun) {
  std::vector<double> results = work();
  Pool first(2), second(3);
  std::atomic<bool> ends = false;
  int used = 0;
  std::thread replacing([&] {
    for (; !ends; ++used) {
      first.use(3);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      second.use(4);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      strata_use_pool(nullptr);
    }
  });
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(work(), results);
  ends = true;
  replacing.join();
  EXPECT_EQ(first.released, used); // no call runs
  EXPECT_EQ(second.released, used);
}

/// A session of its own.
class Caller : public PoolTest {
public:
  Caller() { SetUp(); }
  ~Caller() override { TearDown(); }

  std::vector<double> product() {
    if (!spmv) {
      a = packed("CSR");
      x = vector(elements);
      spmv =
          statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
    }
    return valuesOf(run(spmv, {a, x}));
  }

private:
  void TestBody() override {}

  strata_tensor *a = nullptr, *x = nullptr;
  strata_statement *spmv = nullptr;
};

TEST_F(PoolTest, SessionsShareAPool) {
  Caller one, another;
  std::vector<double> expected = one.product();
  Pool pool(2);
  pool.use(3);
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (Caller *caller : {&one, &another})
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 100; ++round)
        right += caller->product() == expected;
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(right, 200);
  EXPECT_GT(pool.workers.begun, 0);
}

TEST_F(PoolTest, ErrorsAndInterruptsEndCalls) {
  Pool pool(3);
  pool.use(4);
  strata_format *sparse = format("CSR", 2);
  strata_tensor *a = packed("CSR");
  strata_statement *product = statement("C(i,l) = A(i,j) * A(j,k) * A(k,l)", {{"A", sparse}});
  strata_session_limit_memory(session, 1 << 24);
  strata_tensor *result = nullptr;
  EXPECT_EQ(failureOf(strata_statement_run(product, &a, 1, &result)).kind, STRATA_ERROR_MEMORY);
  strata_session_limit_memory(session, -1);
  std::atomic<bool> ended = false;
  std::thread interrupting([&] {
    while (!ended) {
      strata_session_interrupt(session);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(failureOf(strata_statement_run(product, &a, 1, &result)).kind,
            STRATA_ERROR_INTERRUPTED);
  ended = true;
  interrupting.join();
  strata_use_pool(nullptr);
  EXPECT_EQ(pool.released, 1);
}

// Counts the runs until the kernel is compiled again, as it has visited many values.
static int64_t runsUntilOptimized(strata_session *session, strata_statement *product,
                                  std::vector<strata_tensor *> operands) {
  constexpr int64_t most = 100000;
  int64_t compiled = 0;
  for (int64_t runs = 0; runs < most; ++runs) {
    strata_tensor *result = nullptr;
    if (failureOf(strata_statement_run(product, operands.data(), 2, &result)).kind)
      return -1;
    strata_tensor_release(result);
    if (runs == 0)
      compiled = strata_session_compiled(session);
    else if (strata_session_compiled(session) > compiled)
      return runs;
  }
  return most;
}

TEST_F(PoolTest, RunsThatAreRepeatedAreCountedOnce) {
  std::vector<strata_operand> formats = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  strata_statement *one = statement("y(i) = 3 * A(i,j) * x(j)", formats);
  strata_statement *other = statement("y(i) = 5 * A(i,j) * x(j)", formats);
  std::vector<strata_tensor *> operands = {matrix(), vector(ones)};
  int64_t withoutPool = runsUntilOptimized(session, one, operands);
  Pool pool(2);
  pool.use(3);
  EXPECT_EQ(runsUntilOptimized(session, other, operands), withoutPool);
  EXPECT_GT(withoutPool, 1000);
  EXPECT_LT(withoutPool, 100000);
}

// Keeps the turn of the session in a call with a pool, while a thread repeats a run without it.
TEST_F(PoolTest, InterruptsDoNotWaitForTheTurn) {
  std::vector<double> many(200, 0.5);
  strata_tensor *x = vector(many), *a = packed("CSR");
  strata_statement *angles = statement("s = max(i, max(j, max(k, atan2(x(i) * x(j), x(k)))))",
                                       {{"x", format("Dense", 1)}});
  strata_statement *product = statement("C(i,k) = A(i,j) * A(j,k)", {{"A", format("CSR", 2)}});
  run(angles, {x});
  int64_t before = 0;
  do { // until a run does not repeat an earlier one, as it optimizes the kernel
    before = strata_session_repeated(session);
    run(angles, {x});
  } while (before != strata_session_repeated(session));
  run(angles, {x});
  std::atomic<bool> hasTurn = false, goesOn = false, ended = false;
  Given pool;
  pool.take = [&](Task task) {
    for (hasTurn = true; !goesOn;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    task.run();
  };
  pool.use(2);
  std::thread inTurn([&] {
    strata_tensor *result = nullptr;
    if (failureOf(strata_statement_run(product, &a, 1, &result)).kind == 0)
      strata_tensor_release(result);
  });
  while (!hasTurn)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  strata_use_pool(nullptr);
  Failure failure;
  std::thread beside([&] {
    strata_tensor *result = nullptr;
    while (failure.kind == 0) {
      failure = failureOf(strata_statement_run(angles, &x, 1, &result));
      if (failure.kind == 0)
        strata_tensor_release(result);
    }
    ended = true;
  });
  for (int waited = 0; !ended && waited < 5000; ++waited) {
    strata_session_interrupt(session);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(ended);
  goesOn = true;
  inTurn.join();
  while (!ended) {
    strata_session_interrupt(session);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  beside.join();
  EXPECT_EQ(failure.kind, STRATA_ERROR_INTERRUPTED);
  EXPECT_EQ(failure.message, "interrupted");
}

} // namespace
} // namespace strata::test
