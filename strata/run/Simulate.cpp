// Runs the ranks of a program as threads, one at a time, and adds up what they take.
#include "strata/run/Simulate.h"

#include "strata/host/CompiledKernels.h"
#include "strata/host/Interpreter.h"
#include "strata/run/Executor.h"
#include "strata/run/Reports.h"
#include "strata/runtime/dist/LocalRanks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>
#include <tbb/global_control.h>

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Grid;
using strata::runtime::dist::Job;
using strata::runtime::dist::Traffic;
using strata::runtime::dist::World;

namespace strata {
namespace {

/// What one rank does in a step.
struct Share {
  int64_t rounds = 0, stored = 0;
  double seconds = 0;
  Traffic traffic = {};
  int64_t newPlans = 0, keptPlans = 0;
  std::vector<int64_t> told = {}; ///< bytes that each rank sends, as a run tells them
};

// The values that this process stores of a tensor in pieces; 0 of another one.
int64_t storedInPieces(const host::Tensor &tensor) {
  int64_t stored = 0;
  auto add = [&](const host::Tensor &one) {
    stored += one.storage ? one.storage->values().count : 0;
  };
  if (tensor.pieces)
    for (const host::Pieces::Piece &piece : tensor.pieces->own) {
      add(piece.tensor);
      llvm::for_each(piece.tensor.parts, add);
    }
  return stored;
}

/// Counts what a rank does. Instructions may stand in others, which then take only what is left.
class Counter : public host::Observer {
public:
  explicit Counter(const World &world) : world(world) { charge(); }

  void print(std::string_view) override {}
  void flush() override {}
  void warn(const host::Instruction &, const std::string &) override {}
  void fail(const host::Instruction &at, const Error &error) override {
    failure = {at.place, error};
  }

  void begin(const host::Instruction &at) override {
    charge();
    if (shares.try_emplace(at.place).second)
      order.push_back(at.place);
    open.push_back(at.place);
    ++shares[at.place].rounds;
  }
  Status end(const host::Instruction &at, const host::State &state) override {
    charge();
    open.pop_back();
    mostHeld = std::max(mostHeld, state.heldBytes());
    std::visit(
        [&]<typename T>(const T &one) {
          if constexpr (requires { one.to, one.type; })
            if (one.to >= 0)
              shares[at.place].stored = storedInPieces(state.tensor(one.to));
        },
        at.operation);
    since = runtime::dist::secondsOfRank(); // what this has taken belongs to no instruction
    return Status();
  }
  void moved(const host::Instruction &at, std::span<const int64_t> bytes) override {
    std::vector<int64_t> &told = shares[at.place].told;
    told.resize(bytes.size());
    for (size_t rank = 0; rank < bytes.size(); ++rank)
      told[rank] += bytes[rank];
  }
  void fetched(const host::Instruction &at, std::span<const int64_t> bytes, bool isNew) override {
    moved(at, bytes);
    ++(isNew ? shares[at.place].newPlans : shares[at.place].keptPlans);
  }

  std::map<int64_t, Share> shares; ///< by the places of instructions
  std::vector<int64_t> order;      ///< of these, as they have begun
  int64_t mostHeld = 0;
  std::optional<std::pair<int64_t, Error>> failure; ///< and its place

private:
  // What was done since the last time belongs to the instruction that is open.
  void charge() {
    const double now = runtime::dist::secondsOfRank();
    if (!open.empty()) {
      Share &share = shares[open.back()];
      share.seconds += now - since;
      share.traffic += world.passed() - before;
    }
    since = now;
    before = world.passed();
  }

