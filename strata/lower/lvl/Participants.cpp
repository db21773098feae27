// Tells for each operand of a loop whether it is walked or located, by which levels, and from where
// to where.
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// Tells whether loops that are walked as one take values of the loop's parts. They find what lies
// in a part by themselves, also where a level stores as large blocks.
static bool hasPartsInTuples(cin::ForallOp forall) {
  auto inTuple = [](cin::ForallOp loop) {
    auto around = loop->getParentOfType<cin::ForallOp>();
    return loop.getCollapsed() || (around && around.getCollapsed());
  };
  return forall.isOfParts() && !forall.getPart() &&
         forall
             .walk([&](cin::ForallOp loop) {
               bool takes = loop.getPart() == forall.getVariable() && inTuple(loop);
               return takes ? WalkResult::interrupt() : WalkResult::advance();
             })
             .wasInterrupted();
}

LogicalResult KernelConverter::participantsOf(cin::ForallOp forall, const Scope &scope,
                                              SmallVectorImpl<Participant> &iterated,
                                              SmallVectorImpl<Participant> &located) {
  unsigned variable = nest.numberOf(forall.getVariable());
  llvm::SmallSetVector<unsigned, 8> inside;
  forall.walk([&](cin::AccessOp op) {
    if (std::optional<unsigned> number = nest.numberOfAccess(op))
      inside.insert(*number);
  });
  const bool partsInTuples = hasPartsInTuples(forall);
  for (unsigned at : inside) {
    unsigned next = scope.cursors.lookup(at).next;
    bool inTuples = partsInTuples && next == 0 && !nest.accesses[at].path.format.isFull();
    if (isAbsent(at, scope) || inTuples)
      continue;
    std::string why;
    std::optional<PathPiece> piece =
        bindVariable(nest.accesses[at].path, next, scope.bound, variable, why);
    if (!piece)
      return refuse(at) << "cannot be walked: " << why;
    if (piece->empty())
      continue;
    bool walks = piece->compose && !piece->full;
    (walks ? iterated : located).push_back({at, *piece, next});
  }
  if (iterated.size() > mostMerged)
    return emitError(forall.getLoc())
           << "cannot merge " << iterated.size() << " sparse operands at once; " << mostMerged
           << " are possible";
  return success();
}

InFlightDiagnostic KernelConverter::refuse(unsigned access) const {
  return emitError(nest.accesses[access].ops.front()->getLoc())
         << ta::quotedNameOf(nest.accesses[access].storage) << " ";
}

// A level is searched among the children of one parent. Where a coordinate above is stored again,
// these are the children of several, which are in order if each parent has one.
bool KernelConverter::canBeSearched(const Participant &participant) const {
  const AccessPath &path = nest.accesses[participant.access].path;
  const PathPiece &piece = participant.piece;
  if (!walksPositions(path, piece) || !piece.ordered || !piece.unique ||
      path.format.isSlot(piece.steps.front().level))
    return false;
  unsigned level = piece.steps.front().level;
  return ta::levelProperties(path.format, level).branchless ||
         llvm::all_of(llvm::seq(level), [&](unsigned above) {
           return ta::levelProperties(path.format, above).unique;
         });
}

// Operands that can be located need not be walked where another is walked in every case
// (iterate-and-locate, 004 section 4.3).
LogicalResult KernelConverter::chooseLocated(cin::ForallOp forall, ArrayRef<unsigned> points,
                                             SmallVectorImpl<Participant> &iterated,
                                             SmallVectorImpl<Participant> &guarded,
                                             SmallVectorImpl<unsigned> &positions) {
  SmallVector<const PathPiece *> pieces;
  llvm::SmallBitVector asked(iterated.size());
  for (auto [at, participant] : llvm::enumerate(iterated)) {
    pieces.push_back(&participant.piece);
    if (!llvm::is_contained(forall.getLocating(), nest.accesses[participant.access].storage))
      continue;
    asked.set(at);
    if (!participant.piece.locatable && !canBeSearched(participant))
      return refuse(participant.access)
             << "cannot be looked up in the loop over '" << forall.getName()
             << "': it does not store one coordinate after the other there, each once";
  }
  auto accompanied = [&](const llvm::SmallBitVector &others) {
    unsigned mask = 0;
    for (int other : others.set_bits())
      mask |= 1u << other;
    return llvm::all_of(points, [&](unsigned point) { return point == 0 || (point & mask); });
  };
  llvm::SmallBitVector chosen = strata::chooseLocated(pieces, accompanied, asked);
  if (asked.test(chosen)) { // one of those asked for is not chosen
    unsigned first = asked.reset(chosen).find_first();
    return refuse(iterated[first].access)
           << "cannot be looked up in the loop over '" << forall.getName()
           << "': no other operand tells wherever there is something to do";
  }
  SmallVector<Participant> walked;
  for (unsigned at = 0; at < iterated.size(); ++at) {
    if (chosen.test(at)) {
      guarded.push_back(iterated[at]);
    } else {
      walked.push_back(iterated[at]);
      positions.push_back(at);
    }
  }
  iterated = std::move(walked);
  return success();
}

