// Keeps what was made of the arguments of a program.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/KeptTensors.h"

namespace strata::host {

void KeptTensors::begin(const Program &program, const State &state, std::optional<Arguments> same) {
  constexpr size_t most = 64;
  unchanged = program.arguments.size() <= most ? same : std::nullopt;
  origins.clear();
  if (!unchanged)
    made.clear();
  for (size_t at = 0; unchanged && at < program.arguments.size(); ++at)
    if (const TensorId to = program.arguments[at].to; state.tensor(to).pieces)
      origins[to] = Arguments(1) << at;
}

// The arguments that tensors were made of; nothing if there was something else.
std::optional<KeptTensors::Arguments>
KeptTensors::originOf(std::span<const TensorId> tensors) const {
  Arguments all = 0;
  for (TensorId tensor : tensors) {
    auto found = origins.find(tensor);
    if (found == origins.end())
      return std::nullopt;
    all |= found->second;
  }
  return all;
}

const Tensor *KeptTensors::find(const void *instruction, std::span<const TensorId> from) const {
  const std::optional<Arguments> origin = unchanged ? originOf(from) : std::nullopt;
  auto found = made.find(instruction);
  return origin && (*origin & ~*unchanged) == 0 && found != made.end() ? &found->second : nullptr;
}

void KeptTensors::note(const void *instruction, std::span<const TensorId> from, TensorId to,
                       const Tensor &tensor) {
  const std::optional<Arguments> origin = unchanged ? originOf(from) : std::nullopt;
  if (!origin)
    return;
  origins[to] = *origin;
  made.insert_or_assign(instruction, tensor);
}

} // namespace strata::host
