// Chooses the kernels of conversions from the formats alone.
#include "strata/translate/CompiledConversion.h"

#include "strata/conversion/ConversionRoutes.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/entry/StorageLayout.h"

using namespace mlir;

namespace strata {

static CompiledStep addStep(KernelsAhead &kernels, KernelAhead kernel, RankedTensorType to) {
  CompiledStep step{kernels.addKernel(std::move(kernel.module))};
  if (!kernel.counting)
    return step;
  ta::FormatAttr format = ta::formatOf(to);
  step.slots.kernel = kernels.addKernel(std::move(kernel.counting));
  step.slots.dimensions.assign(kernel.counted.begin(), kernel.counted.end());
  for (unsigned lvl = 0; lvl <= slotNumbering(format)->level; ++lvl)
    step.slots.buffer += int64_t(levelBuffers(format, lvl).size()); // from -1 on: the last of them
  return step;
}

std::optional<CompiledConversion> compileConversion(KernelsAhead &kernels, RankedTensorType from,
                                                    RankedTensorType to) {
  if (std::optional<KernelAhead> direct = kernelAhead(from, to))
    return CompiledConversion{addStep(kernels, std::move(*direct), to)};
  RankedTensorType open = rowsAhead(to);
  if (!open)
    return std::nullopt;
  RankedTensorType rows = kernels.decided(open);
  std::optional<KernelAhead> first = kernelAhead(from, rows), last = kernelAhead(rows, to);
  if (!first || !last)
    return std::nullopt;
  CompiledStep toRows = addStep(kernels, std::move(*first), rows);
  return CompiledConversion{addStep(kernels, std::move(*last), to), kernels.number(open),
                            std::move(toRows)};
}

std::optional<CompiledPacking> compilePacking(KernelsAhead &kernels, RankedTensorType to) {
  RankedTensorType open = rowsAhead(to);
  if (!open)
    return std::nullopt;
  ta::FormatAttr format = ta::formatOf(to);
  bool isPlain = format.getDimToLvl().isPermutation() && format.getWindows().empty();
  if (isPlain || format.getFill())
    return std::nullopt;
  std::optional<KernelAhead> last = kernelAhead(kernels.decided(open), to);
  if (!last)
    return std::nullopt;
  host::TypeId rows = kernels.packed(open, /*silentZero=*/true);
  return CompiledPacking{rows, addStep(kernels, std::move(*last), to)};
}

} // namespace strata
