// Copies parts of an operand into panels.
//
// Where neighbours of the panel's last label lie next to each other in the operand, they are copied
// by vectors. Where those of the label before it do, each line of the operand is read once, and its
// elements go to as many panels:
//
//   operand A[d, a], columns (a, d)      panels of 3 columns, one after the other
//     d=0: a0 a1 a2 a3                     a0d0 a0d1 a0d2 | a0d3 a1d0 a1d1 | ...
//     d=1: a0 a1 a2 a3                     read: a0d0 a1d0 a2d0 a3d0, a0d1 a1d1 ...
//
// Where those of the last contracted label do, square blocks are transposed in registers.
#include "strata/lower/scf/ContractionEmitter.h"

#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/VectorSquare.h"
#include "strata/lower/utils/ControlFlow.h"
#include "strata/lower/utils/LoopHints.h"

#include "llvm/ADT/bit.h"

using namespace mlir;

namespace strata {

void ContractionEmitter::pack(const Panels &panels) {
  auto oneByOne = [&] { packOneByOne(panels); };
  auto together = [&] { packTogether(panels); };
  Value followsResult = panels.dimension.followsResult;
  followsResult ? branch(followsResult, oneByOne, together) : together();
}

void ContractionEmitter::packTogether(const Panels &panels) {
  if (hasLines(panels.dimension, panels.tensor)) {
    auto lines = [&] {
      packLines(panels);
      clearRest(panels);
    };
    Value inRuns = panels.dimension.inRuns;
    return inRuns ? branch(inRuns, [&] { packTurns(panels); }, lines) : lines();
  }
  Value last = subtract(panels.count, constant(1));
  loop(constant(0), panels.count, panels.width, [&](Value panel) {
    Panels own = panels;
    Value next = minimum(add(panel, constant(panels.width)), last);
    if (hasVectors(panels))
      own.next = offset(panels.dimension, panels.tensor, add(panels.from, next));
    packPanel(own, panel);
  });
}

// Of values that the last panel lacks the last one is taken: sums with them are dropped.
void ContractionEmitter::packOneByOne(const Panels &panels) {
  Value last = subtract(panels.count, constant(1));
  coldLoop(roundUp(panels.count, panels.width), [&](Value at) {
    Value value = add(panels.from, minimum(at, last)), width = constant(panels.width);
    Value begin = multiply(multiply(divide(at, width), width), panels.deep);
    Value place = b.createOrFold<arith::RemUIOp>(loc, at, width);
    Value outer = offset(panels.dimension, panels.tensor, value);
    coldLoop(panels.deep, [&](Value deep) {
      Value inner = offset(depth, panels.tensor, add(panels.first, deep));
      store(panels, begin, deep, place, load(panels.tensor, outer, inner));
    });
  });
}

bool ContractionEmitter::hasLines(const Dimension &dimension, Tensor tensor) {
  ArrayRef<unsigned> labels = dimension.labels;
  return !dimension.unit[tensor] && labels.size() > 1 &&
         contraction.isUnit(tensor, labels[labels.size() - 2]);
}

// Copies line by line: value u of the last label but one and v of the last is number (outer * U +
// u) * V + v of the dimension.
void ContractionEmitter::packLines(const Panels &panels) {
  ArrayRef<unsigned> labels = panels.dimension.labels;
  Value last = extentOf(labels.back()), plane = multiply(extentOf(labels[labels.size() - 2]), last);
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
        loop(first, count, 1, [&](Value u) {
          Value number = add(multiply(u, last), shift);
          Value first = multiply(divide(number, width), width), place = subtract(number, first);
          store(panels, multiply(first, panels.deep), at, place,
                load(panels.tensor, add(source, u), inner));
        });
      });
    });
  };
  loop(divide(panels.from, plane), divideUp(end, plane), 1, planes);
}

int64_t ContractionEmitter::numbersInLine() const { return bytesOfLine / numbers.bytes(); }

