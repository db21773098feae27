// Children, parents and coordinates of positions, by a level's iteration.
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
  OpBuilder &b = view.b;
  Location loc = view.loc;
  if (!format.positionIteration())
    return arith::DivUIOp::create(b, loc, position, view.extent);
  // The last parent whose children do not begin behind the position: those before it that begin
  // there have none.
  Value one = emit::constant(view, 1);
  SmallVector<Value> ends{parents.begin, parents.end};
  SmallVector<Type> types{b.getIndexType(), b.getIndexType()};
  SmallVector<Location> locs{loc, loc};
  auto search = scf::WhileOp::create(b, loc, types, ends);
  OpBuilder::InsertionGuard guard(b);
  Block *test = b.createBlock(&search.getBefore(), {}, types, locs);
  Value left = emit::sub(view, test->getArgument(1), test->getArgument(0));
  Value several = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, left, one);
  scf::ConditionOp::create(b, loc, several, test->getArguments());
  Block *narrow = b.createBlock(&search.getAfter(), {}, types, locs);
  Value low = narrow->getArgument(0), high = narrow->getArgument(1);
  Value middle = arith::ShRUIOp::create(b, loc, emit::add(view, low, high), one);
  PositionRange below = format.positionIteration()->posIter(view, {middle});
  Value behind = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, below.begin, position);
  SmallVector<Value> next{arith::SelectOp::create(b, loc, behind, low, middle),
                          arith::SelectOp::create(b, loc, behind, middle, high)};
  scf::YieldOp::create(b, loc, next);
  return search.getResult(0);
}

Value coordinateAt(const LevelFormat &format, LevelView &view, Value position, Value parent) {
  if (format.positionIteration())
    return format.positionIteration()->posAccess(view, position).value;
  Value first = emit::mul(view, parent, view.extent);
  return emit::add(view, view.first, emit::sub(view, position, first));
}

} // namespace strata
