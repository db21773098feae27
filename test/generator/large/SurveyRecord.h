// What was measured of drawn statements and their schedules: lines of a file, and a table of them.
#ifndef STRATA_TEST_GENERATOR_LARGE_SURVEYRECORD_H
#define STRATA_TEST_GENERATOR_LARGE_SURVEYRECORD_H

#include "strata/runtime/Status.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strata::test {

/// Of one schedule of a statement.
struct ScheduleTimes {
  std::string schedule = {}; ///< empty: the compiler chooses
  double seconds = 0; ///< on a processor, conversions included; the limit where it does not end
  bool ends = true;
  double kernels = 0, predicted = 0; ///< of the kernels; predicted 0: not told
  double temporary = 0;              ///< bytes of the largest
};

struct SurveyedStatement {
  uint64_t seed = 0;
  int64_t number = 0;
  std::string family = {}, text = {};
  /// "measured", or why it was not: "light", "allowed", "heavy", "sole"; or "wrong", "broken".
  std::string outcome = {};
  std::string note = {}; ///< what was wrong
  ScheduleTimes chosen = {};
  double given = 0;                          ///< bytes of operands and result
  std::vector<ScheduleTimes> schedules = {}; ///< those that are legal
  std::string best = {};                     ///< the best of them,
  double bestSeconds = 0, chosenSeconds = 0; ///< measured in turns with the compiler's

  bool failed() const { return outcome == "wrong" || outcome == "broken"; }
  bool isMeasured() const { return outcome == "measured"; }
  /// Returns the time of the compiler's schedule by that of the best.
  double ratio() const { return bestSeconds > 0 ? chosenSeconds / bestSeconds : 0; }
  /// Returns Spearman's correlation of predicted and measured times of kernels; nothing if there
  /// are too few that differ.
  std::optional<double> rankCorrelation() const;
};

std::string toLine(const SurveyedStatement &statement);
runtime::Result<SurveyedStatement> fromLine(llvm::StringRef line);

/// Statements by number, of one seed.
using SurveyRecord = std::map<int64_t, SurveyedStatement>;

/// Reads a file of such lines; one that is not there has none.
runtime::Result<SurveyRecord> readRecord(const std::string &file, uint64_t seed);

/// Prints how the compiler's schedules compare with the best, and predictions with times.
void printSurvey(const SurveyRecord &record, llvm::raw_ostream &out);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_SURVEYRECORD_H
