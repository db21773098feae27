// Adds up rows of few entries: without a branch at the end of each, where lengths cannot be
// foreseen.
//
// before: for i { t = 0; for p in pos[i] to pos[i + 1] { t = t + a[p] * x[crd[p]] }; y[i] = t }
// after:  way = how rows are best added up                         asked once in the kernel
//         if by masks
//           for i0 in 0, 128, ... {
//             if the 128 rows have at most 1024 entries {
//               for p in pos[i0] to pos[i0 + 128] { w[p - pos[i0]] = a[p] * x[crd[p]] }, by vectors
//               for i in i0, i0 + 8, ... { of each of eight rows four or eight terms under a mask;
//                 the sums of the eight vectors are y[i to i + 7] }; then longer rows, one by one
//             } else { the loop as it was } }
//         else if one by one { the loop, which no pass makes vectors of }
//         else for i {
//           if in one loop, and the row has fewer than 24 entries {
//             t = as it was, of which no pass makes vectors }
//           else { t = as it was }; y[i] = t }
//         or, with masks,
//           if in one loop { t = the sum of gathered vectors, the last one under a mask }
//
// A processor foresees the end of a row where rows are of one length. Where they are not, it begins
// the next row too late each time, which takes as long as twenty entries, and a choice between
// vectors and single entries is one more that it does not foresee. LLVM makes four copies of a loop
// over short rows, which is good where their ends are foreseen; else each copy has a branch of its
// own to be learned. Which rows are together depends on their numbers alone, not on the pieces that
// threads take: neither do the sums.
//
// How many vectors a row has changes less often than how many entries: so where the last vector can
// be made under a mask, most ends are foreseen, and it pays to gather even where that is slower.
#include "strata/level/Emission.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/RowBounds.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/scf/VectorLoop.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SUMSHORTROWS
#include "strata/lower/Passes.h.inc"

namespace {

constexpr int64_t rowsOfBlock = 128, mostTerms = 1024;
// So many entries of a row make up for the branches that vectors take more.
constexpr int64_t manyEntries = 24;
constexpr int64_t lanes = 8; // of the vectors of terms

// Tells whether a loop does nothing but add up numbers of one type, in any order, which it computes
// from operands that are looked up.
bool addsLookUps(VectorLoop &loop) {
  std::string why;
  if (!loop.analyze(why) || loop.sums.size() != 1 || loop.stores() || !loop.looksUp())
    return false;
  const LoopSum &sum = loop.sums.front();
  return isa<arith::AddFOp>(sum.combine) && sum.mayReorder() &&
         (sum.type().isF64() || sum.type().isF32()) && !sum.term.getDefiningOp<arith::ExtFOp>();
}

// A loop over rows, each of which is a sum over its entries.
class Rows {
public:
  Rows(scf::ForOp rows, func::FuncOp kernel, const SumShortRowsOptions &options)
      : rows(rows), kernel(kernel), loc(rows.getLoc()), options(options),
        sum(rows, options.gathers) {}

  bool match() {
    if (!rows.getInitArgs().empty() || getConstantIntValue(rows.getStep()) != 1 ||
        rows->hasAttr(loopAnnotationName) || !findSum())
      return false;
    std::optional<RowBounds> bounds = RowBounds::of(sum.loop);
    if (!bounds || bounds->row != rows.getInductionVar() || !isAtEntry(bounds->positions) ||
        !isa<BlockArgument>(wholeOf(bounds->positions)))
      return false;
    positions = bounds->positions;
    return findOperands() && llvm::all_of(rows.getBody()->without_terminator(),
                                          [&](Operation &op) { return isKnown(op); });
  }

