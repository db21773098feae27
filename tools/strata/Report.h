// What a run took and did: as text, and as JSON.
#ifndef STRATA_TOOLS_REPORT_H
#define STRATA_TOOLS_REPORT_H

#include "Offloads.h"
#include "RunProgram.h"

#include "strata/run/Executor.h"

#include "llvm/Support/JSON.h"

namespace strata::tool {

struct RunReport {
  const RunRequest &request;
  llvm::ArrayRef<StepReport> steps;
  llvm::ArrayRef<CheckReport> checks;
  LoadTimes load;
  double execution = 0; ///< seconds of all steps, as measured around them
  bool ok = true;
  std::string output = {};                    ///< what the program printed, where it was kept,
  llvm::ArrayRef<PrintedTensor> printed = {}; ///< and its values
};

/// --verbose: the tensors and loops of each step.
void printSteps(const RunReport &report, llvm::raw_ostream &os);
/// --check: what was compared.
void printChecks(const RunReport &report, llvm::raw_ostream &os);
/// --time.
void printTimes(const RunReport &report, llvm::raw_ostream &os);
/// -write-time: compileTime,assembleTime,mean,stdev,median of the last statement, in milliseconds.
/// False if the file cannot be written, which is reported.
bool writeTimes(const RunReport &report, llvm::StringRef file);
/// --json: everything.
void printJson(const RunReport &report, llvm::raw_ostream &os);

/// Parts of reports as JSON: the attribute `errors`, those shown so far, and `tensor`.
void writeErrors(llvm::json::OStream &json);
void writeTensor(llvm::json::OStream &json, const TensorReport &tensor);
/// Writes a number; what JSON lacks is a text there: "inf", "-inf", "nan".
void writeNumber(llvm::json::OStream &json, double number);

/// Median of the times of a step that ran.
double medianOf(llvm::ArrayRef<double> times);

/// What the least time of a step would be if the machine did nothing but move its bytes or compute,
/// in all rounds; nothing where the machine has not been measured.
std::optional<machine::Roofline> rooflineOf(const StepReport &step,
                                            const std::optional<machine::Machine> &machine);

/// The statements of a run on the accelerator that it was asked for; none without one.
std::vector<OffloadedStep> offloadsOf(const RunReport &report);

} // namespace strata::tool

#endif // STRATA_TOOLS_REPORT_H
