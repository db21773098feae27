// What is told of a contest: figures of each contestant as a table, as JSON, as comma-separated
// values.
#include "ContestFigures.h"
#include "Messages.h"

#include "strata/cost/Quantities.h"
#include "strata/machine/Machine.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/JsonNesting.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using llvm::format;
using llvm::outs;
using llvm::StringRef;

namespace strata::tool {
namespace {

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

// The median of values with its 95 % interval.
Ratio medianOf(std::vector<double> list) {
  std::ranges::sort(list);
  size_t rank = outside(list.size());
  return {quantile(list, 0.5), list[rank], list[list.size() - 1 - rank]};
}

double deviationOf(llvm::ArrayRef<double> list) {
  double mean = std::accumulate(list.begin(), list.end(), 0.0) / double(list.size()), squares = 0;
  for (double value : list)
    squares += (value - mean) * (value - mean);
  return list.size() > 1 ? std::sqrt(squares / double(list.size() - 1)) : 0;
}

/// What is told of a statement of a contestant.
struct Figures {
  std::string options, what;
  std::vector<double> seconds;
  double median, least, deviation;
  double spread; ///< between the quartiles
  Ratio byFirst; ///< the time by that of the first contestant, in each round
  std::optional<Ratio> byEarlier;
  double gflops, gbytes; ///< a second, of the median; 0 where there are none
  double roofline;
};

Figures figuresOf(const Contest &contest, const Contestant &one, size_t statement,
                  const EarlierTimes *earlier) {
  const Measured &measured = one.turns.front()[statement];
  const Contestant &first = contest.contestants.front();
  std::vector<double> seconds = one.seconds(statement), ratios;
  // Another contestant may have other statements beside the sum: conversions.
  const bool isSum = statement + 1 == one.statements();
  if (isSum ||
      (statement < first.statements() && first.turns.front()[statement].what == measured.what))
    for (auto [own, base] :
         llvm::zip(seconds, first.seconds(isSum ? first.statements() - 1 : statement)))
      ratios.push_back(base > 0 ? own / base : 1);
  const double median = quantile(seconds, 0.5), rate = median > 0 ? 1e-9 / median : 0;
  Figures figures{.options = one.options,
                  .what = measured.what,
                  .seconds = seconds,
                  .median = median,
                  .least = *std::ranges::min_element(seconds),
                  .deviation = deviationOf(seconds),
                  .spread = quantile(seconds, 0.75) - quantile(seconds, 0.25),
                  .byFirst = ratios.empty() ? Ratio{0, 0, 0} : medianOf(ratios),
                  .byEarlier = {},
                  .gflops = measured.operations * rate,
                  .gbytes = measured.bytes * rate,
                  .roofline = measured.roofline};
  if (earlier)
    figures.byEarlier = earlier->compare(one.options, statement, measured.what, seconds);
  return figures;
}

// The sum of each contestant, and before it the statements where there are several.
std::vector<Figures> allFigures(const Contest &contest, const EarlierTimes *earlier) {
  std::vector<Figures> list;
  for (const Contestant &one : contest.contestants)
    for (size_t statement = 0; statement < one.statements(); ++statement)
      if (one.statements() > 2 || statement + 1 == one.statements())
        list.push_back(figuresOf(contest, one, statement, earlier));
  return list;
}

bool hasSeveral(const Contest &contest) {
  return llvm::any_of(contest.contestants,
                      [](const Contestant &one) { return one.statements() > 2; });
}

std::string ratioText(const Ratio &ratio) {
  std::string text;
  llvm::raw_string_ostream(text) << format("%.2f (%.2f to %.2f)", ratio.median, ratio.low,
                                           ratio.high);
  return text;
}

std::string rateText(double rate) {
  std::string text;
  if (rate > 0)
    llvm::raw_string_ostream(text) << format(rate < 10 ? "%.2f" : "%.1f", rate);
  return text.empty() ? "." : text;
}

// A field of comma-separated values, as RFC 4180 quotes it.
std::string quotedField(StringRef text) {
  std::string field = "\"";
  for (char c : text)
    field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

void printLine(const Figures &of, size_t width, bool isNamed, bool hasEarlier) {
  std::string name = isNamed ? "  " + of.what : of.options;
  if (name.size() > width)
    name = name.substr(0, width - 3) + "...";
  outs() << llvm::left_justify(name, unsigned(width))
         << llvm::right_justify(cost::durationText(of.median), 12)
         << llvm::right_justify(cost::durationText(of.least), 12);
  const double share = of.median > 0 ? 100 / of.median : 0;
  outs() << format("%9.1f %%", share * of.deviation) << format("%7.0f %%", share * of.spread)
         << llvm::right_justify(of.byFirst.median > 0 ? ratioText(of.byFirst) : ".", 24);
  if (hasEarlier)
    outs() << llvm::right_justify(of.byEarlier ? ratioText(*of.byEarlier) : ".", 24);
  outs() << llvm::right_justify(rateText(of.gflops), 10)
         << llvm::right_justify(rateText(of.gbytes), 9);
  if (of.roofline > 0)
    outs() << format("%9.0f %%", share * of.roofline);
  outs() << "\n";
}

} // namespace

std::string machineText() {
  machine::Machine machine = machine::describeMachine();
  return machine.processor + "; " + counted(machine.threads, "thread");
}

void printTable(const Contest &contest, const EarlierTimes *earlier) {
  outs() << machineText() << "\n"
         << counted(contest.rules.rounds, "round") << "; of each turn the first "
         << counted(contest.rules.warmUp, "run") << " warm up\n\n";
  std::vector<Figures> list = allFigures(contest, earlier);
  const bool several = hasSeveral(contest);
  size_t width = 20;
  for (const Figures &one : list)
    width = std::max(width, std::min<size_t>(40, std::max(one.options.size(),
                                                          several ? one.what.size() + 2 : 0)));
  outs() << std::string(width, ' ') << "      median       least  deviation   spread"
         << llvm::right_justify("by the first's", 24)
         << (earlier ? llvm::right_justify("by the earlier", 24) : llvm::right_justify("", 0))
         << "   GFLOP/s     GB/s  of it needed\n";
  StringRef options;
  for (const Figures &one : list) {
    if (several && one.options != options)
      outs() << one.options << "\n";
    options = one.options;
    printLine(one, width, several, earlier);
  }
}

static void writeRatio(llvm::json::OStream &json, StringRef name, const Ratio &ratio) {
  json.attribute(name, ratio.median);
  json.attribute((name + "_low").str(), ratio.low);
  json.attribute((name + "_high").str(), ratio.high);
}

static void writeFigures(llvm::json::OStream &json, const Figures &of) {
  json.attributeArray("seconds", [&] {
    for (double seconds : of.seconds)
      json.value(seconds);
  });
  json.attribute("median", of.median);
  json.attribute("minimum", of.least);
  json.attribute("deviation", of.deviation);
  writeRatio(json, "ratio", of.byFirst);
  if (of.byEarlier)
    writeRatio(json, "earlier", *of.byEarlier);
  json.attribute("gflops", of.gflops);
  json.attribute("gbytes", of.gbytes);
  json.attribute("roofline", of.roofline);
}

void printFigures(const Contest &contest, const EarlierTimes *earlier) {
  llvm::json::OStream json(outs(), 1);
  std::string machine = machineText();
  json.array([&] {
    for (const Contestant &one : contest.contestants)
      json.object([&] {
        json.attribute("options", one.options);
        json.attribute("machine", machine);
        json.attribute("warm_up", contest.rules.warmUp);
        json.attribute("runs", one.runs);
        writeFigures(json, figuresOf(contest, one, one.statements() - 1, earlier));
        json.attributeArray("statements", [&] {
          for (size_t at = 0; at + 1 < one.statements(); ++at)
            json.object([&] {
              Figures of = figuresOf(contest, one, at, earlier);
              json.attribute("statement", of.what);
              writeFigures(json, of);
            });
        });
      });
  });
  outs() << "\n";
}

// One line for each contestant, and for each statement where there are several; times are in
// seconds.
void printSeparated(const Contest &contest, const EarlierTimes *earlier) {
  std::string machine = quotedField(machineText());
  outs() << "options,statement,median,minimum,deviation,ratio,ratio_low,ratio_high,gflops,gbytes,"
            "roofline,earlier,earlier_low,earlier_high,rounds,runs,warm_up,machine\n";
  for (const Contestant &one : contest.contestants)
    for (size_t at = one.statements() > 2 ? 0 : one.statements() - 1; at < one.statements(); ++at) {
      Figures of = figuresOf(contest, one, at, earlier);
      outs() << quotedField(of.options) << "," << quotedField(of.what);
      for (double figure : {of.median, of.least, of.deviation, of.byFirst.median, of.byFirst.low,
                            of.byFirst.high, of.gflops, of.gbytes, of.roofline})
        outs() << format(",%.9g", figure);
      if (of.byEarlier)
        outs() << format(",%.9g,%.9g,%.9g", of.byEarlier->median, of.byEarlier->low,
                         of.byEarlier->high);
      else
        outs() << ",,,";
      outs() << "," << one.turns.size() << "," << one.runs << "," << contest.rules.warmUp << ","
             << machine << "\n";
    }
}

// ---- Earlier times ----

static std::vector<double> numbersOf(const llvm::json::Object &object, StringRef key) {
  std::vector<double> list;
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &one : *array)
      if (std::optional<double> number = one.getAsNumber(); number && *number > 0)
        list.push_back(*number);
  return list;
}

std::optional<EarlierTimes> EarlierTimes::read(const std::string &file) {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text) {
    fail("cannot read '" + file + "': " + text.getError().message());
    return std::nullopt;
  }
  const llvm::StringRef content = (*text)->getBuffer();
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(runtime::isJsonTooDeep(content) ? "" : content);
  const llvm::json::Array *list = json ? json->getAsArray() : nullptr;
  if (!json)
    llvm::consumeError(json.takeError());
  EarlierTimes times;
  for (const llvm::json::Value &value : list ? *list : llvm::json::Array()) {
    const llvm::json::Object *one = value.getAsObject();
    if (!one || !one->getString("options"))
      continue;
    const std::string options = one->getString("options")->str();
    times.machine = one->getString("machine").value_or("").str();
    size_t count = 0;
    if (const llvm::json::Array *statements = one->getArray("statements"))
      for (const llvm::json::Value &statement : *statements)
        if (const llvm::json::Object *part = statement.getAsObject())
          times.entries.push_back({options, part->getString("statement").value_or("").str(),
                                   count++, numbersOf(*part, "seconds")});
    times.entries.push_back({options, "total", count, numbersOf(*one, "seconds")});
  }
  if (times.entries.empty()) {
    fail("'" + file + "' has no times", "'strata bench ... --json > " + file + "' writes some");
    return std::nullopt;
  }
  return times;
}