// Asks for lines of the next `count` elements, which are far from those that are read now.
void ContractionEmitter::askForLines(Tensor tensor, Value outer, Value inner, Value count) {
  constexpr int64_t lines = 4;
  Value source = add(add(base[tensor], outer), inner);
  for (int64_t line = 0; line < lines; ++line) {
    Value at = add(source, minimum(constant(line * numbersInLine()), count));
    memref::PrefetchOp::create(b, loc, contraction.accesses[tensor].buffer, at, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
}

// Writes zeros for what the last panel lacks.
void ContractionEmitter::clearRest(const Panels &panels) {
  Value width = constant(panels.width), whole = divide(panels.count, width);
  Value begin = multiply(multiply(whole, width), panels.deep);
  Value used = subtract(panels.count, multiply(whole, width));
  Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, used, constant(0));
  Value first = arith::SelectOp::create(b, loc, none, width, used);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(numbers.real));
  coldLoop(panels.deep, [&](Value at) {
    coldLoop(subtract(width, first), [&](Value place) {
      store(panels, begin, at, add(first, place), Parts(numbers.parts, zero));
    });
  });
}

void ContractionEmitter::packPanel(const Panels &panels, Value panel) {
  Value begin = multiply(panel, panels.deep);
  Value left = widthOf(panels.dimension, add(panels.from, panel), subtract(panels.count, panel),
                       panels.width);
  branch(
      isAtLeast(left, panels.width),
      [&] { packWhole(panels, panel, offsetsOf(panels, panel, Value())); },
      [&] { packPart(panels, begin, offsetsOf(panels, panel, left), left); });
}

// Of a panel that has but `left` values the last one is taken for those that it lacks: sums with
// them are dropped.
SmallVector<Value> ContractionEmitter::offsetsOf(const Panels &panels, Value panel, Value left) {
  Value from = add(panels.from, panel);
  SmallVector<Value> offsets;
  for (int64_t place = 0; place < panels.width; ++place) {
    Value skipped = constant(place);
    if (left && place > 0)
      skipped = minimum(skipped, subtract(left, constant(1)));
    offsets.push_back(offset(panels.dimension, panels.tensor, add(from, skipped)));
  }
  return offsets;
}

bool ContractionEmitter::hasVectors(const Panels &panels) {
  return panels.dimension.unit[panels.tensor] && panels.width % tile.lanes == 0;
}

void ContractionEmitter::packWhole(const Panels &panels, Value panel, ArrayRef<Value> outer) {
  Value begin = multiply(panel, panels.deep);
  if (!hasVectors(panels))
    return depth.unit[panels.tensor] ? copyTransposed(panels, begin, outer)
                                     : copyElements(panels, begin, 0, outer);
  if (panels.dimension.labels.size() == 1)
    return copyVectors(panels, begin, 0, outer, Value());
  // A vector at which an outer label moves on is none.
  for (int64_t place = 0; place < panels.width; place += tile.lanes) {
    ArrayRef<Value> vector = outer.slice(place, tile.lanes);
    branch(
        areNeighbours(panels.dimension, panels.tensor,
                      add(add(panels.from, panel), constant(place)), constant(tile.lanes)),
        [&] { copyVectors(panels, begin, place, vector, Value()); },
        [&] { copyElements(panels, begin, place, vector); });
  }
}

void ContractionEmitter::packPart(const Panels &panels, Value begin, ArrayRef<Value> outer,
                                  Value left) {
  auto vectors = [&] { copyVectors(panels, begin, 0, outer, left); };
  auto elements = [&] {
    coldLoop(panels.deep, [&](Value at) { copyRow(panels, begin, 0, outer, at); });
  };
  Value inRuns = panels.dimension.inRuns;
  if (hasVectors(panels) && (inRuns || panels.dimension.labels.size() == 1))
    return inRuns ? branch(inRuns, vectors, elements) : vectors();
  // Many panels have less than a whole run.
  if (inRuns && depth.unit[panels.tensor])
    return copyTransposed(panels, begin, outer);
  elements();
}

// Copies for each contracted value the elements at these offsets, from `place` of a panel on.
void ContractionEmitter::copyElements(const Panels &panels, Value begin, int64_t place,
                                      ArrayRef<Value> outer) {
  loop(panels.deep, [&](Value at) { copyRow(panels, begin, place, outer, at); });
}

