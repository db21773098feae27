// Loops over chunks of what other loops take together: of the entries of an operand, by position,
// or of the tuples of their values.
//
// A chunk is a range of positions of the level that the last of these loops walks. At each level
// above, the parents of its first and of its last position bound what the loop there takes; so the
// loops stay what they are, nested as the operand is stored, and only begin and end elsewhere.
// Tuples are the positions of a dense tensor over the loops' extents, which nobody stores.
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/utils/BoundedProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

std::optional<unsigned> KernelConverter::leaderOf(cin::ForallOp forall, const Scope &scope) const {
  if (forall.isInChunk())
    return scope.chunks.find(forall.getPart())->second.leader;
  if (!forall.getLeader() || forall.getChunks())
    return std::nullopt;
  for (unsigned access : nest.accessesIn(forall))
    if (nest.accesses[access].storage == forall.getLeader() &&
        nest.accesses[access].path.involves(nest.numberOf(forall.getVariable())))
      return access;
  return std::nullopt;
}

LogicalResult KernelConverter::checkLed(cin::ForallOp forall, unsigned leader,
                                        ArrayRef<Participant> iterated,
                                        ArrayRef<unsigned> points) const {
  const Participant *own =
      llvm::find_if(iterated, [&](const Participant &one) { return one.access == leader; });
  // Where it is not walked it stores everything.
  if (own == iterated.end() ||
      llvm::all_of(points, [&](unsigned point) { return point >> (own - iterated.begin()) & 1; }))
    return success();
  return emitError(forall.getLoc())
         << "the loop over '" << forall.getName() << "' takes the entries of "
         << ta::quotedNameOf(nest.accesses[leader].storage)
         << " alone, but there is something to be done where it stores nothing";
}

// The last of several loops would have to look for the end of a run below another parent.
LogicalResult KernelConverter::checkRuns(cin::ForallOp forall, unsigned access,
                                         const Scope &scope) const {
  if (!forall.isInChunk() || leaderOf(forall, scope) != access)
    return success();
  ArrayRef<cin::ForallOp> loops = scope.chunks.find(forall.getPart())->second.loops;
  if (loops.size() == 1 || loops.back() != forall)
    return success();
  return emitError(forall.getLoc())
         << "the loop over '" << forall.getName()
         << "' cannot be cut by entries: " << ta::quotedNameOf(nest.accesses[access].storage)
         << " stores a coordinate again for each entry below it; cut the labels below, too";
}

//===------------------------------------------------------------------------------------------===//
// Finding what is cut
//===------------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::findLoopsOf(cin::ForallOp forall, Chunk &chunk, const Scope &scope) {
  bool nested = true;
  forall.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) {
    if (loop.getPart() != forall.getVariable())
      return;
    nested &= chunk.loops.empty() || chunk.loops.back()->isAncestor(loop);
    chunk.loops.push_back(loop);
  });
  if (chunk.loops.empty())
    return emitError(forall.getLoc())
           << "no loop takes its values in the chunks of '" << forall.getName() << "'";
  if (!nested)
    return emitError(forall.getLoc()) << "loops that take their values in the chunks of '"
                                      << forall.getName() << "' are not inside each other";
  if (!forall.getLeader())
    return success();
  for (unsigned access : nest.accessesIn(chunk.loops.back()))
    if (nest.accesses[access].storage == forall.getLeader())
      chunk.leader = access;
  if (!chunk.leader)
    return emitError(forall.getLoc()) << "the operand of which '" << forall.getName()
                                      << "' takes the entries is not read inside the loop";
  return findLevelsOf(forall, chunk, scope);
}

