// Dimensions of several labels: tables of where their values lie, and columns in runs.
//
// Neighbours in the result are the values of the last label of its columns, a run. A tile that has
// parts of two runs is stored in pieces. So panels have values of one run each, and the last one of
// a run is narrower. Where neighbours of the label before lie next to each other in the operand,
// eight panels of neighbours take turns, so that all elements of the lines that are read for them
// are used:
//
//   operand A[d, a], columns (a, d)      panels of 3 columns, 2 values of a in turn
//     d=0: a0 a1 a2 a3                     a0d0 a0d1 a0d2 | a1d0 a1d1 a1d2 | a0d3 | a1d3 |
//     d=1: a0 a1 a2 a3                     a2d0 a2d1 a2d2 | a3d0 ...
//
// Squares of both labels are transposed in registers. What a panel lacks has a place in the
// dimension; it is neither computed nor stored.
#include "strata/lower/scf/ContractionEmitter.h"

#include "strata/lower/scf/VectorSquare.h"

using namespace mlir;

namespace strata {

// Products with what the last vector of each run lacks are lost. Tiles of several runs take as long
// for so many contracted values.
static constexpr int64_t lostAtMost = 12;
static constexpr int64_t mostInTurn = 8;
// Lines are asked for so many contracted values before they are read.
static constexpr int64_t ahead = 6;

void ContractionEmitter::cutIntoRuns() {
  if (columns.labels.size() == 1 || !columns.unit[Tensor::result])
    return;
  if (hasLines(columns, Tensor::right))
    columns.inTurn = mostInTurn;
  Value run = extentOf(columns.labels.back()), lost = subtract(roundUp(run, tile.lanes), run);
  Value deep = minimum(depth.size, constant(block.depth)), follows = columns.followsResult;
  auto choose = [&](Value inOrder, Value otherwise) {
    return follows ? b.createOrFold<arith::SelectOp>(loc, follows, inOrder, otherwise) : otherwise;
  };
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  Value areApart = isSame(
      choose(isOneRun(columns.byResult), columns.inTurn > 1 ? no : isOneRun(columns.labels)), no);
  columns.inRuns = both(areApart, isLess(multiply(lost, deep),
                                         add(multiply(run, constant(lostAtMost)), constant(1))));
  Value places = placesOf(columns);
  if (follows)
    places = choose(placesOf(columns.asInResult()), places);
  columns.size = arith::SelectOp::create(b, loc, columns.inRuns, places, columns.size);
}

// Tells whether the next run of the result begins where one ends.
Value ContractionEmitter::isOneRun(ArrayRef<unsigned> labels) {
  if (labels.size() < 2)
    return arith::ConstantIntOp::create(b, loc, 0, 1);
  Value next = strideOf(Tensor::result, labels[labels.size() - 2]);
  return isSame(next, extentOf(labels.back()));
}

// How many columns there are in runs, with those that panels lack.
Value ContractionEmitter::placesOf(const Dimension &dimension) {
  Runs runs = runsOf(dimension);
  Value places =
      multiply(multiply(runs.turns, runs.panels), constant(dimension.inTurn * tile.columns()));
  for (unsigned label : ArrayRef(dimension.labels).drop_back(dimension.inTurn > 1 ? 2 : 1))
    places = multiply(places, extentOf(label));
  return places;
}

// Tiles are near each other in the result then, but an operand is packed one by one: many values
// of the other dimension read what is packed, and few values are contracted. The fewer they are,
// the more of the time goes to the result.
void ContractionEmitter::order(Dimension &dimension, const Dimension &other) {
  constexpr int64_t enoughOthers = 1024, othersForEach = 48, mostContracted = 128;
  SmallVector<unsigned> sorted = dimension.labels;
  llvm::sort(sorted, [&](unsigned x, unsigned y) {
    return contraction.nesting[x] > contraction.nesting[y];
  });
  if (sorted == dimension.labels)
    return;
  dimension.byResult = sorted;
  Value enough = minimum(multiply(depth.size, constant(othersForEach)), constant(enoughOthers));
  dimension.followsResult = both(isLess(enough, add(other.size, constant(1))),
                                 isLess(depth.size, constant(mostContracted)));
}

ContractionEmitter::Runs ContractionEmitter::runsOf(const Dimension &dimension) {
  bool turns = dimension.inTurn > 1;
  Value turning = turns ? extentOf(dimension.labels[dimension.labels.size() - 2]) : constant(1);
  Value run = extentOf(dimension.labels.back());
  return {turning, run, divideUp(turning, constant(dimension.inTurn)),
          divideUp(run, constant(tile.columns()))};
}

//===------------------------------------------------------------------------------------------===//
// Tables
//===------------------------------------------------------------------------------------------===//

emit::Growing ContractionEmitter::emitTable(const Dimension &dimension, Tensor tensor) {
  emit::Growing table = allocate(add(dimension.size, constant(1)), b.getI64Type());
  auto values = [&] { fillTable(dimension.labels, tensor, table); };
  auto runs = [&] { fillRuns(dimension, tensor, table); };
  Value inRuns = dimension.inRuns, follows = dimension.followsResult;
  auto sorted = [&] { fillTable(dimension.byResult, tensor, table); };
  auto inOrder = [&] {
    auto sortedRuns = [&] { fillRuns(dimension.asInResult(), tensor, table); };
    inRuns ? branch(inRuns, sortedRuns, sorted) : sorted();
  };
  auto others = [&] { inRuns ? branch(inRuns, runs, values) : values(); };
  follows ? branch(follows, inOrder, others) : others();
  return table;
}

// The values of the last label, and those of the label before it where these continue them, and so
// on.
Value ContractionEmitter::neighboursOf(const Dimension &dimension, Tensor tensor) {
  auto inOrder = [&](ArrayRef<unsigned> labels) {
    Value run = extentOf(labels.back());
    Value goesOn = arith::ConstantIntOp::create(b, loc, 1, 1);
    for (unsigned label : llvm::reverse(labels.drop_back())) {
      if (!contraction.moves(tensor, label))
        break;
      goesOn = both(goesOn, isSame(strideOf(tensor, label), run));
      run = arith::SelectOp::create(b, loc, goesOn, multiply(run, extentOf(label)), run);
    }
    return run;
  };
  Value run = inOrder(dimension.labels);
  if (Value follows = dimension.followsResult)
    run = arith::SelectOp::create(b, loc, follows, inOrder(dimension.byResult), run);
  // A panel in runs has nothing else.
  if (Value inRuns = dimension.inRuns)
    run = arith::SelectOp::create(b, loc, inRuns, dimension.size, run);
  return run;
}

Value ContractionEmitter::areNeighbours(const Dimension &dimension, Tensor tensor, Value at,
                                        Value count) {
  Value run = dimension.neighbours[tensor];
  Value end = add(b.createOrFold<arith::RemUIOp>(loc, at, run), count);
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, end, run);
}