  void emit() {
    Operation *outermost = rows;
    while (outermost->getParentOp() != kernel)
      outermost = outermost->getParentOp();
    OpBuilder b(outermost);
    Value way =
        emit::wayToAddRows(b, loc, kernel.getArgument(0), positions, operands.getArrayRef());
    auto is = [&](int64_t one) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, way, constant(b, loc, one));
    };
    oneByOne = is(STRATA_ROWS_ONE_BY_ONE);
    byMasks = is(STRATA_ROWS_BY_MASKS);
    inOneLoop = is(STRATA_ROWS_IN_ONE_LOOP);
    if (!element().isF64()) {
      inOneLoop = arith::OrIOp::create(b, loc, inOneLoop, byMasks);
      b.setInsertionPoint(rows);
      emitLoops(b, rows.getLowerBound(), rows.getUpperBound());
      return;
    }
    Block *around = &kernel.getBody().front();
    if (auto piece = rows->getParentOfType<scf::ParallelOp>())
      around = piece.getBody();
    b.setInsertionPointToStart(around);
    auto room = [&](int64_t count) -> Value {
      Value made =
          memref::AllocaOp::create(b, loc, MemRefType::get({count}, element()),
                                   b.getI64IntegerAttr(bytesOfLine)); // a vector is stored in one
      Type any = MemRefType::get({ShapedType::kDynamic}, element());
      return memref::CastOp::create(b, loc, any, made);
    };
    terms = room(mostTerms);
    sums = placesOfSums();
    storesDirectly = bool(sums);
    if (!storesDirectly)
      sums = room(rowsOfBlock);
    b.setInsertionPoint(rows);
    emitBlocks(b);
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // What the loop does
  //===----------------------------------------------------------------------------------------===//

  Type element() const { return sum.sums.front().type(); }

  bool isAtEntry(Value value) { return value.getParentBlock() == &kernel.getBody().front(); }

  bool findSum() {
    scf::ForOp inner;
    for (Operation &op : rows.getBody()->without_terminator())
      if (op.getNumRegions() > 0) {
        if (inner || !isa<scf::ForOp>(op))
          return false;
        inner = cast<scf::ForOp>(op);
      }
    if (!inner)
      return false;
    sum = VectorLoop(inner, options.gathers);
    VectorLoop gathered(inner, /*gathers=*/true);
    endsUnderMasks = options.masks && addsLookUps(gathered) && gathered.canMask();
    return addsLookUps(sum) && (element().isF64() || endsUnderMasks) &&
           matchPattern(inner.getInitArgs()[0], m_AnyZeroFloat());
  }

  // What is looked up, before all loops; terms depend on their place alone.
  bool findOperands() {
    for (Operation &op : sum.loop.getBody()->without_terminator()) {
      for (Value operand : op.getOperands())
        if (!rows.isDefinedOutsideOfLoop(operand) && sum.loop.isDefinedOutsideOfLoop(operand))
          return false;
      auto load = dyn_cast<memref::LoadOp>(op);
      if (load && load.getType() == element() && isAtEntry(load.getMemRef()) &&
          !sum.loop.isDefinedOutsideOfLoop(load.getIndices()[0]) &&
          load.getIndices()[0] != sum.loop.getInductionVar())
        operands.insert(load.getMemRef());
    }
    return !operands.empty();
  }

  // Rows are stored where no term is read.
  bool isKnown(Operation &op) {
    auto store = dyn_cast<memref::StoreOp>(op);
    if (!store)
      return &op == sum.loop || isPure(&op) || isa<memref::LoadOp>(op);
    return llvm::none_of(sum.loop.getBody()->getOps<memref::LoadOp>(), [&](memref::LoadOp load) {
      return wholeOf(load.getMemRef()) == wholeOf(store.getMemRef());
    });
  }

  //===----------------------------------------------------------------------------------------===//
  // Blocks of rows
  //===----------------------------------------------------------------------------------------===//

