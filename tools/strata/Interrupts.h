// What is said when the user interrupts a run.
#ifndef STRATA_TOOLS_INTERRUPTS_H
#define STRATA_TOOLS_INTERRUPTS_H

#include "strata/run/Activity.h"

#include <memory>

namespace strata::tool {

/// From here on, Ctrl-C says what the run was doing, before it ends the process as usual. Called
/// once, before other threads are started.
void watchInterrupts(std::shared_ptr<const Activity> activity);

} // namespace strata::tool

#endif // STRATA_TOOLS_INTERRUPTS_H