// Each loop walks one level of the leader, by its coordinates alone, and these follow each other.
LogicalResult KernelConverter::findLevelsOf(cin::ForallOp forall, Chunk &chunk,
                                            const Scope &scope) {
  unsigned leader = *chunk.leader;
  auto refuseLeader = [&](cin::ForallOp loop) {
    return refuse(leader) << "cannot be cut by entries in the loop over '" << loop.getName()
                          << "': ";
  };
  if (scope.flags.lookup(leader) || assumes(kernel, Assumptions::Windowed))
    return refuseLeader(forall) << "it is read in part, or is not always there";
  const AccessPath &path = nest.accesses[leader].path;
  llvm::SmallBitVector bound = scope.bound;
  unsigned next = scope.cursors.lookup(leader).next;
  chunk.firstLevel = next;
  for (cin::ForallOp loop : chunk.loops) {
    unsigned variable = nest.numberOf(loop.getVariable()), level = next, inside = next;
    std::string why;
    llvm::SmallBitVector boundInside = bound;
    for (Operation *around = loop->getParentOp(); around != forall; around = around->getParentOp())
      if (auto between = dyn_cast<cin::ForallOp>(around))
        boundInside.set(nest.numberOf(between.getVariable()));
    std::optional<PathPiece> piece = bindVariable(path, next, bound, variable, why);
    if (!piece || !bindVariable(path, inside, boundInside, variable, why))
      return refuseLeader(loop) << why;
    if (piece->empty())
      return refuseLeader(loop) << "level " << level + 1
                                << " is reached only inside a loop that is not around this one";
    bool follows =
        walksPositions(path, *piece) && piece->compose == getAffineSymbolExpr(0, b.getContext());
    // Sums that each chunk has of its own may come in any order.
    bool alone = forall.hasStrategy(ta::Strategy::temporary) && chunk.loops.size() == 1 &&
                 walksRange(path, *piece);
    if (!follows && !alone)
      return refuseLeader(loop) << "level " << level + 1 << " ("
                                << path.format.getLevels()[level].getName()
                                << ") does not store one entry after the other for it";
    chunk.isInOrder &= follows;
    if (inside != next)
      return refuseLeader(loop) << "level " << next + 1
                                << " is reached in a loop between it and its parts";
    bound.set(variable);
  }
  return success();
}

// May the result take the entries chunk by chunk? Where it stores what lies below one parent at a
// stretch, that must not be cut.
LogicalResult KernelConverter::checkTaken(cin::ForallOp forall, const Chunk &chunk) const {
  if (!resultWalk->storesEntries() || resultWalk->lists() || resultWalk->refillsValues())
    return success();
  cin::ForallOp around = forall;
  bool direct = true;
  for (cin::ForallOp loop : chunk.loops)
    direct &= loop->getParentOp() == std::exchange(around, loop).getOperation();
  bool whole =
      chunk.loops.size() == 1 && chunk.leader &&
      ta::levelProperties(nest.accesses[*chunk.leader].path.format, chunk.firstLevel).unique;
  if (direct && (whole || resultWalk->counts()))
    return success();
  InFlightDiagnostic error = emitError(forall.getLoc())
                             << "the loop over '" << forall.getName()
                             << "' would cut what the result stores together";
  if (direct)
    error << "; with assemble(" << ta::nameOf(resultStorage) << ", Insert) it could";
  return error;
}

void KernelConverter::findPositions(Chunk &chunk, const Scope &scope) {
  if (!chunk.leader) {
    Value count;
    for (cin::ForallOp loop : chunk.loops) {
      count = count ? boundedProduct(b, loc, count, loop.getExtent()) : loop.getExtent();
      chunk.all.push_back({arith::ConstantIndexOp::create(b, loc, 0), count});
    }
    return;
  }
  Value root = lvl::RootOp::create(b, loc, nest.accesses[*chunk.leader].storage);
  auto parent = lvl::PositionOp::create(b, loc, scope.cursors.lookup(*chunk.leader).path);
  PositionRange above{parent.getFirst(), parent.getLast()};
  for (unsigned at = 0; at < chunk.loops.size(); ++at) {
    auto children =
        lvl::ChildrenOp::create(b, loc, root, chunk.firstLevel + at, above.begin, above.end);
    above = {children.getFirst(), children.getLast()};
    chunk.all.push_back(above);
  }
}

// The positions at which, level by level, what lies at `position` of the last loop's level is
// found; those above are not before `least`.
SmallVector<Value> KernelConverter::ancestorsOf(const Chunk &chunk, Value position,
                                                ArrayRef<Value> least) {
  SmallVector<Value> positions(chunk.loops.size());
  positions.back() = position;
  Value root;
  if (chunk.leader)
    root = lvl::RootOp::create(b, loc, nest.accesses[*chunk.leader].storage);
  for (unsigned at = chunk.loops.size(); at-- > 1;) {
    cin::ForallOp loop = chunk.loops[at];
    if (chunk.leader)
      positions[at - 1] = lvl::ParentOp::create(b, loc, root, chunk.firstLevel + at, positions[at],
                                                least[at - 1], chunk.all[at - 1].end);
    else
      positions[at - 1] = arith::DivUIOp::create(b, loc, positions[at], loop.getExtent());
  }
  return positions;
}

