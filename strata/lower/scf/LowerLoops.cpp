// Loops of a kernel, whole or in the pieces of threads.
#include "strata/level/Emission.h"
#include "strata/lower/scf/KernelLowering.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace strata {

// Something is done to the builder at each coordinate of an iterator.
void KernelLowering::emitOver(Value iterator, Value before, Value after,
                              llvm::function_ref<void(Values &, Value)> at) {
  builders[after] =
      walkOf(iterator).forEach(builders[before], [&](const WalkPoint &point, Values inner) {
        at(inner, point.coordinates[0]);
        return inner;
      });
}

// Marks the loop that `b` stands in as a schedule says, if it was made for `op`: `outside` is what
// `op` stands in. A loop that does not take one place in each step has no vectors; C is written of
// it as it is.
void KernelLowering::annotateLoop(lvl::CoiterateOp op, ArrayRef<LevelWalk> walks,
                                  ValueRange coordinates, Operation *outside) {
  ta::MarkAttr mark = op.getMarkAttr();
  const bool isVector = mark && mark.getUnit() == ta::Unit::vector;
  const bool isUnrolled = mark && mark.getUnit() == ta::Unit::serial;
  if (!isVector && !isUnrolled)
    return;
  Operation *around = b.getInsertionBlock()->getParentOp();
  while (isa<scf::IfOp>(around))
    around = around->getParentOp();
  const bool isOwn = !around->isAncestor(outside); // no loop over what has one value at a time
  if (!isOwn || !isa<scf::ForOp>(around)) {
    if (isVector && !serial && !refused) {
      emitError(op.getLoc()) << "the loop over '" << op.getName()
                             << "' cannot be taken by vectors, as the schedule says: it "
                             << (isOwn ? "merges operands, or takes equal coordinates together"
                                       : "has one value in each step of the loop around it");
      refused = true;
    }
    return;
  }
  MLIRContext *context = op.getContext();
  LLVM::LoopVectorizeAttr vectors;
  LLVM::LoopUnrollAttr iterations;
  if (isVector) {
    const int64_t width = mark.getCount();
    vectors = LLVM::LoopVectorizeAttr::get(context, /*disable=*/b.getBoolAttr(false), {}, {},
                                           width ? b.getI32IntegerAttr(width) : IntegerAttr(), {},
                                           {}, {});
  }
  if (isUnrolled)
    iterations = unrolling(context, mark.getCount());
  hint(around, vectors, iterations);
  around->setAttr(loopLabelName, op.getNameAttr());
  Operation *place = coordinates.empty() ? nullptr : coordinates[0].getDefiningOp();
  if (isVector && place && walks.size() == 1 && walks.front().isDistinct())
    place->setAttr(LevelWalk::distinctName, b.getUnitAttr());
}

void KernelLowering::emitCoiterate(lvl::CoiterateOp op) {
  SmallVector<LevelWalk, 0> walks;
  for (Value iterator : op.getIterators())
    walks.push_back(walkOf(iterator));
  Value universe = op.getUniverse() ? mapping.lookupOrDefault(op.getUniverse()) : Value();
  Operation *outside = b.getInsertionBlock()->getParentOp();
  auto body = [&](unsigned at, ValueRange coordinates, ArrayRef<PathValues> inside, Values carried,
                  std::optional<ArrayRef<Value>> present) {
    Block &block = op.getBodies()[at].front();
    annotateLoop(op, walks, coordinates, outside);
    mapping.map(block.getArguments().take_front(coordinates.size()), coordinates);
    if (serial)
      nameCoordinates(op.getName(), coordinates);
    auto rest = block.getArguments().drop_front(coordinates.size());
    for (auto [k, path] : llvm::enumerate(inside)) {
      paths[rest[k]] = path;
      blended.erase(rest[k]);
      if (present && op.getNeutrals())
        blended[rest[k]] = {(*present)[k], cast<TypedAttr>((*op.getNeutrals())[k])};
    }
    rest = rest.drop_front(inside.size());
    if (op.getPredicates()) {
      mapping.map(rest.take_front(present->size()), *present);
      rest = rest.drop_front(present->size());
    }
    define(rest, carried);
    emitBlock(block);
    return flat(block.getTerminator()->getOperands());
  };
  auto loops = [&](Values carried, const LoopPiece *piece) {
    return lowerCoiterate(op, walks, universe, carried, body, b, piece);
  };
  Values carried = flat(op.getInits()), results;
  if (op.getPieces() && result->isCut())
    results = inPieces(op, walks, carried,
                       [&](Values own, const LoopPiece &piece) { return loops(own, &piece); });
  else
    withRoom(op, walks, carried, [&] { results = loops(carried, nullptr); });
  define(op.getResults(), results);
}