void ContractionEmitter::copyRow(const Panels &panels, Value begin, int64_t place,
                                 ArrayRef<Value> outer, Value at) {
  Value inner = offset(depth, panels.tensor, add(panels.first, at));
  for (auto [number, offset] : llvm::enumerate(outer))
    store(panels, begin, at, constant(place + int64_t(number)), load(panels.tensor, offset, inner));
}

// Copies a whole panel, of as many contracted values at a time as the largest block has; where an
// outer label moves on among them, and of the last ones, element by element.
void ContractionEmitter::copyTransposed(const Panels &panels, Value begin, ArrayRef<Value> outer) {
  int64_t step = std::min<int64_t>(tile.lanes, llvm::bit_floor(uint64_t(panels.width)));
  Value whole = multiply(divide(panels.deep, constant(step)), constant(step));
  loop(constant(0), whole, step, [&](Value at) {
    Value from = add(panels.first, at), inner = offset(depth, panels.tensor, from);
    auto blocks = [&] { transposeBlocks(panels, begin, outer, at, inner, step); };
    if (depth.labels.size() == 1)
      return blocks();
    branch(areNeighbours(depth, panels.tensor, from, constant(step)), blocks, [&] {
      coldLoop(constant(step),
               [&](Value next) { copyRow(panels, begin, 0, outer, add(at, next)); });
    });
  });
  loop(whole, panels.deep, 1, [&](Value at) { copyRow(panels, begin, 0, outer, at); });
}

// Transposes, for `step` contracted values, blocks as large as fit into what is left of the panel's
// width.
void ContractionEmitter::transposeBlocks(const Panels &panels, Value begin, ArrayRef<Value> outer,
                                         Value at, Value inner, int64_t step) {
  for (int64_t place = 0; place < panels.width;) {
    auto left = static_cast<uint64_t>(panels.width - place);
    int64_t size = std::min<int64_t>(step, llvm::bit_floor(left));
    for (int64_t next = 0; next < step; next += size)
      transposeBlock(panels, begin, place, outer.slice(place, size), add(at, constant(next)),
                     add(inner, constant(next)));
    place += size;
  }
}

// Transposes the elements at these offsets for as many contracted values.
void ContractionEmitter::transposeBlock(const Panels &panels, Value begin, int64_t place,
                                        ArrayRef<Value> outer, Value at, Value inner) {
  auto size = static_cast<int64_t>(outer.size());
  if (size == 1)
    return store(panels, begin, at, constant(place), load(panels.tensor, outer[0], inner));
  SmallVector<SmallVector<Value>> squares(numbers.parts);
  for (Value offset : outer) {
    Value source = placeOf(add(add(base[panels.tensor], offset), inner));
    Value buffer = partsOf(panels.tensor);
    Value found = vector::LoadOp::create(b, loc, vectorOf(buffer, size), buffer, source);
    Parts vectors = numbers.parted(numbers.widened(found));
    for (auto [part, vector] : llvm::enumerate(scaled(vectors, panels.tensor)))
      squares[part].push_back(vector);
  }
  for (auto [part, rows] : llvm::enumerate(squares)) {
    transposeSquare(b, loc, rows);
    for (auto [next, row] : llvm::enumerate(rows))
      vector::StoreOp::create(
          b, loc, row, panels.target,
          placeIn(panels, begin, add(at, constant(int64_t(next))), constant(place), part));
  }
}

// Copies neighbours, which lie next to each other. Of a panel that is not whole there are `left` of
// them.
void ContractionEmitter::copyVectors(const Panels &panels, Value begin, int64_t place,
                                     ArrayRef<Value> outer, Value left) {
  Value buffer = partsOf(panels.tensor);
  VectorType type = vectorOf(buffer, tile.lanes);
  auto count = static_cast<int64_t>(outer.size());
  scf::ForOp walk = loop(constant(0), panels.deep, 1, [&](Value at) {
    Value inner = offset(depth, panels.tensor, add(panels.first, at));
    Value source = add(add(base[panels.tensor], outer.front()), inner);
    for (int64_t next = 0; next < count; next += tile.lanes) {
      Value skipped = constant(next), from = placeOf(add(source, skipped));
      Value found = left ? loadFirst(buffer, from, subtract(left, skipped))
                         : vector::LoadOp::create(b, loc, type, buffer, from);
      askForNextPanel(panels, inner, place + next);
      Parts vectors = scaled(numbers.parted(numbers.widened(found)), panels.tensor);
      Value first = constant(place + next);
      for (auto [part, vector] : llvm::enumerate(vectors))
        vector::StoreOp::create(b, loc, vector, panels.target,
                                placeIn(panels, begin, at, first, part));
    }
  });
  if (left)
    leaveAsItIs(walk);
}

