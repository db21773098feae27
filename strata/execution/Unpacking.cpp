// Unpacks tensors into lists of coordinates.
#include "strata/execution/Unpacking.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/FillBytes.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/StoredFormats.h"
#include "strata/execution/SumParts.h"
#include "strata/host/Unpack.h"

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

OwningOpRef<ModuleOp> unpackingKernel(RankedTensorType type, strata_type coordinates) {
  ta::FormatAttr format = ta::formatOf(type);
  unsigned levels = format.givenLevels().size(), width = coordinates == STRATA_I32 ? 32 : 64;
  // What is stored is copied, whatever the rest is worth.
  RankedTensorType from =
      dynamicType(levels, type.getElementType(), format.levelSpace().withFill(Attribute()));
  ta::FormatAttr list = ta::listFormat(type.getContext(), levels).withWidths(64, width);
  return copyKernel(from, dynamicType(levels, type.getElementType(), list), "unpack");
}

Result<Coordinates> unpackUnsorted(KernelCompiler &compiler, const TensorValue &tensor) {
  if (!tensor.parts.empty()) {
    Result<Coordinates> joined = unpackParts(compiler, tensor);
    // Which part an entry lies in is no reason to keep its fill or to lose it.
    if (joined && hasPadding(tensor.type))
      if (Status status = host::dropFills(*joined, fillBytes(tensor.type)); !status.ok())
        return status;
    return joined;
  }
  auto makeKernel = [&](const std::vector<int64_t> &extents) -> Result<host::ListKernel> {
    strata_type coordinates = runtime::coordinateTypeFor(extents);
    Result<CompiledKernel> kernel = compiler.compile(unpackingKernel(tensor.type, coordinates),
                                                     double(tensor.storage->bytes()));
    if (!kernel)
      return kernel.takeStatus();
    return host::ListKernel{compiler.callable(*kernel), coordinates};
  };
  return host::unpack(*tensor.storage, storedFormatOf(tensor.type), makeKernel);
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