// What is walked in the parts of a label begins and ends with each of them.
LogicalResult KernelConverter::checkParts(cin::ForallOp forall, ArrayRef<Participant> iterated,
                                          const Scope &scope) const {
  if (!forall.getPart())
    return success();
  for (const Participant &participant : iterated)
    if (leaderOf(forall, scope) != participant.access &&
        !canSeek(nest.accesses[participant.access].path, participant.piece))
      return refuse(participant.access)
             << "stores few values of a label that is split: the loop over '" << forall.getName()
             << "' would search for those of each part";
  return success();
}

LogicalResult KernelConverter::checkMergeable(cin::ForallOp forall, ArrayRef<Participant> iterated,
                                              bool merges, const Scope &scope) {
  const bool inOrder = llvm::is_contained(carriedBy(forall, scope), resultStorage) && resultOrder &&
                       resultOrder->wantsOrder(nest.numberOf(forall.getVariable()));
  for (const Participant &participant : iterated) {
    if (merges && !participant.piece.ordered)
      return refuse(participant.access) << "cannot be merged over '" << forall.getName()
                                        << "': its coordinates are not in order there";
    if (inOrder && !participant.piece.ordered)
      return refuse(participant.access)
             << "stores its coordinates over '" << forall.getName()
             << "' in no order, in which the result cannot be appended"
             << (gatherableLevel(nest.resultPath().format) ? ": assemble it by Gather" : "");
    if (merges && !participant.piece.mergesRepeated())
      return refuse(participant.access)
             << "cannot be walked over '" << forall.getName() << "': too many levels at once";
  }
  return success();
}

// Each operand can be searched for the coordinates of the others where only what all of them store
// matters, and each keeps one entry after the other.
LogicalResult KernelConverter::checkSearchable(cin::ForallOp forall, ArrayRef<Participant> iterated,
                                               bool intersects) {
  if (!intersects)
    return emitError(forall.getLoc())
           << "the loop over '" << forall.getName()
           << "' does not intersect operands: there is nothing to gallop";
  for (const Participant &participant : iterated) {
    if (!walksPositions(nest.accesses[participant.access].path, participant.piece) ||
        !participant.piece.unique || needsClamp(participant, nest.numberOf(forall.getVariable())))
      return refuse(participant.access)
             << "cannot be searched over '" << forall.getName()
             << "': it does not store one coordinate after the other there, each once";
  }
  return success();
}

// May walking the access yield values beyond the loop's? Not where it reaches each of the
// dimension's coordinates once, and the levels so far keep it inside. Those of several diagonals do
// so only together; a level with everything that is located may, below these ancestors, reach
// beyond the tensor (a diagonal of which the format stores all rows), and so may one that is
// located at what the levels above give.
bool KernelConverter::needsClamp(const Participant &participant, unsigned variable) const {
  if (assumes(kernel, Assumptions::Windowed))
    return true;
  const NestAccess &access = nest.accesses[participant.access];
  // The numbers of blocks that are the parts of a label.
  if (llvm::any_of(access.path.parts,
                   [&](const LabelInParts &label) { return label.first == variable; }))
    return false;
  ta::FormatMap map(access.path.format.getDimToLvl());
  auto beyond = [&](unsigned level, const ta::SolvedDim &solved) {
    if (level >= participant.next)
      return true;
    bool located = llvm::any_of(participant.piece.steps, [&](const PathStep &step) {
      return step.at && step.level == level;
    });
    return located && ta::levelProperties(access.path.format, level).full &&
           !isa<AffineDimExpr>(solved.value);
  };
  for (const PathStep &step : participant.piece.steps)
    if (step.at && ta::levelProperties(access.path.format, step.level).full &&
        access.path.coordinates[step.level].isFunctionOfDim(variable))
      return true;
  for (auto [dim, expr] : llvm::enumerate(access.path.place.getResults())) {
    if (!expr.isFunctionOfDim(variable))
      continue;
    if (!isa<AffineDimExpr>(expr))
      return true;
    for (auto [level, solved] : llvm::enumerate(map.solvedAt))
      for (const ta::SolvedDim &one : solved)
        if (one.dim == dim && beyond(level, one))
          return true;
  }
  return false;
}

// Gives what the dims of an access's expressions stand for: the index variables, and those ranks
// that `uses` has.
SmallVector<Value> KernelConverter::valuesFor(const NestAccess &access, const Scope &scope,
                                              ArrayRef<AffineExpr> uses) {
  SmallVector<Value> values(scope.indices);
  for (auto [at, rank] : llvm::enumerate(access.path.ranks)) {
    values.push_back(nullptr);
    if (llvm::none_of(uses, [&](AffineExpr expr) { return access.path.usesRank(expr, at); }))
      continue;
    Value root = lvl::RootOp::create(b, loc, access.storage);
    Value crd = emitAffine(b, loc, rank.place, scope.indices);
    values.back() = lvl::RankOp::create(b, loc, root, rank.dim, crd);
  }
  return values;
}