// Emits `body` for the values of these labels, in order, and where they lie.
void ContractionEmitter::forEachValue(ArrayRef<unsigned> labels, Tensor tensor,
                                      llvm::function_ref<void(Value place, Value offset)> body) {
  std::function<void(size_t, Value, Value)> walk = [&](size_t at, Value place, Value offset) {
    if (at == labels.size())
      return body(place, offset);
    Value extent = extentOf(labels[at]), stride = strideOf(tensor, labels[at]);
    coldLoop(extent, [&](Value value) {
      walk(at + 1, add(multiply(place, extent), value), add(offset, multiply(value, stride)));
    });
  };
  walk(0, constant(0), constant(0));
}

void ContractionEmitter::fillTable(ArrayRef<unsigned> labels, Tensor tensor,
                                   const emit::Growing &table) {
  forEachValue(labels, tensor, [&](Value place, Value offset) {
    Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), offset);
    memref::StoreOp::create(b, loc, word, table.data, place);
  });
}

void ContractionEmitter::fillRuns(const Dimension &dimension, Tensor tensor,
                                  const emit::Growing &table) {
  auto outer = ArrayRef(dimension.labels).drop_back(dimension.inTurn > 1 ? 2 : 1);
  forEachValue(outer, tensor, [&](Value place, Value start) {
    fillTurns(dimension, tensor, table, place, start);
  });
}

// The last two labels, where the others have values with number `place`, which begin at `start`.
// What is lacking lies where the last value does.
void ContractionEmitter::fillTurns(const Dimension &dimension, Tensor tensor,
                                   const emit::Growing &table, Value place, Value start) {
  Runs runs = runsOf(dimension);
  Value inTurn = constant(dimension.inTurn), width = constant(tile.columns());
  Value step = strideOf(tensor, dimension.labels.back()), turn = constant(0);
  if (dimension.inTurn > 1)
    turn = strideOf(tensor, dimension.labels[dimension.labels.size() - 2]);
  auto upTo = [&](Value at, Value size) { return minimum(at, subtract(size, constant(1))); };
  coldLoop(runs.turns, [&](Value turns) {
    coldLoop(runs.panels, [&](Value panel) {
      Value first =
          multiply(add(multiply(add(multiply(place, runs.turns), turns), runs.panels), panel),
                   multiply(inTurn, width));
      coldLoop(inTurn, [&](Value u) {
        Value own = upTo(add(multiply(turns, inTurn), u), runs.turning);
        Value begin = add(start, multiply(own, turn)), places = add(first, multiply(u, width));
        coldLoop(width, [&](Value v) {
          Value offset = add(begin, multiply(upTo(add(multiply(panel, width), v), runs.run), step));
          Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), offset);
          memref::StoreOp::create(b, loc, word, table.data, add(places, v));
        });
      });
    });
  });
}

