// strata ranks: which MPI carries messages between ranks, and how fast.
#include "Arguments.h"
#include "Commands.h"
#include "InRanks.h"
#include "Messages.h"
#include "strata/machine/Machine.h"
#include "strata/machine/Network.h"
#include "strata/runtime/dist/PingPong.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using llvm::format;
using llvm::outs;
using llvm::StringRef;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::World;

namespace strata::tool {

namespace ranks {
#define STRATA_OPTIONS "RanksOptions.inc"
#include "OptionTable.def"
} // namespace ranks

const Command ranksDescription{"ranks", R"(
strata ranks tells which MPI carries messages between the processes (ranks) that a launcher has
started, how many there are on each node, and how long messages between two of them take.

  mpirun -n 4 strata ranks         four ranks, by the MPI that this mpirun belongs to
  strata ranks                     one process, without MPI
  mpirun -n 4 strata ranks --measure=cluster.json
                                   write how fast messages are, for strata explain --simulate
  strata ranks --source            print the plugin's source, for an MPI that Strata was built without

MPI is loaded while the program runs: the library that the launcher belongs to, or that STRATA_MPI
names (a library of MPI, a plugin, or self: no MPI).
)",
                               ranks::table, "", "which MPI carries messages between ranks"};

static const char sourceHead[] =
    R"(/* Compile this with your MPI's compiler, and name it in STRATA_MPI:
 *   mpicc -O2 -shared -fPIC -o strata-mpi.so strata-mpi.c
 *   STRATA_MPI=./strata-mpi.so mpirun -n 2 strata ranks */
)";

static void printLine(StringRef what, StringRef text) {
  outs() << llvm::left_justify(what, 12) << text << "\n";
}

// "rank 3", "ranks 0-2, 5": of ascending ranks.
static std::string rankList(llvm::ArrayRef<int32_t> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t at = 0, end; at < ranks.size(); at = end) {
    for (end = at + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;)
      ++end;
    text += (at ? ", " : "") + std::to_string(ranks[at]);
    if (end > at + 1)
      text += "-" + std::to_string(ranks[end - 1]);
  }
  return text;
}

static void printWorld(const World &world) {
  const runtime::dist::Engine &engine = world.engine();
  printLine("ranks", std::to_string(world.size()));
  printLine("MPI", world.library());
  printLine("interface", engine.provider->name);
  if (!engine.library.empty())
    printLine("library", engine.library);
  if (!engine.plugin.empty())
    printLine("plugin", engine.plugin);
  std::vector<StringRef> nodes;
  for (StringRef node : world.nodes())
    if (!llvm::is_contained(nodes, node))
      nodes.push_back(node);
  for (StringRef node : nodes) {
    std::vector<int32_t> here;
    for (int32_t rank = 0; rank < world.size(); ++rank)
      if (world.nodes()[size_t(rank)] == node)
        here.push_back(rank);
    printLine("node", (node + ": " + rankList(here)).str());
  }
}

namespace {

/// How long messages between two ranks take.
struct Messages {
  int32_t first, second;
  double latency;   ///< seconds of a short one
  double bandwidth; ///< bytes in a second of a long one
};

} // namespace

// Of the first two ranks on one node, or on two; nothing if there are none.
static Result<std::optional<Messages>> measure(World &world, bool onOneNode) {
  constexpr int64_t shortBytes = 8, longBytes = 1 << 20;
  const std::vector<std::string> &nodes = world.nodes();
  for (int32_t second = 1; second < world.size(); ++second)
    for (int32_t first = 0; first < second; ++first) {
      if ((nodes[size_t(first)] == nodes[size_t(second)]) != onOneNode)
        continue;
      Result<double> latency = runtime::dist::pingPong(world, first, second, shortBytes, 500);
      if (!latency)
        return latency.takeStatus();
      Result<double> transfer = runtime::dist::pingPong(world, first, second, longBytes, 50);
      if (!transfer)
        return transfer.takeStatus();
      return std::optional(Messages{first, second, *latency, double(longBytes) / *transfer});
    }
  return std::optional<Messages>();
}

static void print(const Messages &messages, bool onOneNode) {
  std::string text;
  llvm::raw_string_ostream(text) << format("8 bytes %.2f us, 1 MB %.2f GB/s",
                                           messages.latency * 1e6, messages.bandwidth / 1e9)
                                 << ": ranks " << messages.first << " and " << messages.second
                                 << (onOneNode ? ", on one node" : ", on two nodes");
  printLine("message", text);
}

// The network as ranks see it that lie as those of this run do.
static Status write(const World &world, const Messages &messages, StringRef file) {
  llvm::StringMap<int64_t> counts;
  int64_t most = 1;
  for (const std::string &node : world.nodes())
    most = std::max(most, ++counts[node]);
  return machine::writeNetwork({.measured = machine::today(),
                                .latency = messages.latency,
                                .bandwidth = messages.bandwidth,
                                .ranksPerNode = most},
                               file.str());
}

// An empty name: no file is written.
static int tell(World &world, StringRef file) {
  if (speaksForAll())
    printWorld(world);
  std::optional<Messages> last;
  for (bool onOneNode : {true, false}) {
    Result<std::optional<Messages>> messages = measure(world, onOneNode);
    if (!messages)
      return fail(messages.error().sentence());
    if (*messages && speaksForAll())
      print(**messages, onOneNode);
    if (*messages)
      last = *messages;
  }
  if (file.empty() || !speaksForAll())
    return exitSuccess;
  if (!last)
    return fail("one rank sends no messages, so there is nothing to measure",
                "mpirun -n 2 strata ranks --measure=FILE");
  if (Status written = write(world, *last, file); !written.ok())
    return fail(written.error().sentence());
  return exitSuccess;
}

int ranksCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(ranksDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  if (args.list.hasArg(ranks::OPT_INPUT))
    return refuse("strata ranks takes no file");
  if (args.list.hasArg(ranks::OPT_source)) {
    outs() << sourceHead << runtime::dist::pluginSource();
    return exitSuccess;
  }
  if (!setDeadline(args.list.getLastArg(ranks::OPT_deadline)))
    return exitMisuse;
  const StringRef file = args.list.getLastArgValue(ranks::OPT_measure);
  if (World *world = worldHere())
    return tell(*world, file);
  Result<std::unique_ptr<World>> alone = World::open();
  if (!alone)
    return fail(alone.error().sentence());
  return tell(**alone, file);
}

} // namespace strata::tool
