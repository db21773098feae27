// Runs transposes in blocks, so that whole lines of both tensors are used.
//
// before: for a { for b { for c { for d { B[a, d, c, b] = A[a, b, c, d] } } } }
// after:  for a { for blocks of d { for blocks of b {
//           for 4 by 4 values of b and d { transpose A[a, b..., c, d...] in
//           registers into a buffer } for d { copy a run of the buffer to B[a,
//           d, c, b...] } } } }
//
// The last labels of B are one dimension, along which a run of B lies, and so
// are those of A: as many labels as the two dimensions can have without a
// common one, so that runs are long where the labels have few values. The other
// labels, and blocks of the dimension of A, are shared by the pieces. Where A
// and B have their last labels in common, runs of these are copied as they lie.
//
// A result that is larger than the caches is stored past them: a line that is
// written whole need not be read. (Springer and others, HPTT: A
// High-Performance Tensor Transposition C++ Library, 2017.)
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/scf/LoopEmitter.h"
#include "strata/lower/scf/TransposeNest.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/scf/VectorSquare.h"
#include "strata/lower/utils/LoopHints.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_BLOCKTRANSPOSES
#include "strata/lower/Passes.h.inc"

namespace {

constexpr int64_t lineBytes = 64;
// Of fewer elements loops take no time.
constexpr int64_t leastElements = 1024;

class TransposeBlocks : LoopEmitter {
public:
  TransposeBlocks(TransposeNest given, Value context, int64_t vectorBytes, const CacheSizes &caches)
      : LoopEmitter(given.whole(), given.store.getLoc(), context), nest(std::move(given)),
        bytes(nest.element().getIntOrFloatBitWidth() / 8), lanes(vectorBytes / bytes),
        run(1024 / bytes), pitch(run + lineBytes / bytes),
        rows(std::clamp<int64_t>(caches.second / 2 / (pitch * bytes), 2 * lanes, 2 * run) /
             (2 * lanes) * (2 * lanes)),
        mostInCaches(caches.third) {}

  /// if each label goes through its whole dimension { blocks } else { the loops
  /// as they were }
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

  // The dimensions grow in turns, each until the next label belongs to the
  // other.
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

  // How far apart neighbours of each label are, if each goes through its whole
  // dimension.
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

  // Where value `at` of a dimension lies.
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

  //===----------------------------------------------------------------------------------------===//
  // Pieces
  //===----------------------------------------------------------------------------------------===//

  // A unit of work is a block of the dimension of A at one place of the other
  // labels.
  void emitPieces() {
    Value most = unit.labels.empty() ? constant(rows)
                                     : maximum(divide(constant(2 * run), unit.size), constant(1));
    Value blocks = divideUp(along.size, most), units = multiply(others.size, blocks);
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
        allocate(constant(std::max(rows * pitch, longRun() + 2 * run)), nest.element());
    emit::Growing places = allocate(constant(longRun()), b.getI64Type());
    buffer = copied.data, offsets = places.data;
    loop(begin, end, 1, [&](Value number) {
      Value outer = divide(number, blocks);
      Value first = multiply(b.createOrFold<arith::RemUIOp>(loc, number, blocks), most);
      Part block{first, minimum(subtract(along.size, first), most),
                 offset(others, sourceStrides, outer), offset(others, targetStrides, outer)};
      if (unit.labels.empty())
        transposeRows(block);
      else
        copyUnits(block);
    });
    LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::seq_cst); // stores past the caches
    release(places);
    release(copied);
  }

  /// `count` values of the dimension of A from `first` on, and where the labels
  /// outside begin.
  struct Part {
    Value first, count, source, target;
  };

  // Elements of a run of B that units are copied to together.
  int64_t longRun() const { return 4 * 1024 * 8 / bytes; }

  //===----------------------------------------------------------------------------------------===//
  // Different last labels
  //===----------------------------------------------------------------------------------------===//

  void transposeRows(const Part &block) {
    // Runs of equal length, of whole lines.
    Value chunks = divideUp(across.size, constant(run));
    Value chunk = roundUp(divideUp(across.size, chunks), lineBytes / bytes);
    loop(constant(0), across.size, chunk, [&](Value first) {
      Value wide = minimum(subtract(across.size, first), chunk);
      Value width = constant(pitch);
      if (isAdjacent())
        width = arith::SelectOp::create(b, loc, isSame(wide, across.size), wide, width);
      fillBuffer(block, first, wide, width);
      auto store = [&](Value row, Value count) {
        Value at = offset(along, targetStrides, add(block.first, row));
        storeRun(add(add(block.target, at), first), buffer, multiply(row, width),
                 multiply(wide, count));
      };
      auto storeRows = [&] { loop(block.count, [&](Value row) { store(row, constant(1)); }); };
      if (!isAdjacent())
        return storeRows();
      branch(isSame(wide, across.size), [&] { storeTogether(block, store); }, storeRows);
    });
  }