  static Value constant(OpBuilder &b, Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value position(OpBuilder &b, Value row) {
    Value at = memref::LoadOp::create(b, loc, positions, row);
    return at.getType().isIndex()
               ? at
               : Value(arith::IndexCastUIOp::create(b, loc, b.getIndexType(), at));
  }

  // One block has all rows where these are not added up by masks.
  void emitBlocks(OpBuilder &b) {
    Value lower = rows.getLowerBound(), upper = rows.getUpperBound();
    Value first = arith::AndIOp::create(b, loc, lower, constant(b, loc, -rowsOfBlock));
    Value all = arith::MaxSIOp::create(b, loc, upper, constant(b, loc, 1));
    Value step = arith::SelectOp::create(b, loc, byMasks, constant(b, loc, rowsOfBlock), all);
    auto blocks = scf::ForOp::create(b, loc, first, upper, step);
    OpBuilder inside = OpBuilder::atBlockTerminator(blocks.getBody());
    Value begin = blocks.getInductionVar();
    Value behind = arith::AddIOp::create(inside, loc, begin, step);
    Value fits = arith::AndIOp::create(inside, loc, byMasks, haveFewTerms(inside, begin, behind));
    // Of the block those rows that the loop has.
    begin = arith::MaxSIOp::create(inside, loc, begin, lower);
    Value end = arith::MinSIOp::create(inside, loc, behind, upper);
    auto choice = scf::IfOp::create(inside, loc, fits, /*withElseRegion=*/true);
    inside.setInsertionPointToStart(choice.thenBlock());
    emitTerms(inside, position(inside, begin), position(inside, end), position(inside, upper));
    emitSums(inside, begin, end);
    inside.setInsertionPoint(choice.elseBlock()->getTerminator());
    emitLoops(inside, begin, end);
  }

  // The loop, and another one of whose rows no pass makes vectors.
  void emitLoops(OpBuilder &b, Value begin, Value end) {
    auto choice = scf::IfOp::create(b, loc, oneByOne, /*withElseRegion=*/true);
    rows->moveBefore(choice.elseBlock()->getTerminator());
    rows.setLowerBound(begin);
    rows.setUpperBound(end);
    OpBuilder inside(choice.thenBlock()->getTerminator());
    auto copy = cast<scf::ForOp>(inside.clone(*rows));
    for (auto entriesOfRow : copy.getBody()->getOps<scf::ForOp>())
      leaveAsItIs(entriesOfRow);
    leaveAsItIs(rows);
    // Where all rows end under masks, there is nothing else to do with uneven ones.
    if (!options.gathers || !endsUnderMasks)
      addUpApart();
  }

  // In one loop, rows are added up under masks or, if they have few entries, one by one.
  void addUpApart() {
    scf::ForOp loop = sum.loop;
    OpBuilder b(loop);
    Value apart = inOneLoop;
    if (!endsUnderMasks) {
      Value length = arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
      Value few = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, length,
                                        constant(b, loc, manyEntries));
      apart = arith::AndIOp::create(b, loc, inOneLoop, few);
    }
    auto choice = scf::IfOp::create(b, loc, loop.getResultTypes(), apart, /*withElseRegion=*/true);
    loop.replaceAllUsesWith(choice.getResults());
    OpBuilder inside = choice.getThenBodyBuilder();
    auto copy = cast<scf::ForOp>(inside.clone(*loop));
    scf::YieldOp::create(inside, loc, copy.getResults());
    if (VectorLoop masked(copy, /*gathers=*/true); endsUnderMasks && addsLookUps(masked))
      masked.emitUnderMasks(bytesOfVector * 8 / element().getIntOrFloatBitWidth());
    else
      leaveAsItIs(copy);
    inside = choice.getElseBodyBuilder();
    auto yield = scf::YieldOp::create(inside, loc, loop.getResults());
    loop->moveBefore(yield);
  }

