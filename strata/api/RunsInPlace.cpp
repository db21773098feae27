// Runs of statements whose results are memory that is there already.
#include "strata/api/Statement.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/tensor/ElementTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;

// Returns an error unless the values of the tensor are those of every element of such a result.
static strata_error *checkTarget(const strata_statement &statement, const strata_tensor &target) {
  if (target.value.pieces || !statement.machines.empty())
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Target,
                     "the result of a statement on a machine has memory of its own");
  RankedTensorType wanted = statement.result->type(), given = target.format->type();
  if (!target.format->facts->full)
    return makeError(STRATA_ERROR_FORMAT, Refusal::Target,
                     "the target is " + target.format->name() +
                         ", which does not store every element");
  if (wanted.getElementType() != given.getElementType() || wanted.getRank() != given.getRank() ||
      !strata_format_equal(statement.result.get(), target.format.get()))
    return makeError(STRATA_ERROR_FORMAT, Refusal::Target,
                     llvm::formatv("the target is {0} with elements of {1}, the result {2} with "
                                   "elements of {3}",
                                   target.format->name(), elementTypeWord(given.getElementType()),
                                   statement.result->name(),
                                   elementTypeWord(wanted.getElementType()))
                         .str());
  return nullptr;
}

// Returns whether values lie in one of the arrays of a tensor.
static bool overlaps(const strata_buffer &values, const TensorValue &tensor) {
  auto bytesOf = [](const strata_buffer &buffer) {
    auto begin = reinterpret_cast<uintptr_t>(buffer.data);
    return std::pair(begin, begin + uintptr_t(buffer.count * strata_type_bytes(buffer.type)));
  };
  auto [begin, end] = bytesOf(values);
  for (int64_t at = 0; tensor.storage && at < tensor.storage->bufferCount(); ++at)
    if (auto [first, last] = bytesOf(tensor.storage->buffer(at));
        std::max(begin, first) < std::min(end, last))
      return true;
  return llvm::any_of(tensor.parts,
                      [&](const TensorValue &part) { return overlaps(values, part); });
}

// Returns an error if an operand would change while it is read.
static strata_error *checkApart(llvm::ArrayRef<strata_tensor *> tensors,
                                const strata_tensor &target) {
  for (auto [number, tensor] : llvm::enumerate(tensors))
    if (overlaps(target.value.storage->values(), tensor->value))
      return makeError(
          STRATA_ERROR_ARGUMENT, Refusal::Target,
          llvm::formatv("the target's memory is that of operand {0}", number + 1).str());
  return nullptr;
}

// Makes the values of one tensor those of another.
static strata_error *copyValues(const strata_tensor &from, strata_tensor &to) {
  if (from.value.sizes() != to.value.sizes())
    return makeError(STRATA_ERROR_SHAPE, runtime::Error::Extent,
                     "the target has other sizes than the result");
  const strata_buffer &values = from.value.storage->values();
  strata_buffer &target = to.value.storage->values();
  runtime::copyBytes(target.data, values.data,
                     size_t(values.count * strata_type_bytes(values.type)));
  return nullptr;
}

strata_error *strata_statement::runInto(llvm::ArrayRef<strata_tensor *> tensors,
                                        strata_tensor &target) {
  const bool inPlace = !Executor::whyNotApart(mainOf(*module));
  if (inPlace && repeatInTurn(tensors, nullptr, &target))
    return nullptr;
  llvm::scope_exit rest([&] { forget(); });
  strata_tensor *made = nullptr;
  auto compute = [&](func::FuncOp main, uint64_t) {
    return inPlace ? executor->computeInto(main, target.value) : executor->run(main);
  };
  if (strata_error *error = this->compute(tensors, compute, &made))
    return error;
  auto result = Handle<strata_tensor>::adopt(made);
  remember(tensors, &made, inPlace);
  return inPlace ? nullptr : copyValues(*result, target);
}

strata_error *strata_statement_run_into(strata_statement *whole, strata_tensor *const *operands,
                                        int32_t count, strata_tensor *target) {
  return inTurn(*whole->session, [&]() -> strata_error * {
    llvm::ArrayRef<strata_tensor *> tensors(operands, size_t(std::max(count, 0)));
    strata_statement *statement = whole;
    if (strata_error *error = whole->refuseSeveral())
      return error;
    if (strata_error *error = checkTarget(*whole, *target))
      return error;
    if (strata_error *error = checkApart(tensors, *target))
      return error;
    if (strata_error *error = whole->planFor(tensors, statement))
      return error;
    return statement->runInto(tensors, *target);
  });
}