void ContractionEmitter::emitWidths() {
  columns.widths =
      allocate(add(divideUp(columns.size, constant(tile.columns())), constant(1)), b.getI64Type());
  auto inTurn = [&] { fillWidths(columns); };
  Value follows = columns.followsResult;
  follows ? branch(follows, [&] { fillWidths(columns.asInResult()); }, inTurn) : inTurn();
}

void ContractionEmitter::fillWidths(const Dimension &dimension) {
  Runs runs = runsOf(dimension);
  Value inTurn = constant(dimension.inTurn), width = constant(tile.columns());
  auto modulo = [&](Value x, Value y) { return b.createOrFold<arith::RemUIOp>(loc, x, y); };
  coldLoop(divideUp(dimension.size, width), [&](Value at) {
    Value turn = divide(at, inTurn), panel = modulo(turn, runs.panels);
    Value turns = modulo(divide(turn, runs.panels), runs.turns);
    Value value = add(multiply(turns, inTurn), modulo(at, inTurn));
    Value left = minimum(subtract(runs.run, multiply(panel, width)), width);
    left = arith::SelectOp::create(b, loc, isLess(value, runs.turning), left, constant(0));
    left = arith::SelectOp::create(b, loc, dimension.inRuns, left, width);
    Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), left);
    memref::StoreOp::create(b, loc, word, dimension.widths.data, at);
  });
}

//===------------------------------------------------------------------------------------------===//
// Packing
//===------------------------------------------------------------------------------------------===//

void ContractionEmitter::packTurns(const Panels &panels) {
  int64_t square = std::min(tile.lanes, panels.dimension.inTurn);
  loop(constant(0), panels.count, panels.width * panels.dimension.inTurn, [&](Value panel) {
    Value wide =
        widthOf(panels.dimension, add(panels.from, panel), constant(panels.width), panels.width);
    for (int64_t place = 0; place < panels.width; place += square)
      branch(isLess(constant(place), wide), [&] { packSquares(panels, panel, place); }, [] {});
  });
}

// Of the panels that take turns from `panel` on the columns from `place` on, a square each.
void ContractionEmitter::packSquares(const Panels &panels, Value panel, int64_t place) {
  const Dimension &dimension = panels.dimension;
  Runs runs = runsOf(dimension);
  int64_t square = std::min(tile.lanes, dimension.inTurn);
  Value from = add(panels.from, panel), inTurn = constant(dimension.inTurn);
  Value turn = divide(from, constant(panels.width * dimension.inTurn));
  Value turns = b.createOrFold<arith::RemUIOp>(loc, divide(turn, runs.panels), runs.turns);
  Value left = subtract(runs.turning, multiply(turns, inTurn));
  Value buffer = partsOf(panels.tensor);
  VectorType type = vectorOf(buffer, square);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  auto maskType = VectorType::get(type.getShape(), b.getI1Type());
  SmallVector<Value> lines, masks;
  for (int64_t line = 0; line < square; ++line)
    lines.push_back(add(base[panels.tensor],
                        offset(dimension, panels.tensor, add(from, constant(place + line)))));
  for (int64_t first = 0; first < dimension.inTurn; first += square)
    masks.push_back(vector::CreateMaskOp::create(
        b, loc, maskType, ValueRange{placeOf(subtract(left, constant(first)))}));
  Value last = subtract(panels.deep, constant(1));
  loop(panels.deep, [&](Value at) {
    Value inner = offset(depth, panels.tensor, add(panels.first, at));
    Value soon =
        offset(depth, panels.tensor, add(panels.first, minimum(add(at, constant(ahead)), last)));
    for (Value line : lines)
      askForTurns(panels, add(line, soon));
    for (auto [number, mask] : llvm::enumerate(masks)) {
      int64_t first = int64_t(number) * square;
      SmallVector<SmallVector<Value>> vectors(numbers.parts);
      for (Value line : lines) {
        Value source = placeOf(add(add(line, inner), constant(first)));
        Value found = vector::MaskedLoadOp::create(b, loc, type, buffer, source, mask, zeros);
        Parts parts = numbers.parted(numbers.widened(found));
        for (auto [part, vector] : llvm::enumerate(scaled(parts, panels.tensor)))
          vectors[part].push_back(vector);
      }
      for (auto [part, rows] : llvm::enumerate(vectors)) {
        transposeSquare(b, loc, rows);
        for (auto [next, row] : llvm::enumerate(rows)) {
          Value begin =
              multiply(add(panel, constant((first + int64_t(next)) * panels.width)), panels.deep);
          vector::StoreOp::create(b, loc, row, panels.target,
                                  placeIn(panels, begin, at, constant(place), part));
        }
      }
    }
  });
}

// Of the values that take turns, from `at` on, those lines in which as many of them end as a line
// has: the line where they begin was read with those before.
void ContractionEmitter::askForTurns(const Panels &panels, Value at) {
  int64_t inTurn = panels.dimension.inTurn, inLine = numbersInLine();
  for (int64_t end = std::min(inLine, inTurn); end <= inTurn; end += inLine)
    askFor(panels.tensor, add(at, constant(end - 1)));
}

} // namespace strata
