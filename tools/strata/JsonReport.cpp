// Reports as JSON; docs/CommandLine.md describes the keys.
#include "Messages.h"
#include "ProcessClock.h"
#include "Report.h"

#include "strata/Version.h"

#include "llvm/Support/JSON.h"

#include <cmath>

using llvm::StringRef;
using llvm::json::OStream;

namespace strata::tool {

// Texts that came from files may be any bytes.
static std::string utf8(StringRef text) { return llvm::json::fixUTF8(text); }

void writeTensor(OStream &json, const TensorReport &tensor) {
  json.attributeObject("tensor", [&] {
    json.attribute("name", utf8(tensor.name));
    json.attributeArray("sizes", [&] {
      for (int64_t size : tensor.sizes)
        json.value(size);
    });
    json.attribute("type", tensor.type);
    json.attribute("format", tensor.format);
    json.attribute("stored", tensor.stored);
    json.attribute("bytes", tensor.bytes);
  });
}

static void writeSeconds(OStream &json, const StepReport &step) {
  json.attributeObject("seconds", [&] {
    json.attribute("read", step.read);
    json.attribute("sort", step.sort);
    json.attribute("pack", step.pack);
    json.attribute("compile", step.compile);
    json.attribute("run", step.run);
    json.attribute("write", step.write);
  });
  json.attributeObject("compile", [&] {
    json.attribute("passes", step.compileParts.passes);
    json.attribute("optimization", step.compileParts.optimization);
    json.attribute("machine_code", step.compileParts.machineCode);
    json.attribute("kernels", step.compileParts.kernels);
    json.attribute("kept", step.compileParts.kept);
    json.attribute("instructions", step.compileParts.instructions);
  });
}

static void writePrediction(OStream &json, const cost::Prediction &predicted,
                            const machine::Machine &machine) {
  json.attributeObject("predicted", [&] {
    json.attribute("seconds", predicted.seconds);
    json.attribute("instructions", predicted.instructions);
    json.attribute("memory", predicted.memory);
    json.attribute("waking", predicted.waking);
    json.attribute("all_threads", predicted.allThreads);
    json.attributeObject("bytes", [&] {
      for (auto [level, bytes] : llvm::drop_begin(llvm::zip(machine.levels, predicted.bytes)))
        json.attribute(level.name, int64_t(bytes));
    });
  });
}

static void writeRuns(OStream &json, const StepReport &step,
                      const std::optional<machine::Machine> &machine) {
  json.attributeArray("runs", [&] {
    for (double seconds : step.runs)
      json.value(seconds);
  });
  json.attribute("median", medianOf(step.runs));
  json.attribute("operations", step.flops);
  json.attribute("rounds", step.rounds);
  json.attribute("traffic", step.traffic);
  json.attribute("loop_steps", step.allSteps());
  json.attribute("gflops", step.run > 0 ? step.flops / step.run * 1e-9 : 0);
  if (std::optional<machine::Roofline> roof = rooflineOf(step, machine))
    json.attribute("roofline", roof->seconds);
  if (step.predicted)
    writePrediction(json, *step.predicted, *machine);
  json.attribute("bytes_held", step.scratchBytes);
  json.attribute("bytes_estimated", int64_t(std::min(step.estimatedBytes, 0x1p62)));
  if (step.schedule)
    json.attribute("schedule", *step.schedule);
  json.attributeArray("loops", [&] {
    llvm::SmallVector<StringRef> lines;
    StringRef(step.loops).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      json.value(line);
  });
}

static void writeStep(OStream &json, const StepReport &step,
                      const std::optional<machine::Machine> &machine,
                      llvm::ArrayRef<OffloadedStep> offloaded) {
  json.object([&] {
    json.attribute("what", utf8(step.what));
    if (step.made)
      writeTensor(json, *step.made);
    writeSeconds(json, step);
    if (!step.runs.empty())
      writeRuns(json, step, machine);
    if (step.moves > 0)
      json.attribute("moves", step.moves);
    if (step.movedBytes > 0) {
      json.attribute("bytes_moved", step.movedBytes);
      json.attribute("most_bytes_moved", step.mostMovedBytes);
      json.attribute("seconds_waited", step.waitedSeconds);
    }
    if (step.newPlans > 0) {
      json.attribute("plans_made", step.newPlans);
      json.attribute("plans_kept", step.keptPlans);
    }
    if (step.copiedBytes)
      json.attribute("bytes_copied", *step.copiedBytes);
    for (const OffloadedStep &one : offloaded)
      if (one.step == &step)
        json.attributeObject("accelerator", [&] { writeOffload(json, one); });
    json.attributeArray("notes", [&] {
      for (const std::string &note : step.notes)
        json.value(note);
    });
  });
}

static void writeCheck(OStream &json, const CheckReport &check) {
  json.object([&] {
    json.attribute("statement", utf8(check.statement));
    json.attribute("compared", utf8(check.compared));
    json.attribute("seconds", check.seconds);
  });
}

// JSON has no infinities and no NaN.
void writeNumber(OStream &json, double number) {
  if (std::isfinite(number))
    json.value(number);
  else
    json.value(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

static void writeValue(OStream &json, std::complex<double> value, bool isComplex) {
  if (!isComplex)
    return writeNumber(json, value.real());
  json.array([&] {
    writeNumber(json, value.real());
    writeNumber(json, value.imag());
  });
}

static void writePrinted(OStream &json, const PrintedTensor &tensor) {
  auto integers = [&](llvm::ArrayRef<int64_t> numbers) {
    for (int64_t number : numbers)
      json.value(number);
  };
  json.object([&] {
    json.attribute("name", utf8(tensor.name));
    json.attributeArray("sizes", [&] { integers(tensor.sizes); });
    json.attribute("stored", tensor.stored);
    if (tensor.fill) {
      json.attributeBegin("fill");
      writeValue(json, *tensor.fill, tensor.isComplex);
      json.attributeEnd();
    }
    if (!tensor.coordinates.empty())
      json.attributeArray("coordinates", [&] {
        for (const std::vector<int64_t> &place : tensor.coordinates)
          json.array([&] { integers(place); });
      });
    json.attributeArray("values", [&] {
      for (std::complex<double> value : tensor.values)
        writeValue(json, value, tensor.isComplex);
    });
  });
}

void writeErrors(OStream &json) {
  json.attributeArray("errors", [&] {
    for (const Said &said : errorsShown())
      json.object([&] {
        json.attribute("message", utf8(said.message));
        if (!said.code.empty())
          json.attribute("code", said.code);
        if (!said.place.line)
          return;
        json.attribute("file", utf8(said.file));
        json.attribute("line", said.place.line);
        json.attribute("column", said.place.column);
      });
  });
}

void printJson(const RunReport &report, llvm::raw_ostream &os) {
  std::vector<OffloadedStep> offloaded = offloadsOf(report);
  OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("strata", STRATA_VERSION);
    json.attribute("program", utf8(report.request.program));
    json.attribute("ok", report.ok);
    writeErrors(json);
    json.attribute("output", utf8(report.output));
    json.attributeArray("printed", [&] {
      for (const PrintedTensor &tensor : report.printed)
        writePrinted(json, tensor);
    });
    json.attributeArray("steps", [&] {
      for (const StepReport &step : report.steps)
        writeStep(json, step, report.request.machine, offloaded);
    });
    if (report.request.accelerator && report.ok)
      writeOffloads(json, totalOf(report.steps, offloaded), *report.request.accelerator);
    json.attributeArray("checks", [&] {
      for (const CheckReport &check : report.checks)
        writeCheck(json, check);
    });
    json.attributeObject("process", [&] {
      json.attribute("before_main", secondsBeforeMain());
      json.attribute("context", report.load.context);
      json.attribute("program", report.load.program);
      json.attribute("steps", report.execution);
      json.attribute("total", secondsBeforeMain() + secondsSinceMain());
    });
  });
  os << "\n";
}

} // namespace strata::tool
