// strata bench: one statement in several ways, measured in turns.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "Report.h"

#include "strata/cost/Quantities.h"
#include "strata/machine/Machine.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/TensorFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using llvm::format;
using llvm::outs;
using llvm::SmallString;
using llvm::StringRef;

namespace strata::tool {

namespace bench {
#define STRATA_OPTIONS "BenchOptions.inc"
#include "OptionTable.def"
} // namespace bench

const Command benchDescription{"bench", R"(
strata bench measures one statement in several ways, which take turns: with the options that it is
given, and with each set of options that --against adds to these.

  strata bench 'y(i) = A(i,j) * x(j)' -i=A:m.mtx -g=x:d -f=A:CSR --against=-f=A:CSC --against=-threads=1
                                  two formats, and one thread

Each turn is a process of its own, in an order that every round draws. It reads its operands, and
runs the statement for about a tenth of a second. The results of all must be equal before anything is
measured. Of each contestant the median of its turns is printed, the least of them, their standard
deviation, how far half of them are apart, its time by that of the first (the median over rounds,
with its 95 % interval), and how much of it the machine would need at least ('strata machine').
)",
                               bench::table, "STATEMENT",
                               "measure a statement in several ways, in turns"};

namespace {

constexpr double secondsOfTurn = 0.1;
constexpr int64_t warmUpRuns = 3; ///< of each contestant, before its turns

struct Turn {
  double seconds = 0;  ///< of one run of all statements, the median
  double roofline = 0; ///< what the machine needs at least; 0 where that is not known
};

struct Contestant {
  std::string options; ///< that it has besides those that all have; "as given" of the first
  std::vector<std::string> arguments;
  int64_t runs = 1; ///< in a turn
  std::vector<Turn> turns = {};

  std::vector<double> seconds() const {
    std::vector<double> list;
    for (const Turn &turn : turns)
      list.push_back(turn.seconds);
    return list;
  }
};

/// The value at a share of a list, which must not be empty.
double quantile(std::vector<double> list, double share) {
  std::ranges::sort(list);
  return list[size_t(std::lround(share * double(list.size() - 1)))];
}

/// How many of `count` values lie outside at each end of the 95 % interval of their median.
size_t outside(size_t count) {
  double below = 0, term = std::pow(0.5, double(count));
  size_t rank = 0;
  while (below + term <= 0.025) {
    below += term;
    term = term * double(count - rank) / double(rank + 1);
    ++rank;
  }
  return rank > 0 ? rank - 1 : 0;
}

class Contest {
public:
  Contest(std::string statement, int64_t rounds)
      : statement(std::move(statement)), rounds(rounds),
        program(llvm::sys::fs::getMainExecutable(nullptr, nullptr)) {}

  std::vector<Contestant> contestants;

  /// Runs everything. False after an error, which was reported.
  bool run() {
    if (std::error_code error = llvm::sys::fs::createUniqueDirectory("strata-bench", folder)) {
      fail("cannot make a folder for results: " + error.message());
      return false;
    }
    auto clean = llvm::scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
    for (size_t at = 0; at < contestants.size(); ++at)
      if (!warmUp(at))
        return false;
    std::mt19937 engine(1);
    std::vector<size_t> order(contestants.size());
    std::iota(order.begin(), order.end(), size_t{0});
    for (int64_t round = 0; round < rounds; ++round) {
      std::ranges::shuffle(order, engine);
      for (size_t at : order) {
        std::optional<Turn> turn = take(contestants[at], contestants[at].runs, {});
        if (!turn)
          return false;
        contestants[at].turns.push_back(*turn);
      }
    }
    return true;
  }

