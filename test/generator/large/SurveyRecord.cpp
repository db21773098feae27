#include "SurveyRecord.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <numeric>

namespace strata::test {

using llvm::json::Object;
using llvm::json::Value;

//===------------------------------------------------------------------------------------------===//
// Lines
//===------------------------------------------------------------------------------------------===//

static Value toJson(const ScheduleTimes &times) {
  return Object{{"schedule", times.schedule},   {"seconds", times.seconds},
                {"ends", times.ends},           {"kernels", times.kernels},
                {"predicted", times.predicted}, {"temporary", times.temporary}};
}

// The name by which llvm::json finds it.
static bool fromJSON(const Value &value, ScheduleTimes &times, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("schedule", times.schedule) && map.map("seconds", times.seconds) &&
         map.map("ends", times.ends) && map.map("kernels", times.kernels) &&
         map.map("predicted", times.predicted) && map.map("temporary", times.temporary);
}

std::string toLine(const SurveyedStatement &statement) {
  llvm::json::Array schedules;
  for (const ScheduleTimes &one : statement.schedules)
    schedules.push_back(toJson(one));
  Object object{{"seed", statement.seed},
                {"case", statement.number},
                {"family", statement.family},
                {"text", statement.text},
                {"outcome", statement.outcome},
                {"note", statement.note},
                {"chosen", toJson(statement.chosen)},
                {"given", statement.given},
                {"schedules", std::move(schedules)},
                {"best", statement.best},
                {"bestSeconds", statement.bestSeconds},
                {"chosenSeconds", statement.chosenSeconds}};
  return llvm::formatv("{0}", Value(std::move(object))).str();
}

runtime::Result<SurveyedStatement> fromLine(llvm::StringRef line) {
  llvm::Expected<Value> value = llvm::json::parse(line);
  if (!value)
    return runtime::Error{runtime::Error::NoCode, llvm::toString(value.takeError())};
  SurveyedStatement own;
  llvm::json::Path::Root root;
  llvm::json::ObjectMapper map(*value, root);
  bool fine = map && map.map("seed", own.seed) && map.map("case", own.number) &&
              map.map("family", own.family) && map.map("text", own.text) &&
              map.map("outcome", own.outcome) && map.map("note", own.note) &&
              map.map("chosen", own.chosen) && map.map("given", own.given) &&
              map.map("schedules", own.schedules) && map.map("best", own.best) &&
              map.map("bestSeconds", own.bestSeconds) &&
              map.map("chosenSeconds", own.chosenSeconds);
  if (!fine)
    return runtime::Error{runtime::Error::NoCode, llvm::toString(root.getError())};
  return own;
}

runtime::Result<SurveyRecord> readRecord(const std::string &file, uint64_t seed) {
  SurveyRecord record;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return record;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (const auto &[number, line] : llvm::enumerate(lines)) {
    runtime::Result<SurveyedStatement> one = fromLine(line);
    if (!one)
      return runtime::Error{
          runtime::Error::NoCode,
          llvm::formatv("{0}:{1}: {2}", file, number + 1, one.error().text()).str()};
    if (one->seed == seed)
      record[one->number] = std::move(*one);
  }
  return record;
}

//===------------------------------------------------------------------------------------------===//
// Ranks
//===------------------------------------------------------------------------------------------===//

// The ranks of values; those that differ from the least of their group by less than a share have
// the mean of their ranks.
static std::vector<double> ranksOf(llvm::ArrayRef<double> values, double share) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order,
             [&](size_t a, size_t b) { return std::pair(values[a], a) < std::pair(values[b], b); });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] <= values[order[begin]] * (1 + share))
      ++end;
    for (size_t at = begin; at < end; ++at)
      ranks[order[at]] = double(begin + end - 1) / 2;
  }
  return ranks;
}

static double correlation(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b) {
  auto count = double(a.size());
  double meanA = std::accumulate(a.begin(), a.end(), 0.0) / count;
  double meanB = std::accumulate(b.begin(), b.end(), 0.0) / count;
  double both = 0, squaresA = 0, squaresB = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    both += (x - meanA) * (y - meanB);
    squaresA += (x - meanA) * (x - meanA);
    squaresB += (y - meanB) * (y - meanB);
  }
  return squaresA > 0 && squaresB > 0 ? both / std::sqrt(squaresA * squaresB) : 0;
}