  const World &world;
  std::vector<int64_t> open;
  double since = 0;
  Traffic before;
};

/// One rank, when it has ended.
struct RanRank {
  std::map<int64_t, Share> shares;
  std::vector<int64_t> order;
  int64_t mostHeld = 0;
  std::optional<std::pair<int64_t, Error>> failure;
};

// The cells of each machine that is not given, as the axes that are left open get them.
void addCells(const host::Program &program, int32_t ranks,
              std::map<std::string, std::string> &parameters) {
  for (const host::Machine &machine : program.machines) {
    const bool isGiven = parameters.contains(machine.name) ||
                         llvm::any_of(machine.axes, [](const host::Machine::Axis &axis) {
                           return !axis.parameter.empty();
                         });
    if (isGiven)
      continue;
    const Grid grid(std::vector<int64_t>(machine.axes.size(), 0), ranks);
    std::string cells;
    for (int64_t axis : grid.axes())
      cells += (cells.empty() ? "" : "x") + std::to_string(axis);
    parameters[machine.name] = cells;
  }
}

// Files stay as they are.
void dropWrites(host::Instructions &instructions) {
  std::erase_if(instructions.list, [](const host::Instruction &at) {
    return std::holds_alternative<host::Write>(at.operation);
  });
  for (host::Instruction &at : instructions.list)
    std::visit(
        []<typename T>(T &one) {
          if constexpr (requires { one.rounds.body; })
            dropWrites(one.rounds.body);
          if constexpr (requires { one.body.list; })
            dropWrites(one.body);
          if constexpr (requires { one.otherwise.list; })
            dropWrites(one.otherwise);
        },
        at.operation);
}

// Seconds that what a step sends takes: the most that a rank, or a node, or the network does.
double networkSeconds(ArrayRef<Share> shares, const machine::Network &network) {
  double most = 0, total = 0, collective = 0;
  std::vector<double> ofNodes(shares.size() / size_t(network.ranksPerNode) + 1);
  for (auto [rank, share] : llvm::enumerate(shares)) {
    const Traffic &traffic = share.traffic;
    most = std::max({most, network.secondsFor(traffic.messages, traffic.bytes),
                     network.secondsFor(traffic.messagesCome, traffic.bytesCome)});
    collective = std::max(collective, network.secondsForCollectives(traffic.collectives,
                                                                    traffic.collectiveBytes,
                                                                    int64_t(shares.size())));
    ofNodes[rank / size_t(network.ranksPerNode)] += double(traffic.bytes);
    total += double(traffic.bytes);
  }
  if (network.nodeBandwidth > 0)
    most = std::max(most, *llvm::max_element(ofNodes) / network.nodeBandwidth);
  if (network.totalBandwidth > 0)
    most = std::max(most, total / network.totalBandwidth);
  return most + collective;
}

SimulatedStep stepOf(std::string what, ArrayRef<Share> shares, const machine::Network &network) {
  SimulatedStep step{std::move(what)};
  std::vector<int64_t> sent; // by each rank
  for (const Share &share : shares) {
    step.rounds = std::max(step.rounds, share.rounds);
    step.seconds = std::max(step.seconds, share.seconds);
    step.meanSeconds += share.seconds / double(shares.size());
    step.messages += share.traffic.messages;
    step.mostMessages = std::max(step.mostMessages, share.traffic.messages);
    step.stored += share.stored;
    step.mostStored = std::max(step.mostStored, share.stored);
    step.newPlans = std::max(step.newPlans, share.newPlans);
    step.keptPlans = std::max(step.keptPlans, share.keptPlans);
    sent.push_back(share.traffic.bytes);
  }
  step.messageBytes = std::reduce(sent.begin(), sent.end());
  if (!shares.front().told.empty())
    sent = shares.front().told;
  step.bytes = std::reduce(sent.begin(), sent.end());
  step.mostBytes = *llvm::max_element(sent);
  step.network = networkSeconds(shares, network);
  return step;
}

RanRank runRank(const host::Program &program, const strata_kernel *kernels,
                host::Surroundings surroundings, const void *communicator) {
  runtime::dist::WorldOptions options;
  options.communicator = communicator;
  Result<std::unique_ptr<World>> world = World::join(runtime::dist::localEngine(), options);
  if (!world)
    return {.shares = {}, .order = {}, .failure = std::pair(int64_t(-1), world.error())};
  Job job(**world);
  Counter counter(**world);
  host::CompiledKernels provider(program, kernels);
  surroundings.job = &job;
  const bool ok = host::Interpreter(program, provider, counter, std::move(surroundings)).run();
  job.conclude(!ok, "", {[](const std::string &, const std::string &) {}, [](const Error &) {}});
  return {std::move(counter.shares), std::move(counter.order), counter.mostHeld,
          std::move(counter.failure)};
}

// Tells why ranks could not run, or what the first that failed has failed of.
LogicalResult tell(const CompiledProgram &compiled, const Status &started,
                   ArrayRef<RanRank> ranks) {
  const Location whole = ModuleOp(compiled.kernels.get()).getLoc();
  if (!started.ok())
    return emitError(whole) << started.error().sentence();
  for (const RanRank &rank : ranks)
    if (rank.failure && !rank.failure->second.shown) {
      const auto &[place, error] = *rank.failure;
      if (place >= 0)
        return fail(compiled.operations[size_t(place)], error);
      return emitError(whole) << error.sentence();
    }
  return success();
}

std::vector<SimulatedStep> stepsOf(const CompiledProgram &compiled, std::vector<RanRank> &ranks,
                                   const machine::Network &network) {
  llvm::SetVector<int64_t> order;
  for (const RanRank &rank : ranks)
    order.insert_range(rank.order);
  std::vector<SimulatedStep> steps;
  for (int64_t place : order) {
    const std::string what = place < 0 ? "" : stepTitle(compiled.operations[size_t(place)]);
    if (what.empty())
      continue;
    std::vector<Share> shares;
    for (RanRank &rank : ranks)
      shares.push_back(std::move(rank.shares[place]));
    steps.push_back(stepOf(what, shares, network));
  }
  return steps;
}

} // namespace

double Simulation::seconds() const {
  double sum = 0;
  for (const SimulatedStep &step : steps)
    sum += step.seconds + step.network;
  return sum;
}

Result<SimulatedProgram> SimulatedProgram::compile(CompiledProgram compiled,
                                                   KernelCompiler &compiler) {
  SimulatedProgram program;
  for (const std::string &name : compiled.names) {
    auto kernel = compiled.kernels->lookupSymbol<func::FuncOp>(name);
    OpBuilder b(kernel.getContext());
    OwningOpRef<ModuleOp> alone = ModuleOp::create(b, kernel.getLoc());
    b.setInsertionPointToEnd(alone->getBody());
    b.clone(*kernel);
    Result<CompiledKernel> made = compiler.compile(std::move(alone));
    if (!made)
      return made.takeStatus();
    program.kernels.push_back(made->code->entry);
    program.linked.push_back(std::move(made->code));
  }
  dropWrites(compiled.program.body);
  program.compiled = std::move(compiled);
  return program;
}

std::optional<Simulation>
SimulatedProgram::run(int32_t ranks, const std::map<std::string, std::string> &parameters,
                      const machine::Network &network) const {
  host::Surroundings surroundings{.parameters = parameters};
  addCells(compiled.program, ranks, surroundings.parameters);
  std::vector<RanRank> ran(static_cast<size_t>(ranks));
  const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
  Status status = runtime::dist::runLocalRanks(ranks, [&](int32_t rank, const void *communicator) {
    ran[size_t(rank)] = runRank(compiled.program, kernels.data(), surroundings, communicator);
  });
  if (failed(tell(compiled, status, ran)))
    return std::nullopt;
  Simulation simulation{ranks, stepsOf(compiled, ran, network)};
  for (const RanRank &rank : ran)
    simulation.mostHeld = std::max(simulation.mostHeld, rank.mostHeld);
  return simulation;
}

} // namespace strata
