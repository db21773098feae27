// Counts the rounds of loops.
#include "strata/run/WorkOfRounds.h"

#include "strata/host/Scalars.h"
#include "strata/lower/analysis/Resolutions.h"

using namespace mlir;

namespace strata {

static constexpr double roundsOfConditions = 100, leastForBlocks = 1 << 27;

static double roundsOf(ta::ForOp loop,
                       llvm::function_ref<std::optional<TensorValue>(Value)> valueOf) {
  auto numberOf = [&](Value scalar) -> std::optional<int64_t> {
    std::optional<TensorValue> value = valueOf(scalar);
    if (!value || !value->storage)
      return std::nullopt;
    const host::Scalar number = host::scalarOf(*value->storage);
    const auto *whole = std::get_if<int64_t>(&number);
    return whole ? std::optional(*whole) : std::nullopt;
  };
  std::optional<int64_t> lower = numberOf(loop.getLower()), upper = numberOf(loop.getUpper()),
                         step = numberOf(loop.getStep());
  if (!lower || !upper || !step || *step == 0)
    return roundsOfConditions;
  return std::max(1.0, (double(*upper) - double(*lower)) / double(*step));
}

double roundsAround(ta::ComputeOp op,
                    llvm::function_ref<std::optional<TensorValue>(Value)> valueOf) {
  double rounds = 1;
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
    if (auto counted = dyn_cast<ta::ForOp>(around))
      rounds *= roundsOf(counted, valueOf);
    else if (auto loop = dyn_cast<ta::LoopOp>(around))
      rounds *= std::min(double(loop.getLimit()), roundsOfConditions);
  return rounds;
}

void forbidIdleBlocks(ta::ComputeOp op, ta::ComputeOp inKernel, double operations,
                      llvm::function_ref<std::optional<TensorValue>(Value)> valueOf) {
  const bool repeats = op->getParentOfType<ta::ForOp>() || op->getParentOfType<ta::LoopOp>();
  if (!repeats || operations == 0 || operations * roundsAround(op, valueOf) >= leastForBlocks)
    return;
  Resolutions forbidden = forbiddenFor(inKernel);
  forbidden.insert(Resolution::Blocks);
  setForbidden(inKernel, forbidden);
}

} // namespace strata