std::optional<double> SurveyedStatement::rankCorrelation() const {
  constexpr double noise = 0.05, leastSpread = 1.2;
  constexpr size_t fewest = 5;
  std::vector<double> measured, predicted;
  auto add = [&](const ScheduleTimes &one) {
    if (!one.ends || one.predicted <= 0)
      return;
    measured.push_back(one.kernels);
    predicted.push_back(one.predicted);
  };
  add(chosen);
  llvm::for_each(schedules, add);
  if (measured.size() < fewest ||
      *llvm::max_element(measured) < leastSpread * *llvm::min_element(measured))
    return std::nullopt;
  return correlation(ranksOf(measured, noise), ranksOf(predicted, 1e-6));
}

//===------------------------------------------------------------------------------------------===//
// The table
//===------------------------------------------------------------------------------------------===//

namespace {

struct Shares {
  std::vector<double> ratios, correlations, predictions, temporaries;

  static double within(llvm::ArrayRef<double> values, double most) {
    return values.empty()
               ? 0
               : 100.0 *
                     double(llvm::count_if(values, [&](double value) { return value <= most; })) /
                     double(values.size());
  }
  static double median(std::vector<double> values) {
    llvm::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
  }
};

} // namespace

static std::string rowOf(const SurveyedStatement &one) {
  std::optional<double> ranks = one.rankCorrelation();
  std::string predicted =
      one.chosen.predicted > 0
          ? llvm::formatv("{0:f2}", one.chosen.predicted / one.chosen.kernels).str()
          : "-";
  return llvm::formatv("{0,5} {1,8:f2} {2,6:f2} {3,5} {4,6} {5,6} {6,6:f2}  {7}: {8}", one.number,
                       one.chosenSeconds * 1e3, one.ratio(), one.schedules.size(),
                       ranks ? llvm::formatv("{0:f2}", *ranks).str() : "-", predicted,
                       one.chosen.temporary / std::max(one.given, 1.0), one.family, one.text)
      .str();
}

void printSurvey(const SurveyRecord &record, llvm::raw_ostream &out) {
  std::vector<const SurveyedStatement *> measured;
  std::map<std::string, int64_t> outcomes;
  Shares shares;
  for (const auto &[number, one] : record) {
    ++outcomes[one.outcome];
    if (!one.isMeasured())
      continue;
    measured.push_back(&one);
    shares.ratios.push_back(one.ratio());
    shares.temporaries.push_back(one.chosen.temporary / std::max(one.given, 1.0));
    if (std::optional<double> ranks = one.rankCorrelation())
      shares.correlations.push_back(*ranks);
    if (one.chosen.predicted > 0) {
      double times = one.chosen.predicted / std::max(one.chosen.kernels, 1e-9);
      shares.predictions.push_back(std::max(times, 1 / times));
    }
  }
  llvm::sort(measured, [](auto *a, auto *b) { return a->ratio() > b->ratio(); });
  out << "\n case       ms  ratio  tried ranks  pred.  temp.  statement, worst first\n";
  for (const SurveyedStatement *one : measured) {
    out << rowOf(*one) << "\n";
    if (one->ratio() > 1.1)
      out << "        less by: " << one->best << "\n";
  }
  out << "\nstatements:";
  for (const auto &[word, count] : outcomes)
    out << " " << count << " " << word;
  out << llvm::formatv("\nwithin 1.1 of the best schedule: {0:f1} %; within 1.3: {1:f1} %\n",
                       Shares::within(shares.ratios, 1.1), Shares::within(shares.ratios, 1.3));
  out << llvm::formatv("no temporary above four times operands and result: {0:f1} %\n",
                       Shares::within(shares.temporaries, 4));
  out << llvm::formatv("predicted within a factor of two: {0:f1} % of {1}\n",
                       Shares::within(shares.predictions, 2), shares.predictions.size());
  out << llvm::formatv("rank correlation, median: {0:f2} of {1}\n",
                       Shares::median(shares.correlations), shares.correlations.size());
}

} // namespace strata::test
