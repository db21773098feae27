#include "LargeDraw.h"

#include "DrawLarge.h"
#include "LargeJudge.h"
#include "LargeShrink.h"
#include "LargeSurvey.h"

#include "strata/machine/KnownProcessors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <map>

namespace strata::test {

const char *const largeHelp = R"(
With --large: statements over tensors of 10^5 to 10^6 entries, with sizes to 10^6, or to 2^40 where
few are stored, some with nine tenths of the entries in one row; in named formats and in levels
drawn over any map. Each is compared with the reference interpreter, at sampled places, and with
other ways to compute it: its parts (each sum, product and mask a statement of its own) and five
schedules that are drawn. What the compiler chooses may take --factor times (3) the least of their
work and of their memory. Work is what the kernels do on one thread: instructions, or time on a
processor where those cannot be counted; the least of three runs; less than 20 ms and less than
64 MiB are not judged. Of what is not legal there must be a rule in the documentation
(large/LargeRules.cpp).

  --large [--seed S] [--first K] [--count N] [--one K] [--print K] [--output FOLDER]
          [--tries N] [--seconds N] [--factor F] [--known FILE]
  --large --schedules M [--record FILE] [--seed S] [--first K] [--count N] [--one K] [--seconds N]

--seconds limits a run that no other has beaten. FILE has a line for each failure that is known:
"SEED CASE why". It is a failure, too, if one of these passes: then its line is to be deleted.

With --schedules each statement of at least 2 ms is measured beside M legal schedules instead: loops
in parts and in other orders, temporaries, other formats, hints. The fastest three are measured
again in turns with what the compiler chooses, by the least time on a processor. A table tells how
far each choice is from the best, what is predicted of its kernels by the figures of the machine
(strata machine), in which order the schedules are predicted (Spearman's correlation), and how large
temporaries are. FILE keeps a line for each statement: those that it has are not measured again, and
--count 0 prints the table.
)";

namespace {

using Kind = LargeVerdict::Kind;

struct LargeOptions {
  uint64_t seed = 1;
  int64_t count = 40, first = 0;
  bool print = false;
  std::string output = ".";
  int tries = 40; ///< to make a failure smaller
  LargeLimits limits = {};
  std::string known = {};  ///< the file of failures that are known; empty: none is
  size_t schedules = 0;    ///< beside which statements are measured; 0: they are judged
  std::string record = {}; ///< the file of what was measured; empty: nothing is kept
};

class LargeRun {
public:
  explicit LargeRun(const LargeOptions &options) : options(options) {}
  int run();
  int survey();

private:
  uint64_t seedOf(int64_t number) const {
    return options.seed * 0x9E3779B97F4A7C15ull + uint64_t(number);
  }
  bool readKnown();
  void take(int64_t number);
  void report(int64_t number, const LargeCase &drawn, const LargeVerdict &verdict);

