// What kernels that were compiled ahead need no answer for.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Provider.h"

using strata::runtime::Coordinates;
using strata::runtime::LevelArrays;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

Provider::~Provider() = default;

Result<std::shared_ptr<const Coordinates>> Provider::listOf(const Tensor &tensor) {
  Result<Coordinates> list = entriesOf(tensor);
  if (!list)
    return list.takeStatus();
  return std::make_shared<const Coordinates>(std::move(*list));
}

TypeId Provider::decided(TypeId type, const std::vector<int64_t> &, std::optional<int64_t>) {
  return type;
}

bool Provider::condition(const Instruction &, const If &branch, const State &state) {
  return state.size(branch.condition) != 0;
}

Status Provider::allowList(const std::vector<int64_t> &, TypeId, std::string_view,
                           std::string_view) {
  return Status();
}

Status Provider::check(const Checkpoint &, const Tensor &) { return Status(); }

std::optional<Tensor> Provider::adopt(const LevelArrays &, TypeId) { return std::nullopt; }

Result<Tensor> Provider::finish(Tensor adopted, TypeId) { return adopted; }

std::optional<LevelArrays> Provider::levelsOf(const Tensor &) { return std::nullopt; }

std::string Provider::textOf(const PrintStorage &print, const Tensor &tensor) {
  if (tensor.parts.empty())
    return storageText(print.name, *tensor.storage, print.parts.front());
  std::string text;
  for (size_t part = 0; part < tensor.parts.size(); ++part)
    text += storageText(partName(print.name, part, tensor.parts.size()),
                        *tensor.parts[part].storage, print.parts[part]);
  return text;
}

} // namespace strata::host
