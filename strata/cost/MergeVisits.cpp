// Counts values case by case, as if each operand had its own independently of the others.
#include "strata/cost/MergeVisits.h"

#include "strata/dialect/lvl/Gallop.h"

#include <cmath>

using namespace mlir;

namespace strata::cost {

SmallVector<double> visitsOfCases(lvl::CoiterateOp loop, ArrayRef<double> visits,
                                  ArrayRef<unsigned> alike, double space) {
  SmallVector<double> all(loop.getCases().size() + 1, 0);
  auto count = unsigned(visits.size());
  auto share = [&](unsigned at) { return std::min(1.0, visits[at] / space); };
  double none = 1;
  for (unsigned at = 0; at < count; ++at)
    if (alike[at] == at)
      none *= 1 - share(at);
  all.back() = loop.getUniverse() ? space : space * (1 - none);
  constexpr unsigned mostCounted = 10;
  if (loop.getPredicates() || count > mostCounted) {
    all.front() = all.back();
    return all;
  }
  for (unsigned present = 0; present < 1U << count; ++present) {
    auto has = [&](unsigned at) { return bool(present >> at & 1); };
    double chance = space;
    for (unsigned at = 0; at < count; ++at)
      if (alike[at] == at)
        chance *= has(at) ? share(at) : 1 - share(at);
      else if (has(at) != has(alike[at]))
        chance = 0;
    std::optional<unsigned> fullest;
    for (unsigned number = 0; number < loop.getCases().size(); ++number)
      if (llvm::all_of(loop.getCase(number), [&](int64_t at) { return has(unsigned(at)); }) &&
          (!fullest || loop.getCase(number).size() > loop.getCase(*fullest).size()))
        fullest = number;
    if (fullest)
      all[*fullest] += chance;
  }
  return all;
}

std::optional<Search> searchOf(lvl::CoiterateOp loop, ArrayRef<double> visits) {
  if (loop.getGallop() == false || loop.getPredicates() || loop.getCases().size() != 1 ||
      loop.getCase(0).size() != visits.size())
    return std::nullopt;
  double least = *llvm::min_element(visits), steps = 0;
  bool searches = false;
  for (double one : visits) {
    bool isSearched = loop.getGallop() || one > double(lvl::lengthsToGallop) * least;
    searches |= isSearched;
    steps += isSearched ? least * 2 * std::log2(one / std::max(least, 1.0) + 2) : 0;
  }
  return searches ? std::optional(Search{least, steps}) : std::nullopt;
}

} // namespace strata::cost
