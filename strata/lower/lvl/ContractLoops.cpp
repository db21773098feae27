// Makes operations of loops that are marked as contractions of dense tensors.
//
// before: for i { for k { for j { C[i, j] += A[i, k] * B[k, j] } } }, each loop `contracted`
// after:  if there is much to do { lvl.contract A, B into C } else { the loops }
//
// Where the result is a sum of contractions and of other terms, the loops store the other terms
// first, without the sums, and then each contraction adds to them.
#include "strata/dialect/lvl/Lvl.h"
#include "strata/level/Emission.h"
#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

using lvl::Role;

/// How the labels of a contraction move through the values of a tensor.
struct KernelConverter::Moves {
  Value buffer, begin;
  SmallVector<Value> strides;   ///< by label; 0 where it does not move
  SmallVector<int64_t> nested;  ///< by label: by how many sizes a step is multiplied
  std::optional<unsigned> unit; ///< the label a step of which moves to the next element
};

static SmallVector<Role> rolesOf(const DenseContraction &found, const DenseContraction::Term &term,
                                 const LoopNest &nest) {
  return llvm::map_to_vector(term.loops, [&](cin::ForallOp loop) {
    unsigned variable = nest.numberOf(loop.getVariable());
    return !movesWith(found.target, variable)                             ? Role::summed
           : !movesWith(term.operands[DenseContraction::right], variable) ? Role::row
           : !movesWith(term.operands[DenseContraction::left], variable)  ? Role::column
                                                                          : Role::batched;
  });
}

namespace {

// Arithmetic on sizes.
class Sizes {
public:
  Sizes(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value times(Value x, Value y) { return b.createOrFold<arith::MulIOp>(loc, x, y); }
  Value plus(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
  Value both(Value x, Value y) { return b.createOrFold<arith::AndIOp>(loc, x, y); }
  Value isAtLeast(Value x, int64_t least) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, x, constant(least));
  }

private:
  OpBuilder &b;
  Location loc;
};

} // namespace

// The loops move from the place that they begin with in steps that do not depend on the place: a
// step at a level is as many places as there are below one of its positions.
KernelConverter::Moves KernelConverter::movesIn(const DenseContraction::Place &place,
                                                const DenseContraction::Term &term,
                                                const Scope &scope) {
  Sizes sizes(b, loc);
  Moves moves;
  const unsigned levels = place.coordinates.size();
  SmallVector<Value> begins, below(levels, sizes.constant(1));
  for (AffineExpr coordinate : place.coordinates) {
    SmallVector<AffineExpr> known;
    for (unsigned variable = 0; variable < scope.indices.size(); ++variable)
      known.push_back(scope.bound.test(variable) ? getAffineDimExpr(variable, b.getContext())
                                                 : getAffineConstantExpr(0, b.getContext()));
    begins.push_back(emitAffine(b, loc, coordinate.replaceDims(known), scope.indices));
  }
  if (auto row = rows.find(place.storage); row != rows.end()) {
    moves.buffer = row->second.buffer();
    moves.begin = row->second.place(b, loc, begins);
    for (unsigned at = levels; at-- > 1;)
      below[at - 1] = sizes.times(row->second.extent(at), below[at]);
  } else {
    const bool isResult = place.storage == resultStorage && !place.access;
    Type element = cast<ta::StorageType>(place.storage.getType()).getElementType();
    Value path = isResult ? scope.result.path : scope.cursors.lookup(*place.access).path;
    for (auto [at, crd] : llvm::enumerate(begins))
      path = lvl::LocateOp::create(b, loc, path, place.firstLevel + at, crd).getPath();
    moves.begin = lvl::PositionOp::create(b, loc, path).getFirst();
    moves.buffer =
        lvl::ValuesOp::create(b, loc, emit::bufferType(element),
                              isResult ? scope.carried.lookup(resultStorage) : place.storage);
    Value root = lvl::RootOp::create(b, loc, place.storage);
    Value zero = sizes.constant(0), one = sizes.constant(1);
    for (unsigned at = levels; at-- > 1;) {
      auto children = lvl::ChildrenOp::create(b, loc, root, place.firstLevel + at, zero, one);
      below[at - 1] = sizes.times(children.getLast(), below[at]);
    }
  }
  for (auto [label, loop] : llvm::enumerate(term.loops)) {
    unsigned variable = nest.numberOf(cin::ForallOp(loop).getVariable()), moved = 0;
    Value stride;
    int64_t nested = 0, factor = 0;
    for (unsigned at = 0; at < levels; ++at) {
      int64_t own = *factorOf(place.coordinates[at], variable);
      if (own == 0)
        continue;
      factor = own;
      nested = moved++ > 0 ? nested : levels - 1 - at;
      Value step = own == 1 ? below[at] : sizes.times(below[at], sizes.constant(own));
      stride = stride ? sizes.plus(stride, step) : step;
    }
    moves.strides.push_back(stride ? stride : sizes.constant(0));
    moves.nested.push_back(nested);
    if (moved == 1 && factor == 1 && nested == 0)
      moves.unit = label;
  }
  return moves;
}

