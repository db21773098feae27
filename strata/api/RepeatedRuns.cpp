// Runs of statements that are repeated: for operands of types and sizes that are known, nothing is
// checked, estimated and chosen again.
#include "strata/api/Statement.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/run/Output.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;
using strata::runtime::Result;
using strata::runtime::Storage;

/// As many runs are known, at most.
static constexpr size_t mostKnown = 8;
/// Kernels with little to do are compiled quickly. When they have visited so many values, which
/// takes about as long as optimizing them, that is worth its time. (No clock decides: an optimized
/// kernel may add in another order, and when it comes must not depend on what else the machine
/// does.)
static constexpr double valuesOfOptimizing = 1e8;
/// A call of a kernel takes as long as so many values, besides those that it visits.
static constexpr double valuesOfCall = 2000;

static bool isLike(const strata_statement::Repeatable &run,
                   llvm::ArrayRef<strata_tensor *> tensors) {
  if (run.operands.size() != tensors.size())
    return false;
  for (auto [operand, tensor] : llvm::zip(run.operands, tensors)) {
    int64_t stored = tensor->value.storedCount();
    if (tensor->value.type != operand.type || tensor->value.sizes() != operand.sizes ||
        stored > 2 * operand.stored || operand.stored > 2 * stored)
      return false;
  }
  return true;
}

strata_statement::Repeatable *
strata_statement::findRepeatable(llvm::ArrayRef<strata_tensor *> tensors, bool inPlace) {
  for (Repeatable &run : llvm::reverse(known))
    if (run.inPlace == inPlace && isLike(run, tensors))
      return &run;
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// Look-ups
//===------------------------------------------------------------------------------------------===//

static int64_t integerAt(const strata_buffer &buffer, int64_t at) {
  return buffer.type == STRATA_I32 ? static_cast<const int32_t *>(buffer.data)[at]
                                   : static_cast<const int64_t *>(buffer.data)[at];
}

static bool isIndexType(int32_t type) { return type == STRATA_I32 || type == STRATA_I64; }

// Makes a buffer of integers, or of coordinates, of the values of a function.
template <typename Function>
static bool fillBuffer(Storage &storage, int64_t index, int64_t count, Function &&valueAt) {
  if (!storage.allocate(index, count).ok())
    return false;
  strata_buffer &buffer = storage.buffer(index);
  for (int64_t at = 0; at < count; ++at)
    if (buffer.type == STRATA_I32)
      static_cast<int32_t *>(buffer.data)[at] = int32_t(valueAt(at));
    else
      static_cast<int64_t *>(buffer.data)[at] = valueAt(at);
  return true;
}

// The matrix with a one in each row, at the column that a vector of integers says: the entries of
// rows in a list. Null of other tensors, and where a column is outside of the matrix.
static std::shared_ptr<Storage> selectorOf(const TensorValue &vector,
                                           const Executor::RepeatedStep &step) {
  bool isVector = vector.parts.empty() && vector.sizes().size() == 1 && vector.format().isFull();
  if (!isVector || step.sizes.size() != 2 || !step.result)
    return nullptr;
  std::vector<strata_type> types = bufferTypes(step.result); // pos, crd, crd, values
  const strata_buffer &places = vector.storage->values();
  bool isList = types.size() == 4 && types[3] == STRATA_I8 && isIndexType(types[0]) &&
                isIndexType(types[1]) && isIndexType(types[2]);
  if (!isList || !isIndexType(places.type))
    return nullptr;
  int64_t count = step.sizes[0], columns = step.sizes[1];
  for (int64_t at = 0; at < count; ++at)
    if (int64_t place = integerAt(places, at); place < 0 || place >= columns)
      return nullptr;
  auto made = std::make_shared<Storage>(step.sizes, types);
  bool enough = fillBuffer(*made, 0, 2, [&](int64_t at) { return at * count; }) &&
                fillBuffer(*made, 1, count, [](int64_t at) { return at; }) &&
                fillBuffer(*made, 2, count, [&](int64_t at) { return integerAt(places, at); }) &&
                made->allocate(3, count).ok();
  if (!enough)
    return nullptr;
  std::fill_n(static_cast<int8_t *>(made->values().data), count, int8_t(1));
  return made;
}

//===------------------------------------------------------------------------------------------===//
// Runs
//===------------------------------------------------------------------------------------------===//

strata_tensor *strata_statement::repeat(Repeatable &run, llvm::ArrayRef<strata_tensor *> tensors,
                                        strata_tensor *target) {
  if (!optimized && run.visited > valuesOfOptimizing) {
    optimized = true;
    known.clear(); // what the others run is not optimized, either
    executor->optimize();
    return nullptr;
  }
  for (const Executor::RepeatedStep &step : run.steps)
    run.visited += valuesOfCall + step.work;
  return repeatSteps(run, tensors, target);
}

strata_tensor *strata_statement::repeatSteps(const Repeatable &run,
                                             llvm::ArrayRef<strata_tensor *> tensors,
                                             strata_tensor *target) {
  std::vector<TensorValue> made;
  auto valueOf = [&](unsigned number) -> const TensorValue & {
    return number < tensors.size() ? tensors[number]->value : made[number - tensors.size()];
  };
  for (const Executor::RepeatedStep &step : run.steps) {
    TensorValue result{step.result, nullptr};
    if (step.lookUp) {
      result.storage = selectorOf(valueOf(step.operands.front()), step);
      if (!result.storage)
        return nullptr;
      made.push_back(std::move(result));
      continue;
    }
    if (target && &step == &run.steps.back()) {
      result.storage = target->value.storage;
    } else if (step.init) {
      Result<TensorValue> copy = cloned(valueOf(*step.init));
      if (!copy)
        return nullptr;
      result.storage = copy->storage;
    } else {
      result.storage = std::make_shared<Storage>(step.sizes, bufferTypes(step.result));
    }
    SmallVector<Storage *> storages;
    for (unsigned operand : step.operands)
      storages.push_back(operand == Executor::itsResult ? result.storage.get()
                                                        : valueOf(operand).storage.get());
    if (!session->compiler.run(step.kernel, *result.storage, storages, step.extents).ok())
      return nullptr;
    made.push_back(std::move(result));
  }
  if (target)
    return target;
  return tensorOf(*session, std::move(made.back()), *run.result).release();
}

void strata_statement::remember(llvm::ArrayRef<strata_tensor *> tensors,
                                const strata_tensor &result, bool inPlace) {
  std::optional<std::vector<Executor::RepeatedStep>> steps =
      executor->repeatable(mainOf(*module), inPlace ? Phase::Compute : Phase::All);
  if (!steps)
    return;
  llvm::erase_if(
      known, [&](const Repeatable &run) { return run.inPlace == inPlace && isLike(run, tensors); });
  if (known.size() == mostKnown)
    known.erase(known.begin());
  known.push_back({std::move(*steps), result.format->facts, {}, 0, inPlace});
  for (strata_tensor *tensor : tensors)
    known.back().operands.push_back(
        {tensor->value.type, tensor->value.sizes(), tensor->value.storedCount()});
}
