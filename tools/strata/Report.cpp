// Reports as text.
#include "Report.h"
#include "Messages.h"
#include "OutputFile.h"
#include "ProcessClock.h"
#include "Threads.h"

#include "strata/cost/Quantities.h"
#include "strata/estimate/Work.h"
#include "strata/explain/Explain.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/Gemm.h"
#include "strata/tensor/Quantities.h"

#include "llvm/Support/Format.h"

#include <cmath>

using llvm::format;
using llvm::raw_ostream;
using llvm::StringRef;

namespace strata::tool {

using cost::bytesText;
using cost::durationText;
using cost::millisecondsText;

double medianOf(llvm::ArrayRef<double> times) {
  std::vector<double> sorted(times);
  llvm::sort(sorted);
  size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Operations a second.
static std::string rate(double operations, double seconds) {
  double perSecond = operations / seconds;
  StringRef unit = " FLOP/s";
  for (StringRef next : {" kFLOP/s", " MFLOP/s", " GFLOP/s"}) {
    if (perSecond < 1000)
      break;
    perSecond /= 1000;
    unit = next;
  }
  std::string text;
  llvm::raw_string_ostream(text) << format("%.3g", perSecond) << unit;
  return text;
}

static std::string titleOf(const StepReport &step) {
  bool statement = !step.runs.empty();
  return !statement && step.made && !step.made->name.empty() ? step.made->name + ": " + step.what
                                                             : step.what;
}

//===------------------------------------------------------------------------------------------===//
// Steps and checks
//===------------------------------------------------------------------------------------------===//

static std::string describe(const TensorReport &tensor) {
  std::string text = tensor.name.empty() ? "tensor: " : tensor.name + ": ";
  for (auto [at, size] : llvm::enumerate(tensor.sizes))
    text += (at ? " x " : "") + std::to_string(size);
  text += tensor.sizes.empty() ? "" : ", ";
  text += tensor.type;
  if (!tensor.sizes.empty())
    text += ", " + tensor.format + ", " + counted(tensor.stored, "value") + " stored";
  return text + ", " + bytesText(tensor.bytes);
}

void printSteps(const RunReport &report, raw_ostream &os) {
  for (const StepReport &step : report.steps) {
    os << titleOf(step) << "\n";
    if (step.made)
      os << "  " << describe(*step.made) << "\n";
    if (step.schedule)
      os << "  schedule " << scheduleText(*step.schedule) << "\n";
    if (!step.loops.empty()) {
      llvm::SmallVector<StringRef> lines;
      StringRef(step.loops).split(lines, '\n', -1, /*KeepEmpty=*/false);
      os << "  loops\n";
      for (StringRef line : lines)
        os << "    " << line << "\n";
    }
    if (step.estimatedBytes > 0)
      os << "  estimated at " << bytesText(int64_t(std::min(step.estimatedBytes, 0x1p62)))
         << ", beside the operands\n";
    if (step.scratchBytes > 0)
      os << "  the kernel held at most " << bytesText(step.scratchBytes) << "\n";
  }
}

void printChecks(const RunReport &report, raw_ostream &os) {
  for (const CheckReport &check : report.checks)
    os << "check: " << check.statement << ": " << check.compared << " ("
       << millisecondsText(check.seconds) << " ms)\n";
}

//===------------------------------------------------------------------------------------------===//
// Times
//===------------------------------------------------------------------------------------------===//

namespace {
struct Phase {
  StringRef name;
  double StepReport::*seconds;
};
} // namespace

static constexpr Phase phases[] = {{"read", &StepReport::read}, {"sort", &StepReport::sort},
                                   {"pack", &StepReport::pack}, {"compile", &StepReport::compile},
                                   {"run", &StepReport::run},   {"write", &StepReport::write}};

static constexpr unsigned titleWidth = 36;

static void printRow(raw_ostream &os, StringRef title, const StepReport &step) {
  if (title.size() > titleWidth)
    os << title.take_front(titleWidth - 3) << "...";
  else
    os << llvm::left_justify(title, titleWidth);
  double sum = 0;
  for (const Phase &phase : phases) {
    double seconds = step.*phase.seconds;
    os << llvm::right_justify(seconds > 0 ? millisecondsText(seconds) : ".", 9);
    sum += seconds;
  }
  os << llvm::right_justify(millisecondsText(sum), 9) << "\n";
}

static void printRuns(raw_ostream &os, const StepReport &step) {
  if (step.runs.empty())
    return;
  os << step.what << ": ";
  if (step.runs.size() > 1)
    os << "least " << durationText(*llvm::min_element(step.runs)) << ", median "
       << durationText(medianOf(step.runs)) << " of " << step.runs.size() << " runs; ";
  std::string count = countInWords(step.flops);
  os << "about " << count << " " << nounFor(count == "1" ? 1 : 2, "operation");
  os << stepsText(step.flops, step.allSteps());
  if (step.run > 0 && step.flops >= 1)
    os << ", " << rate(step.flops, step.run);
  os << "\n";
}

static bool usesAllThreads(const machine::Machine &machine) {
  return threadsInUse() > 1 && machine.threads > 1;
}

std::optional<machine::Roofline> rooflineOf(const StepReport &step,
                                            const std::optional<machine::Machine> &machine) {
  if (!machine || step.run <= 0 || step.rounds == 0 || step.traffic <= 0)
    return std::nullopt;
  double rounds = double(step.rounds);
  machine::Roofline roof = machine::roofline(*machine, step.traffic / rounds, step.flops / rounds,
                                             usesAllThreads(*machine));
  roof.seconds *= rounds;
  return roof;
}

static void printRoofline(raw_ostream &os, const StepReport &step,
                          const std::optional<machine::Machine> &machine) {
  std::optional<machine::Roofline> roof = rooflineOf(step, machine);
  if (!roof)
    return;
  int64_t bytes = int64_t(step.traffic / double(step.rounds));
  os << "  roofline " << durationText(roof->seconds) << " ("
     << (roof->computes ? "the operations" : bytesText(bytes) + " from " + roof->level->name)
     << (usesAllThreads(*machine) ? ", all threads" : ", one thread") << "), "
     << format("%.0f", 100 * roof->seconds / step.run) << "% of the least time\n";
}

// What the model of costs expected, next to what was measured.
static void printPrediction(raw_ostream &os, const StepReport &step,
                            const std::optional<machine::Machine> &machine) {
  if (!step.predicted || !machine || step.run <= 0)
    return;
  double expected = step.predicted->seconds * double(step.rounds);
  double share = expected / step.run;
  os << "  predicted " << predictionText(*step.predicted, *machine) << ", " << format("%.2f", share)
     << " of the least time"
     << (share > 2     ? ": the model is too slow by more than twice"
         : share < 0.5 ? ": the model is too fast by more than twice"
                       : "")
     << "\n";
}

std::vector<OffloadedStep> offloadsOf(const RunReport &report) {
  const RunRequest &request = report.request;
  if (!request.accelerator)
    return {};
  return offloadSteps(report.steps, *request.accelerator, hostOf(request.machine));
}

static void printProcess(raw_ostream &os, const RunReport &report) {
  double total = secondsBeforeMain() + secondsSinceMain();
  os << "process: " << millisecondsText(total) << " ms = before main "
     << millisecondsText(secondsBeforeMain()) << ", context "
     << millisecondsText(report.load.context) << ", program "
     << millisecondsText(report.load.program) << ", steps " << millisecondsText(report.execution)
     << ", rest "
     << millisecondsText(total - secondsBeforeMain() - report.load.context - report.load.program -
                         report.execution)
     << "\n";
}

void printTimes(const RunReport &report, raw_ostream &os) {
  os << llvm::left_justify("time in ms", titleWidth);
  for (const Phase &phase : phases)
    os << llvm::right_justify(phase.name, 9);
  os << llvm::right_justify("sum", 9) << "\n";
  StepReport total{"total"};
  for (const StepReport &step : report.steps) {
    printRow(os, titleOf(step), step);
    for (const Phase &phase : phases)
      total.*phase.seconds += step.*phase.seconds;
    total.compileParts += step.compileParts;
  }
  printRow(os, "total", total);
  os << "compile: passes " << millisecondsText(total.compileParts.passes) << ", optimization "
     << millisecondsText(total.compileParts.optimization) << ", machine code "
     << millisecondsText(total.compileParts.machineCode) << "; "
     << counted(total.compileParts.kernels, "kernel") << ", " << total.compileParts.kept
     << " from the cache\n";
  if (report.request.gemmLibrary) {
    runtime::GemmCounts counts = runtime::gemmCounts();
    os << "gemm: " << counted(counts.computed, "call") << " of " << *report.request.gemmLibrary
       << ", and " << counts.declined << " that it declined\n";
  }
  std::vector<OffloadedStep> offloaded = offloadsOf(report);
  for (const StepReport &step : report.steps) {
    if (step.movedBytes > 0)
      os << titleOf(step) << ": " << counted(step.movedBytes, "byte") << " between ranks, at most "
         << step.mostMovedBytes << " from one; waited " << millisecondsText(step.waitedSeconds)
         << " ms\n";
    if (step.newPlans > 0)
      os << titleOf(step) << ": " << counted(step.newPlans, "plan") << ", kept in "
         << counted(step.keptPlans, "more round") << "\n";
    if (step.copiedBytes)
      os << titleOf(step) << ": " << counted(*step.copiedBytes, "byte") << " copied by rank 0\n";
    printRuns(os, step);
    printRoofline(os, step, report.request.machine);
    printPrediction(os, step, report.request.machine);
    for (const OffloadedStep &one : offloaded)
      if (one.step == &step)
        printOffload(os, one, *report.request.accelerator);
  }
  if (report.request.accelerator)
    printOffloads(os, totalOf(report.steps, offloaded), *report.request.accelerator);
  printProcess(os, report);
}

bool writeTimes(const RunReport &report, StringRef file) {
  double compile = 0, assemble = 0, mean = 0, squares = 0;
  llvm::ArrayRef<double> runs;
  for (const StepReport &step : report.steps) {
    compile += step.compile;
    if (!step.runs.empty())
      runs = step.runs, assemble = step.pack;
  }
  for (double run : runs)
    mean += run / double(runs.size());
  for (double run : runs)
    squares += (run - mean) * (run - mean) / double(runs.size());
  double median = runs.empty() ? 0 : medianOf(runs);
  std::string text = "compileTime,assembleTime,mean,stdev,median\n";
  llvm::raw_string_ostream(text) << format("%.6g,%.6g,%.6g,%.6g,%.6g\n", compile * 1e3,
                                           assemble * 1e3, mean * 1e3, std::sqrt(squares) * 1e3,
                                           median * 1e3);
  return writeTo(file, text) == exitSuccess;
}

} // namespace strata::tool
