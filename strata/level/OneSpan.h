// What levels have in common that store one interval of coordinates for each parent.
#ifndef STRATA_LEVEL_ONESPAN_H
#define STRATA_LEVEL_ONESPAN_H

#include "strata/level/Edges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace strata {

/// The span of a parent p has the positions [pos[p], pos[p + 1]); pos is the level's first buffer.
/// With which coordinate it begins is the format's own affair.
struct OneSpanLevel : LevelFormat, SpanIteration, Locate, Build, Inspect {
  using LevelFormat::LevelFormat;

  const SpanIteration *spanIteration() const override { return this; }
  const Locate *locate() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return Edges::children(level.buffers[0], parent);
  }

  PositionRange spanIter(LevelView &view, PositionRange parent) const override {
    return Edges::parents(view, parent);
  }
  bool hasOnePerParent() const override { return true; }
  Found locate(LevelView &view, mlir::Value parent, mlir::Value crd) const override {
    Span span = spanAccess(view, parent);
    mlir::Value offset = emit::sub(view, crd, span.first);
    // As unsigned numbers, negative ones are large.
    mlir::Value inside =
        mlir::arith::CmpIOp::create(view.b, view.loc, mlir::arith::CmpIPredicate::ult, offset,
                                    emit::sub(view, span.end, span.first));
    return {emit::add(view, span.pos, offset), inside};
  }

protected:
  /// All positions of a parent, the first of them with this coordinate.
  static Span spanFrom(LevelView &view, mlir::Value parent, mlir::Value first) {
    PositionRange stored = Edges::children(view, view.buffers[0], {parent});
    return {first, emit::add(view, first, emit::sub(view, stored.end, stored.begin)), stored.begin};
  }
};

} // namespace strata

#endif // STRATA_LEVEL_ONESPAN_H