  const LargeOptions &options;
  std::map<int64_t, std::string> known; ///< why, by case, for this seed
  std::map<Kind, int64_t> counts;
  std::vector<std::string> failures;
};

} // namespace

bool LargeRun::readKnown() {
  if (options.known.empty())
    return true;
  auto file = llvm::MemoryBuffer::getFile(options.known);
  if (!file) {
    llvm::errs() << "cannot read " << options.known << "\n";
    return false;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    uint64_t seed = 0;
    int64_t number = 0;
    auto [first, rest] = line.split(' ');
    auto [second, why] = rest.split(' ');
    if (first.getAsInteger(10, seed) || second.getAsInteger(10, number) || why.trim().empty()) {
      llvm::errs() << options.known << ": \"SEED CASE why\" expected: " << line << "\n";
      return false;
    }
    if (seed == options.seed)
      known[number] = why.trim().str();
  }
  return true;
}

static std::string measured(const LargeVerdict &verdict) {
  std::string text = llvm::formatv("{0:f3} s", verdict.seconds).str();
  if (verdict.ratio > 0)
    text += llvm::formatv(", {0:f1} times the least work", verdict.ratio).str();
  if (verdict.memoryRatio > 0)
    text += llvm::formatv(", {0:f1} times the least memory", verdict.memoryRatio).str();
  return text;
}

// Makes it smaller and tells how to see it.
void LargeRun::report(int64_t number, const LargeCase &drawn, const LargeVerdict &verdict) {
  std::string name = llvm::formatv("--large --seed {0} --one {1}", options.seed, number);
  llvm::outs() << wordOf(verdict.kind) << ": " << drawn.description() << "  " << measured(verdict)
               << "\n  " << verdict.text << "\n";
  failures.push_back(name + "  " + wordOf(verdict.kind) + ", " + drawn.family + ": " +
                     drawn.text());
  constexpr size_t mostSmaller = 8;
  if (failures.size() > mostSmaller || options.tries <= 0)
    return;
  LargeVerdict last = verdict;
  LargeCase small = shrinkLarge(
      drawn,
      [&](const LargeCase &tried) {
        LargeVerdict here = judge(tried, seedOf(number), options.limits);
        if (here.kind != verdict.kind)
          return false;
        last = here;
        return true;
      },
      options.tries);
  std::string folder =
      llvm::formatv("{0}/large-seed-{1}-case-{2}", options.output, options.seed, number);
  llvm::outs() << "made smaller: " << small.description() << "  " << measured(last) << "\n  "
               << last.text << "\n  " << commandFor(small, folder) << "\n";
}

void LargeRun::take(int64_t number) {
  auto begin = std::chrono::steady_clock::now();
  LargeCase drawn = drawLarge(seedOf(number));
  LargeVerdict verdict = judge(drawn, seedOf(number), options.limits);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  ++counts[verdict.kind];
  llvm::outs() << llvm::formatv("case {0}: {1}, {2}, {3}; {4:f1} s in all: {5}\n", number,
                                wordOf(verdict.kind), drawn.family, measured(verdict),
                                seconds.count(), drawn.text());
  if (verdict.kind == Kind::allowed)
    llvm::outs() << "  by a rule: " << verdict.text << "\n";
  auto expected = known.find(number);
  // Between the factor and this, it depends on the machine whether a known failure shows, and so it
  // does whether there is enough of it to be measured.
  constexpr double mended = 2;
  bool passes =
      verdict.kind == Kind::agrees && verdict.ratio < mended && verdict.memoryRatio < mended;
  if (expected == known.end()) {
    if (verdict.failed())
      report(number, drawn, verdict);
  } else if (passes) {
    failures.push_back(llvm::formatv("case {0} passes: delete its line from {1} ({2})", number,
                                     options.known, expected->second));
  } else {
    llvm::outs() << "  known: " << expected->second << "\n";
  }
  llvm::outs().flush();
}

int LargeRun::run() {
  int64_t end = options.first + options.count;
  if (options.print) {
    llvm::outs() << drawLarge(seedOf(options.first)).description();
    return 0;
  }
  if (!readKnown())
    return 2;
  llvm::outs() << "seed " << options.seed << ", large cases " << options.first << " to " << end - 1
               << "\n";
  llvm::outs().flush();
  for (int64_t number = options.first; number < end; ++number)
    take(number);
  llvm::outs() << "\nseed " << options.seed << ":";
  for (const auto &[kind, count] : counts)
    llvm::outs() << " " << count << " " << wordOf(kind);
  llvm::outs() << "; " << failures.size() << " to look at\n";
  for (const std::string &failure : failures)
    llvm::outs() << "  " << failure << "\n";
  return failures.empty() ? 0 : 1;
}

// What was measured of this machine, or what is known of its kind.
static machine::Machine machineHere() {
  runtime::Result<machine::Machine> measured = machine::readMachine(machine::machineFile());
  return measured ? std::move(*measured) : machine::expectedHere().machine;
}

int LargeRun::survey() {
  runtime::Result<SurveyRecord> record = readRecord(options.record, options.seed);
  if (!record) {
    llvm::errs() << record.error().text() << "\n";
    return 2;
  }
  SurveyLimits limits{.schedules = options.schedules, .seconds = options.limits.seconds};
  machine::Machine machine = machineHere();
  for (int64_t number = options.first; number < options.first + options.count; ++number) {
    if (record->contains(number))
      continue;
    SurveyedStatement one =
        test::survey(drawLarge(seedOf(number)), seedOf(number), limits, machine);
    one.seed = options.seed;
    one.number = number;
    llvm::outs() << llvm::formatv("case {0}: {1}, {2:f2} by {3} schedules: {4}\n", number,
                                  one.outcome, one.ratio(), one.schedules.size(), one.text);
    if (one.failed())
      llvm::outs() << "  " << one.note << "\n";
    llvm::outs().flush();
    if (!options.record.empty()) {
      std::error_code error;
      llvm::raw_fd_ostream file(options.record, error, llvm::sys::fs::OF_Append);
      if (error) {
        llvm::errs() << "cannot write " << options.record << ": " << error.message() << "\n";
        return 2;
      }
      file << toLine(one) << "\n";
    }
    (*record)[number] = std::move(one);
  }
  printSurvey(*record, llvm::outs());
  bool fails = llvm::any_of(*record, [](const auto &one) { return one.second.failed(); });
  return fails ? 1 : 0;
}

// Takes an option with its value; false if that is none.
static bool takeOption(LargeOptions &options, llvm::StringRef name, llvm::StringRef value) {
  if (name == "--seed")
    return !value.getAsInteger(10, options.seed);
  if (name == "--count")
    return !value.getAsInteger(10, options.count);
  if (name == "--tries")
    return !value.getAsInteger(10, options.tries);
  if (name == "--seconds")
    return !value.getAsDouble(options.limits.seconds);
  if (name == "--factor")
    return !value.getAsDouble(options.limits.factor);
  if (name == "--first")
    return !value.getAsInteger(10, options.first);
  if (name == "--schedules")
    return !value.getAsInteger(10, options.schedules) && options.schedules > 0;
  if (name == "--record")
    options.record = value.str();
  else if (name == "--output")
    options.output = value.str();
  else if (name == "--known")
    options.known = value.str();
  else if (name == "--one" || name == "--print") {
    options.count = 1;
    options.print = name == "--print";
    return !value.getAsInteger(10, options.first);
  } else
    return false;
  return !value.empty();
}

int runLarge(llvm::ArrayRef<const char *> arguments) {
  LargeOptions options;
  for (size_t at = 0; at < arguments.size(); at += 2)
    if (at + 1 == arguments.size() || !takeOption(options, arguments[at], arguments[at + 1])) {
      llvm::errs() << "a mistake at " << arguments[at] << "\n" << largeHelp;
      return 2;
    }
  if (options.schedules == 0 && !options.record.empty()) {
    llvm::errs() << "--record is about statements beside --schedules\n";
    return 2;
  }
  LargeRun run(options);
  return options.schedules > 0 ? run.survey() : run.run();
}

} // namespace strata::test