  /// The time of a contestant by that of the first, in each round.
  std::vector<double> ratios(const Contestant &one) const {
    std::vector<double> list;
    for (auto [own, first] : llvm::zip(one.turns, contestants.front().turns))
      list.push_back(own.seconds / first.seconds);
    return list;
  }

private:
  std::string fileIn(const llvm::Twine &name) const {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  // Keeps its kernels, finds out how often it runs in a turn, and compares its result.
  bool warmUp(size_t at) {
    Contestant &one = contestants[at];
    std::string result = fileIn("result-" + llvm::Twine(at) + ".tns");
    StringRef name =
        StringRef(statement).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    std::optional<Turn> turn = take(one, warmUpRuns, {("-o=" + name + ":" + result).str()});
    if (!turn)
      return false;
    one.runs =
        std::clamp<int64_t>(int64_t(secondsOfTurn / std::max(turn->seconds, 1e-9)), 3, 100000);
    std::optional<runtime::Coordinates> list = read(result);
    if (!list)
      return false;
    if (at == 0)
      expected = std::move(list);
    else if (!isEqual(*list)) {
      fail("another result than as given: " + one.options);
      return false;
    }
    llvm::sys::fs::remove(result);
    return true;
  }

  std::optional<runtime::Coordinates> read(const std::string &file) {
    runtime::Result<runtime::TensorFileContent> content = runtime::readTensorFile(file, {});
    runtime::Status status = content ? content->list.sort() : content.takeStatus();
    if (!status.ok()) {
      fail(status.error().message);
      return std::nullopt;
    }
    return std::move(content->list);
  }

  // In the order of coordinates; stored zeros do not matter. Sums may be made in another order.
  bool isEqual(const runtime::Coordinates &other) const {
    double largest = 0;
    for (int64_t entry = 0; entry < expected->count(); ++entry)
      largest = std::max(largest, std::abs(expected->value(entry)));
    auto isOther = [&](std::complex<double> a, std::complex<double> b) {
      return !(std::abs(a - b) <= 1e-6 * largest) && a != b &&
             !(std::isnan(std::abs(a)) && std::isnan(std::abs(b)));
    };
    int64_t a = 0, b = 0;
    while (a < expected->count() || b < other.count()) {
      int side = compare(a, other, b);
      std::complex<double> x = side <= 0 ? expected->value(a++) : 0;
      std::complex<double> y = side >= 0 ? other.value(b++) : 0;
      if (isOther(x, y))
        return false;
    }
    return true;
  }

  // Which of two entries comes first: -1, 1, or 0 where they are at the same place.
  int compare(int64_t a, const runtime::Coordinates &other, int64_t b) const {
    if (a == expected->count() || b == other.count())
      return a == expected->count() ? 1 : -1;
    for (int dim = 0; dim < expected->order(); ++dim) {
      int64_t x = expected->coordinate(dim, a), y = other.coordinate(dim, b);
      if (x != y)
        return x < y ? -1 : 1;
    }
    return 0;
  }

  // One process.
  std::optional<Turn> take(const Contestant &one, int64_t runs, std::vector<std::string> more) {
    std::vector<std::string> words{program, statement};
    llvm::append_range(words, one.arguments);
    llvm::append_range(words, more);
    words.push_back("-json");
    words.push_back("-quiet");
    words.push_back("-time=" + std::to_string(runs));
    std::string report = fileIn("report.json");
    llvm::sys::fs::remove(report); // else it would be written over, and its end kept
    std::vector<StringRef> arguments(words.begin(), words.end());
    std::optional<StringRef> redirects[] = {StringRef(), StringRef(report), std::nullopt};
    int code = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects);
    if (code != exitSuccess) {
      fail("the statement does not run: " + one.options);
      return std::nullopt;
    }
    return readReport(report);
  }

  // The sum over the statements that were run: conversions are among them.
  std::optional<Turn> readReport(const std::string &file) {
    auto text = llvm::MemoryBuffer::getFile(file);
    llvm::Expected<llvm::json::Value> json =
        llvm::json::parse(text ? (*text)->getBuffer() : StringRef());
    const llvm::json::Object *report = json ? json->getAsObject() : nullptr;
    if (!json)
      llvm::consumeError(json.takeError());
    const llvm::json::Array *steps = report ? report->getArray("steps") : nullptr;
    if (!steps) {
      fail("internal error: a run has left no report");
      return std::nullopt;
    }
    Turn turn;
    for (const llvm::json::Value &step : *steps) {
      turn.seconds += step.getAsObject()->getNumber("median").value_or(0);
      turn.roofline += step.getAsObject()->getNumber("roofline").value_or(0);
    }
    return turn;
  }

