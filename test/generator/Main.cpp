// Draws statements, runs them, compares, shrinks what fails.
//
//   strata-generator-tests [--seed S] [--count N] [--one K] [--print K] [--output FOLDER]
//                          [--tries N] [--seconds N] [--schedules 1] [--grids 1] [--texts FOLDER]
//   strata-generator-tests --large [...]
//
// Case K of seed S is the same on every machine; --one runs it alone, --print shows it. A failure
// is made smaller, in so many tries, and written to the output folder as a test for
// test/regression/. A case that takes so many seconds fails. With --schedules 1 each statement has
// a schedule, drawn as well; with --grids 1 it is computed by the cells of a machine, which have
// parts of its tensors. With --texts the cases are written to a folder, as tests, and not run. With
// --large statements are over large tensors, and what they take is compared with other ways to
// compute them (large/LargeDraw.h, --help).
#include "Child.h"
#include "Coverage.h"
#include "DrawCase.h"
#include "DrawGrid.h"
#include "DrawSchedule.h"
#include "Regression.h"
#include "Shrink.h"
#include "large/LargeDraw.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <memory>

using namespace strata::test;

namespace {

struct Options {
  uint64_t seed = 1;
  int64_t count = 500, first = 0;
  bool one = false, print = false;
  bool schedules = false, grids = false; ///< each case has one
  std::string output = ".";
  std::string texts; ///< a folder for all cases, which are not run then
  int tries = 300;
  unsigned seconds = 60; ///< for one case
};

struct Failure {
  int64_t number;
  std::string text;
};

class Run {
public:
  explicit Run(Options options) : options(std::move(options)) {}
  int run();

private:
  /// As many cases as one child gets through; gives the number of the next.
  int64_t batch(int64_t from, int64_t end);
  int writeTexts() const;
  void take(int64_t number, const Outcome &outcome);
  void report(int64_t number, Outcome outcome);
  Case caseOf(int64_t number) const {
    uint64_t seed = options.seed * 0x9E3779B97F4A7C15ull + static_cast<uint64_t>(number);
    Case drawn = drawCase(seed);
    if (options.schedules) {
      drawn = asOneStatement(std::move(drawn));
      drawSchedule(drawn, seed);
    }
    if (options.grids)
      drawGrid(drawn, seed);
    return drawn;
  }

  Options options;
  Coverage coverage;
  std::vector<Failure> failures;
  std::map<Outcome::Kind, int64_t> counts;
  std::string unfit;
};

} // namespace

// One outcome in one line of text: kind, then message.
static std::string encode(const Outcome &outcome) {
  return std::to_string(static_cast<int>(outcome.kind)) + " " + outcome.text;
}
static Outcome decode(llvm::StringRef text) {
  int kind = 0;
  text.split(' ').first.getAsInteger(10, kind);
  return {static_cast<Outcome::Kind>(kind), text.split(' ').second.str()};
}

// Of every four cases one is optimized in full, which takes twice the time, and of every five one
// is also compiled ahead, another one compared with what is explained of it. Every third one
// gathers, also of those that are optimized.
static Ways waysOf(int64_t number) {
  return {.optimization =
              number % 4 == 0 ? strata::Optimization::Full : strata::Optimization::Quick,
          .gathers = number % 3 == 0,
          .ahead = number % 5 == 0,
          .explained = number % 5 == 1};
}

// A crash or an endless loop is an outcome as well.
static Outcome outcomeOf(const Case &c, int64_t number, unsigned seconds) {
  std::optional<Outcome> outcome;
  ChildEnd end = inChild(
      [&](const Report &report) {
        limitSeconds(seconds);
        CaseRunner runner;
        report(encode(runner.run(c, waysOf(number))));
      },
      [&](const std::string &text) { outcome = decode(text); });
  if (outcome && end.ok())
    return *outcome;
  return {Outcome::Kind::broken, end.text()};
}

// Failures are alike if they are of one kind: a wrong result is no error, no crash, and not a file
// that holds another.
static std::string sortOf(const Outcome &outcome) {
  if (outcome.kind == Outcome::Kind::wrong)
    return llvm::StringRef(outcome.text).starts_with("at ") ? "wrong" : "wrong in a file";
  return withoutNames(outcome.text.substr(0, outcome.text.find(':')));
}

void Run::report(int64_t number, Outcome outcome) {
  Case failing = caseOf(number);
  failures.push_back({number, outcome.text});
  llvm::outs() << "case " << number << " of seed " << options.seed
               << " fails: " << notation(failing) << "\n"
               << outcome.text << "\n";
  if (failures.size() > 8)
    return; // enough to look at
  std::string sort = sortOf(outcome);
  Case small = shrink(
      failing,
      [&](const Case &c) {
        Outcome here = outcomeOf(c, number, options.seconds);
        if (!here.failed() || sortOf(here) != sort)
          return false;
        outcome = here;
        return true;
      },
      options.tries);
  std::string name = options.output + "/seed-" + std::to_string(options.seed) + "-case-" +
                     std::to_string(number) + ".mlir";
  std::string text = regressionText(small, "Case " + std::to_string(number) + " of seed " +
                                               std::to_string(options.seed) + ".");
  std::error_code error = llvm::sys::fs::create_directories(options.output);
  if (!error) {
    llvm::raw_fd_ostream file(name, error);
    if (!error)
      file << text;
  }
  llvm::outs() << "made smaller: " << notation(small) << "\n" << outcome.text << "\n";
  if (error)
    llvm::outs() << "cannot write " << name << ": " << error.message() << ":\n";
  else
    llvm::outs() << "written to " << name << ":\n";
  llvm::outs() << text << "\n";
  llvm::outs().flush();
}

