// Reduces what sparse tensors store, and then what they do not store once.
//
// before: s = max(i, j, A[i, j])
// after:  v = max(i, j, A[i, j] where it is stored)
//         n = sum(i, j, 1 where A[i, j] is stored)
//         s = n < sum(i, j, 1) ? max(v, 0) : v
#include "strata/lower/ta/FoldFills.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/LeastSets.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/RepeatedCombination.h"
#include "strata/lower/ta/StatementPart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

namespace {

SmallVector<Operation *> opsOf(ArrayRef<ta::AccessOp> accesses) {
  return llvm::map_to_vector(accesses, [](ta::AccessOp one) { return one.getOperation(); });
}

// A reduction whose terms are the same wherever operands store nothing, and change its value.
struct Candidate {
  ta::ReduceOp reduce;
  SmallVector<ta::AccessOp> sparse; ///< what its terms read of sparse tensors
  TypedAttr background;             ///< a term where none of these stores anything
  bool nested = false;              ///< some of them stand in a reduction inside
  SmallVector<unsigned> sets = {};  ///< leastStored(), of several
};

// The sets of accesses of which one must be stored, whole, for a term to be another than that of
// what is absent.
SmallVector<unsigned> leastStored(const Candidate &candidate) {
  ta::ReduceOp reduce = candidate.reduce;
  return leastSets(reduce.getLoc(), candidate.sparse.size(), [&](unsigned stored) {
    SmallVector<Operation *> absent;
    for (auto [at, access] : llvm::enumerate(candidate.sparse))
      if (!(stored >> at & 1))
        absent.push_back(access);
    TypedAttr value = IndexStatement::knownWithout(reduce.getYielded(), absent).value;
    return !value || Attribute(value) != Attribute(candidate.background);
  });
}

std::optional<Candidate> candidateFor(ta::ComputeOp op, ta::ReduceOp reduce) {
  if (reduce.getMissing())
    return std::nullopt;
  Candidate found{reduce, {}, {}};
  for (ta::AccessOp access : accessesIn(op, reduce.getYielded())) {
    if (!isSparse(access))
      continue;
    found.sparse.push_back(access);
    found.nested |= access->getParentOp() != reduce;
  }
  bool told = reduce
                  .walk([](Operation *inner) {
                    auto sum = dyn_cast<ta::ReduceOp>(inner);
                    bool stops = isa<ta::UnmaskedOp>(inner) || (sum && sum.getWorkspace());
                    return stops ? WalkResult::interrupt() : WalkResult::advance();
                  })
                  .wasInterrupted();
  if (found.sparse.empty() || found.sparse.size() > mostSearched || told ||
      (found.nested && found.sparse.size() > 1))
    return std::nullopt;
  ta::Known known = IndexStatement::knownWithout(reduce.getYielded(), opsOf(found.sparse));
  if (!known || !known.absent || ta::isMissing(known.value) ||
      !canRepeat(reduce.getCombine(), known.value))
    return std::nullopt;
  found.background = known.value;
  if (found.sparse.size() == 1)
    return found;
  // A term that is the same whatever is stored has nothing to be folded for; and what is stored is
  // told by operands that are merged with those that are read.
  found.sets = leastStored(found);
  size_t merged = found.sparse.size();
  for (unsigned set : found.sets)
    merged += llvm::popcount(set);
  if (found.sets.empty() || merged > mostMerged)
    return std::nullopt;
  return found;
}

// Rewrites one reduction of a statement.
class Folding {
public:
  Folding(ta::ComputeOp op, Candidate candidate, unsigned &made)
      : op(op), candidate(std::move(candidate)), reduce(this->candidate.reduce), made(made) {}

  void run();

private:
  ta::ReduceOp reduceStored(OpBuilder &b) const;
  ta::ReduceOp countStored(OpBuilder &b) const;
  Value isStored(OpBuilder &b, IRMapping &mapping) const;
  Value places(OpBuilder &b, Type type);
  Value countPlaces(OpBuilder &b, Type type) const;
  Value absentWithoutPlaces(OpBuilder &b, Value value, Value places) const;
  Value combined(OpBuilder &b, Value stored, Value count);
  void takeOut(ta::ReduceOp part, StringRef name, StringRef reason, ArrayRef<unsigned> variables);

  bool hasKnownSize() const {
    return llvm::all_of(ta::ReduceOp(reduce).getExtents(),
                        [](Value extent) { return getConstantIntValue(extent).has_value(); });
  }
  bool samples() const;
  bool mayBeAbsent() const;

