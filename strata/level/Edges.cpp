// Where each parent's children begin.
#include "strata/level/Edges.h"

#include "strata/runtime/Counted.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

Value Edges::none(BuildView &view) {
  return arith::ConstantOp::create(view.b, view.loc, view.b.getIntegerAttr(view.posType, 0));
}

void Edges::addFields(BuildView &view, SmallVectorImpl<Type> &types) {
  types.push_back(emit::bufferType(view.posType));
  types.push_back(view.b.getIndexType());
}

Edges Edges::init(BuildView &view) {
  Value one = emit::constant(view, 1), zero = emit::constant(view, 0);
  Value parents = view.parentCount ? view.parentCount : view.hint;
  Edges edges{emit::allocate(view, view.posType, emit::add(view, parents, one))};
  Value known = view.parentCount && !view.parentAppends ? emit::add(view, parents, one) : one;
  emit::fill(view, edges.pos.data, zero, known, none(view));
  return edges;
}

void Edges::reserve(BuildView &view, Value before, Value after) {
  if (view.parentAppends)
    return;
  Value one = emit::constant(view, 1);
  Value begin = emit::add(view, before, one), end = emit::add(view, after, one);
  emit::ensure(view, pos, end);
  emit::fill(view, pos.data, begin, end, none(view));
}

void Edges::close(BuildView &view, Value parent, Value begin, Value end) {
  Value one = emit::constant(view, 1), slot = emit::add(view, parent, one);
  if (view.parentAppends) {
    emit::ensure(view, pos, emit::add(view, slot, one));
    emit::storeIndex(view, pos.data, slot, end);
  } else {
    emit::storeIndex(view, pos.data, slot, emit::sub(view, end, begin));
  }
}

PositionRange Edges::parents(LevelView &view, PositionRange parent) {
  Value end = parent.end ? parent.end : emit::add(view, parent.begin, emit::constant(view, 1));
  return {parent.begin, end};
}

PositionRange Edges::children(LevelView &view, Value pos, PositionRange parent) {
  PositionRange all = parents(view, parent);
  return {emit::loadPosition(view, pos, all.begin), emit::loadPosition(view, pos, all.end)};
}

Value Edges::sumUp(BuildView &view, Value pos, Value edges) {
  OpBuilder &b = view.b;
  Value one = emit::constant(view, 1), zero = emit::constant(view, 0);
  auto loop = scf::ForOp::create(b, view.loc, one, edges, one, ValueRange{zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  Value sum = emit::add(view, loop.getRegionIterArg(0), emit::loadPosition(view, pos, at));
  emit::storeIndex(view, pos, at, sum);
  scf::YieldOp::create(b, view.loc, ValueRange{sum});
  return loop.getResult(0);
}

bool Edges::check(const StoredLevel::Numbers &pos, llvm::StringRef name, int64_t parents,
                  int64_t end, std::string &fault) {
  if (pos.count != parents + 1) {
    fault = name.str() + " has " + counted(pos.count, "element") + "; expected " +
            std::to_string(parents + 1);
    return false;
  }
  for (int64_t at = 0; at <= parents; ++at) {
    int64_t least = at == 0 ? 0 : pos[at - 1];
    bool fine = pos[at] >= least && pos[at] <= end && (at > 0 || pos[at] == 0) &&
                (at < parents || pos[at] == end);
    if (fine)
      continue;
    fault = name.str() + "[" + std::to_string(at) + "] is " + std::to_string(pos[at]) +
            "; expected " +
            (at == 0        ? "0"
             : at < parents ? "from " + std::to_string(least) + " to " + std::to_string(end)
                            : std::to_string(end) + ", the number of what it counts");
    return false;
  }
  return true;
}

int64_t Edges::parentOf(const StoredLevel::Numbers &pos, int64_t at) {
  int64_t low = 0, high = pos.count - 1;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (pos[middle] <= at ? low : high) = middle;
  }
  return low;
}

void Edges::seal(BuildView &view, Value parentCount, Value childCount, int64_t index) {
  Value edges = emit::add(view, parentCount, emit::constant(view, 1));
  if (!view.parentAppends)
    sumUp(view, pos.data, edges);
  emit::requirePosition(view, childCount);
  emit::publish(view, pos, view.firstBuffer + index, edges);
}

} // namespace strata
