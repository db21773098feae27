// Runs transposes in blocks, so that whole lines of both tensors are used.
//
// before: for a { for b { for c { for d { B[a, d, c, b] = A[a, b, c, d] } } } }
// after:  for a { for blocks of d { for blocks of b {
//           for 4 by 4 values of b and d {
//             transpose A[a, b..., c, d...] in registers into a buffer }
//           for d { copy a run of the buffer to B[a, d, c, b...] } } } }
//
// The last labels of B are one dimension, along which a run of B lies, and so are those of A: as
// many labels as the two dimensions can have without a common one, so that runs are long where the
// labels have few values. The other labels, and blocks of the dimension of A, are shared by the
// pieces. Where A and B have their last labels in common, runs of these are copied as they lie.
//
// A result that is larger than the caches is stored past them: a line that is written whole need
// not be read. (Springer and others, HPTT: A High-Performance Tensor Transposition C++ Library,
// 2017.)
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/scf/TransposeEmitter.h"
#include "strata/lower/scf/VectorSquare.h"
#include "strata/lower/utils/ControlFlow.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_BLOCKTRANSPOSES
#include "strata/lower/Passes.h.inc"

namespace {

// Of fewer elements loops take no time.
constexpr int64_t leastElements = 1024;

class TransposeBlocks : TransposeEmitter {
public:
  TransposeBlocks(TransposeNest given, Value context, int64_t vectorBytes, const CacheSizes &caches)
      : TransposeEmitter(std::move(given), context, vectorBytes), run(1024 / bytes),
        pitch(run / 2 + 2 * line),
        rows(std::clamp<int64_t>(caches.second / 2 / (pitch * bytes), 2 * lanes, 2 * run) /
             (2 * lanes) * (2 * lanes)),
        mostInCaches(caches.third) {}

  /// Emits: if each label goes through its whole dimension { blocks } else { the loops as they
  /// were }
  void emit() {
    chooseDimensions();
    Value fits = isWhole();
    auto choice = scf::IfOp::create(b, loc, fits, /*withElseRegion=*/true);
    nest.whole()->moveBefore(choice.elseBlock()->getTerminator());
    b.setInsertionPointToStart(choice.thenBlock());
    emitPieces();
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // Dimensions
  //===----------------------------------------------------------------------------------------===//

  /// Labels as one dimension, the last one first.
  struct Dimension {
    SmallVector<unsigned> labels;
    Value size;
  };

  bool has(const Dimension &dimension, unsigned label) const {
    return llvm::is_contained(dimension.labels, label);
  }

  // Lets the dimensions grow in turns, each until the next label belongs to the other.
  void chooseDimensions() {
    ArrayRef<unsigned> from = nest.source.loops, to = nest.target.loops;
    unsigned shared = nest.sharedLabels();
    unit.labels = llvm::to_vector(from.take_front(shared));
    from = from.drop_front(shared), to = to.drop_front(shared);
    for (bool grows = true; grows;) {
      grows = false;
      if (!to.empty() && !has(along, to.front())) {
        across.labels.push_back(to.front());
        to = to.drop_front();
        grows = true;
      }
      if (!from.empty() && !has(across, from.front())) {
        along.labels.push_back(from.front());
        from = from.drop_front();
        grows = true;
      }
    }
    for (unsigned label : nest.target.loops)
      if (!has(unit, label) && !has(across, label) && !has(along, label))
        others.labels.push_back(label);
    for (Dimension *dimension : {&unit, &across, &along, &others}) {
      dimension->size = constant(1);
      for (unsigned label : dimension->labels)
        dimension->size = multiply(dimension->size, nest.extents[label]);
    }
    findStrides(nest.source, sourceStrides);
    findStrides(nest.target, targetStrides);
  }

  // Finds how far apart neighbours of each label are, if each goes through its whole dimension.
  void findStrides(const TransposeNest::Layout &layout, SmallVector<Value> &strides) {
    strides.resize(nest.extents.size());
    Value stride = constant(1);
    for (unsigned label : layout.loops) {
      strides[label] = stride;
      stride = multiply(stride, nest.extents[label]);
    }
  }

  Value isWhole() {
    Value elements = constant(1);
    for (Value extent : nest.extents)
      elements = multiply(elements, extent);
    Value fits = isAtLeast(elements, leastElements);
    for (const TransposeNest::Layout *layout : {&nest.source, &nest.target})
      for (auto [label, size] : llvm::zip(layout->loops, layout->sizes))
        if (nest.extents[label] != size)
          fits = both(fits, isSame(nest.extents[label], size));
    Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, nest.store.getMemRef());
    Value odd = b.createOrFold<arith::RemUIOp>(loc, begin, constant(bytes));
    streams = both(isAtLeast(elements, mostInCaches / bytes), isSame(odd, constant(0)));
    return fits;
  }

