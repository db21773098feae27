#include "LargeSurvey.h"

#include "LargeRules.h"
#include "LargeRunner.h"
#include "LargeSchedules.h"
#include "generator/Child.h"

#include "llvm/ADT/STLExtras.h"

#include <tbb/global_control.h>

namespace strata::test {

namespace {

/// Statements that take less are not measured.
constexpr double leastSeconds = 0.002;
/// A schedule is given up after so many times the compiler's time, and some seconds.
constexpr double mostTimes = 5, grace = 0.1;
/// So many schedules that seem the best are measured again in turns with the compiler's.
constexpr size_t finalists = 3;
constexpr int runs = 5;

class Survey {
public:
  Survey(const LargeCase &c, uint64_t seed, const SurveyLimits &limits,
         const machine::Machine &machine)
      : c(c), seed(seed), limits(limits) {
    runner.predictFor(&machine);
  }
  SurveyedStatement run();

private:
  SurveyedStatement done(const std::string &outcome, std::string note = "") {
    statement.outcome = outcome;
    statement.note = std::move(note);
    return statement;
  }
  bool isFault(const Attempt &attempt, const std::string &schedule);
  void tryOthers(double patience);
  void runInTurns(double patience);

  const LargeCase &c;
  uint64_t seed;
  const SurveyLimits &limits;
  LargeRunner runner;
  SurveyedStatement statement;
};

} // namespace

static ScheduleTimes timesOf(const std::string &schedule, const Attempt &attempt) {
  return {.schedule = schedule,
          .seconds = attempt.seconds,
          .ends = attempt.ran(),
          .kernels = attempt.kernels,
          .predicted = attempt.predicted,
          .temporary = double(attempt.temporary)};
}

// Keeps what is wrong with a statement, or with one of its schedules.
bool Survey::isFault(const Attempt &attempt, const std::string &schedule) {
  bool isWrong = attempt.kind == Attempt::Kind::wrong,
       isBroken = attempt.kind == Attempt::Kind::broken;
  if (isWrong || isBroken)
    done(isWrong ? "wrong" : "broken", "schedule '" + schedule + "': " + attempt.text);
  return isWrong || isBroken;
}

void Survey::tryOthers(double patience) {
  constexpr size_t drawnForOne = 12;
  for (const std::string &schedule : drawAnySchedules(c, seed, limits.schedules * drawnForOne)) {
    if (statement.schedules.size() == limits.schedules)
      return;
    LargePart part = asWhole(c);
    part.schedule = schedule;
    Attempt attempt = runner.attempt({part}, patience);
    if (isFault(attempt, schedule))
      return;
    if (attempt.kind != Attempt::Kind::refused)
      statement.schedules.push_back(timesOf(schedule, attempt));
  }
}

// Those that were the fastest may have been lucky.
void Survey::runInTurns(double patience) {
  std::vector<const ScheduleTimes *> others;
  for (const ScheduleTimes &one : statement.schedules)
    if (one.ends)
      others.push_back(&one);
  llvm::sort(others, [](auto *a, auto *b) { return a->seconds < b->seconds; });
  others.resize(std::min(others.size(), finalists));
  std::vector<LargePart> ways = {asWhole(c)};
  for (const ScheduleTimes *one : others) {
    ways.push_back(asWhole(c));
    ways.back().schedule = one->schedule;
  }
  constexpr double longest = 4; // seconds for all rounds
  constexpr int fewest = 3, most = 15;
  double round = statement.chosen.seconds * double(ways.size());
  int rounds = std::clamp(int(longest / std::max(round, 1e-6)), fewest, most);
  std::vector<double> least = runner.contest(ways, patience, rounds);
  if (others.empty() || least.empty()) {
    done("sole");
    return;
  }
  statement.chosenSeconds = least.front();
  auto best = std::min_element(least.begin() + 1, least.end());
  statement.bestSeconds = *best;
  statement.best = ways[size_t(best - least.begin())].schedule;
}

SurveyedStatement Survey::run() {
  if (std::string wrong = runner.prepare(c); !wrong.empty())
    return done(ruleOf(wrong).empty() ? "broken" : "allowed", wrong);
  Attempt chosen = runner.attempt({asWhole(c)}, limits.seconds, runs);
  statement.chosen = timesOf("", chosen);
  statement.given = double(runner.operandBytes() + chosen.result);
  if (isFault(chosen, ""))
    return statement;
  if (chosen.kind == Attempt::Kind::refused)
    return done("allowed", chosen.text);
  if (!chosen.ran())
    return done("heavy");
  if (chosen.seconds < leastSeconds)
    return done("light");
  double patience = std::min(mostTimes * chosen.seconds + grace, limits.seconds);
  statement.outcome = "measured";
  tryOthers(patience);
  if (statement.isMeasured())
    runInTurns(mostTimes * patience);
  return statement;
}

SurveyedStatement survey(const LargeCase &c, uint64_t seed, const SurveyLimits &limits,
                         const machine::Machine &machine) {
  SurveyedStatement result;
  std::string fault = "no report";
  ChildEnd end = inChild(
      [&](const Report &report) {
        tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        report(toLine(Survey(c, seed, limits, machine).run()));
      },
      [&](const std::string &text) {
        runtime::Result<SurveyedStatement> read = fromLine(text);
        fault = read ? "" : read.error().text();
        if (read)
          result = std::move(*read);
      });
  if (!end.ok() || !fault.empty()) {
    result.outcome = "broken";
    result.note = end.ok() ? fault : "preparing: " + end.text();
  }
  result.family = c.family;
  result.text = c.text();
  return result;
}

} // namespace strata::test
