// strata explain --simulate: what a program would take on many ranks.
#ifndef STRATA_TOOLS_SIMULATION_H
#define STRATA_TOOLS_SIMULATION_H

#include "Session.h"

#include "strata/machine/Network.h"

namespace strata::tool {

struct SimulationRequest {
  std::vector<int32_t> ranks;
  frontend::Parameters parameters; ///< that were given: machines among them keep their cells
  machine::Network network = {};
  bool cache = true;
  bool json = false;
};

/// "2,4,64"; nothing after a mistake, which was reported.
std::optional<std::vector<int32_t>> parseRanks(llvm::StringRef text);

/// Runs a program that is prepared on so many ranks, one simulation after the other, and prints
/// what each of its steps computes and sends; false after an error, which was reported.
bool simulate(mlir::ModuleOp module, const SimulationRequest &request);

} // namespace strata::tool

#endif // STRATA_TOOLS_SIMULATION_H