SmallVector<Value> KernelConverter::ancestorsOf(const Chunk &chunk, Value position) {
  SmallVector<Value> least =
      llvm::map_to_vector(chunk.all, [](const PositionRange &range) { return range.begin; });
  return ancestorsOf(chunk, position, least);
}

// Makes it the chunk [first, last), which is not empty.
void KernelConverter::cut(Chunk &chunk, Value first, Value last) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> begins = ancestorsOf(chunk, first);
  SmallVector<Value> ends = ancestorsOf(chunk, arith::SubIOp::create(b, loc, last, one), begins);
  for (auto [begin, end] : llvm::zip(begins, ends))
    chunk.own.push_back({begin, arith::AddIOp::create(b, loc, end, one)});
  chunk.own.back().end = last;
}

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

// Chunks can run at once where each reaches other places of the result, or counts its entries.
IntegerAttr KernelConverter::cutChunks(cin::ForallOp forall, const Chunk &chunk,
                                       const Scope &scope) {
  if (!forall.isInThreads())
    return {};
  if (forall.hasStrategy(ta::Strategy::atomic))
    return b.getI64IntegerAttr(0);
  if (resultWalk->counts())
    return resultWalk->countsInPieces() && singleLoop ? b.getI64IntegerAttr(0) : IntegerAttr();
  bool repeats = chunk.leader && ta::repeatsEntries(nest.accesses[*chunk.leader].path.format);
  bool apart = llvm::all_of(chunk.loops, [&](cin::ForallOp loop) {
    return resultWalk->writesApart(nest.numberOf(loop.getVariable()));
  });
  return apart && !repeats ? b.getI64IntegerAttr(0) : IntegerAttr();
}

// The positions of the leader that a loop in a chunk could take, if the chunk were everything.
PositionRange KernelConverter::childrenInChunk(cin::ForallOp forall, const Chunk &chunk,
                                               const Scope &scope) {
  unsigned at = llvm::find(chunk.loops, forall) - chunk.loops.begin();
  Value root = lvl::RootOp::create(b, loc, nest.accesses[*chunk.leader].storage);
  auto parent = lvl::PositionOp::create(b, loc, scope.cursors.lookup(*chunk.leader).path);
  auto children = lvl::ChildrenOp::create(b, loc, root, chunk.firstLevel + at, parent.getFirst(),
                                          parent.getLast());
  return {children.getFirst(), children.getLast()};
}

// The number of the first tuple that has the values which the loops around this one have.
Value KernelConverter::firstTuple(ArrayRef<cin::ForallOp> around, cin::ForallOp forall,
                                  const Scope &scope) {
  Value number = arith::ConstantIndexOp::create(b, loc, 0);
  for (cin::ForallOp outer : around) {
    number = b.createOrFold<arith::MulIOp>(loc, number, outer.getExtent());
    number = b.createOrFold<arith::AddIOp>(loc, number,
                                           scope.indices[nest.numberOf(outer.getVariable())]);
  }
  return b.createOrFold<arith::MulIOp>(loc, number, forall.getExtent());
}

// From where to where the other operands of a loop are walked that takes what the leader stores:
// from its first coordinate in the chunk to its last. (Where it has none there, the range is of
// another parent's, and does not matter.)
KernelConverter::LoopRange KernelConverter::rangeOfLeader(cin::ForallOp forall, const Chunk &chunk,
                                                          const Scope &scope) {
  unsigned at = llvm::find(chunk.loops, forall) - chunk.loops.begin();
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  PositionRange own = chunk.own[at], all = childrenInChunk(forall, chunk, scope);
  Value root = lvl::RootOp::create(b, loc, nest.accesses[*chunk.leader].storage);
  auto coordinate = [&](Value position) -> Value {
    return lvl::CoordinateOp::create(b, loc, root, chunk.firstLevel + at, position, position);
  };
  Value begin = arith::MinUIOp::create(b, loc, arith::MaxUIOp::create(b, loc, own.begin, all.begin),
                                       arith::SubIOp::create(b, loc, own.end, one));
  Value end = arith::MaxUIOp::create(b, loc, arith::MinUIOp::create(b, loc, own.end, all.end), one);
  Value first = coordinate(begin), last = coordinate(arith::SubIOp::create(b, loc, end, one));
  Value length = arith::SubIOp::create(b, loc, last, first);
  return {first, arith::AddIOp::create(b, loc, length, one)};
}

