// How long this process has been at work.
#ifndef STRATA_TOOLS_PROCESSCLOCK_H
#define STRATA_TOOLS_PROCESSCLOCK_H

namespace strata::tool {

/// To be called first thing in main.
void startProcessClock();

/// Seconds of processor time spent before main: loading the program, LLVM and MLIR.
double secondsBeforeMain();
/// Seconds since main began.
double secondsSinceMain();

} // namespace strata::tool

#endif // STRATA_TOOLS_PROCESSCLOCK_H