// The interval of Hodges and Lehmann for two samples (Hollander and Wolfe, Nonparametric
// Statistical Methods, 4.3): between the pairs that the normal approximation of the test of Mann
// and Whitney leaves out at each end; of small samples, between the least and the greatest.
std::optional<Ratio> EarlierTimes::compare(StringRef options, size_t statement, StringRef what,
                                           llvm::ArrayRef<double> now) const {
  auto found = llvm::find_if(entries, [&](const Entry &one) {
    return one.options == options && one.what == what &&
           (what == "total" || one.statement == statement);
  });
  if (found == entries.end() || found->seconds.empty() || now.empty())
    return std::nullopt;
  std::vector<double> ratios;
  for (double own : now)
    for (double before : found->seconds)
      ratios.push_back(own / before);
  std::ranges::sort(ratios);
  const double n = double(now.size()), m = double(found->seconds.size());
  const double cut = n * m / 2 - 1.96 * std::sqrt(n * m * (n + m + 1) / 12);
  const size_t rank = cut >= 1 ? size_t(cut) : 0, count = ratios.size();
  const double median = (ratios[(count - 1) / 2] + ratios[count / 2]) / 2;
  return Ratio{median, ratios[rank], ratios[count - 1 - rank]};
}

} // namespace strata::tool
