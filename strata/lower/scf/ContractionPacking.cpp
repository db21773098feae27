// Copies parts of an operand into panels.
//
// Where neighbours of the panel's last label lie next to each other in the operand, they are copied
// by vectors. Where those of the label before it do, each line of the operand is read once, and its
// elements go to as many panels:
//
//   operand A[d, a], columns (a, d)      panels of 3 columns, one after the other
//     d=0: a0 a1 a2 a3                     a0d0 a0d1 a0d2 | a0d3 a1d0 a1d1 | ...
//     d=1: a0 a1 a2 a3                     read: a0d0 a1d0 a2d0 a3d0, a0d1 a1d1 ...
#include "strata/lower/scf/ContractionEmitter.h"

#include "strata/lower/utils/ControlFlow.h"

using namespace mlir;

namespace strata {

void ContractionEmitter::pack(const Panels &panels) {
  if (hasLines(panels)) {
    packLines(panels);
    return clearRest(panels);
  }
  loop(constant(0), panels.count, panels.width, [&](Value panel) {
    Value left = subtract(panels.count, panel);
    branch(
        isAtLeast(left, panels.width), [&] { packWhole(panels, panel); },
        [&] { packPart(panels, panel, left); });
  });
}

// Do neighbours of the last label but one, and of no other, lie next to each other?
bool ContractionEmitter::hasLines(const Panels &panels) {
  ArrayRef<unsigned> loops = panels.dimension.loops;
  return !panels.dimension.unit[panels.tensor] && loops.size() > 1 &&
         nest.isUnit(panels.tensor, loops[loops.size() - 2]);
}

// Line by line: value u of the last label but one and v of the last is number (outer * U + u) * V +
// v of the dimension.
void ContractionEmitter::packLines(const Panels &panels) {
  ArrayRef<unsigned> loops = panels.dimension.loops;
  Value last = extentOf(loops.back()), plane = multiply(extentOf(loops[loops.size() - 2]), last);
  Value end = add(panels.from, panels.count), width = constant(panels.width);
  auto planes = [&](Value outer) {
    Value begin = multiply(outer, plane);
    Value lower = maximum(subtract(panels.from, begin), constant(0));
    Value upper = minimum(subtract(end, begin), plane);
    loop(last, [&](Value v) {
      // Of the numbers u * V + v those from `lower` on, below `upper`.
      Value first = divideUp(maximum(subtract(lower, v), constant(0)), last);
      Value count = divideUp(maximum(subtract(upper, v), constant(0)), last);
      Value source = offset(panels.dimension, panels.tensor, add(begin, v));
      Value next = minimum(add(v, constant(1)), subtract(last, constant(1)));
      Value nextSource = offset(panels.dimension, panels.tensor, add(begin, next));
      Value shift = subtract(add(begin, v), panels.from);
      loop(panels.deep, [&](Value at) {
        Value inner = offset(depth, panels.tensor, add(panels.first, at));
        askForLines(panels.tensor, add(nextSource, first), inner, subtract(count, first));
        Value row = multiply(at, width);
        loop(first, count, 1, [&](Value u) {
          Value number = add(multiply(u, last), shift);
          Value panel = divide(number, width), place = subtract(number, multiply(panel, width));
          Value to = add(multiply(multiply(panel, width), panels.deep), add(row, place));
          memref::StoreOp::create(b, loc, load(panels.tensor, add(source, u), inner), panels.target,
                                  to);
        });
      });
    });
  };
  loop(divide(panels.from, plane), divideUp(end, plane), 1, planes);
}

// Of the next `count` elements from there, which are far from those that are read now.
void ContractionEmitter::askForLines(Tensor tensor, Value outer, Value inner, Value count) {
  constexpr int64_t lines = 4, bytesOfLine = 64;
  int64_t inLine = bytesOfLine * 8 / nest.element.getIntOrFloatBitWidth();
  Value source = add(add(base[tensor], outer), inner);
  for (int64_t line = 0; line < lines; ++line) {
    Value at = add(source, minimum(constant(line * inLine), count));
    memref::PrefetchOp::create(b, loc, nest.accesses[tensor].buffer, at, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
}

// Zero in what the last panel lacks.
void ContractionEmitter::clearRest(const Panels &panels) {
  Value width = constant(panels.width), whole = divide(panels.count, width);
  Value begin = multiply(multiply(whole, width), panels.deep);
  Value used = subtract(panels.count, multiply(whole, width));
  Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, used, constant(0));
  Value first = arith::SelectOp::create(b, loc, none, width, used);
  coldLoop(panels.deep, [&](Value at) {
    coldLoop(subtract(width, first), [&](Value place) {
      Value to = add(add(begin, multiply(at, width)), add(first, place));
      memref::StoreOp::create(b, loc, zero(), panels.target, to);
    });
  });
}

void ContractionEmitter::packWhole(const Panels &panels, Value panel) {
  const Dimension &dimension = panels.dimension;
  Value begin = multiply(panel, panels.deep), from = add(panels.from, panel);
  bool inVectors = dimension.unit[panels.tensor] && panels.width % tile.lanes == 0;
  SmallVector<Value> outer;
  for (int64_t place = 0; place < panels.width; ++place)
    outer.push_back(offset(dimension, panels.tensor, add(from, constant(place))));
  if (!inVectors)
    return copyElements(panels, begin, outer);
  SmallVector<Value> vectors;
  for (int64_t place = 0; place < panels.width; place += tile.lanes)
    vectors.push_back(outer[place]);
  if (dimension.loops.size() == 1)
    return copyVectors(panels, begin, vectors);
  // A vector at which an outer label moves on is none.
  for (auto [at, vector] : llvm::enumerate(vectors)) {
    int64_t place = int64_t(at) * tile.lanes;
    Value to = add(begin, constant(place));
    Value distance = subtract(outer[place + tile.lanes - 1], vector);
    Value together =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, distance, constant(tile.lanes - 1));
    branch(
        together, [&] { copyVectors(panels, to, {vector}); },
        [&] { copyElements(panels, to, ArrayRef(outer).slice(place, tile.lanes)); });
  }
}

// A panel of which there are `left` values.
void ContractionEmitter::packPart(const Panels &panels, Value panel, Value left) {
  Value width = constant(panels.width), begin = multiply(panel, panels.deep);
  coldLoop(panels.deep, [&](Value at) {
    Value inner = offset(depth, panels.tensor, add(panels.first, at));
    coldLoop(width, [&](Value place) {
      Value value = choice(
          b, loc, isLess(place, left), {nest.element},
          [&] {
            Value from = add(add(panels.from, panel), place);
            return Values{
                load(panels.tensor, offset(panels.dimension, panels.tensor, from), inner)};
          },
          [&] { return Values{zero()}; })[0];
      Value to = add(add(begin, multiply(at, width)), place);
      memref::StoreOp::create(b, loc, value, panels.target, to);
    });
  });
}

// For each contracted value the elements at these offsets, from `to` on.
void ContractionEmitter::copyElements(const Panels &panels, Value to, ArrayRef<Value> outer) {
  loop(panels.deep, [&](Value at) {
    Value inner = offset(depth, panels.tensor, add(panels.first, at));
    Value row = add(to, multiply(at, constant(panels.width)));
    for (auto [place, offset] : llvm::enumerate(outer))
      memref::StoreOp::create(b, loc, load(panels.tensor, offset, inner), panels.target,
                              add(row, constant(int64_t(place))));
  });
}

void ContractionEmitter::copyVectors(const Panels &panels, Value to, ArrayRef<Value> outer) {
  loop(panels.deep, [&](Value at) {
    Value inner = offset(depth, panels.tensor, add(panels.first, at));
    Value row = add(to, multiply(at, constant(panels.width)));
    for (auto [number, offset] : llvm::enumerate(outer)) {
      Value source = add(add(base[panels.tensor], offset), inner);
      Value value =
          vector::LoadOp::create(b, loc, vectorType(), nest.accesses[panels.tensor].buffer, source);
      vector::StoreOp::create(b, loc, scaled(value, panels.tensor), panels.target,
                              add(row, constant(int64_t(number) * tile.lanes)));
    }
  });
}

Value ContractionEmitter::load(Tensor tensor, Value outer, Value inner) {
  Value at = add(add(base[tensor], outer), inner);
  return scaled(memref::LoadOp::create(b, loc, nest.accesses[tensor].buffer, at), tensor);
}

// Factors that are the same everywhere go to the left operand.
Value ContractionEmitter::scaled(Value value, Tensor tensor) {
  if (tensor == Tensor::left)
    for (Value scale : nest.scales) {
      Value factor = scale;
      if (isa<VectorType>(value.getType()))
        factor = vector::BroadcastOp::create(b, loc, value.getType(), scale);
      value = arith::MulFOp::create(b, loc, value, factor);
    }
  return value;
}

} // namespace strata
