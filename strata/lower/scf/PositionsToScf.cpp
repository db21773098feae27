// Emits operations on positions by what is known of each level.
#include "strata/lower/scf/PositionsToScf.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/level/Pieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

bool lowerPositions(Operation &op, const DenseMap<Value, PathValues> &paths, IRMapping &mapping,
                    OpBuilder &b) {
  Location loc = op.getLoc();
  auto mapped = [&](Value value) { return mapping.lookupOrDefault(value); };
  // A level that has pieces is the same below all ancestors.
  auto viewed = [&](Value root, unsigned level, auto emit) {
    const StorageValues &storage = *paths.find(root)->second.storage;
    SmallVector<Value> ancestors(level, arith::ConstantIndexOp::create(b, loc, 0));
    LevelView view = viewLevel(b, loc, storage, level, ancestors);
    emit(storage.level(level), view);
  };
  if (auto position = dyn_cast<lvl::PositionOp>(op)) {
    PositionRange range = paths.find(position.getPath())->second.last(b, loc);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value behind =
        range.end ? range.end : arith::AddIOp::create(b, loc, range.begin, one).getResult();
    mapping.map(position.getFirst(), range.begin);
    mapping.map(position.getLast(), behind);
  } else if (auto children = dyn_cast<lvl::ChildrenOp>(op)) {
    viewed(children.getRoot(), children.getLevel(), [&](const LevelFormat &level, LevelView &view) {
      PositionRange parents{mapped(children.getFirstParent()), mapped(children.getLastParent())};
      PositionRange range = childrenOf(level, view, parents);
      mapping.map(children.getFirst(), range.begin);
      mapping.map(children.getLast(), range.end);
    });
  } else if (auto parent = dyn_cast<lvl::ParentOp>(op)) {
    viewed(parent.getRoot(), parent.getLevel(), [&](const LevelFormat &level, LevelView &view) {
      PositionRange among{mapped(parent.getFirst()), mapped(parent.getLast())};
      mapping.map(parent.getParent(), parentOf(level, view, mapped(parent.getChild()), among));
    });
  } else if (auto coordinate = dyn_cast<lvl::CoordinateOp>(op)) {
    Value at = mapped(coordinate.getPosition()), above = mapped(coordinate.getParent());
    viewed(coordinate.getRoot(), coordinate.getLevel(),
           [&](const LevelFormat &level, LevelView &view) {
             mapping.map(coordinate.getCoordinate(), coordinateAt(level, view, at, above));
           });
  } else {
    return false;
  }
  return true;
}

} // namespace strata
