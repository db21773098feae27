// Commands that a launcher of MPI starts several times: all processes do the work together, and the
// first one speaks for all.
#ifndef STRATA_TOOLS_INRANKS_H
#define STRATA_TOOLS_INRANKS_H

#include "strata/runtime/dist/Job.h"
#include "strata/runtime/dist/Loader.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace llvm::opt {
class Arg;
}

namespace strata::tool {

/// What a command does where a launcher has started it several times.
enum class InRanks {
  Together, ///< its processes share the work, and it prints and writes once
  Never     ///< it is the work of one process
};

/// Runs a command with its arguments, and gives what the process exits with. With --ranks, a
/// launcher of MPI starts the process several times; under a launcher it joins the others before.
int runInRanks(InRanks kind, llvm::ArrayRef<const char *> arguments,
               llvm::function_ref<int()> command);

/// Starts the process again, several times, if its command line has --ranks=N: does not return
/// then, unless that fails, with what the process exits with. Nothing without the option.
std::optional<int> launchRanks();

/// Refuses a command for a mistake that all processes of a launcher find by themselves: the first
/// one says it, and the others end after that.
int refuseInRanks(const runtime::dist::Launcher &launcher, const llvm::Twine &message,
                  const llvm::Twine &hint);

/// The processes that this one has joined; null: it is alone.
runtime::dist::World *worldHere();
/// The same, as far as they do one job.
runtime::dist::Job *jobHere();
/// Tells whether this process prints, and writes files.
bool speaksForAll();

/// Ends the job of this process, as far as there is one, before it reports: tells what has failed
/// on another rank. True if all is well in all of them.
bool settleInRanks(bool ok);
/// Warns if the processors that kernels are made for differ between ranks.
void warnOfProcessors(llvm::StringRef processor);

/// Verifies that all processes have the same content. False after an error, which was reported.
bool agreeInRanks(const std::string &what, llvm::StringRef content);

/// Verifies --deadline=SECONDS, how long a process waits for another, which was set when it joined
/// the others. False after a mistake, which was reported.
bool setDeadline(const llvm::opt::Arg *option);

} // namespace strata::tool

#endif // STRATA_TOOLS_INRANKS_H