void Run::take(int64_t number, const Outcome &outcome) {
  ++counts[outcome.kind];
  if (outcome.failed())
    return report(number, outcome);
  if (outcome.kind == Outcome::Kind::unfit)
    unfit += "case " + std::to_string(number) + ": " + outcome.text + "\n";
  coverage.count(caseOf(number), outcome);
}

int64_t Run::batch(int64_t from, int64_t end) {
  int64_t next = from;
  std::vector<std::pair<int64_t, Outcome>> failed;
  ChildEnd ended = inChild(
      [&](const Report &report) {
        CaseRunner runner;
        for (int64_t number = from; number < end; ++number) {
          limitSeconds(options.seconds);
          report(encode(runner.run(caseOf(number), waysOf(number))));
        }
      },
      [&](const std::string &text) {
        Outcome outcome = decode(text);
        if (outcome.failed()) {
          failed.push_back({next, outcome});
          llvm::outs() << "case " << next << " fails; more of it after the batch\n";
          llvm::outs().flush();
        } else
          take(next, outcome);
        ++next;
      });
  for (const auto &[number, outcome] : failed)
    take(number, outcome);
  if (!ended.ok() && next < end)
    take(next++, {Outcome::Kind::broken, ended.text()});
  return next;
}

int Run::writeTexts() const {
  std::error_code error = llvm::sys::fs::create_directories(options.texts);
  for (int64_t number = options.first; !error && number < options.first + options.count; ++number) {
    llvm::raw_fd_ostream file(options.texts + "/case-" + std::to_string(number) + ".mlir", error);
    if (!error)
      file << regressionText(caseOf(number), "");
  }
  if (error)
    llvm::errs() << "cannot write to " << options.texts << ": " << error.message() << "\n";
  return error ? 1 : 0;
}

int Run::run() {
  if (options.print) {
    llvm::outs() << moduleText(caseOf(options.first));
    return 0;
  }
  if (!options.texts.empty())
    return writeTexts();
  auto begin = std::chrono::steady_clock::now();
  llvm::outs() << "seed " << options.seed << ", cases " << options.first << " to "
               << options.first + options.count - 1 << "\n";
  int64_t end = options.first + options.count;
  for (int64_t next = options.first; next < end;)
    next = batch(next, std::min<int64_t>(end, next + 500));
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  llvm::outs() << "\nstatements computed (refused) by kind; a format of the result as '= FORMAT'\n"
               << coverage.table() << "\nrefused:\n"
               << coverage.refusals();
  if (!unfit.empty())
    llvm::outs() << "\nrefused by the reference, which is a mistake of the generator:\n" << unfit;
  llvm::outs() << "\nseed " << options.seed << ": " << counts[Outcome::Kind::agrees] << " agree, "
               << counts[Outcome::Kind::refused] << " refused, " << failures.size() << " fail, "
               << static_cast<int>(seconds.count()) << " s\n";
  for (const Failure &failure : failures)
    llvm::outs() << "  --seed " << options.seed << " --one " << failure.number << "  "
                 << withoutNames(failure.text.substr(0, 100)) << "\n";
  return failures.empty() && unfit.empty() ? 0 : 1;
}

static const char *const usage = " [--seed S] [--first K] [--count N] [--one K] [--print K]"
                                 " [--output FOLDER] [--tries N] [--seconds N] [--schedules 1]"
                                 " [--grids 1] [--texts FOLDER]\n";

int main(int argc, char **argv) {
  llvm::StringRef first = argc > 1 ? argv[1] : "";
  if (first == "--large")
    return runLarge({argv + 2, argv + argc});
  if (first == "--help") {
    llvm::outs() << "usage: " << argv[0] << usage << largeHelp;
    return 0;
  }
  Options options;
  for (int at = 1; at < argc; at += 2) {
    llvm::StringRef name = argv[at], value = at + 1 < argc ? argv[at + 1] : "";
    bool wrong = false;
    if (name == "--seed")
      wrong = value.getAsInteger(10, options.seed);
    else if (name == "--count")
      wrong = value.getAsInteger(10, options.count);
    else if (name == "--first" || name == "--one" || name == "--print")
      wrong = value.getAsInteger(10, options.first);
    else if (name == "--tries")
      wrong = value.getAsInteger(10, options.tries);
    else if (name == "--seconds")
      wrong = value.getAsInteger(10, options.seconds);
    else if (name == "--schedules")
      wrong = value.getAsInteger(10, options.schedules);
    else if (name == "--grids")
      wrong = value.getAsInteger(10, options.grids);
    else if (name == "--output")
      options.output = value.str();
    else if (name == "--texts")
      options.texts = value.str();
    else
      wrong = true;
    if (wrong || value.empty()) {
      llvm::errs() << "usage: " << argv[0] << usage;
      return 2;
    }
    options.one |= name == "--one";
    options.print |= name == "--print";
  }
  if (options.one)
    options.count = 1;
  return Run(options).run();
}
