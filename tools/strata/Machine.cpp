// strata machine: what this machine can do.
#include "strata/machine/Machine.h"
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "strata/machine/Choices.h"
#include "strata/machine/KnownProcessors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::format;
using llvm::outs;
using llvm::StringRef;

namespace strata::tool {

namespace machine {
#define STRATA_OPTIONS "MachineOptions.inc"
#include "OptionTable.def"
} // namespace machine

const Command machineDescription{"machine", R"(
strata machine tells what the machine can do: the sizes and speeds of its caches and its memory, of
its arithmetic, of lookups, branches and threads. 'strata run --time' compares with that what a
statement took, and kernels choose by it between ways that give the same result.

  strata machine                   what is known of this machine
  strata machine --measure         measure it, in about a second in which nothing else should run; of
                                   several measurements the better of each figure is kept
  strata machine FILE              what a file of another machine says

What was measured is kept in the user's folder of caches, for this processor and this number of
threads; STRATA_MACHINE names another file (empty: none). Of a processor that has not been measured
the figures are those of its kind, from a table, or else of a usual one: each says which.
)",
                                 machine::table, "[FILE]",
                                 "what the machine can do: memory, arithmetic, branches, threads"};

using strata::machine::ExpectedMachine;
using strata::machine::Machine;
using strata::machine::MemoryLevel;

// "48 KB", "32 MB".
static std::string sizeText(int64_t bytes) {
  StringRef unit = "KB";
  double size = double(bytes) / 1024;
  for (StringRef next : {"MB", "GB", "TB"}) {
    if (size < 1024)
      break;
    size /= 1024;
    unit = next;
  }
  std::string text;
  llvm::raw_string_ostream(text) << format("%.0f ", size) << unit;
  return text;
}

// Three digits, and what thousands of a unit are called.
static std::string scaled(double value, llvm::ArrayRef<StringRef> units) {
  while (units.size() > 1 && value >= 1000) {
    value /= 1000;
    units = units.drop_front();
  }
  std::string text;
  llvm::raw_string_ostream(text) << format("%.3g ", value) << units.front();
  return text;
}

static std::string bytesPerSecond(double rate) {
  return rate > 0 ? scaled(rate / 1e6, {"MB/s", "GB/s", "TB/s"}) : ".";
}

static std::string operationsPerSecond(double rate) {
  return rate > 0 ? scaled(rate / 1e6, {"MFLOP/s", "GFLOP/s", "TFLOP/s"}) : ".";
}

static std::string timeText(double seconds) {
  return seconds > 0 ? scaled(seconds * 1e9, {"ns", "us", "ms"}) : ".";
}

namespace {

/// Prints a machine. Each figure that has not been measured says whether it is the table's, for
/// this kind of processor, or a usual processor's.
class Printer {
public:
  explicit Printer(const Machine &measured) : machine(measured) {}
  explicit Printer(const ExpectedMachine &expected)
      : machine(expected.machine), kind(expected.kind), ofKind(&expected.ofKind) {}

  void print() const {
    outs() << machine.processor << "; "
           << (machine.threads == 1 ? "1 thread" : std::to_string(machine.threads) + " threads");
    if (!ofKind)
      outs() << "; measured on " << machine.measured << "\n";
    else
      outs() << "; not measured: figures of " << (kind.empty() ? "a usual processor" : kind)
             << "\n";
    printLevels();
    printSpeeds();
    printChoices();
  }

private:
  // "table" or "default" behind a figure that has not been measured.
  std::string origin(double figureOfKind) const {
    return !ofKind ? "" : figureOfKind > 0 ? "  table" : "  default";
  }

  void printLevels() const {
    outs() << llvm::left_justify("reading", 34) << llvm::right_justify("size", 9)
           << llvm::right_justify("one thread", 14)
           << llvm::right_justify(machine.threads > 1 ? "all threads" : "", 14)
           << llvm::right_justify("a jump", 12) << "\n";
    for (auto [at, level] : llvm::enumerate(machine.levels)) {
      std::string name = level.name == "memory" ? level.name : level.name + " cache";
      if (int64_t copies = machine.copies(level); copies > 1)
        name += ", " + std::to_string(copies) + " of them";
      if (level.usable < level.bytes)
        name += " (" + sizeText(level.usable) + " of it usable)";
      bool known = ofKind && at < ofKind->levels.size();
      outs() << "  " << llvm::left_justify(name, 32)
             << llvm::right_justify(sizeText(level.bytes), 9)
             << llvm::right_justify(bytesPerSecond(level.readOne), 14)
             << llvm::right_justify(machine.threads > 1 ? bytesPerSecond(level.readAll) : "", 14)
             << llvm::right_justify(timeText(level.jump), 12)
             << origin(known ? ofKind->levels[at].readOne : 0) << "\n";
    }
  }

