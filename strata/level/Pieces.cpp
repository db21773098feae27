// Children, parents and coordinates of positions, and positions of coordinates, by a level's
// iteration.
#include "strata/level/Pieces.h"

#include "strata/level/Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

bool hasPieces(const LevelFormat &format, const LevelProperties &properties) {
  bool places = format.traits.places && properties.full && !format.traits.misses;
  bool walks = format.positionIteration() && !format.traits.misses && !format.spanIteration();
  return properties.compact && properties.ordered && !format.traits.computed && (places || walks);
}

PositionRange childrenOf(const LevelFormat &format, LevelView &view, PositionRange parents) {
  if (format.positionIteration())
    return format.positionIteration()->posIter(view, parents);
  return {emit::mul(view, parents.begin, view.extent), emit::mul(view, parents.end, view.extent)};
}

Value parentOf(const LevelFormat &format, LevelView &view, Value position, PositionRange parents) {
  if (view.properties.branchless)
    return position;
  if (!format.positionIteration())
    return arith::DivUIOp::create(view.b, view.loc, position, view.extent);
  // The last parent whose children do not begin behind the position: those before it that begin
  // there have none.
  Value one = emit::constant(view, 1);
  auto beginsBefore = [&](Value parent) -> Value {
    PositionRange below = format.positionIteration()->posIter(view, {parent});
    return arith::CmpIOp::create(view.b, view.loc, arith::CmpIPredicate::ule, below.begin,
                                 position);
  };
  PositionRange others{emit::add(view, parents.begin, one), parents.end};
  return emit::sub(view, emit::bisect(view.b, view.loc, others, beginsBefore), one);
}

Found positionOf(const LevelFormat &format, LevelView &view, Value coordinate,
                 PositionRange parent) {
  if (format.locate())
    return format.locate()->locate(view, parent.begin, coordinate);
  OpBuilder &b = view.b;
  Location loc = view.loc;
  const PositionIteration &walk = *format.positionIteration();
  auto coordinateOf = [&](Value position) { return walk.posAccess(view, position).value; };
  PositionRange children = walk.posIter(view, parent);
  Value position = emit::bisect(
      b, loc, children, [&](Value at) { return emit::less(view, coordinateOf(at), coordinate); });
  // Behind the last there is no coordinate to compare with.
  Value inside = emit::less(view, position, children.end);
  auto found = scf::IfOp::create(b, loc, b.getI1Type(), inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(found.thenBlock());
  scf::YieldOp::create(b, loc, emit::equal(view, coordinateOf(position), coordinate));
  b.setInsertionPointToStart(found.elseBlock());
  scf::YieldOp::create(b, loc, inside);
  return {position, found.getResult(0)};
}

Value coordinateAt(const LevelFormat &format, LevelView &view, Value position, Value parent) {
  if (format.positionIteration())
    return format.positionIteration()->posAccess(view, position).value;
  Value first = emit::mul(view, parent, view.extent);
  return emit::add(view, view.first, emit::sub(view, position, first));
}

} // namespace strata
