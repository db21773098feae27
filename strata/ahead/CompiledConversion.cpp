// Chooses the kernels of conversions from the formats alone.
#include "strata/ahead/CompiledConversion.h"

#include "strata/conversion/ConversionRoutes.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/entry/StorageLayout.h"

using namespace mlir;

namespace strata {

static CompiledStep addStep(CompiledTypes &types, KernelAhead kernel, RankedTensorType to) {
  CompiledStep step{types.addKernel(std::move(kernel.module))};
  if (!kernel.counting)
    return step;
  ta::FormatAttr format = ta::formatOf(to);
  step.slots.kernel = types.addKernel(std::move(kernel.counting));
  step.slots.dimensions.assign(kernel.counted.begin(), kernel.counted.end());
  for (unsigned lvl = 0; lvl <= slotNumbering(format)->level; ++lvl)
    step.slots.buffer += int64_t(levelBuffers(format, lvl).size()); // from -1 on: the last of them
  return step;
}

std::optional<CompiledConversion> compileConversion(CompiledTypes &types, RankedTensorType from,
                                                    RankedTensorType to) {
  if (std::optional<KernelAhead> direct = kernelAhead(from, to))
    return CompiledConversion{addStep(types, std::move(*direct), to)};
  RankedTensorType open = rowsAhead(to);
  if (!open)
    return std::nullopt;
  RankedTensorType rows = types.decided(open);
  std::optional<KernelAhead> first = kernelAhead(from, rows), last = kernelAhead(rows, to);
  if (!first || !last)
    return std::nullopt;
  CompiledStep toRows = addStep(types, std::move(*first), rows);
  return CompiledConversion{addStep(types, std::move(*last), to), types.number(open),
                            std::move(toRows)};
}

std::optional<CompiledPacking> compilePacking(CompiledTypes &types, RankedTensorType to) {
  RankedTensorType open = rowsAhead(to);
  if (!open)
    return std::nullopt;
  ta::FormatAttr format = ta::formatOf(to);
  bool isPlain = format.getDimToLvl().isPermutation() && format.getWindows().empty();
  if (isPlain || format.getFill())
    return std::nullopt;
  std::optional<KernelAhead> last = kernelAhead(types.decided(open), to);
  if (!last)
    return std::nullopt;
  host::TypeId rows = types.packed(open, /*silentZero=*/true);
  return CompiledPacking{rows, addStep(types, std::move(*last), to)};
}

} // namespace strata
