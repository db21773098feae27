// Threads that stand for a program's own in tests.
#ifndef STRATA_TEST_UNIT_WORKERS_H
#define STRATA_TEST_UNIT_WORKERS_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace strata::test {

/// Threads that run tasks in the order in which they are given.
class Workers {
public:
  explicit Workers(int threads) {
    for (int number = 0; number < threads; ++number)
      workers.emplace_back([this] { work(); });
  }
  ~Workers() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    changed.notify_all();
    for (std::thread &worker : workers)
      worker.join();
  }

  void take(std::function<void()> task) {
    const std::lock_guard<std::mutex> lock(mutex);
    tasks.push_back(std::move(task));
    ++taken;
    changed.notify_one();
  }

  std::multiset<std::thread::id> ids() const {
    std::multiset<std::thread::id> all;
    for (const std::thread &worker : workers)
      all.insert(worker.get_id());
    return all;
  }

  std::atomic<int> taken = 0, begun = 0; ///< tasks

private:
  void work() {
    for (std::unique_lock<std::mutex> lock(mutex);;) {
      changed.wait(lock, [&] { return ends || !tasks.empty(); });
      if (tasks.empty())
        return;
      const std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      ++begun;
      task();
      lock.lock();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  bool ends = false;
  std::vector<std::thread> workers;
};

} // namespace strata::test

#endif // STRATA_TEST_UNIT_WORKERS_H
