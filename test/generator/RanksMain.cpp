// Has drawn statements computed by the ranks of a launcher, which compare the bits with those of
// one process.
//
//   mpirun -n 3 strata-generator-ranks [--seed S] [--count N] [--one K]
//
// Case K of seed S is that of strata-generator-tests --grids 1, which compares it with the
// reference interpreter.
#include "DrawCase.h"
#include "DrawGrid.h"
#include "RunCase.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace strata::test;
using strata::runtime::Result;
using strata::runtime::dist::Job;
using strata::runtime::dist::World;

namespace {

struct Options {
  uint64_t seed = 1;
  int64_t first = 0, count = 100;
};

bool readOptions(llvm::ArrayRef<const char *> arguments, Options &options) {
  for (size_t at = 0; at < arguments.size(); at += 2) {
    int64_t number = 0;
    if (at + 1 == arguments.size() || llvm::StringRef(arguments[at + 1]).getAsInteger(10, number))
      return false;
    if (llvm::StringRef name = arguments[at]; name == "--seed")
      options.seed = uint64_t(number);
    else if (name == "--count")
      options.count = number;
    else if (name == "--one")
      options.first = number, options.count = 1;
    else
      return false;
  }
  return true;
}

Case caseOf(uint64_t seed, int64_t number) {
  seed = seed * 0x9E3779B97F4A7C15ull + uint64_t(number);
  Case drawn = drawCase(seed);
  drawGrid(drawn, seed);
  return drawn;
}

// Tells whether a case failed on any rank.
bool anyFailed(World &world, bool here) {
  Job job(world);
  Result<std::vector<int64_t>> all = job.meet(0, here, "the comparison of a case");
  return !all || llvm::any_of(*all, [](int64_t failed) { return failed != 0; });
}

} // namespace

int main(int count, char **arguments) {
  Options options;
  if (!readOptions(llvm::ArrayRef(arguments + 1, arguments + count), options)) {
    llvm::errs() << "usage: strata-generator-ranks [--seed S] [--count N] [--one K]\n";
    return 2;
  }
  Result<std::unique_ptr<World>> opened = World::open({.patience = {.deadline = 120}});
  if (!opened) {
    llvm::errs() << opened.error().text() << "\n";
    return 1;
  }
  World &world = **opened;
  CaseRunner runner;
  std::map<Outcome::Kind, int64_t> counts;
  for (int64_t number = options.first; number < options.first + options.count; ++number) {
    const Case drawn = caseOf(options.seed, number);
    const Outcome outcome = runner.runTogether(drawn, world);
    if (outcome.failed())
      llvm::errs() << "case " << number << " of seed " << options.seed << ", rank " << world.rank()
                   << ": " << notation(drawn) << "\n"
                   << outcome.text << "\n";
    if (world.isLost())
      break;
    ++counts[anyFailed(world, outcome.failed()) ? Outcome::Kind::broken : outcome.kind];
  }
  const bool lost = world.isLost();
  const int64_t failed = counts[Outcome::Kind::broken];
  if (world.rank() == 0)
    llvm::outs() << world.size() << " ranks: " << counts[Outcome::Kind::agrees] << " cases agree, "
                 << counts[Outcome::Kind::refused] << " are refused, " << failed << " fail\n";
  if (lost)
    world.stop(1);
  else
    (void)world.close();
  return lost || failed > 0;
}