// Asks whether blocks are worthwhile. The answer does not depend on the part of the outermost loop
// that a thread has.
Value KernelConverter::isWorthwhile(const DenseContraction &found,
                                    const DenseContraction::Term &term, const Scope &scope) {
  Sizes sizes(b, loc);
  SmallVector<Role> roles = rolesOf(found, term, nest);
  const bool all = scope.bound.none();
  auto number = dyn_cast<ComplexType>(found.element);
  Type real = number ? number.getElementType() : found.element;
  auto valuesOf = [&](std::optional<Role> role) {
    Value size = sizes.constant(1);
    for (unsigned loop = all ? 0 : 1; loop < roles.size(); ++loop)
      if (!role || roles[loop] == *role)
        size = sizes.times(size, extentOf(term.loops[loop], scope));
    return size;
  };
  const auto &least = leastContraction;
  const int64_t lanes = vectorBytes * 8 / real.getIntOrFloatBitWidth();
  Value worthwhile = sizes.isAtLeast(valuesOf(std::nullopt), !all     ? least.productsInLoops
                                                             : number ? least.complexProducts
                                                                      : least.products);
  for (Role role : {Role::column, Role::summed}) {
    if (!all && llvm::count(roles, role) == 1 && roles.front() == role)
      continue;
    int64_t enough = !all                   ? least.valuesInLoops
                     : role == Role::column ? std::max(least.values, std::min(least.columns, lanes))
                                            : least.values;
    worthwhile = sizes.both(worthwhile, sizes.isAtLeast(valuesOf(role), enough));
  }
  return worthwhile;
}

void KernelConverter::emitContraction(const DenseContraction &found,
                                      const DenseContraction::Term &term, bool overwrites,
                                      Scope &scope) {
  DenseMap<Value, Emitted> done;
  SmallVector<Value> scales = llvm::map_to_vector(
      term.scales, [&](Value scale) { return emitValue(scale, scope, done).value; });
  SmallVector<Role> roles = rolesOf(found, term, nest);
  Moves left = movesIn(term.operands[DenseContraction::left], term, scope);
  Moves right = movesIn(term.operands[DenseContraction::right], term, scope);
  Moves result = movesIn(found.target, term, scope);
  // Columns are those of the operand whose free labels lie next to each other in the result.
  if (result.unit && roles[*result.unit] == Role::row) {
    std::swap(left, right);
    for (Role &role : roles)
      role = role == Role::row ? Role::column : role == Role::column ? Role::row : role;
  }
  SmallVector<Value> extents =
      llvm::map_to_vector(term.loops, [&](cin::ForallOp loop) { return extentOf(loop, scope); });
  Value pieces;
  if (scope.bound.none())
    pieces = lvl::PiecesOp::create(b, loc, scope.carried.lookup(resultStorage));
  lvl::ContractOp::create(b, loc, left.buffer, left.begin, left.strides, right.buffer, right.begin,
                          right.strides, result.buffer, result.begin, result.strides,
                          llvm::map_to_vector(roles, [](Role role) { return int32_t(role); }),
                          extents, pieces, scales, found.sums, term.products, term.negates,
                          overwrites, result.nested);
}

// Tells whether the loops walk tensors that are there, level by level from where the contraction
// begins, and store values of the result where they stay. Else they run as they are: where the run
// decides what is there, and where the pattern alone is made.
bool KernelConverter::isReached(const DenseContraction &found, const Scope &scope) const {
  auto isThere = [&](const DenseContraction::Place &place) {
    return !place.access || (!scope.flags.contains(*place.access) &&
                             scope.cursors.lookup(*place.access).next == place.firstLevel);
  };
  for (unsigned access : nest.accessesIn(found.outer.front()))
    if (isAbsent(access, scope) || scope.flags.contains(access))
      return false;
  for (const DenseContraction::Term &term : found.terms)
    if (!llvm::all_of(term.operands, isThere))
      return false;
  if (found.target.storage != resultStorage)
    return true;
  const bool isIndexed = resultWalk->refillsValues() && resultWalk->gatheredLevel();
  return storesValues() && !isIndexed && !scope.partial && scope.result.path &&
         scope.result.waiting.empty() && scope.result.gathering.empty() &&
         scope.result.next == found.target.firstLevel;
}

LogicalResult KernelConverter::emitContracted(cin::ForallOp head, Scope &scope) {
  std::string why;
  std::optional<DenseContraction> found = DenseContraction::match(nest, head, why);
  if (!found || !found->isMarked())
    return emitError(head.getLoc()) << "the loop over '" << head.getName()
                                    << "' cannot be contracted, as the schedule says: "
                                    << (found ? "there are other loops in it" : why);
  const bool isOpen = llvm::any_of(
      scope.open, [&](const OpenPresence &one) { return !one.asked && one.isUsedBy(head); });
  // As where the loops begin: it has a position for all that they store.
  if (found->target.storage == resultStorage && resultWalk->waitsBelowGathered(scope.result) &&
      !scope.partial && storesInAnyCase(head, scope))
    resultWalk->placeGathered(scope.result, scope.carried[resultStorage]);
  if (isOpen || !isReached(*found, scope))
    return emitPlain(head, scope);
  Value worthwhile;
  for (const DenseContraction::Term &term : found->terms) {
    Value enough = isWorthwhile(*found, term, scope);
    worthwhile = worthwhile ? b.createOrFold<arith::OrIOp>(loc, worthwhile, enough) : enough;
  }
  return emitIf(worthwhile, head, scope, [&](Scope &inner, bool holds) {
    if (!holds)
      return emitPlain(head, inner);
    if (found->hasRest) {
      leftOut = &*found;
      LogicalResult emitted = emitPlain(head, inner);
      leftOut = nullptr;
      if (failed(emitted))
        return failure();
    }
    bool overwrites = !found->hasRest && !cin::AssignOp(found->store).getCombine();
    for (const DenseContraction::Term &term : found->terms) {
      emitContraction(*found, term, overwrites, inner);
      overwrites = false;
    }
    noteTouched(found->target.storage, inner);
    return success();
  });
}

} // namespace strata
