// Shows how much of a file was read, and which statement is compiled.
#include "Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace strata::tool {

static std::atomic<bool> lineIsShown = false;

void clearProgress() {
  if (lineIsShown)
    llvm::errs() << "\r\033[K";
  lineIsShown = false;
}

runtime::Progress progressOf(const std::string &file) {
  using Clock = std::chrono::steady_clock;
  using namespace std::chrono_literals;
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return {};
  Clock::time_point next = Clock::now() + 1s;
  return [file, next](double share) mutable {
    if (share >= 1)
      return clearProgress();
    if (Clock::now() < next)
      return;
    next = Clock::now() + 100ms;
    lineIsShown = true;
    llvm::errs() << "\rstrata: reading " << file << llvm::format(" %3.0f %%", 100 * share)
                 << "\033[K";
  };
}

namespace {

// Writes a line from a thread of its own, unless it is stopped within a second.
class LateLine {
public:
  explicit LateLine(std::string line) : line(std::move(line)), thread([this] { wait(); }) {}
  ~LateLine() {
    {
      std::lock_guard lock(mutex);
      stopped = true;
    }
    changed.notify_one();
    thread.join();
    clearProgress();
  }

private:
  void wait() {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex);
    if (changed.wait_for(lock, 1s, [this] { return stopped; }))
      return;
    lineIsShown = true;
    llvm::errs() << "\rstrata: " << line << "\033[K";
  }

  std::string line;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopped = false;
  std::thread thread;
};

} // namespace

std::function<void(llvm::StringRef)> compileProgress() {
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return {};
  return [line = std::shared_ptr<LateLine>()](llvm::StringRef statement) mutable {
    line.reset();
    constexpr size_t width = 60; // a longer line would stay where it wraps
    std::string text = statement.take_front(width).str() + (statement.size() > width ? "..." : "");
    if (!statement.empty())
      line = std::make_shared<LateLine>("compiling " + text);
  };
}

std::shared_ptr<void> workProgress(llvm::StringRef work) {
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return nullptr;
  return std::make_shared<LateLine>(work.str());
}

} // namespace strata::tool
