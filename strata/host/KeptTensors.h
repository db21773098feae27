// What a program has made of its arguments, kept for further calls.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_KEPTTENSORS_H
#define STRATA_HOST_KEPTTENSORS_H

#include "strata/host/State.h"

#include <map>
#include <optional>
#include <span>

namespace strata::host {

/// Of programs that are called with the same tensors in pieces again: what was moved of these alone
/// need not be moved again.
class KeptTensors {
public:
  /// Arguments, by their numbers: one bit each.
  using Arguments = uint64_t;

  /// A call begins, of whose arguments these are the tensors of the last call, in all processes;
  /// nothing: what is made is not kept.
  void begin(const Program &program, const State &state, std::optional<Arguments> unchanged);

  /// What an instruction has made of these tensors in an earlier call, if it would make the same;
  /// null if that is not known.
  const Tensor *find(const void *instruction, std::span<const TensorId> from) const;
  /// Notes what it has made.
  void note(const void *instruction, std::span<const TensorId> from, TensorId to,
            const Tensor &made);

private:
  std::optional<Arguments> originOf(std::span<const TensorId> tensors) const;

  std::optional<Arguments> unchanged;
  std::map<TensorId, Arguments> origins; ///< of arguments, and of what was made of them alone
  std::map<const void *, Tensor> made;
};

} // namespace strata::host

#endif // STRATA_HOST_KEPTTENSORS_H
