// A statement or a program in several ways, which take turns in processes of their own.
#include "Contest.h"
#include "Messages.h"
#include "Report.h"

#include "strata/runtime/io/TensorFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using llvm::StringRef;

namespace strata::tool {

static constexpr double secondsOfTurn = 0.1;
static constexpr double roundoff = 1e-6; ///< by the largest value

std::vector<double> Contestant::seconds(size_t statement) const {
  std::vector<double> list;
  for (const Turn &turn : turns)
    list.push_back(turn[statement].seconds);
  return list;
}

Contest::Contest(std::string target, bool isProgram, Rules rules)
    : rules(rules), target(std::move(target)), isProgram(isProgram),
      program(llvm::sys::fs::getMainExecutable(nullptr, nullptr)) {}

bool Contest::run() {
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
  for (int64_t round = 0; round < rules.rounds; ++round) {
    std::ranges::shuffle(order, engine);
    for (size_t at : order) {
      std::optional<Turn> turn = take(contestants[at], contestants[at].runs, {});
      if (!turn)
        return false;
      contestants[at].turns.push_back(std::move(*turn));
    }
  }
  return true;
}

std::string Contest::fileIn(const llvm::Twine &name) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

// Keeps its kernels, finds out how often it runs in a turn, and compares its result.
bool Contest::warmUp(size_t at) {
  Contestant &one = contestants[at];
  std::string result = fileIn("result-" + llvm::Twine(at) + ".tns");
  StringRef name =
      StringRef(target).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  std::vector<std::string> output;
  if (!isProgram)
    output.push_back(("-o=" + name + ":" + result).str());
  std::optional<Turn> turn = take(one, 1, output);
  if (!turn)
    return false;
  double seconds = std::max(turn->back().seconds, 1e-9);
  one.runs = rules.repeat.value_or(
      std::clamp<int64_t>(int64_t(secondsOfTurn / seconds), isProgram ? 1 : 3, 100000));
  return isProgram ? compareValues(at) : compareResult(at, result);
}

// Compares the files that statements have written.
bool Contest::compareResult(size_t at, const std::string &file) {
  std::optional<runtime::Coordinates> list = read(file);
  if (!list)
    return false;
  if (at == 0)
    expected = std::move(list);
  else if (!isEqual(*list)) {
    fail("another result than as given: " + contestants[at].options);
    return false;
  }
  llvm::sys::fs::remove(file);
  return true;
}

// Compares what programs have printed.
bool Contest::compareValues(size_t at) {
  if (at == 0) {
    expectedValues = printed;
    return true;
  }
  double largest = 0;
  for (double value : expectedValues)
    largest = std::max(largest, std::abs(value));
  bool same = printed.size() == expectedValues.size();
  for (size_t value = 0; same && value < printed.size(); ++value)
    same = std::abs(printed[value] - expectedValues[value]) <= roundoff * largest;
  if (!same)
    fail("prints other values than as given: " + contestants[at].options);
  return same;
}

std::optional<runtime::Coordinates> Contest::read(const std::string &file) {
  runtime::Result<runtime::TensorFileContent> content = runtime::readTensorFile(file, {});
  runtime::Status status = content ? content->list.sort() : content.takeStatus();
  if (!status.ok()) {
    fail(status.error().message + status.error().mark());
    return std::nullopt;
  }
  return std::move(content->list);
}

// Compares in the order of coordinates, without stored zeros. Sums may be made in another order.
bool Contest::isEqual(const runtime::Coordinates &other) const {
  double largest = 0;
  for (int64_t entry = 0; entry < expected->count(); ++entry)
    largest = std::max(largest, std::abs(expected->value(entry)));
  auto isOther = [&](std::complex<double> a, std::complex<double> b) {
    return !(std::abs(a - b) <= roundoff * largest) && a != b &&
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

// Says which of two entries comes first: -1, 1, or 0 where they are at the same place.
int Contest::compare(int64_t a, const runtime::Coordinates &other, int64_t b) const {
  if (a == expected->count() || b == other.count())
    return a == expected->count() ? 1 : -1;
  for (int dim = 0; dim < expected->order(); ++dim) {
    int64_t x = expected->coordinate(dim, a), y = other.coordinate(dim, b);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

// Runs one process.
std::optional<Turn> Contest::take(const Contestant &one, int64_t runs,
                                  std::vector<std::string> more) {
  const int64_t repeat = runs + rules.warmUp;
  std::vector<std::string> words{program};
  if (isProgram)
    words.push_back("run");
  words.push_back(target);
  llvm::append_range(words, one.arguments);
  llvm::append_range(words, more);
  words.push_back("-json");
  words.push_back("-quiet");
  words.push_back((isProgram ? "--repeat=" : "-time=") + std::to_string(repeat));
  std::string report = fileIn("report.json");
  llvm::sys::fs::remove(report); // else it would be written over, and its end kept
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(report), std::nullopt};
  int code = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects);
  if (code != exitSuccess) {
    failure = code == exitMisuse ? exitMisuse : exitFailure;
    fail((isProgram ? "the program does not run: " : "the statement does not run: ") + one.options);
    return std::nullopt;
  }
  return readReport(report, repeat);
}

// Collects all numbers in a value of JSON.
static void collect(const llvm::json::Value &value, std::vector<double> &numbers) {
  if (std::optional<double> number = value.getAsNumber())
    numbers.push_back(*number);
  else if (const llvm::json::Array *list = value.getAsArray())
    for (const llvm::json::Value &one : *list)
      collect(one, numbers);
  else if (const llvm::json::Object *object = value.getAsObject())
    for (StringRef key : {"coordinates", "values"})
      if (const llvm::json::Value *part = object->get(key))
        collect(*part, numbers);
}

// A statement in a loop runs once a round, or so often as is asked for; the first runs of one that
// stands in none are left out.
static std::optional<Measured> measuredOf(const llvm::json::Object &step, int64_t repeat,
                                          int64_t warmUp) {
  const llvm::json::Array *all = step.getArray("runs");
  if (!all || all->empty())
    return std::nullopt;
  std::vector<double> runs;
  for (const llvm::json::Value &one : *all)
    runs.push_back(one.getAsNumber().value_or(0));
  const double rounds = std::max(step.getNumber("rounds").value_or(1), 1.0);
  if (rounds == 1 && int64_t(runs.size()) == repeat && repeat > warmUp)
    runs.erase(runs.begin(), runs.begin() + warmUp);
  Measured measured;
  measured.what = step.getString("what").value_or("").str();
  measured.seconds = medianOf(runs) * rounds;
  measured.operations = step.getNumber("operations").value_or(0);
  measured.bytes = step.getNumber("traffic").value_or(0);
  measured.roofline = step.getNumber("roofline").value_or(0);
  return measured;
}

// Conversions of operands are among the statements.
std::optional<Turn> Contest::readReport(const std::string &file, int64_t repeat) {
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
  printed.clear();
  if (const llvm::json::Array *values = report->getArray("printed"))
    for (const llvm::json::Value &one : *values)
      collect(one, printed);
  Turn turn;
  Measured sum;
  sum.what = "total";
  for (const llvm::json::Value &step : *steps)
    if (std::optional<Measured> one = measuredOf(*step.getAsObject(), repeat, rules.warmUp)) {
      sum.seconds += one->seconds;
      sum.operations += one->operations;
      sum.bytes += one->bytes;
      sum.roofline += one->roofline;
      turn.push_back(std::move(*one));
    }
  turn.push_back(std::move(sum));
  return turn;
}

} // namespace strata::tool
