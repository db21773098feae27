// Statements with an accelerator: the model, and how it is reported.
#include "Offloads.h"
#include "Messages.h"
#include "Report.h"
#include "Threads.h"

#include "strata/cost/Quantities.h"

#include "llvm/Support/Format.h"

#include <cmath>

using llvm::format;
using llvm::raw_ostream;
using llvm::StringRef;
using strata::accelerator::Accelerator;
using strata::accelerator::Design;
using strata::accelerator::Host;
using strata::accelerator::Offload;
using strata::cost::bytesText;
using strata::cost::durationText;

namespace strata::tool {

static void addTo(Offload &sum, const Offload &one, double times, double operations) {
  sum.microKernels += times * one.microKernels;
  sum.computeSeconds += times * one.computeSeconds;
  sum.transferSeconds += times * one.transferSeconds;
  sum.transferBytes += times * one.transferBytes;
  sum.packingSeconds += times * one.packingSeconds;
  sum.seconds += times * one.seconds;
  sum.joules += times * one.joules;
  // Summed up as what the array could have made, to be divided by in the end.
  sum.utilization += operations / one.utilization;
}

std::vector<OffloadedStep> offloadSteps(llvm::ArrayRef<StepReport> steps, const Design &design,
                                        const Host &host) {
  std::vector<OffloadedStep> offloaded;
  for (const StepReport &step : steps) {
    if (step.contractions.empty())
      continue;
    OffloadedStep one;
    one.step = &step;
    for (const auto &[shape, rounds] : step.contractions) {
      accelerator::Product product{shape.batch.size, shape.rows.size, shape.columns.size,
                                   shape.depth.size, shape.elementBytes};
      double operations = double(rounds) * shape.operations();
      addTo(one.offload, accelerator::offload(design, product, host), double(rounds), operations);
      one.contractions += operations;
    }
    one.offload.utilization = one.contractions / one.offload.utilization;
    if (step.flops > one.contractions)
      one.rest = step.run * (1 - one.contractions / step.flops);
    offloaded.push_back(one);
  }
  return offloaded;
}

OffloadedRun totalOf(llvm::ArrayRef<StepReport> steps, llvm::ArrayRef<OffloadedStep> offloaded) {
  OffloadedRun run;
  for (const StepReport &step : steps)
    run.native += step.run;
  run.seconds = run.native;
  double logarithms = 0;
  for (const OffloadedStep &one : offloaded) {
    run.seconds += one.seconds() - one.step->run;
    run.joules += one.offload.joules;
    logarithms += std::log(one.step->flops / one.seconds());
  }
  if (!offloaded.empty())
    run.meanRate = std::exp(logarithms / double(offloaded.size()));
  return run;
}

Host hostOf(const std::optional<machine::Machine> &machine) {
  if (machine)
    return {.machine = &*machine, .allThreads = threadsInUse() > 1 && machine->threads > 1};
  note("this machine has not been measured: its memory is taken to give " +
       llvm::Twine(int64_t(Host::assumedBandwidth / 1e9)) +
       " GB/s to accelerators and to packing; strata machine --measure");
  return {};
}

std::optional<Design> designFrom(const llvm::opt::Arg &option) {
  runtime::Result<Accelerator> accelerator = accelerator::readAccelerator(option.getValue());
  if (!accelerator) {
    fail(accelerator.error().sentence(), "docs/Accelerators.md describes descriptions");
    return std::nullopt;
  }
  runtime::Result<Design> design = accelerator::Designer().design(*accelerator);
  if (!design) {
    fail(design.error().sentence());
    return std::nullopt;
  }
  return std::move(*design);
}

//===------------------------------------------------------------------------------------------===//
// As text
//===------------------------------------------------------------------------------------------===//

// Three digits, with the unit of the first scale that leaves less than a thousand.
static std::string scaled(double value, llvm::ArrayRef<StringRef> units) {
  while (units.size() > 1 && value >= 1000) {
    value /= 1000;
    units = units.drop_front();
  }
  std::string text;
  llvm::raw_string_ostream(text) << format("%.3g ", value) << units.front();
  return text;
}

std::string powerText(double watts) { return scaled(watts * 1e6, {"uW", "mW", "W"}); }
std::string areaText(double squareMicrometres) {
  std::string text;
  llvm::raw_string_ostream(text) << format("%.3g mm2", squareMicrometres * 1e-6);
  return text;
}
std::string energyText(double joules) {
  return scaled(joules * 1e12, {"pJ", "nJ", "uJ", "mJ", "J"});
}

static std::string rateText(double operations) {
  return scaled(operations * 1e-6, {"MFLOP/s", "GFLOP/s", "TFLOP/s"});
}

void printOffload(raw_ostream &os, const OffloadedStep &one, const Design &design) {
  const Offload &offload = one.offload;
  os << "  " << design.accelerator.name << " " << durationText(one.seconds()) << " ("
     << format("%.3g", one.speedup()) << " times as fast, "
     << rateText(one.step->flops / one.seconds()) << ", " << energyText(offload.joules)
     << "): micro-kernels " << durationText(offload.computeSeconds) << " ("
     << format("%.0f", offload.microKernels) << " of them, "
     << format("%.0f", 100 * offload.utilization) << "% of the array used), transfers "
     << durationText(offload.transferSeconds) << ", packing "
     << durationText(offload.packingSeconds);
  if (one.rest > 0)
    os << ", rest " << durationText(one.rest);
  os << "\n";
}

void printOffloads(raw_ostream &os, const OffloadedRun &run, const Design &design) {
  const Accelerator &accelerator = design.accelerator;
  auto count = double(accelerator.count);
  os << "accelerator " << accelerator.name << ": ";
  if (accelerator.count > 1)
    os << accelerator.count << " of them, ";
  os << design.activity.cycles << " cycles for " << accelerator.rows << " x " << accelerator.columns
     << " x " << accelerator.depth << " of " << accelerator::nameOf(accelerator.type) << " at "
     << format("%g", accelerator.megahertz) << " MHz, " << rateText(count * design.peak()) << ", "
     << powerText(count * design.power()) << ", " << areaText(count * design.area()) << " at "
     << accelerator.nanometers << " nm; statements: " << durationText(run.native) << " here, "
     << durationText(run.seconds) << " with it\n";
}

//===------------------------------------------------------------------------------------------===//
// As JSON
//===------------------------------------------------------------------------------------------===//

void writeOffload(llvm::json::OStream &json, const OffloadedStep &one) {
  json.attribute("seconds", one.seconds());
  json.attribute("gflops", one.step->flops / one.seconds() * 1e-9);
  json.attribute("micro_kernels", one.offload.microKernels);
  json.attribute("compute", one.offload.computeSeconds);
  json.attribute("transfers", one.offload.transferSeconds);
  json.attribute("transfer_bytes", one.offload.transferBytes);
  json.attribute("packing", one.offload.packingSeconds);
  json.attribute("rest", one.rest);
  json.attribute("utilization", one.offload.utilization);
  json.attribute("joules", one.offload.joules);
}

void writeDesign(llvm::json::OStream &json, const Design &design) {
  const Accelerator &accelerator = design.accelerator;
  auto count = double(accelerator.count);
  json.attribute("name", accelerator.name);
  json.attribute("count", accelerator.count);
  json.attribute("type", accelerator::nameOf(accelerator.type));
  json.attributeArray("size", [&] {
    for (int64_t size : {accelerator.rows, accelerator.columns, accelerator.depth})
      json.value(size);
  });
  json.attribute("megahertz", accelerator.megahertz);
  json.attribute("nanometers", accelerator.nanometers);
  json.attribute("cycles", design.activity.cycles);
  json.attribute("gflops", count * design.peak() * 1e-9);
  json.attribute("watts", count * design.power());
  json.attribute("square_micrometers", count * design.area());
}

void writeOffloads(llvm::json::OStream &json, const OffloadedRun &run, const Design &design) {
  json.attributeObject("accelerator", [&] {
    writeDesign(json, design);
    json.attribute("native", run.native);
    json.attribute("seconds", run.seconds);
    json.attribute("joules", run.joules);
    json.attribute("mean_gflops", run.meanRate * 1e-9);
  });
}

} // namespace strata::tool
