// Packs and unpacks the parts of hybrid formats.
#include "strata/conversion/SumParts.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

TensorValue sumOfParts(RankedTensorType type, std::vector<TensorValue> parts) {
  SmallVector<ta::FormatAttr> formats;
  for (const TensorValue &part : parts)
    formats.push_back(part.format());
  TensorValue whole;
  whole.type = ta::withFormat(type, ta::sumOf(type).withParts(formats));
  whole.parts = std::move(parts);
  return whole;
}

Result<TensorValue> packParts(KernelCompiler &compiler, Coordinates list, RankedTensorType type,
                              PackTimes *times, bool force, Attribute fill) {
  ta::SumAttr sum = ta::sumOf(type);
  if (Status status = list.convertValues(*runtimeType(type.getElementType())); !status.ok())
    return status;
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  std::vector<host::StoredFormat> parts;
  for (ta::FormatAttr part : sum.getParts())
    parts.push_back(
        storedFormatOf(withDecidedWidths(ta::withFormat(type, part), list.sizes(), std::nullopt)));
  Result<std::vector<Coordinates>> lists = host::divide(std::move(list), parts, divisionsOf(sum));
  if (!lists)
    return lists.takeStatus();
  std::vector<TensorValue> made;
  for (auto [own, part] : llvm::zip(*lists, sum.getParts())) {
    Result<TensorValue> packed =
        pack(compiler, std::move(own), ta::withFormat(type, part), times, force, fill);
    if (!packed)
      return packed;
    made.push_back(std::move(*packed));
  }
  return sumOfParts(type, std::move(made));
}

} // namespace strata
