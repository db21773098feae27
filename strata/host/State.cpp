// Adds up what the tensors of a program take.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/State.h"
#include "strata/host/View.h"
#include "strata/runtime/storage/Halo.h"

#include <algorithm>
#include <unordered_set>

namespace strata::host {

int64_t State::heldBytes() const {
  std::unordered_set<const void *> seen;
  int64_t bytes = 0;
  auto addStorage = [&](const std::shared_ptr<runtime::Storage> &storage, auto &addKept) {
    if (!storage || !seen.insert(storage.get()).second)
      return;
    bytes += storage->bytes() + runtime::haloBytes(*storage);
    for (const std::shared_ptr<runtime::Storage> &kept : keptBy(storage))
      addKept(kept, addKept);
  };
  auto add = [&](const Tensor &tensor) {
    addStorage(tensor.storage, addStorage);
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
