// strata ranks: which MPI carries messages between ranks, and how fast.
#include "Arguments.h"
#include "Commands.h"
#include "InRanks.h"
#include "Messages.h"
#include "strata/runtime/dist/PingPong.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

// Of the first two ranks on one node, or on two.
static Status printMessages(World &world, bool onOneNode) {
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
      if (speaksForAll()) {
        std::string text;
        llvm::raw_string_ostream(text) << format("8 bytes %.2f us, 1 MB %.2f GB/s", *latency * 1e6,
                                                 longBytes / *transfer / 1e9)
                                       << ": ranks " << first << " and " << second
                                       << (onOneNode ? ", on one node" : ", on two nodes");
        printLine("message", text);
      }
      return Status();
    }
  return Status();
}

static int tell(World &world) {
  if (speaksForAll())
    printWorld(world);
  for (bool onOneNode : {true, false})
    if (Status status = printMessages(world, onOneNode); !status.ok())
      return fail(status.error().sentence());
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
  if (World *world = worldHere())
    return tell(*world);
  Result<std::unique_ptr<World>> alone = World::open();
  if (!alone)
    return fail(alone.error().sentence());
  return tell(**alone);
}

} // namespace strata::tool