  // Have the rows of a block, also those that other pieces of the loop have, few entries?
  Value haveFewTerms(OpBuilder &b, Value begin, Value behind) {
    Value count = memref::DimOp::create(b, loc, positions, constant(b, loc, 0));
    Value all = arith::SubIOp::create(b, loc, count, constant(b, loc, 1));
    Value end = arith::MinSIOp::create(b, loc, behind, all);
    Value entries = arith::SubIOp::create(b, loc, position(b, end), position(b, begin));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, entries,
                                 constant(b, loc, mostTerms));
  }

  // The terms of all rows, one behind the other. The last vector also has terms of the rows that
  // follow, up to `behind`, where the loop ends: what is left over would be a loop of its own in
  // each block, whose end is not foreseen.
  void emitTerms(OpBuilder &b, Value begin, Value end, Value behind) {
    Value length = arith::SubIOp::create(b, loc, end, begin);
    Value most = arith::SubIOp::create(b, loc, behind, begin);
    Value more = arith::AddIOp::create(b, loc, length, constant(b, loc, lanes - 1));
    Value wanted = arith::MinSIOp::create(b, loc, more, most);
    Value whole = arith::AndIOp::create(b, loc, wanted, constant(b, loc, -lanes));
    Value middle = arith::AddIOp::create(b, loc, begin, whole);
    auto vectors = scf::ForOp::create(b, loc, begin, middle, constant(b, loc, lanes));
    OpBuilder inside = OpBuilder::atBlockTerminator(vectors.getBody());
    Value at = vectors.getInductionVar();
    Value made = sum.emitStep(inside, at, lanes).front();
    vector::StoreOp::create(inside, loc, made, terms,
                            Value(arith::SubIOp::create(inside, loc, at, begin)));
    auto rest = scf::ForOp::create(b, loc, middle, end, constant(b, loc, 1));
    leaveAsItIs(rest);
    inside = OpBuilder::atBlockTerminator(rest.getBody());
    IRMapping mapping;
    mapping.map(sum.loop.getInductionVar(), rest.getInductionVar());
    for (Operation &op : sum.loop.getBody()->without_terminator())
      if (&op != sum.sums.front().combine)
        inside.clone(op, mapping);
    Value to = arith::SubIOp::create(inside, loc, rest.getInductionVar(), begin);
    memref::StoreOp::create(inside, loc, mapping.lookupOrDefault(sum.sums.front().term), terms, to);
  }

  void emitSums(OpBuilder &b, Value begin, Value end) {
    Value count = arith::SubIOp::create(b, loc, end, begin);
    if (storesDirectly)
      return emit::addRows(b, loc, terms, positions, begin, count, sums, begin);
    emit::addRows(b, loc, terms, positions, begin, count, sums, constant(b, loc, 0));
    auto loop = scf::ForOp::create(b, loc, begin, end, constant(b, loc, 1));
    OpBuilder inside = OpBuilder::atBlockTerminator(loop.getBody());
    Value row = loop.getInductionVar(), at = arith::SubIOp::create(inside, loc, row, begin);
    finishRow(inside, row, memref::LoadOp::create(inside, loc, sums, ValueRange{at}));
  }

  // Where the sums go, if the loop does nothing with them but store one behind the other.
  Value placesOfSums() {
    memref::StoreOp store;
    for (Operation *user : sum.loop.getResult(0).getUsers()) {
      if (store || !isa<memref::StoreOp>(user))
        return Value();
      store = cast<memref::StoreOp>(user);
    }
    const bool isAlone = llvm::hasSingleElement(rows.getBody()->getOps<memref::StoreOp>());
    return store && isAlone && store.getIndices().size() == 1 &&
                   store.getIndices()[0] == rows.getInductionVar() &&
                   store.getMemRefType().getLayout().isIdentity() && isAtEntry(store.getMemRef())
               ? store.getMemRef()
               : Value();
  }

  // What the loop does with the sum of a row.
  void finishRow(OpBuilder &b, Value row, Value total) {
    IRMapping mapping;
    mapping.map(rows.getInductionVar(), row);
    mapping.map(sum.loop.getResult(0), total);
    for (Operation &op : rows.getBody()->without_terminator())
      if (&op != sum.loop)
        b.clone(op, mapping);
  }

  scf::ForOp rows;
  func::FuncOp kernel;
  Location loc;
  const SumShortRowsOptions &options;
  VectorLoop sum;
  bool endsUnderMasks = false;        ///< the last vector of a row, where it is gathered
  Value byMasks, oneByOne, inOneLoop; ///< is that how rows are added up?
  Value positions;                    ///< where each row begins
  SetVector<Value> operands;
  Value terms;                 ///< of the rows of a block
  Value sums;                  ///< of these rows, or of all
  bool storesDirectly = false; ///< the sums go to the result, not to room for those of a block
};

struct SumShortRows : impl::SumShortRowsBase<SumShortRows> {
  using SumShortRowsBase::SumShortRowsBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    const SumShortRowsOptions options{.gathers = gathers, .masks = masks};
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      SmallVector<Rows, 1> found;
      kernel.walk([&](scf::ForOp loop) {
        if (Rows one(loop, kernel, options); one.match())
          found.push_back(std::move(one));
      });
      for (Rows &one : found)
        one.emit();
    }
  }
};

} // namespace
} // namespace strata
