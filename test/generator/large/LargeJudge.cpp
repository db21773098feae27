#include "LargeJudge.h"

#include "LargeRules.h"
#include "LargeRunner.h"
#include "LargeSchedules.h"
#include "generator/Child.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <tbb/global_control.h>

namespace strata::test {

std::string wordOf(LargeVerdict::Kind kind) {
  static const char *words[] = {"agrees", "light",  "heavy", "allowed", "refused",
                                "wrong",  "broken", "slow",  "large",   "unfit"};
  return words[size_t(kind)];
}

namespace {

/// Runs that take less are not judged, nor storages that take less.
constexpr double leastSeconds = 0.02;
constexpr int64_t leastBytes = 64 << 20;
constexpr double mostFactor = 20; ///< a run ends after so many times the least

class Judge {
public:
  Judge(const LargeCase &c, uint64_t seed, const LargeLimits &limits)
      : c(c), seed(seed), limits(limits) {}
  LargeVerdict run();

private:
  bool failedToRun(const Attempt &attempt, const std::string &what, bool mayRefuse);
  void compareWith(const std::vector<LargePart> &parts, const std::string &what, bool mayRefuse);
  void keepLeast(const Attempt &attempt, const std::string &what);
  void tryOthers();
  void conclude();
  LargeVerdict done(LargeVerdict::Kind kind, std::string text) {
    verdict.kind = kind;
    verdict.text = std::move(text);
    return verdict;
  }