// Asks for the lines of a vector of the panel that is packed next.
void ContractionEmitter::askForNextPanel(const Panels &panels, Value inner, int64_t place) {
  Value at = add(add(add(base[panels.tensor], panels.next), inner), constant(place));
  for (int64_t skipped = 0; skipped < tile.lanes; skipped += numbersInLine())
    askFor(panels.tensor, add(at, constant(skipped)));
}

// Asks for an element in the second cache: of requests for the first one few can be on their way at
// a time.
void ContractionEmitter::askFor(Tensor tensor, Value at) {
  memref::PrefetchOp::create(b, loc, contraction.accesses[tensor].buffer, at, /*isWrite=*/false,
                             /*localityHint=*/2, /*isDataCache=*/true);
}

// Returns the type of a vector of so many numbers, as they lie in an operand.
VectorType ContractionEmitter::vectorOf(Value buffer, int64_t lanes) {
  return numbers.vectorInMemory(lanes).clone(cast<MemRefType>(buffer.getType()).getElementType());
}

// Loads the numbers of a vector that a mask admits, and zeros.
Value ContractionEmitter::loadUnder(Value mask, Value buffer, Value at) {
  VectorType type = vectorOf(buffer, tile.lanes);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, loc, type, buffer, at, mask, zeros);
}

// Loads the first `count` numbers of a vector, and zeros.
Value ContractionEmitter::loadFirst(Value buffer, Value at, Value count) {
  return loadUnder(firstOnes(count), buffer, at);
}

// Makes a mask of the first `count` numbers of a vector.
Value ContractionEmitter::firstOnes(Value count) {
  auto type = VectorType::get({tile.lanes * numbers.parts}, b.getI1Type());
  return vector::CreateMaskOp::create(b, loc, type, ValueRange{placeOf(count)});
}

ContractionEmitter::Parts ContractionEmitter::load(Tensor tensor, Value outer, Value inner) {
  Value at = add(add(base[tensor], outer), inner);
  Parts found;
  for (int64_t part = 0; part < numbers.parts; ++part)
    found.push_back(
        numbers.widened(memref::LoadOp::create(b, loc, partsOf(tensor), placeOf(at, part))));
  return scaled(found, tensor);
}

// Returns where a part of place `place` for contracted value `at` lies, of the panel that begins at
// number `begin`.
Value ContractionEmitter::placeIn(const Panels &panels, Value begin, Value at, Value place,
                                  int64_t part) {
  Value row = add(begin, multiply(at, constant(panels.width)));
  if (numbers.parts > 1)
    row = add(multiply(row, constant(numbers.parts)), constant(part * panels.width));
  return add(row, place);
}

void ContractionEmitter::store(const Panels &panels, Value begin, Value at, Value place,
                               const Parts &number) {
  for (auto [part, value] : llvm::enumerate(number))
    memref::StoreOp::create(b, loc, value, panels.target, placeIn(panels, begin, at, place, part));
}

// Multiplies numbers of the left operand by the factors that are the same everywhere, and by the
// sign.
ContractionEmitter::Parts ContractionEmitter::scaled(Parts number, Tensor tensor) {
  if (tensor != Tensor::left)
    return number;
  for (Value scale : contraction.scales) {
    Parts factor = numbers.partsOf(scale);
    if (auto vector = dyn_cast<VectorType>(number[0].getType()))
      factor = numbers.broadcast(factor, vector.getNumElements());
    number = numbers.product(number, factor);
  }
  return contraction.negates ? numbers.negative(number) : number;
}

} // namespace strata
