// Adds up what the tensors of a program take.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/State.h"
#include "strata/host/View.h"

#include <algorithm>
#include <unordered_set>

namespace strata::host {

int64_t State::heldBytes() const {
  std::unordered_set<const void *> seen;
  int64_t bytes = 0;
  auto add = [&](const Tensor &tensor) {
    for (std::shared_ptr<runtime::Storage> storage = tensor.storage;
         storage && seen.insert(storage.get()).second; storage = keptBy(storage))
      bytes += storage->bytes();
    if (tensor.source && seen.insert(tensor.source.get()).second)
      bytes += tensor.source->bytes();
  };
  auto addAll = [&](const Tensor &tensor) {
    add(tensor);
    std::ranges::for_each(tensor.parts, add);
  };
  for (const Tensor &tensor : tensors) {
    addAll(tensor);
    if (tensor.pieces)
      for (const Pieces::Piece &piece : tensor.pieces->own)
        addAll(piece.tensor);
  }
  return bytes;
}

} // namespace strata::host
