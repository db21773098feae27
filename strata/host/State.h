// The tensors and sizes of a program that runs.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_STATE_H
#define STRATA_HOST_STATE_H

#include "strata/host/Program.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/Storage.h"

#include <map>
#include <memory>
#include <vector>

namespace strata::host {

struct Pieces;

/// A tensor at run time: a storage, those whose sum it is, or pieces.
struct Tensor {
  TypeId type = -1; ///< -1 of a part whose type its sum alone says
  std::shared_ptr<runtime::Storage> storage = nullptr; ///< shared until somebody writes
  std::vector<Tensor> parts = {};
  /// The list that it was made from, where that is kept.
  std::shared_ptr<const runtime::Coordinates> source = nullptr;

  std::shared_ptr<const Pieces> pieces = nullptr;

  const std::vector<int64_t> &sizes() const;
};

/// A tensor in pieces, as far as this process has them.
struct Pieces {
  struct Piece {
    int64_t cell;
    runtime::dist::Box box;
    bool isFirst; ///< no cell before has the same
    Tensor tensor;
  };
  std::vector<int64_t> sizes;
  std::vector<Piece> own;
};

inline const std::vector<int64_t> &Tensor::sizes() const {
  return pieces ? pieces->sizes : parts.empty() ? storage->sizes() : parts[0].sizes();
}

/// By the numbers that the program gives them.
struct State {
  std::vector<Tensor> tensors;
  std::vector<std::vector<int64_t>> tensorSizes; ///< also of tensors that are gone
  std::vector<int64_t> sizes;
  /// Of what is computed with memory of another allocator than the process's.
  std::map<TensorId, strata_allocator> allocators = {};

  /// Of a program that begins.
  explicit State(const Program &program)
      : tensors(static_cast<size_t>(program.tensors)),
        tensorSizes(static_cast<size_t>(program.tensors)),
        sizes(static_cast<size_t>(program.sizes)) {}

  void define(TensorId to, Tensor tensor) {
    tensorSizes[static_cast<size_t>(to)] = tensor.sizes();
    tensors[static_cast<size_t>(to)] = std::move(tensor);
  }
  /// The same of what may not have been made.
  runtime::Status define(TensorId to, runtime::Result<Tensor> made) {
    if (!made)
      return made.takeStatus();
    define(to, std::move(*made));
    return runtime::Status();
  }
  const Tensor &tensor(TensorId id) const { return tensors[static_cast<size_t>(id)]; }
  Tensor &tensor(TensorId id) { return tensors[static_cast<size_t>(id)]; }
  /// The allocator of a tensor that is to be computed.
  strata_allocator allocatorOf(TensorId id) const {
    const auto found = allocators.find(id);
    return found == allocators.end() ? strata_default_allocator() : found->second;
  }
  int64_t size(SizeId id) const { return sizes[static_cast<size_t>(id)]; }
  /// Adds up the bytes of all tensors, with their halos, those of shared ones once.
  int64_t heldBytes() const;
  std::vector<int64_t> sizesOf(const std::vector<SizeId> &ids) const {
    std::vector<int64_t> result;
    for (SizeId id : ids)
      result.push_back(size(id));
    return result;
  }
};

} // namespace strata::host

#endif // STRATA_HOST_STATE_H