  ta::ComputeOp op;
  Candidate candidate;
  ta::ReduceOp reduce;
  unsigned &made;
  const ta::Combine combine = reduce.getCombine();
  const bool hasPlaces = llvm::all_of(reduce.getExtents(), [](Value extent) {
    return getConstantIntValue(extent).value_or(0) > 0;
  });                                       ///< whatever the sizes are that only the run knows
  bool absentRows = false;                  ///< rows without entries may count as absent
  llvm::SmallDenseMap<Type, Value> counted; ///< how many places there are, once of each type
};

// An access that is missing where nothing is stored.
Value accessStored(OpBuilder &b, ta::AccessOp access, IRMapping &mapping) {
  auto clone = cast<ta::AccessOp>(b.clone(*access, mapping));
  clone.setMissing(true);
  return clone.getResult();
}

// A value that is missing where the term is that of what is absent.
Value Folding::isStored(OpBuilder &b, IRMapping &mapping) const {
  if (candidate.sparse.size() == 1)
    return accessStored(b, candidate.sparse.front(), mapping);
  Location loc = ta::ReduceOp(reduce).getLoc();
  Value one = arith::ConstantIntOp::create(b, loc, 1, 8), any;
  for (unsigned set : candidate.sets) {
    Value all = one;
    for (auto [at, access] : llvm::enumerate(candidate.sparse))
      if (set >> at & 1)
        all = ta::MaskedOp::create(b, loc, all, accessStored(b, access, mapping));
    any = any ? Value(ta::UnionOp::create(b, loc, any, all, any)) : all;
  }
  return any;
}

// The same reduction; its terms are missing where they are those of what is absent.
ta::ReduceOp Folding::reduceStored(OpBuilder &b) const {
  IRMapping mapping;
  auto clone = cast<ta::ReduceOp>(b.clone(*ta::ReduceOp(reduce), mapping));
  if (candidate.sparse.size() == 1) {
    ta::AccessOp read = candidate.sparse.front();
    Operation *access = mapping.lookup(Value(read)).getDefiningOp();
    cast<ta::AccessOp>(access).setMissing(true);
    for (Operation *around = access->getParentOp(); around != clone; around = around->getParentOp())
      if (auto inner = dyn_cast<ta::ReduceOp>(around))
        inner.setMissing(true);
    if (ta::isMissing(IndexStatement::knownWithout(clone.getYielded(), access).value))
      return clone;
  }
  Operation *end = clone.getBlock().getTerminator();
  OpBuilder inside(end);
  IRMapping own;
  for (auto [from, to] : llvm::zip(ta::ReduceOp(reduce).getVariables(), clone.getVariables()))
    own.map(from, to);
  end->setOperand(
      0, ta::MaskedOp::create(inside, end->getLoc(), clone.getYielded(), isStored(inside, own)));
  return clone;
}

// How many terms that reduction has.
ta::ReduceOp Folding::countStored(OpBuilder &b) const {
  ta::ReduceOp from = reduce;
  Location loc = from.getLoc();
  auto count = ta::ReduceOp::create(b, loc, b.getI64Type(), ta::Combine::add, from.getExtents(),
                                    from.getNamesAttr(), /*missing=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&count.getBody());
  IRMapping mapping;
  for (Value variable : from.getVariables())
    mapping.map(variable, block->addArgument(b.getIndexType(), loc));
  Value stored;
  if (candidate.nested) { // of a value behind another reduction
    auto terms = reduceStored(b);
    for (auto [from, to] : llvm::zip(terms.getVariables(), block->getArguments()))
      from.replaceAllUsesWith(to);
    stored = terms.getYielded();
    Operation *end = terms.getBlock().getTerminator();
    end->erase();
    block->getOperations().splice(Block::iterator(terms), terms.getBlock().getOperations());
    terms.erase();
  } else {
    stored = isStored(b, mapping);
  }
  Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
  ta::YieldOp::create(b, loc, ta::MaskedOp::create(b, loc, one, stored));
  return count;
}

// Tells whether it does not matter that a row without entries would have the value of what is
// absent: a sparse result stores that like any other, and infinity times it would be nothing.
bool Folding::mayBeAbsent() const {
  ta::ReduceOp own = reduce;
  return IndexStatement(op).result.format.isFull() &&
         (own.getType().isIntOrIndex() || ta::ComputeOp(op).getYielded() == own.getResult());
}

// How many places the reduction takes, at the place of `b`. A number that is known would tell that
// a row without entries has the value of what is absent.
Value Folding::places(OpBuilder &b, Type type) {
  Value &all = counted[type];
  if (!all)
    all = countPlaces(b, type);
  return all;
}

Value Folding::countPlaces(OpBuilder &b, Type type) const {
  ta::ReduceOp from = reduce;
  Location loc = from.getLoc();
  if (absentRows && hasKnownSize()) {
    double rounded = 1;
    uint64_t whole = 1;
    for (Value extent : from.getExtents()) {
      rounded *= double(*getConstantIntValue(extent));
      whole *= uint64_t(*getConstantIntValue(extent));
    }
    if (type.isF64())
      return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(rounded));
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(int64_t(whole)));
  }
  auto sum = ta::ReduceOp::create(b, loc, type, ta::Combine::add, from.getExtents(),
                                  from.getNamesAttr(), /*missing=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sum.getBody());
  block->addArguments(SmallVector<Type>(from.getExtents().size(), b.getIndexType()),
                      SmallVector<Location>(from.getExtents().size(), loc));
  TypedAttr one = type.isF64() ? TypedAttr(b.getF64FloatAttr(1)) : b.getI64IntegerAttr(1);
  ta::YieldOp::create(b, loc, arith::ConstantOp::create(b, loc, one));
  return sum.getResult();
}

// The value where there are places; where there are none the identity, which then is absent.
Value Folding::absentWithoutPlaces(OpBuilder &b, Value value, Value places) const {
  if (hasPlaces)
    return value;
  Location loc = value.getLoc();
  Value none = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0));
  Value any = ta::CompareOp::create(b, loc, ta::Relation::lt, none, places);
  Value identity = ta::emitConstant(b, loc, ta::identityOf(combine, value.getType()));
  return ta::SelectOp::create(b, loc, any, value, identity);
}

// What is stored, and what is not as often as it is there.
Value Folding::combined(OpBuilder &b, Value stored, Value count) {
  auto placesOf = [&](Type type) { return places(b, type); };
  return combineRepeated(b, ta::ReduceOp(reduce).getLoc(), ta::ReduceOp(reduce).getCombine(),
                         stored, candidate.background, count, placesOf);
}

// Tells whether sparse operands beside the reduction say for which values of its variables it is
// wanted.
bool Folding::samples() const {
  SmallVector<ta::AccessOp> own = accessesIn(op, ta::ReduceOp(reduce).getYielded());
  bool found = false;
  ta::ComputeOp(op).getBody().walk(
      [&](ta::AccessOp access) { found |= isSparse(access) && !llvm::is_contained(own, access); });
  return found;
}

void Folding::takeOut(ta::ReduceOp part, StringRef name, StringRef reason,
                      ArrayRef<unsigned> variables) {
  IndexStatement statement(op);
  StatementPart own{part.getResult(), SmallVector<unsigned>(variables), reason.str()};
  TypedAttr identity = ta::identityOf(part.getCombine(), part.getType());
  MLIRContext *context = op.getContext();
  // Where nothing comes the temporary is the identity, so that it takes the terms as they come.
  unsigned rank = variables.size();
  if (Attribute(identity) != Attribute(ta::identityOf(ta::Combine::add, part.getType()))) {
    SmallVector<ta::LevelAttr> levels(
        ta::formatOf(
            RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), part.getType()))
            .getLevels());
    own.format = ta::FormatAttr::get(context, AffineMap::getMultiDimIdentityMap(rank, context),
                                     levels, identity);
  }
  SmallVector<ta::AccessOp> read = accessesIn(op, part.getResult());
  Value temporary = computeFirst(statement, own, name, read, [&](OpBuilder &b, IRMapping &mapping) {
    return cloneValue(b, own.value, mapping);
  });
  replaceBy(statement, own, temporary);
}

void Folding::run() {
  IndexStatement before(op);
  llvm::SmallBitVector free = before.freeVariables(reduce.getResult());
  const bool full = before.result.format.isFull(), sampled = samples();
  absentRows = mayBeAbsent();
  OpBuilder b(reduce);
  ta::ReduceOp stored = reduceStored(b), count = countStored(b);
  Value both = combined(b, stored.getResult(), count.getResult());
  Location loc = reduce.getLoc();
  Value counted = arith::SIToFPOp::create(b, loc, b.getF64Type(), count.getResult());
  Value all = places(b, b.getF64Type());
  Value some = ta::CompareOp::create(b, loc, ta::Relation::lt, counted, all);
  Value value = ta::SelectOp::create(b, loc, some, both, stored.getResult());
  if (!full)
    value = absentWithoutPlaces(b, value, all);
  reduce.getResult().replaceAllUsesWith(value);
  reduce.erase();

  bool nested = stored->getParentOp() != op;
  if (isForbidden(op, Resolution::Split) || nested || (free.any() && (!full || sampled)))
    return;
  if (free.any() && planOf(IndexStatement(op)))
    return;
  // What is read of a tensor does not tell that there were no terms.
  if (full && !absentRows) {
    b.setInsertionPointAfterValue(value);
    Value told = absentWithoutPlaces(b, value, all);
    if (told != value)
      value.replaceAllUsesExcept(told, told.getDefiningOp());
  }
  SmallVector<unsigned> variables(free.set_bits());
  std::string number = std::to_string(made++);
  takeOut(stored, "v" + number,
          "what is stored is reduced, and what is not stored comes once, if there is any",
          variables);
  takeOut(count, "n" + number, "a count of what is stored, beside all places", variables);
}

} // namespace

bool foldFills(ta::ComputeOp op, unsigned &made) {
  if (op.getScheduleAttr())
    return false;
  SmallVector<ta::ReduceOp> reductions; // those inside others first
  op.getBody().walk([&](ta::ReduceOp reduce) { reductions.push_back(reduce); });
  bool found = false;
  for (ta::ReduceOp reduce : reductions)
    if (std::optional<Candidate> candidate = candidateFor(op, reduce)) {
      Folding(op, std::move(*candidate), made).run();
      found = true;
    }
  return found;
}

} // namespace strata
