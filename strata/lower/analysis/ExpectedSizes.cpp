// Follows sizes back to the arguments of a program.
#include "strata/lower/analysis/ExpectedSizes.h"

#include "strata/lower/analysis/MergeCost.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

// On an argument of a function: its sizes.
static constexpr llvm::StringLiteral attributeName = "strata.sizes";

bool dependsOnSizes(ModuleOp module) {
  constexpr size_t fewest = 3;
  WalkResult walk = module.walk([](ta::ComputeOp op) {
    if (!op.getScheduleAttr())
      for (auto sum : op.getBlock().getOps<ta::ReduceOp>())
        if (sum.getCombine() == ta::Combine::add &&
            accessesIn(op, sum.getYielded()).size() >= fewest)
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return walk.wasInterrupted();
}

void expectSizes(BlockArgument argument, ArrayRef<int64_t> sizes) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  function.setArgAttr(argument.getArgNumber(), attributeName,
                      DenseI64ArrayAttr::get(function.getContext(), sizes));
}

static std::optional<int64_t> expectedSize(Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  if (auto convert = tensor.getDefiningOp<ta::ConvertOp>())
    return expectedSize(convert.getTensor(), dim);
  if (auto made = tensor.getDefiningOp<ta::ComputeOp>())
    return expectedExtent(made.getSizes()[type.getDynamicDimIndex(dim)]);
  auto argument = dyn_cast<BlockArgument>(tensor);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (!function)
    return std::nullopt;
  auto sizes = function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), attributeName);
  return sizes && dim < sizes.size() ? std::optional(sizes[dim]) : std::nullopt;
}

std::optional<int64_t> expectedExtent(Value extent) {
  if (std::optional<int64_t> known = getConstantIntValue(extent))
    return known;
  if (auto dim = extent.getDefiningOp<ta::DimOp>())
    return expectedSize(dim.getTensor(), dim.getDim());
  if (auto same = extent.getDefiningOp<ta::SameSizeOp>())
    for (Value size : same.getSizes())
      if (std::optional<int64_t> known = expectedExtent(size))
        return known;
  return std::nullopt;
}

} // namespace strata
