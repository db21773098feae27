// Fills and random values of tensors whose sizes a later statement brings: COMET's programs often
// fill an operand before they read the file that says how large it is. Such a fill waits until the
// sizes are known; nothing can tell, since nothing can use the tensor in between.
#include "strata/frontend/Analyzer.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

bool Analyzer::sizesAreKnown(TensorId tensor) const {
  for (unsigned dimension = 0; dimension < program.tensors[tensor].order(); ++dimension)
    if (sourcesOfDimension(tensor, dimension).empty())
      return false;
  return true;
}

// Fills `tensor` now, or as soon as its sizes are known.
void Analyzer::addWhenSized(Deferred deferred) {
  if (!sizesAreKnown(deferred.tensor)) {
    dropDeferred(deferred.tensor);
    deferred.depth = depth;
    waiting.push_back(std::move(deferred));
    return;
  }
  std::vector<Size> sizes = *sizesOf(deferred.tensor, deferred.range);
  if (deferred.random) {
    deferred.random->sizes = std::move(sizes);
    add(deferred.range, std::move(*deferred.random));
  } else {
    add(deferred.range, Fill{deferred.tensor, deferred.value, deferred.integer, std::move(sizes)});
  }
  setValue(deferred.tensor, false);
}

// Called when a tensor got a value: what waits for its sizes can be done, and then perhaps more.
// Only in the block where it stands: a loop would do it in every round.
void Analyzer::addDeferred() {
  if (addingDeferred)
    return;
  addingDeferred = true;
  for (size_t at = 0; at < waiting.size();) {
    if (waiting[at].depth != depth || !sizesAreKnown(waiting[at].tensor)) {
      ++at;
      continue;
    }
    Deferred ready = waiting[at];
    waiting.erase(waiting.begin() + at);
    addWhenSized(ready);
    at = 0;
  }
  addingDeferred = false;
}

bool Analyzer::isDeferred(TensorId tensor) const {
  return llvm::any_of(waiting, [&](const Deferred &deferred) { return deferred.tensor == tensor; });
}

// The tensor gets another value, or a mistake was reported.
void Analyzer::dropDeferred(TensorId tensor) {
  llvm::erase_if(waiting, [&](const Deferred &deferred) { return deferred.tensor == tensor; });
}

// At the end of a function or block, whose labels end with it: what waits there waits for nothing.
void Analyzer::refuseDeferred() {
  std::vector<Deferred> left;
  llvm::copy_if(waiting, std::back_inserter(left),
                [&](const Deferred &deferred) { return deferred.depth >= depth; });
  llvm::erase_if(waiting, [&](const Deferred &deferred) { return deferred.depth >= depth; });
  for (const Deferred &deferred : left)
    sizesOf(deferred.tensor, deferred.range);
}

} // namespace strata::frontend
