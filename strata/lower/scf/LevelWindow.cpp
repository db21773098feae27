// Finds where the levels of a walk begin and end in a window on the tensor.
#include "strata/lower/scf/LevelWindow.h"

#include "strata/level/Emission.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {
namespace {

/// The integers from `least` to `greatest`.
struct Interval {
  Value least, greatest;
};

// Gives the values that an expression of a format's map takes where the dimensions lie in windows.
class Intervals {
public:
  Intervals(LevelView &view, const StorageValues &storage, ArrayRef<DimensionWindow> windows)
      : view(view), storage(storage), windows(windows) {}

  Interval of(AffineExpr expr) const {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return ofDimension(dim.getPosition());
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      Value value = emit::constant(view, constant.getValue());
      return {value, value};
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    Interval left = of(binary.getLHS());
    if (expr.getKind() == AffineExprKind::Add) {
      Interval right = of(binary.getRHS());
      return {emit::add(view, left.least, right.least),
              emit::add(view, left.greatest, right.greatest)};
    }
    int64_t factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    Value k = emit::constant(view, factor);
    if (expr.getKind() == AffineExprKind::Mul) {
      Value least = emit::mul(view, left.least, k), greatest = emit::mul(view, left.greatest, k);
      return factor < 0 ? Interval{greatest, least} : Interval{least, greatest};
    }
    if (expr.getKind() == AffineExprKind::Mod)
      return {emit::constant(view, 0), emit::constant(view, factor - 1)};
    auto divided = [&](Value value) -> Value {
      return arith::FloorDivSIOp::create(view.b, view.loc, value, k);
    };
    return {divided(left.least), divided(left.greatest)};
  }

private:
  Interval ofDimension(unsigned dim) const {
    Value begin = emit::constant(view, 0), end = storage.sizes[dim];
    for (const DimensionWindow &window : windows)
      if (window.dim == dim) {
        begin = window.begin;
        end = window.end;
      }
    return {begin, emit::sub(view, end, emit::constant(view, 1))};
  }

  LevelView &view;
  const StorageValues &storage;
  ArrayRef<DimensionWindow> windows;
};

} // namespace

bool narrowToWindows(LevelView &view, const StorageValues &storage, unsigned level,
                     ArrayRef<Value> ancestors, ArrayRef<DimensionWindow> windows) {
  OpBuilder &b = view.b;
  Location loc = view.loc;
  if (storage.format.isSlot(level))
    return false;
  AffineExpr own = storage.format.getDimToLvl().getResult(level);
  bool narrowed = false;
  for (const DimensionWindow &window : windows) {
    for (const ta::SolvedDim &solved : storage.map.solvedAt[level]) {
      int64_t factor = 0;
      AffineExpr rest;
      if (solved.dim != window.dim || !ta::splitLinear(solved.value, level, factor, rest) ||
          factor == 0)
        continue;
      Value behind = emit::sub(view, emitAffine(b, loc, rest, ancestors), window.begin);
      clampCoordinates(view, factor, behind, emit::sub(view, window.end, window.begin));
      narrowed = true;
    }
    // What determines the dimension together with levels below has bounds at least.
    bool alone = isa<AffineDimExpr>(own);
    if (!alone && own.isFunctionOfDim(window.dim) && own.getKind() != AffineExprKind::Mod) {
      Interval all = Intervals(view, storage, windows).of(own);
      view.lo = arith::MaxSIOp::create(b, loc, view.lo, all.least);
      view.hi = arith::MinSIOp::create(b, loc, view.hi,
                                       emit::add(view, all.greatest, emit::constant(view, 1)));
      narrowed = true;
    }
  }
  return narrowed;
}

} // namespace strata