  void printLine(StringRef what, const std::string &figure, const std::string &origin = "") const {
    outs() << llvm::left_justify(what, 43) << llvm::right_justify(figure, 14) << origin << "\n";
  }

  void printTime(StringRef what, double Machine::*seconds) const {
    printLine(what, timeText(machine.*seconds), origin(ofKind ? ofKind->*seconds : 0));
  }

  void printSpeeds() const {
    for (auto [at, rate] : llvm::enumerate(machine.multiplyAdd))
      if (rate > 0)
        printLine("multiply-add of doubles, " + std::to_string(128 << at) + " bits, one thread",
                  operationsPerSecond(rate), origin(ofKind ? ofKind->multiplyAdd[at] : 0));
    if (machine.threads > 1)
      printLine("the fastest of these, all threads", operationsPerSecond(machine.multiplyAddAll),
                origin(ofKind ? ofKind->multiplyAddAll : 0));
    printTime("clock cycle", &Machine::cycle);
    printTime("element loaded into a vector by itself", &Machine::scalarLoad);
    printTime("element of a gather", &Machine::gatheredLoad);
    printTime("mispredicted branch", &Machine::mispredictedBranch);
    printLine("branches remembered", std::to_string(int64_t(machine.rememberedBranches)),
              origin(ofKind ? ofKind->rememberedBranches : 0));
    printTime("line missed in all caches", &Machine::missedLine);
    if (machine.threads > 1)
      printTime("waking another thread", &Machine::wakingThread);
  }

  static std::string entriesText(int64_t count) {
    return std::to_string(count) + (count == 1 ? " entry" : " entries");
  }

  void printChoices() const {
    strata::machine::Choices choices = strata::machine::choicesFor(machine);
    const runtime::Thresholds &limits = choices.thresholds;
    outs() << "what kernels choose by this\n";
    printLine("  loops are divided among threads from",
              std::to_string(limits.leastSteps) + " steps");
    printLine("  data come from memory from", sizeText(limits.lastCache));
    printLine("  short rows are added up under masks from",
              std::to_string(limits.rememberedRows) + " rows");
    printLine("    if lengths change from row to row in", std::to_string(limits.unevenRows) + "%");
    printLine("  an element far from the last takes", entriesText(limits.entriesOfJump));
    printLine("    a row cut by threads, besides", entriesText(limits.entriesOfCutRow));
    printLine("  elements that are looked up are", choices.gathers ? "gathered" : "loaded singly");
  }

  const Machine &machine;
  std::string kind;
  const Machine *ofKind = nullptr; ///< null where the machine has been measured
};

} // namespace

// Prints what is in a file, or else what is to be expected of this machine.
static int show(const std::string &file, bool mustExist, bool json) {
  runtime::Result<Machine> known = strata::machine::readMachine(file);
  bool exists = !file.empty() && llvm::sys::fs::exists(file);
  if (!known && (mustExist || exists))
    return fail(known.error().sentence());
  if (json) {
    if (!known)
      return fail("this machine has not been measured", "strata machine --measure does so");
    auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (!text)
      return fail("cannot read '" + file + "': " + text.getError().message());
    outs() << (*text)->getBuffer();
    return exitSuccess;
  }
  if (known) {
    Printer(*known).print();
  } else {
    Printer(strata::machine::expectedHere()).print();
    note("speeds have not been measured: strata machine --measure");
  }
  return exitSuccess;
}

int machineCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(machineDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::vector<std::string> inputs = args.list.getAllArgValues(machine::OPT_INPUT);
  bool measures = args.list.hasArg(machine::OPT_measure);
  bool json = args.list.hasArg(machine::OPT_json);
  const llvm::opt::Arg *output = args.list.getLastArg(machine::OPT_output);
  if (inputs.size() > 1 || (measures && !inputs.empty()))
    return refuse("strata machine shows one file, or measures");
  if (output && !measures)
    return refuse("-o is for what --measure finds");
  if (!measures)
    return show(inputs.empty() ? strata::machine::machineFile() : inputs.front(), !inputs.empty(),
                json);
  std::string file = output ? output->getValue() : strata::machine::machineFile();
  Machine found = strata::machine::measureMachine();
  if (runtime::Result<Machine> before = strata::machine::readMachine(file))
    found = strata::machine::betterOf(found, *before);
  if (!output && !file.empty())
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
  if (!file.empty())
    if (runtime::Status written = strata::machine::writeMachine(found, file); !written.ok())
      return fail(written.error().sentence());
  if (json && !file.empty())
    return show(file, /*mustExist=*/true, json);
  Printer(found).print();
  if (!file.empty())
    note("kept in " + file);
  return exitSuccess;
}

} // namespace strata::tool
