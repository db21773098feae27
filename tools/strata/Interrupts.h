// What happens when the user interrupts a command, or ends it otherwise.
#ifndef STRATA_TOOLS_INTERRUPTS_H
#define STRATA_TOOLS_INTERRUPTS_H

#include "strata/run/Activity.h"

#include <memory>

namespace strata::tool {

/// From here on, Ctrl-C says what a run was doing, if there is one, and like other requests to end
/// removes what is written by halves, before it ends the process as usual. Called once, before
/// other threads are started.
void watchInterrupts(std::shared_ptr<const Activity> activity = nullptr);

} // namespace strata::tool

#endif // STRATA_TOOLS_INTERRUPTS_H