// The levels to which each step of a loop appends one entry at most.
static SmallVector<unsigned> appendedOnce(lvl::CoiterateOp op) {
  llvm::SmallSetVector<unsigned, 4> levels;
  llvm::SmallDenseSet<unsigned, 4> deeper;
  for (Region &body : op.getBodies())
    body.walk([&](lvl::InsertOp insert) {
      if (insert->getParentOfType<lvl::CoiterateOp>() == op)
        levels.insert(insert.getLevel());
      else
        deeper.insert(insert.getLevel());
    });
  SmallVector<unsigned> once;
  llvm::copy_if(levels, std::back_inserter(once),
                [&](unsigned at) { return !deeper.contains(at); });
  return once;
}

// A loop that carries the builder, and appends an entry at each step, asks for room once. Beside
// the builder it carries at most what tells where the parents of these entries change.
void KernelLowering::withRoom(lvl::CoiterateOp op, ArrayRef<LevelWalk> walks, Values &carried,
                              llvm::function_ref<void()> loops) {
  SmallVector<unsigned> levels = appendedOnce(op);
  llvm::erase_if(levels, [&](unsigned level) { return !result->canMakeRoom(level); });
  OperandRange inits = op.getInits();
  bool first = !inits.empty() && isa<lvl::BuilderType>(inits[0].getType()) &&
               llvm::all_of(inits.drop_front().getTypes(), llvm::IsaPred<IndexType>);
  Value most = first && !levels.empty() && !op.getUniverse() ? mostVisited(op, walks, b) : Value();
  if (!most)
    return loops();
  unsigned fields = result->types().size();
  ResultBuilder::State state(ArrayRef(carried).take_front(fields));
  Values others(ArrayRef(carried).drop_front(fields));
  result->withRoom(state, levels, most, [&] {
    carried.assign(state.begin(), state.end());
    llvm::append_range(carried, others);
    loops();
  });
}

// Runs the pieces of a loop that carries a builder, or fills workspaces and carries nothing: each
// changes nothing of the builder but what its buffers hold, or builds a part of its own.
Values KernelLowering::inPieces(lvl::CoiterateOp op, ArrayRef<LevelWalk> walks, Values carried,
                                PieceBody body) {
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  const bool builds = !op.getInits().empty();
  LoopPiece piece{{}, result->pieceCount()};
  piece.step = unsigned(*op.getPieces());
  piece.wholeRuns = !result->isCounted();
  Value block;
  if (piece.step > 0) {
    auto [extent, longest] = walks.front().extentOf(piece.step);
    block = emit::blockOf(b, loc, context, extent, longest);
    piece.count = arith::CeilDivUIOp::create(b, loc, extent, block);
  }
  auto loop = scf::ParallelOp::create(b, NameLoc::get(b.getStringAttr("piece")), ValueRange{zero},
                                      ValueRange{piece.count}, ValueRange{one});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    piece.number = loop.getInductionVars()[0];
    if (block) {
      piece.begin = arith::MulIOp::create(b, loc, piece.number, block);
      piece.end = arith::AddIOp::create(b, loc, piece.begin, block);
    }
    for (lvl::WorkspaceOp workspace : workspacesOfPieces)
      allocate(workspace);
    if (builds)
      runPiece(piece, carried, body);
    else
      body({}, piece);
    releaseWorkspaces(workspaces);
  }
  return builds ? result->joined(carried) : Values();
}

void KernelLowering::runPiece(const LoopPiece &piece, const Values &carried, PieceBody body) {
  Value number = piece.number;
  Values state = result->enter(carried, number, counting);
  state = result->joins() ? untilTaken(piece, state, body) : body(state, piece);
  result->leave(state, number);
}

// A piece that builds a part, and those after it as long as no other thread has begun them: they
// build the same part.
Values KernelLowering::untilTaken(LoopPiece piece, Values state, PieceBody body) {
  Location loc = kernel.getLoc();
  Values first{piece.number};
  llvm::append_range(first, state);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Values last = whileLoop(
      b, loc, first,
      [&](Values now) -> Value {
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, now[0], zero);
      },
      [&](Values now) {
        piece.number = now[0];
        Values after{nullptr};
        llvm::append_range(after, body(Values(llvm::drop_begin(now)), piece));
        after[0] = emit::pieceAfter(b, loc, context, piece.number);
        return after;
      });
  return Values(llvm::drop_begin(last));
}

} // namespace strata
