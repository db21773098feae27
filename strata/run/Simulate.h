// What a program would take on many ranks: it runs on as many in this process, and what each
// computes and sends is counted.
#ifndef STRATA_RUN_SIMULATE_H
#define STRATA_RUN_SIMULATE_H

#include "strata/compile/KernelCompiler.h"
#include "strata/machine/Network.h"
#include "strata/runtime/dist/World.h"
#include "strata/translate/CompiledProgram.h"

namespace strata {

/// One operation of the program, in all rounds of the loops around it.
struct SimulatedStep {
  std::string what;                    ///< as StepReport says it
  int64_t rounds = 0;                  ///< of the rank that has most
  double seconds = 0, meanSeconds = 0; ///< of computing: of the slowest rank, of all on average
  double network = 0;                  ///< seconds that messages take, by the figures of a network
  /// Bytes between ranks: of all, and of the one that sends most. As a run tells them, if it does:
  /// without what a plan of who sends what takes, which is counted by itself.
  int64_t bytes = 0, mostBytes = 0;
  int64_t messages = 0, mostMessages = 0, messageBytes = 0; ///< from rank to rank
  int64_t newPlans = 0, keptPlans = 0;
  int64_t planBytes() const { return std::max<int64_t>(messageBytes - bytes, 0); }
  int64_t stored = 0,
          mostStored = 0; ///< values of a tensor in pieces that it makes: of all, of one
};

struct Simulation {
  int32_t ranks;
  std::vector<SimulatedStep> steps = {}; ///< in the order in which they begin
  int64_t mostHeld = 0;                  ///< bytes of tensors that a rank has at once
  /// Seconds, of all steps.
  double seconds() const;
};

/// A program that is compiled ahead, with kernels that can be called in this process.
class SimulatedProgram {
public:
  /// Fails with an error that has been told.
  static runtime::Result<SimulatedProgram> compile(CompiledProgram compiled,
                                                   KernelCompiler &compiler);

  /// Runs it on so many ranks, each of which computes on one thread. Machines have as many cells as
  /// there are ranks, but for those that `parameters` name. Files are read; nothing is printed or
  /// written. A failure is told at its operation.
  std::optional<Simulation> run(int32_t ranks, const std::map<std::string, std::string> &parameters,
                                const machine::Network &network) const;

private:
  CompiledProgram compiled;
  std::vector<std::shared_ptr<const LinkedKernel>> linked;
  std::vector<strata_kernel> kernels; ///< by their numbers
};

} // namespace strata

#endif // STRATA_RUN_SIMULATE_H
