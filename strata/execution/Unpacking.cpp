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

// A list whose entries may come in any order, in levels of these sizes.
static ta::FormatAttr unorderedList(MLIRContext *context, ArrayRef<int64_t> extents) {
  unsigned width = runtime::coordinateTypeFor(extents) == STRATA_I32 ? 32 : 64;
  return ta::listFormat(context, extents.size()).withWidths(64, width);
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
    Type element = tensor.type.getElementType();
    // What is stored is copied, whatever the rest is worth.
    RankedTensorType from =
        dynamicType(extents.size(), element, tensor.format().levelSpace().withFill(Attribute()));
    RankedTensorType to =
        dynamicType(extents.size(), element, unorderedList(compiler.getContext(), extents));
    Result<CompiledKernel> kernel =
        compiler.compile(copyKernel(from, to, "unpack"), double(tensor.storage->bytes()));
    if (!kernel)
      return kernel.takeStatus();
    return host::ListKernel{compiler.callable(*kernel), runtime::coordinateTypeFor(extents)};
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
