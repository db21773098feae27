// Numbers types, and describes how each is stored.
#include "strata/translate/ProgramTypes.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::host::TypeId;

namespace strata {

SmallVector<RankedTensorType> ProgramTypes::parts(TypeId id) const {
  RankedTensorType type = types[size_t(id)];
  ta::SumAttr sum = ta::sumOf(type);
  if (!sum)
    return {type};
  return llvm::map_to_vector(sum.getParts(),
                             [&](ta::FormatAttr part) { return ta::withFormat(type, part); });
}

TypeId ProgramTypes::number(RankedTensorType type) {
  auto [known, isNew] = numbers.try_emplace(type, TypeId(types.size()));
  if (!isNew)
    return known->second;
  TypeId id = known->second;
  types.push_back(type);
  host::TensorType stored;
  for (RankedTensorType part : parts(id))
    stored.parts.push_back(storedFormatOf(ta::withOpenWidths(part, 64, 64)));
  if (ta::SumAttr sum = ta::sumOf(type))
    stored.divisions = divisionsOf(sum);
  stored.kernels.resize(stored.parts.size());
  for (int64_t extent : type.getShape())
    stored.sizes.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  program.types.push_back(std::move(stored));
  return id;
}

} // namespace strata
