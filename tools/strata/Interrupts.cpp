// A thread that waits for Ctrl-C and for requests to end: unlike a signal handler it may read what
// other threads write, and lock.
#include "Interrupts.h"
#include "InRanks.h"
#include "Progress.h"

#include "strata/runtime/io/Unfinished.h"

#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <pthread.h>
#include <thread>

namespace strata::tool {

// Those that end the process, but not those that it was told to ignore: under nohup, in the
// background of a script.
static sigset_t signalsThatEnd() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present;
    if (sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
      sigaddset(&signals, signal);
  }
  return signals;
}

void watchInterrupts(std::shared_ptr<const Activity> activity) {
  const sigset_t signals = signalsThatEnd();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, activity = std::move(activity)] {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0)
      return;
    clearProgress();
    std::string doing = activity ? activity->text() : "";
    if (signal == SIGINT && !doing.empty() && speaksForAll())
      llvm::errs() << "strata: interrupted " << doing << "\n";
    const runtime::UnfinishedHold hold = runtime::removeUnfinished();
    llvm::sys::RunInterruptHandlers(); // which remove files, too
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(signal);
  }).detach();
}

} // namespace strata::tool
