// What is kept and told of statements that were measured beside random schedules.
#include "generator/large/SurveyRecord.h"

#include <gmock/gmock.h>

namespace strata::test {
namespace {

using testing::HasSubstr;

ScheduleTimes times(double kernels, double predicted, bool ends = true) {
  return {.schedule = "reorder(j, i)",
          .seconds = kernels,
          .ends = ends,
          .kernels = kernels,
          .predicted = predicted,
          .temporary = 0};
}

SurveyedStatement statement(std::vector<ScheduleTimes> schedules) {
  SurveyedStatement one{.seed = 3, .number = 7, .family = "product", .text = "R(i) = A(i,j)"};
  one.outcome = "measured";
  one.chosen = times(1, 1);
  one.given = 100;
  one.schedules = std::move(schedules);
  return one;
}

TEST(SurveyRecord, LinesKeepEverything) {
  SurveyedStatement one = statement({times(2, 3), times(4, 0, false)});
  one.best = "split(i, io, ii, 64)";
  one.bestSeconds = 2;
  one.chosenSeconds = 3;
  runtime::Result<SurveyedStatement> read = fromLine(toLine(one));
  ASSERT_TRUE(bool(read)) << read.error().text();
  EXPECT_EQ(toLine(*read), toLine(one));
  EXPECT_EQ(read->ratio(), 1.5);
  EXPECT_FALSE(read->schedules[1].ends);
  EXPECT_FALSE(bool(fromLine("{\"seed\": 1}")));
  EXPECT_FALSE(bool(fromLine("no line")));
}

TEST(SurveyRecord, RanksAreComparedOfWhatEndsAndIsPredicted) {
  auto ranks = [](std::vector<ScheduleTimes> schedules) {
    return statement(std::move(schedules)).rankCorrelation();
  };
  EXPECT_NEAR(*ranks({times(2, 5), times(3, 6), times(4, 7), times(5, 80)}), 1, 1e-9);
  EXPECT_NEAR(*ranks({times(2, .9), times(3, .8), times(4, .7), times(5, .6)}), -1, 1e-9);
  // Spearman's example by hand: the ranks 0 1 2 3 4 beside 0 1 2 4 3.
  EXPECT_NEAR(*ranks({times(2, 2), times(3, 3), times(4, 5), times(5, 4)}), 0.9, 1e-9);
  EXPECT_FALSE(ranks({times(2, 5), times(3, 6), times(4, 7)})) << "too few";
  EXPECT_FALSE(ranks({times(2, 5), times(3, 6), times(4, 7), times(5, 80, false)}));
  EXPECT_FALSE(ranks({times(2, 5), times(3, 6), times(4, 7), times(5, 0)}));
  EXPECT_FALSE(ranks({times(1.1, 5), times(1, 6), times(1.1, 7), times(1.15, 8)})) << "all alike";
  // What differs by noise has one rank.
  EXPECT_NEAR(*ranks({times(2, 2), times(2.01, 2), times(2.02, 2), times(5, 3)}), 1, 1e-9);
}

TEST(SurveyRecord, TheTableTellsSharesAndTheWorst) {
  SurveyRecord record;
  for (int64_t number = 0; number < 4; ++number) {
    SurveyedStatement one = statement({});
    one.number = number;
    one.best = "pos(i, ip, A)";
    one.bestSeconds = 1;
    one.chosenSeconds = number == 3 ? 1.2 : 1;
    one.chosen.temporary = number == 2 ? 500 : 0;
    one.chosen.predicted = number == 1 ? 3 : 1;
    record[number] = one;
  }
  record[4].outcome = "light";
  std::string text;
  llvm::raw_string_ostream out(text);
  printSurvey(record, out);
  EXPECT_THAT(text, HasSubstr("less by: pos(i, ip, A)"));
  EXPECT_THAT(text, HasSubstr("statements: 1 light 4 measured"));
  EXPECT_THAT(text, HasSubstr("within 1.1 of the best schedule: 75.0 %; within 1.3: 100.0 %"));
  EXPECT_THAT(text, HasSubstr("four times operands and result: 75.0 %"));
  EXPECT_THAT(text, HasSubstr("within a factor of two: 75.0 % of 4"));
}

} // namespace
} // namespace strata::test
