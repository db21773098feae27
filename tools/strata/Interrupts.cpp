// A thread that waits for Ctrl-C: unlike a signal handler it may read what other threads write.
#include "Interrupts.h"
#include "InRanks.h"
#include "Progress.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <pthread.h>
#include <thread>

namespace strata::tool {

void watchInterrupts(std::shared_ptr<const Activity> activity) {
  struct sigaction present;
  if (sigaction(SIGINT, nullptr, &present) != 0 || present.sa_handler == SIG_IGN)
    return;
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupts, nullptr);
  std::thread([interrupts, activity = std::move(activity)] {
    int signal = 0;
    if (sigwait(&interrupts, &signal) != 0)
      return;
    clearProgress();
    if (std::string doing = activity->text(); !doing.empty() && speaksForAll())
      llvm::errs() << "strata: interrupted " << doing << "\n";
    std::signal(SIGINT, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &interrupts, nullptr);
    std::raise(SIGINT);
  }).detach();
}

} // namespace strata::tool
