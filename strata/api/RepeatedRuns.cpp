// Runs of statements that are repeated: for operands of types and sizes that are known, nothing is
// checked, estimated and chosen again.
#include "strata/api/Statement.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/run/ChooseWay.h"
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

std::shared_ptr<strata_statement::Repeatable>
strata_statement::findRepeatable(llvm::ArrayRef<strata_tensor *> tensors, bool inPlace) {
  std::lock_guard<std::mutex> lock(finding);
  for (const std::shared_ptr<Repeatable> &run : llvm::reverse(known))
    if (run->inPlace == inPlace && isLike(*run, tensors)) {
      if (!optimized && run->visited > valuesOfOptimizing)
        return nullptr;
      for (const Executor::RepeatedStep &step : run->steps)
        run->visited += valuesOfCall + step.work;
      return run;
    }
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
static std::shared_ptr<Storage> selectorOf(const TensorValue &vector, bool isFull,
                                           const Executor::RepeatedStep &step,
                                           const std::vector<strata_type> &types) {
  bool isVector = vector.parts.empty() && vector.sizes().size() == 1 && isFull;
  if (!isVector || step.sizes.size() != 2 || !step.result) // which has pos, crd, crd, values
    return nullptr;
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
// Operands that decide
//===------------------------------------------------------------------------------------------===//

// Tells whether operands hold what a run was decided by.
static bool holdAll(llvm::ArrayRef<unsigned> factors, llvm::ArrayRef<unsigned> divisors,
                    llvm::ArrayRef<strata_tensor *> tensors) {
  return llvm::all_of(factors, [&](unsigned one) { return holdsFinite(tensors[one]->value); }) &&
         llvm::all_of(divisors, [&](unsigned one) { return holdsDivisors(tensors[one]->value); });
}

// The numbers of the operands that these tensors are; nothing if one is none.
static std::optional<std::vector<unsigned>> operandsAmong(ArrayRef<Value> tensors,
                                                          func::FuncOp main) {
  std::vector<unsigned> numbers;
  for (Value tensor : tensors) {
    auto argument = dyn_cast<BlockArgument>(tensor);
    if (!argument || argument.getOwner() != &main.getBody().front())
      return std::nullopt;
    numbers.push_back(argument.getArgNumber());
  }
  return numbers;
}

// Keeps what decided for the second ways of branches. Returns whether that can be asked again.
static bool keepDecisions(strata_statement::Repeatable &run, func::FuncOp main,
                          llvm::ArrayRef<strata_tensor *> tensors) {
  WalkResult walk = main.walk([&](ta::IfOp branch) {
    if (!branch->hasAttr(heldZerosAttribute))
      return WalkResult::advance();
    const HeldZeros zeros = heldZerosIn(branch);
    auto factors = operandsAmong(zeros.factors.getArrayRef(), main);
    auto divisors = operandsAmong(zeros.divisors.getArrayRef(), main);
    if (zeros.isTold)
      return WalkResult::advance(); // then it is the first
    if (!factors || !divisors)
      return WalkResult::interrupt();
    if (holdAll(*factors, *divisors, tensors)) {
      llvm::append_range(run.factors, *factors);
      llvm::append_range(run.divisors, *divisors);
    }
    return WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

//===------------------------------------------------------------------------------------------===//
// Runs
//===------------------------------------------------------------------------------------------===//

std::shared_ptr<strata_statement::Repeatable>
strata_statement::findPlannedRepeatable(llvm::ArrayRef<strata_tensor *> tensors) {
  if (!unplanned)
    return findRepeatable(tensors);
  std::lock_guard<std::mutex> lock(finding);
  strata_statement *statement = findPlan(roundedSizes(tensors));
  return statement ? statement->findRepeatable(tensors) : nullptr;
}

bool strata_statement::repeatBesideTurns(llvm::ArrayRef<strata_tensor *> tensors,
                                         strata_tensor **results, bool &interrupted) {
  bool isDone = false;
  besideTurns([&] {
    InterruptFlags::Held held(session->running);
    std::shared_ptr<Repeatable> run = held ? findPlannedRepeatable(tensors) : nullptr;
    if (!run)
      return;
    isDone = repeatSteps(*run, tensors, results, {session->mostBytes, held.flag()});
    interrupted = !isDone && *held.flag();
  });
  session->repeated += isDone;
  return isDone;
}

bool strata_statement::repeatInTurn(llvm::ArrayRef<strata_tensor *> tensors,
                                    strata_tensor **results, strata_tensor *target) {
  if (std::shared_ptr<Repeatable> run = findRepeatable(tensors, bool(target))) {
    bool isDone = repeatSteps(*run, tensors, results,
                              {session->mostBytes, session->interrupt.address()}, target);
    session->repeated += isDone;
    return isDone;
  }
  std::lock_guard<std::mutex> lock(finding);
  const bool isKnown = llvm::any_of(known, [&](const auto &run) {
    return run->inPlace == bool(target) && isLike(*run, tensors);
  });
  if (isKnown && !optimized) {
    optimized = true;
    retire(known); // what the others run is not optimized, either
    executor->optimize();
  }
  return false;
}

void strata_statement::retire(std::vector<std::shared_ptr<Repeatable>> &runs) {
  std::vector<std::shared_ptr<const void>> &retired = session->retired;
  llvm::erase_if(retired, [](const auto &run) { return run.use_count() == 1; });
  for (std::shared_ptr<Repeatable> &run : runs)
    if (run.use_count() > 1)
      retired.push_back(std::move(run));
  runs.clear();
}

bool strata_statement::repeatSteps(const Repeatable &run, llvm::ArrayRef<strata_tensor *> tensors,
                                   strata_tensor **results, const KernelCompiler::Limits &limits,
                                   strata_tensor *target) const {
  if (target && ArrayRef(run.steps.back().sizes) != ArrayRef(target->value.sizes()))
    return false;
  if (!holdAll(run.factors, run.divisors, tensors))
    return false;
  std::vector<TensorValue> made;
  auto valueOf = [&](unsigned number) -> const TensorValue & {
    return number < tensors.size() ? tensors[number]->value : made[number - tensors.size()];
  };
  for (auto [number, step] : llvm::enumerate(run.steps)) {
    TensorValue result{step.result, nullptr};
    if (step.lookUp) {
      result.storage = selectorOf(valueOf(step.operands.front()), run.looksUpFull[number], step,
                                  run.buffers[number]);
      if (!result.storage)
        return false;
      made.push_back(std::move(result));
      continue;
    }
    if (target && &step == &run.steps.back()) {
      result.storage = target->value.storage;
    } else if (step.init) {
      Result<TensorValue> copy = cloned(valueOf(*step.init));
      if (!copy)
        return false;
      result.storage = copy->storage;
    } else {
      result.storage = std::make_shared<Storage>(step.sizes, run.buffers[number]);
    }
    SmallVector<Storage *> storages;
    for (unsigned operand : step.operands)
      storages.push_back(operand == Executor::itsResult ? result.storage.get()
                                                        : valueOf(operand).storage.get());
    strata_status status = STRATA_OK;
    if (!KernelCompiler::runWithin(limits, step.kernel, *result.storage, storages, step.extents,
                                   status)
             .ok())
      return false;
    made.push_back(std::move(result));
  }
  if (target)
    return true;
  SmallVector<TensorValue, 1> returned;
  for (unsigned step : run.returned)
    returned.push_back(made[step]);
  if (!separate(returned).ok())
    return false;
  for (auto [value, facts] : llvm::zip(returned, run.results))
    *results++ = tensorOf(*session, std::move(value), *facts).release();
  return true;
}

void strata_statement::remember(llvm::ArrayRef<strata_tensor *> tensors,
                                strata_tensor *const *results, bool inPlace) {
  auto run = std::make_shared<Repeatable>();
  std::optional<std::vector<Executor::RepeatedStep>> steps =
      executor->repeatable(mainOf(*module), run->returned, inPlace ? Phase::Compute : Phase::All);
  if (!steps || (inPlace && run->returned.front() + 1 != steps->size()) ||
      !keepDecisions(*run, mainOf(*module), tensors))
    return;
  run->steps = std::move(*steps);
  for (const strata_tensor *result : llvm::ArrayRef(results, run->returned.size()))
    run->results.push_back(result->format->facts);
  run->inPlace = inPlace;
  for (strata_tensor *tensor : tensors)
    run->operands.push_back(
        {tensor->value.type, tensor->value.sizes(), tensor->value.storedCount()});
  for (Executor::RepeatedStep &step : run->steps) {
    run->buffers.push_back(step.result ? bufferTypes(step.result) : std::vector<strata_type>());
    run->looksUpFull.push_back(step.lookUp &&
                               ta::formatOf(step.lookUp.getTensor().getType()).isFull());
  }
  std::lock_guard<std::mutex> lock(finding);
  std::vector<std::shared_ptr<Repeatable>> others;
  llvm::erase_if(known, [&](std::shared_ptr<Repeatable> &one) {
    bool isOlder = one->inPlace == inPlace && isLike(*one, tensors);
    if (isOlder)
      others.push_back(std::move(one));
    return isOlder;
  });
  if (known.size() == mostKnown) {
    others.push_back(std::move(known.front()));
    known.erase(known.begin());
  }
  retire(others);
  known.push_back(std::move(run));
}
