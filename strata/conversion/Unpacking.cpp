// Unpacks tensors into lists of coordinates.
#include "strata/conversion/Unpacking.h"

#include "strata/compile/Kernel.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/host/Divide.h"
#include "strata/host/LevelSpace.h"
#include "strata/host/Unpack.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

bool hasPadding(RankedTensorType type) {
  ta::SumAttr sum = ta::sumOf(type);
  return sum ? sum.hasPadding() : ta::formatOf(type).hasPadding();
}

UnpackingKernel unpackingKernel(RankedTensorType type, strata_type coordinates,
                                RankedTensorType whole) {
  ta::FormatAttr format = ta::formatOf(type);
  unsigned levels = format.givenLevels().size(), width = coordinates == STRATA_I32 ? 32 : 64;
  ta::FormatAttr list = ta::listFormat(type.getContext(), levels).withWidths(64, width);
  auto copy = [&](Fills fills) {
    // If nothing is dropped, what is stored is copied, whatever the rest is worth.
    Attribute fill = fills == Fills::Dropped ? Attribute(ta::fillOf(type)) : Attribute();
    return copyKernel(
        dynamicType(levels, type.getElementType(), format.levelSpace().withFill(fill)),
        dynamicType(levels, type.getElementType(), list.withFill(fill)), "unpack", fills);
  };
  // Which part an entry lies in is no reason to keep its fill or to lose it.
  if (!format.isFull() && !hasPadding(whole))
    return {copy(Fills::Kept)};
  // Entries that repeat, with others below them, can be copied in loops, but not asked for.
  OwningOpRef<ModuleOp> dropping = copy(Fills::Dropped);
  if (planOfCopy(*dropping))
    return {std::move(dropping)};
  return {copy(Fills::Kept), /*leavesFills=*/true};
}

// The entries of one storage.
static Result<Coordinates> unpackStorage(KernelCompiler &compiler, const TensorValue &tensor,
                                         RankedTensorType whole) {
  host::StoredFormat format = storedFormatOf(tensor.type);
  auto makeKernel = [&](const std::vector<int64_t> &) -> Result<host::ListKernel> {
    strata_type coordinates =
        host::storedType(format.extents(tensor.sizes(), host::slotsOf(*tensor.storage, format)));
    UnpackingKernel unpacking = unpackingKernel(tensor.type, coordinates, whole);
    Result<CompiledKernel> kernel =
        compiler.compile(std::move(unpacking.module), double(tensor.storage->bytes()));
    if (!kernel)
      return kernel.takeStatus();
    return host::ListKernel{compiler.callable(*kernel), coordinates, unpacking.leavesFills};
  };
  return host::unpack(*tensor.storage, format, makeKernel);
}

Result<Coordinates> unpackUnsorted(KernelCompiler &compiler, const TensorValue &tensor) {
  if (tensor.parts.empty())
    return unpackStorage(compiler, tensor, tensor.type);
  return host::joinParts(tensor.parts.size(), tensor.sizes(), [&](size_t part) {
    return unpackStorage(compiler, tensor.parts[part], tensor.type);
  });
}

Result<Coordinates> unpack(KernelCompiler &compiler, const TensorValue &tensor) {
  Result<Coordinates> list = unpackUnsorted(compiler, tensor);
  if (!list)
    return list;
  if (Status settled = host::settle(*list); !settled.ok())
    return settled;
  return list;
}

} // namespace strata
