// Simulates the ranks of a program, and prints what they take.
#include "Simulation.h"
#include "Cache.h"
#include "Messages.h"

#include "strata/cost/Quantities.h"
#include "strata/run/Simulate.h"
#include "strata/runtime/Counted.h"

#include "llvm/Support/JSON.h"

using llvm::raw_ostream;
using llvm::StringRef;
using strata::runtime::Result;

namespace strata::tool {

std::optional<std::vector<int32_t>> parseRanks(StringRef text) {
  constexpr int32_t most = 16384;
  std::vector<int32_t> ranks;
  llvm::SmallVector<StringRef> words;
  text.split(words, ',');
  for (StringRef word : words) {
    int32_t count;
    if (word.getAsInteger(10, count) || count < 1 || count > most) {
      refuse("'" + word + "' is no number of ranks, which is from 1 to " + llvm::Twine(most),
             "numbers with commas between them: --simulate=2,4,64");
      return std::nullopt;
    }
    ranks.push_back(count);
  }
  return ranks;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

static constexpr unsigned titleWidth = 40, cellWidth = 11;

static void printRow(raw_ostream &os, StringRef title, llvm::ArrayRef<std::string> cells) {
  if (title.size() > titleWidth)
    os << title.take_front(titleWidth - 3) << "...";
  else
    os << llvm::left_justify(title, titleWidth);
  for (const std::string &cell : cells)
    os << llvm::right_justify(cell, cellWidth);
  os << "\n";
}

static std::string numberOrDot(int64_t number) { return number ? std::to_string(number) : "."; }

static std::string secondsOrDot(double seconds) {
  return seconds > 0 ? cost::millisecondsText(seconds) : ".";
}

static std::vector<std::string> cellsOf(const SimulatedStep &step) {
  return {secondsOrDot(step.seconds),    secondsOrDot(step.meanSeconds), secondsOrDot(step.network),
          numberOrDot(step.bytes),       numberOrDot(step.mostBytes),    numberOrDot(step.messages),
          numberOrDot(step.mostMessages)};
}

static SimulatedStep totalOf(const Simulation &simulation) {
  SimulatedStep total{"total"};
  for (const SimulatedStep &step : simulation.steps) {
    total.seconds += step.seconds;
    total.meanSeconds += step.meanSeconds;
    total.network += step.network;
    total.bytes += step.bytes;
    total.mostBytes += step.mostBytes;
    total.messages += step.messages;
    total.mostMessages += step.mostMessages;
  }
  return total;
}

static void printText(const Simulation &simulation, raw_ostream &os) {
  printRow(os, counted(simulation.ranks, "rank") + ", times in ms",
           {"compute", "on average", "network", "bytes", "of one", "messages", "of one"});
  for (const SimulatedStep &step : simulation.steps)
    printRow(os, step.what, cellsOf(step));
  printRow(os, "total", cellsOf(totalOf(simulation)));
  for (const SimulatedStep &step : simulation.steps) {
    if (step.newPlans > 0)
      os << step.what << ": " << counted(step.newPlans, "plan") << ", kept in "
         << counted(step.keptPlans, "more round") << "; to make them takes "
         << counted(step.planBytes(), "byte") << "\n";
    if (step.stored > 0)
      os << step.what << ": stores " << counted(step.stored, "value") << ", at most "
         << step.mostStored << " on one rank, " << step.stored / simulation.ranks
         << " on average\n";
  }
  os << "a rank has at most " << cost::bytesText(simulation.mostHeld) << " of tensors at once\n";
}

static void printNetwork(const machine::Network &network, raw_ostream &os) {
  os << "network: " << cost::durationText(network.latency) << " for a message, "
     << cost::bytesText(int64_t(network.bandwidth)) << " in a second"
     << (network.measured.empty() ? "; not measured: figures of a usual one"
                                  : "; measured on " + network.measured)
     << "\n";
}

//===------------------------------------------------------------------------------------------===//
// JSON
//===------------------------------------------------------------------------------------------===//

static void writeStep(const SimulatedStep &step, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("what", step.what);
    json.attribute("rounds", step.rounds);
    json.attribute("compute_seconds", step.seconds);
    json.attribute("mean_compute_seconds", step.meanSeconds);
    json.attribute("network_seconds", step.network);
    json.attribute("bytes_moved", step.bytes);
    json.attribute("most_bytes_moved", step.mostBytes);
    json.attribute("plan_bytes", step.planBytes());
    json.attribute("messages", step.messages);
    json.attribute("message_bytes", step.messageBytes);
    json.attribute("most_messages", step.mostMessages);
    json.attribute("plans_made", step.newPlans);
    json.attribute("plans_kept", step.keptPlans);
    json.attribute("stored", step.stored);
    json.attribute("most_stored", step.mostStored);
  });
}

static void writeSimulation(const Simulation &simulation, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("ranks", simulation.ranks);
    json.attribute("seconds", simulation.seconds());
    json.attribute("most_tensor_bytes", simulation.mostHeld);
    json.attributeArray("steps", [&] {
      for (const SimulatedStep &step : simulation.steps)
        writeStep(step, json);
    });
  });
}

bool simulate(mlir::ModuleOp module, const SimulationRequest &request) {
  std::optional<CompiledProgram> compiled = compileProgram(mainOf(module), "simulated", 32);
  if (!compiled)
    return false;
  KernelCompiler compiler(module.getContext());
  if (request.cache)
    useCache(compiler);
  Result<SimulatedProgram> program = SimulatedProgram::compile(std::move(*compiled), compiler);
  if (!program) {
    if (!program.error().shown)
      fail(program.error().sentence());
    return false;
  }
  std::vector<Simulation> simulations;
  for (int32_t ranks : request.ranks) {
    std::optional<Simulation> one = program->run(ranks, request.parameters, request.network);
    if (!one)
      return false;
    if (!request.json) {
      printText(*one, llvm::outs());
      llvm::outs() << "\n";
      llvm::outs().flush();
    }
    simulations.push_back(std::move(*one));
  }
  if (!request.json) {
    printNetwork(request.network, llvm::outs());
    return true;
  }
  llvm::json::OStream json(llvm::outs(), 2);
  json.array([&] {
    for (const Simulation &simulation : simulations)
      writeSimulation(simulation, json);
  });
  llvm::outs() << "\n";
  return true;
}

} // namespace strata::tool
