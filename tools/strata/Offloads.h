// What the statements of a run would take with an accelerator.
#ifndef STRATA_TOOLS_OFFLOADS_H
#define STRATA_TOOLS_OFFLOADS_H

#include "strata/accelerator/Offload.h"
#include "strata/run/Executor.h"

#include "llvm/Option/Arg.h"
#include "llvm/Support/JSON.h"

namespace strata::tool {

/// A statement whose contractions an accelerator computes, in all rounds of the loops around it.
struct OffloadedStep {
  const StepReport *step = nullptr;
  accelerator::Offload offload; ///< the sum over its contractions
  double contractions = 0;      ///< operations of these
  /// Seconds of what is left to the host: the share of the measured time that the statement's other
  /// operations have.
  double rest = 0;

  double seconds() const { return offload.seconds + rest; }
  /// How many times as fast as it was measured.
  double speedup() const { return step->run / seconds(); }
};

/// The statements of a run that have contractions.
std::vector<OffloadedStep> offloadSteps(llvm::ArrayRef<StepReport> steps,
                                        const accelerator::Design &design,
                                        const accelerator::Host &host);

/// All statements of a run.
struct OffloadedRun {
  double native = 0;  ///< seconds as measured
  double seconds = 0; ///< with the accelerator
  double joules = 0;  ///< of the accelerator
  /// Operations a second: the geometric mean over statements with contractions; 0 without any.
  double meanRate = 0;
};
OffloadedRun totalOf(llvm::ArrayRef<StepReport> steps, llvm::ArrayRef<OffloadedStep> offloaded);

/// The host that a machine is; null: one that has not been measured.
accelerator::Host hostOf(const std::optional<machine::Machine> &machine);

/// Reads and models the accelerator that an option names. Nothing after an error, which was
/// reported.
std::optional<accelerator::Design> designFrom(const llvm::opt::Arg &option);

/// "24.6 mW", "0.42 mm2".
std::string powerText(double watts);
std::string areaText(double squareMicrometres);
std::string energyText(double joules);

/// A line below a statement's times.
void printOffload(llvm::raw_ostream &os, const OffloadedStep &step,
                  const accelerator::Design &design);
/// The accelerator, and all statements with it.
void printOffloads(llvm::raw_ostream &os, const OffloadedRun &run,
                   const accelerator::Design &design);
/// The attribute `accelerator` of a statement, and of a run.
void writeOffload(llvm::json::OStream &json, const OffloadedStep &step);
void writeDesign(llvm::json::OStream &json, const accelerator::Design &design);
void writeOffloads(llvm::json::OStream &json, const OffloadedRun &run,
                   const accelerator::Design &design);

} // namespace strata::tool

#endif // STRATA_TOOLS_OFFLOADS_H