  // Tells whether the runs of B for values of the last label of the dimension of A lie one behind
  // the other.
  bool isAdjacent() const {
    return nest.target.loops[across.labels.size()] == along.labels.front();
  }

  // Rows that differ in the last label alone, at a time.
  void storeTogether(const Part &block, llvm::function_ref<void(Value row, Value count)> store) {
    Value extent = nest.extents[along.labels.front()], end = add(block.first, block.count);
    loop(divide(block.first, extent), divideUp(end, extent), 1, [&](Value number) {
      Value begin = maximum(multiply(number, extent), block.first);
      Value last = minimum(multiply(add(number, constant(1)), extent), end);
      store(subtract(begin, block.first), subtract(last, begin));
    });
  }

  // Value `row` of the dimension of A and value `column` of that of B go to row
  // * width + column.
  void fillBuffer(const Part &block, Value first, Value wide, Value width) {
    Value source = add(block.source, block.first);
    auto lineOf = [&](Value column) {
      return add(source, offset(across, sourceStrides, add(first, column)));
    };
    Value wholeColumns = multiply(divide(wide, constant(lanes)), constant(lanes));
    Value wholeRows = multiply(divide(block.count, constant(lanes)), constant(lanes));
    auto copyColumn = [&](Value line, Value column, Value from) {
      leaveAsItIs(loop(from, block.count, 1, [&](Value row) {
        Value found =
            memref::LoadOp::create(b, loc, nest.load.getMemRef(), ValueRange{add(line, row)});
        memref::StoreOp::create(b, loc, found, buffer,
                                ValueRange{add(multiply(row, width), column)});
      }));
    };
    loop(constant(0), wholeColumns, lanes, [&](Value column) {
      SmallVector<Value> lines;
      for (int64_t at = 0; at < lanes; ++at)
        lines.push_back(lineOf(add(column, constant(at))));
      loop(constant(0), wholeRows, lanes, [&](Value row) { square(lines, row, width, column); });
      for (auto [at, line] : llvm::enumerate(lines))
        copyColumn(line, add(column, constant(int64_t(at))), wholeRows);
    });
    loop(wholeColumns, wide, 1,
         [&](Value column) { copyColumn(lineOf(column), column, constant(0)); });
  }

  void square(ArrayRef<Value> lines, Value row, Value width, Value column) {
    SmallVector<Value> vectors;
    for (Value line : lines)
      vectors.push_back(vector::LoadOp::create(b, loc, vectorType(), nest.load.getMemRef(),
                                               ValueRange{add(line, row)}));
    transposeSquare(b, loc, vectors);
    for (auto [at, vector] : llvm::enumerate(vectors)) {
      Value place = add(multiply(add(row, constant(int64_t(at))), width), column);
      vector::StoreOp::create(b, loc, vector, buffer, ValueRange{place});
    }
  }

  //===----------------------------------------------------------------------------------------===//
  // Common last labels
  //===----------------------------------------------------------------------------------------===//

