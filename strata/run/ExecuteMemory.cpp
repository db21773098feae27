// Keeps a host program within the memory that it may use.
#include "strata/conversion/Conversion.h"
#include "strata/estimate/Estimate.h"
#include "strata/run/Executor.h"
#include "strata/tensor/Quantities.h"

using namespace mlir;

namespace strata {

LogicalResult Executor::allowMemory(Operation *op, const MemoryNeed &need, StepReport &step) {
  step.estimatedBytes = std::max(step.estimatedBytes, need.total());
  if (options.maxMemory < 0)
    return success();
  int64_t held = state().heldBytes();
  compiler.limitMemory(std::max<int64_t>(options.maxMemory - held, 0));
  if (double(held) + need.total() <= double(options.maxMemory))
    return success();
  const runtime::Error tooMuch{runtime::Error::MemoryLimit,
                               "this needs about " + bytesInWords(double(held) + need.total()) +
                                   " of memory, more than --max-memory allows (" +
                                   bytesInWords(double(options.maxMemory)) + ")"};
  InFlightDiagnostic error = op->emitError() << tooMuch.sentence();
  error.attachNote(op->getLoc()) << "it holds " << bytesInWords(double(held))
                                 << " of tensors before; the result takes about "
                                 << bytesInWords(need.result) << ", its making about "
                                 << bytesInWords(need.workspace) << " besides";
  return error;
}

LogicalResult Executor::allowConversion(Operation *op, const TensorValue &from,
                                        RankedTensorType type, StepReport &step) {
  ConversionPlan plan = planConversion(from, type, options.force);
  if (options.explain)
    step.loops = "  converted " + describe(plan) + "\n";
  double result = packedBytes(type, from.sizes(), from.storedCount(), options.force);
  return allowMemory(op, {result, double(plan.beside)}, step);
}

} // namespace strata
