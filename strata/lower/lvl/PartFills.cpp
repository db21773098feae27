// Gives the places of a result the fill part by part, where loops go through a part in another
// order than that of the places: along diagonals, along slots.
//
// before: fill y
//         for io { for d { for ii { y[io + ii] += ... } } }
// after:  for io { fill y from io on, as many places as the part has; for d { for ii { ... } } }
//
// In advance, a large result would have left the caches before its loops begin, and one thread
// would write all of it.
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/lvl/KernelConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// The extents of a result's loops below those over its first coordinate, if that is a part of
// `parts` and a value in it; nothing if its places do not lie together for each part.
std::optional<SmallVector<Value>> KernelConverter::extentsBelow(cin::ForallOp parts) const {
  AccessPath path = nest.resultPath();
  AffineMap map = path.format.getDimToLvl();
  if (map.getNumResults() == 0 || !map.isPermutation() || !path.format.getWindows().empty())
    return std::nullopt;
  for (unsigned level = 0; level < map.getNumResults(); ++level)
    if (!ta::hasPlacesOnly(path.format, level))
      return std::nullopt;
  unsigned variable = nest.numberOf(parts.getVariable());
  auto sum = dyn_cast<AffineBinaryOpExpr>(path.coordinates.front());
  if (!sum || sum.getKind() != AffineExprKind::Add || !sum.isFunctionOfDim(variable) ||
      !isa<AffineDimExpr>(sum.getLHS()) || !isa<AffineDimExpr>(sum.getRHS()))
    return std::nullopt;
  SmallVector<Value> extents;
  for (AffineExpr coordinate : ArrayRef(path.coordinates).drop_front()) {
    auto dim = dyn_cast<AffineDimExpr>(coordinate);
    cin::ForallOp loop = dim ? nest.loops[dim.getPosition()] : cin::ForallOp();
    if (!loop || loop.getPart() || loop.isOfParts())
      return std::nullopt;
    extents.push_back(loop.getExtent());
  }
  return extents;
}

// Fills the part of the result that a loop over parts has come to, where the loops in it are walked
// as one. The result is then not filled before.
void KernelConverter::fillPart(cin::ForallOp parts, Scope &scope) {
  SmallVector<lvl::BuildOp> builds(kernel.getOps<lvl::BuildOp>());
  auto joined = dyn_cast<cin::ForallOp>(parts.getBlock().front());
  if (!singleLoop || scope.partial || builds.size() != 1 || !joined || !joined.getCollapsed() ||
      !llvm::hasSingleElement(parts.getBlock()) || parts->getParentOfType<cin::ForallOp>())
    return;
  lvl::BuildOp build = builds.front();
  if (build.getCounted() || build.getGathered() || build.getPartial() || build.getInitial())
    return;
  std::optional<SmallVector<Value>> below = extentsBelow(parts);
  if (!below)
    return;
  Value first = scope.indices[nest.numberOf(parts.getVariable())];
  Value extent = parts.getExtent(), size = partSizeOf(parts, extent);
  Value count = arith::MinUIOp::create(b, loc, size, arith::SubIOp::create(b, loc, extent, first));
  for (Value one : *below)
    count = b.createOrFold<arith::MulIOp>(loc, count, one);
  Value &builder = scope.carried[resultStorage];
  Value root = lvl::RootOp::create(b, loc, resultStorage);
  auto insert = lvl::InsertOp::create(b, loc, builder, 0, root, first);
  insert.getFillingMutable().assign(count);
  builder = insert.getResult();
  build.setUnfilled(true);
}

} // namespace strata