  // Short units of a run of B are gathered in the buffer, long ones copied one
  // by one.
  void copyUnits(const Part &block) {
    Value most = maximum(divide(constant(longRun()), unit.size), constant(1));
    Value isLong = isAtLeast(unit.size, 2 * run);
    loop(constant(0), across.size, most, [&](Value first) {
      Value count = minimum(subtract(across.size, first), most);
      coldLoop(count, [&](Value at) {
        Value place = offset(across, sourceStrides, add(first, at));
        memref::StoreOp::create(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), place),
                                offsets, ValueRange{at});
      });
      loop(block.count, [&](Value row) {
        Value source = add(block.source, multiply(add(block.first, row), unit.size));
        Value target = add(add(block.target, offset(along, targetStrides, add(block.first, row))),
                           multiply(first, unit.size));
        auto unitAt = [&](Value at) {
          Value place = memref::LoadOp::create(b, loc, offsets, ValueRange{at});
          return add(source, arith::IndexCastOp::create(b, loc, b.getIndexType(), place));
        };
        branch(
            isLong,
            [&] {
              loop(count, [&](Value at) {
                storeRun(add(target, multiply(at, unit.size)), nest.load.getMemRef(), unitAt(at),
                         unit.size);
              });
            },
            [&] {
              loop(count, [&](Value at) { gather(unitAt(at), multiply(at, unit.size)); });
              storeRun(target, buffer, constant(0), multiply(count, unit.size));
            });
      });
    });
  }

  void gather(Value from, Value to) {
    forVectors(
        constant(0), unit.size, lanes,
        [&](Value at) {
          Value found = vector::LoadOp::create(b, loc, vectorType(), nest.load.getMemRef(),
                                               ValueRange{add(from, at)});
          vector::StoreOp::create(b, loc, found, buffer, ValueRange{add(to, at)});
        },
        [&](Value at) {
          Value found =
              memref::LoadOp::create(b, loc, nest.load.getMemRef(), ValueRange{add(from, at)});
          memref::StoreOp::create(b, loc, found, buffer, ValueRange{add(to, at)});
        });
  }

  //===----------------------------------------------------------------------------------------===//
  // Runs of B
  //===----------------------------------------------------------------------------------------===//

  VectorType vectorType() { return VectorType::get({lanes}, nest.element()); }

  // Vectors from `begin` on, as many as make a multiple of elements, and single
  // elements for the rest.
  void forVectors(Value begin, Value end, int64_t multiple, LoopBody vectors, LoopBody elements) {
    Value whole = multiply(divide(subtract(end, begin), constant(multiple)), constant(multiple));
    Value last = add(begin, whole);
    loop(begin, last, lanes, vectors);
    leaveAsItIs(loop(last, end, 1, elements));
  }

  // B[at...] = f(from[place...]), `length` elements.
  void storeRun(Value at, Value from, Value place, Value length) {
    auto store = [&](Value begin, bool past) {
      forVectors(
          begin, length, past ? std::max(lanes, lineBytes / bytes) : lanes,
          [&](Value step) { storeVector(add(at, step), from, add(place, step), past); },
          [&](Value step) { storeElement(add(at, step), from, add(place, step)); });
    };
    branch(
        streams,
        [&] {
          Value head = minimum(elementsToLine(at), length);
          leaveAsItIs(loop(constant(0), head, 1, [&](Value step) {
            storeElement(add(at, step), from, add(place, step));
          }));
          store(head, /*past=*/true);
        },
        [&] { store(constant(0), /*past=*/false); });
  }

  // How many elements from `at` on lie before the next line begins.
  Value elementsToLine(Value at) {
    Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, nest.store.getMemRef());
    Value address = add(divide(begin, constant(bytes)), at);
    Value line = constant(lineBytes / bytes);
    Value behind = b.createOrFold<arith::RemUIOp>(loc, address, line);
    return b.createOrFold<arith::RemUIOp>(loc, subtract(line, behind), line);
  }

  void storeElement(Value at, Value from, Value place) {
    IRMapping values;
    Value found = memref::LoadOp::create(b, loc, from, ValueRange{place});
    values.map(nest.load.getResult(), found);
    for (Operation *op : nest.body) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        values.map(load.getResult(),
                   memref::LoadOp::create(b, loc, load.getMemRef(), ValueRange{at}).getResult());
      else
        b.clone(*op, values);
    }
    memref::StoreOp::create(b, loc, values.lookupOrDefault(nest.store.getValueToStore()),
                            nest.store.getMemRef(), ValueRange{at});
  }

  void storeVector(Value at, Value from, Value place, bool past) {
    VectorType type = vectorType();
    IRMapping values;
    Value found = vector::LoadOp::create(b, loc, type, from, ValueRange{place});
    values.map(nest.load.getResult(), found);
    for (Operation *op : nest.body) {
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        Value other = vector::LoadOp::create(b, loc, type, load.getMemRef(), ValueRange{at});
        values.map(load.getResult(), other);
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(widenedTo(b, type, operand, operand, values));
      values.map(op->getResult(0), widened(b, *op, operands, type));
    }
    Value stored = nest.store.getValueToStore();
    Value vector = widenedTo(b, type, stored, stored, values);
    llvm::MaybeAlign alignment = past ? llvm::MaybeAlign(lanes * bytes) : llvm::MaybeAlign();
    vector::StoreOp::create(b, loc, vector, nest.store.getMemRef(), ValueRange{at},
                            /*nontemporal=*/past, alignment);
  }

  TransposeNest nest;
  int64_t bytes, lanes; ///< of an element, of a vector
  int64_t run, pitch,
      rows;                ///< elements of a run of B, of a row of the buffer; rows of it
  int64_t mostInCaches;    ///< bytes of a result that is not stored past them
  Dimension unit;          ///< the last labels that A and B have in common
  Dimension across, along; ///< along which runs of B, and those of A, lie
  Dimension others;        ///< what is left
  SmallVector<Value> sourceStrides, targetStrides; ///< by label
  Value streams;                                   ///< whether the result is stored past the caches
  Value buffer,
      offsets; ///< a block of B, and where the units of a run lie in A
};

struct BlockTransposes : impl::BlockTransposesBase<BlockTransposes> {
  using BlockTransposesBase::BlockTransposesBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (forbiddenFor(kernel).contains(Resolution::Transposes))
        continue;
      std::vector<TransposeNest> found;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        std::optional<TransposeNest> nest = TransposeNest::match(loop);
        if (!nest)
          return WalkResult::advance();
        if (vectorBytes * 8 > nest->element().getIntOrFloatBitWidth())
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