  std::string statement;
  int64_t rounds;
  std::string program;
  SmallString<128> folder;
  std::optional<runtime::Coordinates> expected;
};

// "[lowest, highest]" of the 95 % interval of the median.
std::pair<double, double> interval(std::vector<double> list) {
  std::ranges::sort(list);
  size_t rank = outside(list.size());
  return {list[rank], list[list.size() - 1 - rank]};
}

/// What is printed of a contestant.
struct Figures {
  double median, least, deviation;
  double spread; ///< between the quartiles
  double ratio, ratioLow, ratioHigh;
  double roofline;
};

double deviationOf(llvm::ArrayRef<double> list) {
  double mean = std::accumulate(list.begin(), list.end(), 0.0) / double(list.size()), squares = 0;
  for (double value : list)
    squares += (value - mean) * (value - mean);
  return list.size() > 1 ? std::sqrt(squares / double(list.size() - 1)) : 0;
}

Figures figuresOf(const Contest &contest, const Contestant &one) {
  std::vector<double> seconds = one.seconds(), ratios = contest.ratios(one);
  auto [low, high] = interval(ratios);
  return {quantile(seconds, 0.5),
          *std::ranges::min_element(seconds),
          deviationOf(seconds),
          quantile(seconds, 0.75) - quantile(seconds, 0.25),
          quantile(ratios, 0.5),
          low,
          high,
          one.turns.front().roofline};
}

std::string machineText() {
  machine::Machine machine = machine::describeMachine();
  return machine.processor + "; " + counted(machine.threads, "thread");
}

void printTable(const Contest &contest) {
  outs() << machineText() << "\n"
         << counted(int64_t(contest.contestants.front().turns.size()), "round") << ", after "
         << warmUpRuns << " runs of each to warm up\n\n";
  size_t width = 20;
  for (const Contestant &one : contest.contestants)
    width = std::max(width, one.options.size());
  outs()
      << llvm::left_justify("", unsigned(width))
      << "      median       least  deviation   spread   by the first's             of it needed\n";
  for (const Contestant &one : contest.contestants) {
    Figures of = figuresOf(contest, one);
    outs() << llvm::left_justify(one.options, unsigned(width))
           << llvm::right_justify(cost::durationText(of.median), 12)
           << llvm::right_justify(cost::durationText(of.least), 12)
           << format("%9.1f %%", 100 * of.deviation / of.median)
           << format("%7.0f %%", 100 * of.spread / of.median)
           << format("   %6.2f (%.2f to %.2f)", of.ratio, of.ratioLow, of.ratioHigh);
    if (of.roofline > 0)
      outs() << format("%11.0f %%", 100 * of.roofline / of.median);
    outs() << "\n";
  }
}

void printFigures(const Contest &contest) {
  llvm::json::OStream json(outs(), 1);
  std::string machine = machineText();
  json.array([&] {
    for (const Contestant &one : contest.contestants)
      json.object([&] {
        Figures of = figuresOf(contest, one);
        json.attribute("options", one.options);
        json.attribute("machine", machine);
        json.attribute("warm_up", warmUpRuns);
        json.attribute("runs", one.runs);
        json.attributeArray("seconds", [&] {
          for (double seconds : one.seconds())
            json.value(seconds);
        });
        json.attribute("median", of.median);
        json.attribute("minimum", of.least);
        json.attribute("deviation", of.deviation);
        json.attribute("ratio", of.ratio);
        json.attribute("ratio_low", of.ratioLow);
        json.attribute("ratio_high", of.ratioHigh);
        json.attribute("roofline", of.roofline);
      });
  });
  outs() << "\n";
}

// A field of comma-separated values, as RFC 4180 quotes it.
std::string quotedField(StringRef text) {
  std::string field = "\"";
  for (char c : text)
    field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

// One line for each contestant; times are in seconds.
void printSeparated(const Contest &contest) {
  std::string machine = quotedField(machineText());
  outs() << "options,median,minimum,deviation,ratio,ratio_low,ratio_high,roofline,rounds,runs,"
            "warm_up,machine\n";
  for (const Contestant &one : contest.contestants) {
    Figures of = figuresOf(contest, one);
    outs() << quotedField(one.options);
    for (double figure :
         {of.median, of.least, of.deviation, of.ratio, of.ratioLow, of.ratioHigh, of.roofline})
      outs() << format(",%.9g", figure);
    outs() << "," << one.turns.size() << "," << one.runs << "," << warmUpRuns << "," << machine
           << "\n";
  }
}

// Tells whether a blank behind the word, in front of the next one, belongs to it: between the
// commands of a schedule, and within one.
bool goesOn(StringRef word, StringRef next) {
  return word.ends_with(",") || word.ends_with(";") || next.starts_with(",") ||
         next.starts_with(";") || word.count('(') > word.count(')');
}

// As a shell would take them apart, but for blanks in schedules.
std::vector<std::string> wordsOf(StringRef options) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(options, saver, words);
  std::vector<std::string> whole;
  for (StringRef word : words)
    if (!whole.empty() && goesOn(whole.back(), word))
      whole.back() += " " + word.str();
    else
      whole.push_back(word.str());
  return whole;
}

// What an option is about: "-f=A" of "-f=A:CSR", "-threads" of "-threads=2".
StringRef subjectOf(StringRef option) {
  size_t value = option.find('=');
  size_t colon = value == StringRef::npos ? StringRef::npos : option.find(':', value);
  return option.take_front(std::min(colon != StringRef::npos ? colon : value, option.size()));
}

// The options that all have, but for those that others take the place of, and these.
std::vector<std::string> replaced(const std::vector<std::string> &common,
                                  const std::vector<std::string> &own) {
  std::vector<std::string> all;
  for (const std::string &option : common)
    if (llvm::none_of(
            own, [&](const std::string &other) { return subjectOf(other) == subjectOf(option); }))
      all.push_back(option);
  llvm::append_range(all, own);
  return all;
}

bool isOwn(StringRef argument) {
  StringRef name = argument.ltrim('-').split('=').first;
  return argument.starts_with("-") &&
         llvm::is_contained({"against", "rounds", "json", "csv", "help", "h", "version", "color"},
                            name);
}

} // namespace

int benchCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace bench;
  std::vector<const char *> own;
  std::vector<std::string> common;
  std::string statement;
  for (size_t at = 0; at < arguments.size(); ++at) {
    StringRef argument = arguments[at];
    if (isOwn(argument)) {
      own.push_back(arguments[at]);
      if (!argument.contains('=') && at + 1 < arguments.size() &&
          llvm::is_contained({"against", "rounds", "color"}, argument.ltrim('-')))
        own.push_back(arguments[++at]);
    } else if (statement.empty() && hasStatement(argument.data())) {
      statement = argument.str();
    } else {
      common.push_back(argument.str());
    }
  }
  Arguments args = parseArguments(benchDescription, own);
  if (args.exitCode)
    return *args.exitCode;
  if (statement.empty())
    return refuse("bench needs a statement",
                  "strata bench 'y(i) = A(i,j) * x(j)' -i=A:m.mtx -g=x:d");
  int64_t rounds = 9;
  if (const llvm::opt::Arg *arg = args.list.getLastArg(OPT_rounds)) {
    std::optional<int64_t> count = parseCount(*arg, 1);
    if (!count)
      return exitMisuse;
    rounds = *count;
  }
  Contest contest(statement, rounds);
  contest.contestants.push_back({"as given", common});
  for (const std::string &options : args.list.getAllArgValues(OPT_against))
    contest.contestants.push_back({options, replaced(common, wordsOf(options))});
  if (!contest.run())
    return exitFailure;
  if (args.list.hasArg(OPT_json))
    printFigures(contest);
  else if (args.list.hasArg(OPT_csv))
    printSeparated(contest);
  else
    printTable(contest);
  return exitSuccess;
}

} // namespace strata::tool
