// Counts slots.
#include "strata/conversion/Slots.h"

#include "strata/compile/Kernel.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

static std::vector<int64_t> countedSizes(const SlotNumbering &numbering, ArrayRef<int64_t> sizes) {
  std::vector<int64_t> counted;
  for (unsigned dim : numbering.counted)
    counted.push_back(sizes[dim]);
  return counted;
}

// Counts slots, given how many entries there are in each place of what is counted.
static SlotCount slotsFor(ArrayRef<int64_t> counts, ta::FormatAttr format,
                          ArrayRef<int64_t> sizes) {
  SlotNumbering numbering = *slotNumbering(format);
  SlotCount result{0, {numbering.level, 0}};
  for (int64_t count : counts)
    result.slots = std::max(result.slots, count);
  if (numbering.countsRows) { // of each slot the rows up to the last that has it
    result.known.level = numbering.level + 1;
    int64_t filled = 0;
    for (size_t row = counts.size(); row-- > 0; filled = std::max(filled, counts[row]))
      result.known.count += std::max<int64_t>(counts[row] - filled, 0) * int64_t(row + 1);
    return result;
  }
  if (numbering.rowsPerParent) {
    auto block = size_t(*numbering.rowsPerParent);
    for (size_t begin = 0; begin < counts.size(); begin += block) {
      ArrayRef<int64_t> rows = counts.slice(begin, std::min(block, counts.size() - begin));
      result.known.count += *llvm::max_element(rows);
    }
    return result;
  }
  int64_t &places = result.known.count = result.slots;
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  for (unsigned lvl = 0; lvl < numbering.level; ++lvl)
    if (__builtin_mul_overflow(places, extents[lvl].extent, &places))
      places = INT64_MAX;
  return result;
}

double slotCountBytes(ta::FormatAttr format, ArrayRef<int64_t> sizes) {
  double bytes = sizeof(int64_t);
  for (int64_t size : countedSizes(*slotNumbering(format), sizes))
    bytes *= double(size);
  return bytes;
}

Result<SlotCount> countSlotsOf(KernelCompiler &compiler, const TensorValue &tensor,
                               ta::FormatAttr format, ArrayRef<int64_t> sizes, PackTimes &spent) {
  Stopwatch watch;
  SlotNumbering numbering = *slotNumbering(format);
  const std::vector<int64_t> &own = tensor.sizes();
  RankedTensorType from = dynamicType(own.size(), tensor.type.getElementType(), tensor.format());
  Result<CompiledKernel> kernel =
      compiler.compile(countingKernel(from, numbering.counted), double(tensor.storage->bytes()));
  if (!kernel)
    return kernel.takeStatus();
  spent.parts += kernel->times;
  spent.compile += watch.lap();
  std::vector<strata_type> types{STRATA_I64};
  Storage counts(countedSizes(numbering, sizes), types);
  if (Status status = compiler.run(*kernel, counts, {tensor.storage.get()}, own); !status.ok())
    return status;
  const strata_buffer &values = counts.values();
  SlotCount result =
      slotsFor(ArrayRef<int64_t>(static_cast<const int64_t *>(values.data), size_t(values.count)),
               format, sizes);
  spent.fill += watch.lap();
  return result;
}

Status storeSlots(Storage &storage, ta::FormatAttr format, int64_t slots) {
  unsigned level = slotNumbering(format)->level;
  int64_t buffer = 0;
  for (unsigned lvl = 0; lvl <= level; ++lvl)
    buffer += int64_t(levelBuffers(format, lvl).size());
  if (Status status = storage.allocate(buffer - 1, 1); !status.ok())
    return status;
  *static_cast<int64_t *>(storage.buffer(buffer - 1).data) = slots;
  return Status();
}

} // namespace strata