  // Returns where value `at` of a dimension lies.
  Value offset(const Dimension &dimension, ArrayRef<Value> strides, Value at) {
    Value sum;
    for (auto [number, label] : llvm::enumerate(dimension.labels)) {
      Value extent = nest.extents[label], value = at;
      if (number + 1 < dimension.labels.size()) {
        value = b.createOrFold<arith::RemUIOp>(loc, at, extent);
        at = divide(at, extent);
      }
      Value part = multiply(value, strides[label]);
      sum = sum ? add(sum, part) : part;
    }
    return sum ? sum : constant(0);
  }

  // Writes to `offsets` where `count` values of the dimension of B from `first` on lie in A: for
  // the values of the last label, which are equally far apart, at a time, as divisions take long.
  // Behind the last value follows the first one, `beyond` further.
  void fillPlaces(Value first, Value count, Value beyond) {
    filled = count;
    Value extent = nest.extents[across.labels[0]], stride = sourceStrides[across.labels[0]];
    Values state{constant(0), offset(across, sourceStrides, first)};
    for (unsigned label : across.labels) {
      state.push_back(b.createOrFold<arith::RemUIOp>(loc, first, nest.extents[label]));
      first = divide(first, nest.extents[label]);
    }
    whileLoop(
        b, loc, state, [&](Values now) { return isLess(now[0], count); },
        [&](Values now) -> Values {
          Value at = now[0], place = now[1], step = subtract(extent, now[2]);
          step = minimum(step, subtract(count, at));
          loop(constant(0), step, 1, [&](Value value) {
            Value found = add(place, multiply(value, stride));
            memref::StoreOp::create(b, loc,
                                    arith::IndexCastOp::create(b, loc, b.getI64Type(), found),
                                    offsets, ValueRange{add(at, value)});
          });
          Values next{add(at, step), add(place, multiply(step, stride))};
          for (auto [number, label] : llvm::enumerate(across.labels)) {
            Value value = add(now[number + 2], step), isOver = isSame(value, nest.extents[label]);
            next.push_back(arith::SelectOp::create(b, loc, isOver, constant(0), value));
            bool isLast = number + 1 == across.labels.size();
            Value forth = isLast ? beyond : sourceStrides[across.labels[number + 1]];
            Value jump = subtract(forth, multiply(nest.extents[label], sourceStrides[label]));
            next[1] = add(next[1], arith::SelectOp::create(b, loc, isOver, jump, constant(0)));
            step = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), isOver);
          }
          return next;
        });
  }

  //===----------------------------------------------------------------------------------------===//
  // Pieces
  //===----------------------------------------------------------------------------------------===//

  // Divides the work into units: a block of the dimension of A at one place of the other labels.
  void emitPieces() {
    Value most = unit.labels.empty() ? constant(rows)
                                     : maximum(divide(constant(2 * run), unit.size), constant(1));
    Value blocks = divideUp(along.size, most), units = multiply(others.size, blocks);
    if (unit.labels.empty()) // blocks of equal height
      most = minimum(roundUp(divideUp(along.size, maximum(blocks, constant(1))), line), most);
    if (!nest.pieces)
      return emitUnits(constant(0), units, blocks, most);
    Value threads = divideUp(nest.pieces.getUpperBound()[0], constant(STRATA_SHARES_OF_THREAD));
    auto parallel = scf::ParallelOp::create(b, loc, ValueRange{constant(0)}, ValueRange{threads},
                                            ValueRange{constant(1)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(parallel.getBody());
    Value piece = parallel.getInductionVars()[0];
    Value begin = divide(multiply(units, piece), threads);
    Value end = divide(multiply(units, add(piece, constant(1))), threads);
    emitUnits(begin, end, blocks, most);
  }

  void emitUnits(Value begin, Value end, Value blocks, Value most) {
    emit::Growing copied =
        allocate(constant((std::max(rows * pitch, longRun() + 2 * run) + line) * parts), real);
    emit::Growing places = allocate(constant(longRun()), b.getI64Type());
    buffer = copied.data, offsets = places.data;
    auto placeOfUnit = [&](Value number) {
      Value outer = divide(number, blocks);
      Value first = multiply(b.createOrFold<arith::RemUIOp>(loc, number, blocks), most);
      return std::pair(outer, first);
    };
    loop(begin, end, 1, [&](Value number) {
      auto [outer, first] = placeOfUnit(number);
      auto [nextOuter, nextFirst] =
          placeOfUnit(minimum(add(number, constant(1)), subtract(end, constant(1))));
      Part block{first, minimum(subtract(along.size, first), most),
                 offset(others, sourceStrides, outer), offset(others, targetStrides, outer),
                 add(offset(others, sourceStrides, nextOuter), nextFirst)};
      if (unit.labels.empty())
        transposeRows(block);
      else
        copyUnits(block);
    });
    LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::seq_cst); // stores past the caches
    release(places);
    release(copied);
  }

  /// `count` values of the dimension of A from `first` on, where the labels outside begin, and
  /// where the next part does in A.
  struct Part {
    Value first, count, source, target, next;
  };

  // Returns how many elements a run of B has that units are copied to together.
  int64_t longRun() const { return 4 * 1024 * 8 / bytes; }

  //===----------------------------------------------------------------------------------------===//
  // Different last labels
  //===----------------------------------------------------------------------------------------===//

  void transposeRows(const Part &block) {
    // Runs of equal length, of whole lines, as long as the buffer has room for.
    Value mostWide = arith::SelectOp::create(b, loc, isLess(block.count, constant(rows / 2 + 1)),
                                             constant(run), constant(run / 2));
    Value chunks = divideUp(across.size, mostWide);
    Value chunk = roundUp(divideUp(across.size, chunks), line);
    loop(constant(0), across.size, chunk, [&](Value first) {
      Value wide = minimum(subtract(across.size, first), chunk);
      Value width = add(mostWide, constant(2 * line));
      if (isAdjacent())
        width = arith::SelectOp::create(b, loc, isSame(wide, across.size), wide, width);
      fillBuffer(block, first, wide, width);
      auto targetOf = [&](Value row) {
        Value at = offset(along, targetStrides, add(block.first, row));
        return add(add(block.target, at), first);
      };
      auto storeRows = [&] {
        Value isFirst = isSame(first, constant(0));
        Value isLast = isSame(add(first, wide), across.size);
        loop(block.count, [&](Value row) {
          storePart({targetOf(row), placeOf(row, width), wide, isFirst, isLast},
                    [&](Value step) { askForPart(block, wide, row, step); });
        });
      };
      if (!isAdjacent())
        return storeRows();
      auto store = [&](Value row, Value count) {
        storeRun(targetOf(row), buffer, placeOf(row, width), multiply(wide, count),
                 Reading{block.next, block.count, multiply(wide, row)});
      };
      branch(isSame(wide, across.size), [&] { storeTogether(block, store); }, storeRows);
    });
  }

  // While columns are stored past the caches, the next ones are read: for each vector of a row that
  // is stored a line of A.
  void askForPart(const Part &block, Value wide, Value row, Value step) {
    Value inGroup = b.createOrFold<arith::RemUIOp>(loc, row, constant(lanes));
    Value share = divide(wide, constant(lanes)), number = add(step, constant(line));
    Value column = add(add(wide, multiply(inGroup, share)), divide(number, constant(lanes)));
    Value line = placeAt(minimum(column, subtract(filled, constant(1))));
    Value from = add(add(block.source, block.first), subtract(row, inGroup));
    askFor(add(from, line), /*localityHint=*/2);
  }

  // Returns where a row of the buffer begins. A line before it is for the end of the part of the
  // row of B that was stored before.
  Value placeOf(Value row, Value width) { return add(multiply(row, width), constant(line)); }

  // Tells whether the runs of B for values of the last label of the dimension of A lie one behind
  // the other.
  bool isAdjacent() const {
    return nest.target.loops[across.labels.size()] == along.labels.front();
  }

  // Stores rows that differ in the last label alone together.
  void storeTogether(const Part &block, llvm::function_ref<void(Value row, Value count)> store) {
    Value extent = nest.extents[along.labels.front()], end = add(block.first, block.count);
    loop(divide(block.first, extent), divideUp(end, extent), 1, [&](Value number) {
      Value begin = maximum(multiply(number, extent), block.first);
      Value last = minimum(multiply(add(number, constant(1)), extent), end);
      store(subtract(begin, block.first), subtract(last, begin));
    });
  }

  // Value `row` of the dimension of A and value `column` of that of B go to place `column` of the
  // buffer's row. The last squares begin so early that they end with the block: what they have in
  // common with the ones before is copied twice. Labels of fewer values than a vector are copied
  // one by one.
  void fillBuffer(const Part &block, Value first, Value wide, Value width) {
    Value begin = add(block.source, block.first);
    // So many columns are asked for before they are read: memory takes as long as several squares.
    Value ahead =
        multiply(divideUp(constant(12 * 1024 / bytes / lanes), block.count), constant(lanes));
    fillPlaces(first, add(add(wide, wide), ahead), subtract(block.next, begin));
    auto lineOf = [&](Value column) { return add(begin, placeAt(column)); };
    auto copyColumn = [&](Value column) {
      Value line = lineOf(column);
      coldLoop(block.count,
               [&](Value row) { keepElement(add(line, row), add(placeOf(row, width), column)); });
    };
    auto startOf = [&](Value at, Value end) { return minimum(at, subtract(end, constant(lanes))); };
    branch(
        both(isAtLeast(wide, lanes), isAtLeast(block.count, lanes)),
        [&] {
          loop(constant(0), wide, lanes, [&](Value at) {
            Value column = startOf(at, wide);
            Value later = startOf(add(column, ahead), filled);
            SmallVector<Value> lines, next;
            for (int64_t number = 0; number < lanes; ++number) {
              lines.push_back(lineOf(add(column, constant(number))));
              next.push_back(lineOf(add(later, constant(number))));
            }
            loop(constant(0), block.count, lanes, [&](Value from) {
              for (Value line : next) // so many short runs are not foreseen by processors
                askFor(add(line, from), /*localityHint=*/3);
              square(lines, startOf(from, block.count), width, column);
            });
          });
        },
        [&] { loop(wide, copyColumn); });
  }

  void square(ArrayRef<Value> lines, Value row, Value width, Value column) {
    SmallVector<Value> vectors;
    for (Value line : lines)
      vectors.push_back(loadVector(source, add(line, row)));
    transposeSquare(b, loc, vectors, parts);
    for (auto [at, vector] : llvm::enumerate(vectors)) {
      Value place = add(placeOf(add(row, constant(int64_t(at))), width), column);
      keepVector(vector, place);
    }
  }

  //===----------------------------------------------------------------------------------------===//
  // Common last labels
  //===----------------------------------------------------------------------------------------===//

  // Gathers short units of a run of B in the buffer, and copies long ones one by one.
  void copyUnits(const Part &block) {
    Value most = maximum(divide(constant(longRun()), unit.size), constant(1));
    Value isLong = isAtLeast(unit.size, 2 * run);
    loop(constant(0), across.size, most, [&](Value first) {
      Value count = minimum(subtract(across.size, first), most);
      fillPlaces(first, count, constant(0));
      loop(block.count, [&](Value row) {
        Value begin = add(block.source, multiply(add(block.first, row), unit.size));
        Value to = add(add(block.target, offset(along, targetStrides, add(block.first, row))),
                       multiply(first, unit.size));
        auto unitAt = [&](Value at) { return add(begin, placeAt(at)); };
        branch(
            isLong,
            [&] {
              loop(count, [&](Value at) {
                storeRun(add(to, multiply(at, unit.size)), source, unitAt(at), unit.size, {});
              });
            },
            [&] {
              loop(count, [&](Value at) {
                constexpr int64_t ahead = 8; // units are short, and take less time than memory
                Value later = minimum(add(at, constant(ahead)), subtract(count, constant(1)));
                gather(unitAt(at), multiply(at, unit.size), unitAt(later));
              });
              storeRun(to, buffer, constant(0), multiply(count, unit.size),
                       Reading{add(begin, unit.size), unit.size, constant(0)});
            });
      });
    });
  }

  // The last vector begins so early that it ends with the unit. The same place of a unit that
  // follows is asked for.
  void gather(Value from, Value to, Value later) {
    branch(
        isAtLeast(unit.size, lanes),
        [&] {
          loop(constant(0), unit.size, lanes, [&](Value start) {
            askFor(add(later, start), /*localityHint=*/3);
            Value at = minimum(start, subtract(unit.size, constant(lanes)));
            keepVector(loadVector(source, add(from, at)), add(to, at));
          });
        },
        [&] { coldLoop(unit.size, [&](Value at) { keepElement(add(from, at), add(to, at)); }); });
  }

  int64_t run, pitch, rows; ///< elements of a run of B, of a row of the buffer; rows of it
  int64_t mostInCaches;     ///< bytes of a result that is not stored past them
  Dimension unit;           ///< the last labels that A and B have in common
  Dimension across, along;  ///< along which runs of B, and those of A, lie
  Dimension others;         ///< what is left
  SmallVector<Value> sourceStrides, targetStrides; ///< by label
};

struct BlockTransposes : impl::BlockTransposesBase<BlockTransposes> {
  using BlockTransposesBase::BlockTransposesBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (forbiddenFor(kernel).contains(Resolution::Transposes))
        continue;
      std::vector<TransposeNest> found;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        std::optional<TransposeNest> nest = TransposeNest::match(loop);
        if (!nest)
          return WalkResult::advance();
        if (TransposeEmitter::servesWith(*nest, vectorBytes))
          found.push_back(std::move(*nest));
        return WalkResult::skip();
      });
      for (TransposeNest &nest : found)
        TransposeBlocks(std::move(nest), kernel.getArgument(0), vectorBytes,
                        {.second = secondCache, .third = thirdCache})
            .emit();
    }
  }
};

} // namespace
} // namespace strata