Value KernelConverter::makeIterator(const Participant &participant, const Scope &scope,
                                    cin::ForallOp forall, LoopRange range, bool dedup) {
  const PathPiece &piece = participant.piece;
  // Where blocks are walked, the loop takes the numbers of its parts.
  AffineExpr value = piece.compose;
  if (std::optional<int64_t> size = forall.getPartSize(); size && !forall.getPart())
    value = value.floorDiv(*size);
  SmallVector<AffineExpr> exprs{value};
  for (const PathStep &step : piece.steps)
    exprs.push_back(step.at);
  SmallVector<Value> values = valuesFor(nest.accesses[participant.access], scope, exprs);
  if (range.first) {
    exprs.front() = value - getAffineDimExpr(values.size(), b.getContext());
    values.push_back(range.first);
  }
  Value guard = scope.flags.lookup(participant.access);
  // Only the variables in use become operands.
  SmallVector<Value> fixed;
  SmallVector<AffineExpr> renumbered(values.size(), getAffineConstantExpr(0, b.getContext()));
  for (unsigned at = 0; at < values.size(); ++at)
    if (llvm::any_of(exprs, [&](AffineExpr e) { return e && e.isFunctionOfDim(at); })) {
      renumbered[at] = getAffineDimExpr(fixed.size(), b.getContext());
      fixed.push_back(values[at]);
    }
  unsigned walked = 0;
  SmallVector<Attribute> steps;
  for (const PathStep &step : piece.steps) {
    if (step.at)
      steps.push_back(AffineMapAttr::get(
          AffineMap::get(fixed.size(), walked, step.at.replaceDims(renumbered))));
    else
      steps.push_back(b.getUnitAttr()), ++walked;
  }
  auto compose = AffineMapAttr::get(
      AffineMap::get(fixed.size(), walked, exprs.front().replaceDims(renumbered)));
  bool leads = forall.isInChunk() && leaderOf(forall, scope) == participant.access;
  bool cut =
      !leads && ((forall.isOfParts() && forall.getPart()) || (range.first && !range.bounded));
  bool clamped =
      cut || range.bounded || needsClamp(participant, nest.numberOf(forall.getVariable()));
  auto iterator = lvl::IteratorOp::create(
      b, loc, scope.cursors.lookup(participant.access).path, piece.steps.front().level, fixed,
      clamped ? range.extent : Value(), b.getArrayAttr(steps), compose, dedup, guard);
  iterator.setSeek(cut ||
                   (range.bounded && canSeek(nest.accesses[participant.access].path, piece)));
  if (leads) {
    const Chunk &chunk = scope.chunks.find(forall.getPart())->second;
    PositionRange within = chunk.own[llvm::find(chunk.loops, forall) - chunk.loops.begin()];
    iterator.getFirstPositionMutable().assign(within.begin);
    iterator.getLastPositionMutable().assign(within.end);
    iterator.setWhole(dedup && forall == chunk.loops.back());
  }
  return iterator;
}

// Locates all levels of a piece; `found` becomes null where they are always there.
Value KernelConverter::locate(const Participant &participant, Scope &scope, Value &found) {
  Cursor &cursor = scope.cursors[participant.access];
  const AccessPath &path = nest.accesses[participant.access].path;
  found = nullptr;
  for (const PathStep &step : participant.piece.steps) {
    AffineExpr expr = path.coordinates[step.level];
    Value crd = emitAffine(b, loc, expr, valuesFor(nest.accesses[participant.access], scope, expr));
    // Below what is absent no buffer is read.
    Value above = found ? found : scope.flags.lookup(participant.access);
    bool reads = !findLevelFormat(path.format.getLevels()[step.level].getName())->buffers().empty();
    auto op = lvl::LocateOp::create(b, loc, cursor.path, step.level, crd, reads ? above : Value());
    cursor.path = op.getPath();
    if (ta::levelProperties(path.format, step.level).full)
      continue;
    found = !found || op.getGuard() ? Value(op.getFound())
                                    : Value(arith::AndIOp::create(b, loc, found, op.getFound()));
  }
  cursor.next = participant.next;
  return cursor.path;
}

void KernelConverter::setPresence(unsigned access, Value flag, Scope &scope) {
  ArrayRef<Operation *> ops = nest.accesses[access].ops;
  auto isEarlier = [&](const OpenPresence &one) {
    return !one.temp && one.accesses.front() == ops.front();
  };
  llvm::erase_if(scope.open, isEarlier);
  llvm::erase_if(scope.annihilators, isEarlier);
  scope.flags.erase(access);
  if (!flag)
    return;
  scope.flags[access] = flag;
  OpenPresence own{.flag = flag, .accesses = {ops.begin(), ops.end()}};
  scope.annihilators.push_back(own);
  if (resultWalk->storesEntries())
    scope.open.push_back(own);
}

} // namespace strata