// The level that the loops walk begins and ends where the chunk does. A level that has everything
// is counted through, from the coordinate of the first position on.
KernelConverter::LoopRange KernelConverter::rangeInChunk(cin::ForallOp forall, const Chunk &chunk,
                                                         ArrayRef<Participant> iterated,
                                                         ArrayRef<Participant> located,
                                                         const Scope &scope) {
  unsigned at = llvm::find(chunk.loops, forall) - chunk.loops.begin();
  auto leads = [&](const Participant &one) { return one.access == *chunk.leader; };
  if (chunk.leader && llvm::none_of(located, leads))
    return iterated.size() == 1 ? LoopRange{Value(), forall.getExtent()}
                                : rangeOfLeader(forall, chunk, scope);
  Value before = chunk.leader ? childrenInChunk(forall, chunk, scope).begin
                              : firstTuple(ArrayRef(chunk.loops).take_front(at), forall, scope);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  PositionRange own = chunk.own[at];
  Value begin = arith::SubIOp::create(b, loc, own.begin, before);
  Value end = arith::SubIOp::create(b, loc, own.end, before);
  Value first = arith::MaxSIOp::create(b, loc, begin, zero);
  Value last = arith::MinSIOp::create(b, loc, end, forall.getExtent());
  return {first, arith::SubIOp::create(b, loc, last, first)};
}

LogicalResult KernelConverter::emitChunks(cin::ForallOp forall, Scope &scope) {
  if (hasNoEffect(forall.getBlock(), scope.absence))
    return success();
  Chunk chunk;
  if (failed(findLoopsOf(forall, chunk, scope)) || failed(checkTaken(forall, chunk)))
    return failure();
  findPositions(chunk, scope);
  PositionRange all = chunk.all.back();
  Value length = arith::SubIOp::create(b, loc, all.end, all.begin);
  Value size = partSizeOf(forall, length);
  Value count = arith::CeilDivUIOp::create(b, loc, length, size);

  std::optional<unsigned> opened;
  Value mark;
  if (llvm::is_contained(carriedBy(forall, scope), resultStorage))
    opened = resultWalk->opens(scope.result, nest.numberOf(chunk.loops.front().getVariable()));
  if (opened)
    mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *opened);
  IntegerAttr pieces = cutChunks(forall, chunk, scope);
  bool partial = hasPartialSums(forall, pieces, scope);
  if (partial) {
    if (failed(beginPartial(forall, &chunk, count, scope)))
      return failure();
    pieces = b.getI64IntegerAttr(0);
  }
  pieces = piecesFor(forall, pieces, scope);
  auto around = std::exchange(scope.result.opened, opened ? opened : scope.result.opened);
  auto inChunk = [&](Scope &inner) {
    Chunk own = chunk;
    Value number = inner.indices[nest.numberOf(forall.getVariable())];
    Value first =
        arith::AddIOp::create(b, loc, all.begin, arith::MulIOp::create(b, loc, number, size));
    Value behind = arith::AddIOp::create(b, loc, first, size);
    cut(own, first, arith::MinUIOp::create(b, loc, behind, all.end));
    if (partial)
      enterPart(forall, &own, inner);
    inner.chunks[forall.getVariable()] = std::move(own);
    return emitCase(forall, inner, {}, {});
  };
  if (failed(emitUniverse(forall, count, forall.getName(), pieces, scope, inChunk)))
    return failure();
  scope.result.opened = around;
  if (opened)
    resultWalk->close(scope.result, *opened, mark, scope.carried[resultStorage]);
  return partial ? addPartial(forall, &chunk, count, size, scope) : success();
}

} // namespace strata