  const LargeCase &c;
  uint64_t seed;
  LargeLimits limits;
  LargeRunner runner;
  LargeVerdict verdict;
  Attempt chosen;
  double patience = 0; ///< seconds for what is tried beside it
  std::optional<Attempt> least;
  int64_t fewestBytes = 0; ///< of the attempts that ran; 0: none did
};

} // namespace

// Tells what is wrong with an attempt that did not compute the right value.
bool Judge::failedToRun(const Attempt &attempt, const std::string &what, bool mayRefuse) {
  using Kind = LargeVerdict::Kind;
  std::string text = what + ": " + attempt.text;
  switch (attempt.kind) {
  case Attempt::Kind::ran:
  case Attempt::Kind::endless:
    return false;
  case Attempt::Kind::wrong:
    done(Kind::wrong, text);
    return true;
  case Attempt::Kind::broken:
    done(Kind::broken, text);
    return true;
  case Attempt::Kind::refused:
    if (attempt.lacksMemory())
      return false;
    if (llvm::StringRef(attempt.text).contains("internal error"))
      done(Kind::broken, text);
    else if (llvm::StringRef page = ruleOf(attempt.text); !page.empty())
      return false;
    else if (!mayRefuse)
      done(Kind::refused, text);
    else
      return false;
    return true;
  }
  return false;
}

void Judge::compareWith(const std::vector<LargePart> &parts, const std::string &what,
                        bool mayRefuse) {
  Attempt attempt = runner.attempt(parts, patience);
  if (failedToRun(attempt, what, mayRefuse) || !attempt.ran())
    return;
  keepLeast(attempt, what);
}

void Judge::keepLeast(const Attempt &attempt, const std::string &what) {
  if (!fewestBytes || attempt.bytes < fewestBytes)
    fewestBytes = std::max<int64_t>(attempt.bytes, 1);
  if (least && least->work <= attempt.work)
    return;
  least = attempt;
  verdict.least = what;
  // What takes longer than the least is of no interest.
  patience = std::min(patience, attempt.seconds * 1.5 + 0.01);
}

void Judge::tryOthers() {
  // Those of plain formats are most often the least, and what follows may not take much longer.
  size_t before = 0;
  for (bool plain : {true, false}) {
    std::vector<LargePart> parts = partsOf(c, plain);
    if (parts.size() == 1 || parts.size() == before || verdict.failed())
      continue;
    before = parts.size();
    std::string text;
    for (const LargePart &part : parts)
      text += (text.empty() ? "" : "; ") + part.text + " (" + part.format + ")";
    compareWith(parts, "the parts " + text, /*mayRefuse=*/false);
  }
  size_t legal = 0;
  constexpr size_t mostBegun = 2;
  for (const std::string &schedule : drawLargeSchedules(c, seed, limits.schedules * mostBegun)) {
    if (verdict.failed() || legal == limits.schedules)
      return;
    LargePart part = asWhole(c);
    part.schedule = schedule;
    Attempt attempt = runner.attempt({part}, patience);
    legal += attempt.kind != Attempt::Kind::refused;
    std::string what = "the schedule " + schedule;
    if (failedToRun(attempt, what, /*mayRefuse=*/true))
      return;
    if (attempt.ran())
      keepLeast(attempt, what);
  }
}

void Judge::conclude() {
  using Kind = LargeVerdict::Kind;
  if (least && chosen.kind == Attempt::Kind::endless) {
    double most = mostFactor * least->seconds;
    if (most > limits.seconds) // it had less time than that
      chosen = runner.attempt({asWhole(c)}, most);
    if (chosen.kind == Attempt::Kind::endless) {
      verdict.ratio = std::max(limits.seconds, most) / std::max(least->seconds, 1e-9);
      done(Kind::slow,
           llvm::formatv("no end after {0:f2} s, {1:f3} s by {2}", std::max(limits.seconds, most),
                         least->seconds, verdict.least));
      return;
    }
    verdict.seconds = chosen.seconds;
  }
  if (least && chosen.lacksMemory()) {
    done(Kind::large,
         llvm::formatv("{0}; {1} bytes by {2}", chosen.text, least->bytes, verdict.least));
    return;
  }
  if (!chosen.ran()) {
    done(Kind::heavy, "nothing ends in time, and in little memory");
    return;
  }
  if (least && chosen.seconds >= leastSeconds)
    verdict.ratio = double(chosen.work) / double(std::max<int64_t>(least->work, 1));
  if (fewestBytes && chosen.bytes >= leastBytes)
    verdict.memoryRatio = double(chosen.bytes) / double(fewestBytes);
  if (verdict.ratio > limits.factor)
    done(Kind::slow,
         llvm::formatv("{0:f4} s, {1:f4} s by {2}", chosen.seconds, least->seconds, verdict.least));
  else if (verdict.memoryRatio > limits.factor)
    done(Kind::large, llvm::formatv("{0} bytes, {1} otherwise", chosen.bytes, fewestBytes));
  else
    done(Kind::agrees, "");
}

LargeVerdict Judge::run() {
  using Kind = LargeVerdict::Kind;
  if (std::string wrong = runner.prepare(c); !wrong.empty())
    return done(ruleOf(wrong).empty() ? Kind::unfit : Kind::allowed, wrong);
  chosen = runner.attempt({asWhole(c)}, limits.seconds);
  verdict.seconds = chosen.seconds;
  if (failedToRun(chosen, "the statement", /*mayRefuse=*/false))
    return verdict;
  if (chosen.kind == Attempt::Kind::refused && !chosen.lacksMemory())
    return done(Kind::allowed, chosen.text);
  bool ends = chosen.ran();
  if (ends && chosen.seconds < leastSeconds && chosen.bytes < leastBytes)
    return done(Kind::light, "");
  patience = ends ? chosen.seconds + 0.01 : limits.seconds;
  verdict.kind = Kind::agrees;
  tryOthers();
  if (!verdict.failed())
    conclude();
  return verdict;
}

//===------------------------------------------------------------------------------------------===//
// In a child
//===------------------------------------------------------------------------------------------===//

static std::string encode(const LargeVerdict &verdict) {
  return llvm::formatv("{0} {1} {2} {3}\x1f{4}\x1f{5}", int(verdict.kind),
                       int64_t(verdict.seconds * 1e9), int64_t(verdict.ratio * 1e6),
                       int64_t(verdict.memoryRatio * 1e6), verdict.least, verdict.text)
      .str();
}

static LargeVerdict decode(llvm::StringRef line) {
  auto [head, rest] = line.split('\x1f');
  int64_t numbers[4] = {};
  for (int64_t &number : numbers) {
    head.split(' ').first.getAsInteger(10, number);
    head = head.split(' ').second;
  }
  LargeVerdict verdict;
  verdict.kind = static_cast<LargeVerdict::Kind>(numbers[0]);
  verdict.seconds = double(numbers[1]) / 1e9;
  verdict.ratio = double(numbers[2]) / 1e6;
  verdict.memoryRatio = double(numbers[3]) / 1e6;
  verdict.least = rest.split('\x1f').first.str();
  verdict.text = rest.split('\x1f').second.str();
  return verdict;
}

LargeVerdict judge(const LargeCase &c, uint64_t seed, const LargeLimits &limits) {
  std::optional<LargeVerdict> verdict;
  ChildEnd end = inChild(
      [&](const Report &report) {
        // Nothing begins threads here, so that children can be begun.
        tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        report(encode(Judge(c, seed, limits).run()));
      },
      [&](const std::string &text) { verdict = decode(text); });
  if (verdict && end.ok())
    return *verdict;
  LargeVerdict broken;
  broken.text = "preparing: " + end.text();
  return broken;
}

} // namespace strata::test
