// Shrinks what holds, grows what fails, and never asks about what follows from either.
#include "strata/lower/analysis/LeastSets.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace strata {

llvm::SmallVector<unsigned> leastSets(mlir::Location loc, unsigned count,
                                      llvm::function_ref<bool(unsigned)> holds) {
  if (count > mostSearched) {
    mlir::emitError(loc) << "internal error: sets of " << count
                         << " elements are searched, at most " << mostSearched << " can be";
    return {};
  }
  unsigned all = (1u << count) - 1;
  llvm::SmallVector<unsigned> least;
  llvm::BitVector known(all + 1u);
  auto shrunk = [&](unsigned set) {
    for (unsigned at = 0; at < count; ++at)
      if ((set >> at & 1) && holds(set & ~(1u << at)))
        set &= ~(1u << at);
    return set;
  };
  auto grown = [&](unsigned set) {
    for (unsigned at = 0; at < count; ++at)
      if (!(set >> at & 1) && !holds(set | 1u << at))
        set |= 1u << at;
    return set;
  };
  for (unsigned set = all; set <= all; --set) { // wraps below zero
    if (known.test(set))
      continue;
    if (holds(set)) {
      least.push_back(shrunk(set));
      for (unsigned more = least.back(); more <= all; more = (more + 1) | least.back())
        known.set(more);
    } else {
      unsigned most = grown(set);
      for (unsigned less = most;; less = (less - 1) & most) {
        known.set(less);
        if (less == 0)
          break;
      }
    }
  }
  llvm::sort(least);
  return least;
}

} // namespace strata
