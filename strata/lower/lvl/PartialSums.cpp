// Loops whose values are taken at once and write to the same places. Each part has sums of its own,
// which are added to the result in the order of the parts: so no bit depends on who computed them,
// or when. Or, if that is asked for, each value is combined with the result atomically.
//
// Where a loop runs over chunks of entries, and the result has the first labels of these, all that
// a chunk shares with those before it is where it begins: what lies below the values of its first
// entry, if the entry before has the same. That alone is kept apart.
#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// The first loops of a chunk, if the result has their variables as coordinates and none of the
// others'; else none.
static SmallVector<unsigned> boundaryOf(ArrayRef<cin::ForallOp> loops, AffineMap place,
                                        const LoopNest &nest) {
  SmallVector<unsigned> boundary;
  auto isCoordinate = [&](unsigned variable) {
    return llvm::is_contained(place.getResults(), getAffineDimExpr(variable, place.getContext()));
  };
  for (cin::ForallOp loop : loops) {
    unsigned variable = nest.numberOf(loop.getVariable());
    if (!isCoordinate(variable))
      break;
    boundary.push_back(variable);
  }
  for (AffineExpr coordinate : place.getResults())
    for (cin::ForallOp loop : loops) {
      unsigned variable = nest.numberOf(loop.getVariable());
      if (coordinate.isFunctionOfDim(variable) &&
          (!isa<AffineDimExpr>(coordinate) || !llvm::is_contained(boundary, variable)))
        return {};
    }
  return boundary;
}

LogicalResult KernelConverter::checkAtomic() {
  cin::AssignOp assign = nest.result;
  for (cin::ForallOp forall : nest.loops) {
    if (!forall.hasStrategy(ta::Strategy::atomic))
      continue;
    auto refuse = [&](const Twine &why) {
      return emitError(forall.getLoc())
             << "the values of '" << forall.getName()
             << "' cannot be combined with the result atomically: " << why;
    };
    bool writesElsewhere = false; // than to the result and to its own temporaries
    forall.walk([&](cin::AssignOp one) {
      auto temp = one.getTarget().getDefiningOp<cin::TempOp>();
      writesElsewhere |= temp && !forall->isAncestor(temp);
    });
    if (!assign.getCombine() || !forall->isAncestor(assign) || writesElsewhere)
      return refuse("the result does not add up what they compute");
    if (resultWalk->storesEntries() || resultWalk->counts())
      return refuse("the result is not dense");
    bool isExtreme =
        *assign.getCombine() == ta::Combine::min || *assign.getCombine() == ta::Combine::max;
    if (assumes(kernel, Assumptions::Deterministic) && !isExtreme &&
        isa<FloatType>(assign.getYielded().getType()))
      return refuse(
          "the kernel is to be deterministic, and sums of real numbers would depend on the "
          "threads");
    if (!ta::atomicKindOf(*assign.getCombine(), assign.getYielded().getType()))
      return refuse("that is possible for sums of integers and real numbers of 32 and 64 bits, and "
                    "for the least and the greatest of such integers");
  }
  return success();
}

LogicalResult KernelConverter::beginPartial(cin::ForallOp forall, const Chunk *chunk, Value count,
                                            Scope &scope) {
  cin::AssignOp assign = nest.result;
  auto refuse = [&](const Twine &why) {
    return emitError(forall.getLoc())
           << "the parts of '" << forall.getName() << "' cannot have sums of their own: " << why;
  };
  if (!assign.getCombine() || !forall->isAncestor(assign) || scope.bound.any())
    return refuse("the result does not add up what they compute");
  if (resultWalk->storesEntries() || resultWalk->counts())
    return refuse("the result is not dense");
  if (assign.getCombine() == ta::Combine::any)
    return refuse("'any' takes a value of one of them, and a part that has none would give it 0");
  AffineMap place = nest.resultPath().place;
  PartialSums partial;
  if (chunk && chunk->isInOrder)
    partial.boundary = boundaryOf(chunk->loops, place, nest);
  SmallVector<Value> extents{count};
  llvm::SmallDenseSet<unsigned> seen;
  for (auto [dim, coordinate] : llvm::enumerate(place.getResults())) {
    if (auto known = dyn_cast<AffineDimExpr>(coordinate);
        known && llvm::is_contained(partial.boundary, known.getPosition()))
      continue;
    std::optional<LabelLoops> loops = loopsOfLabel(coordinate, nest);
    if (!loops || !seen.insert(loops->first).second)
      return refuse("a coordinate of the result is computed from labels");
    partial.kept.push_back(dim);
    extents.push_back(nest.loops[loops->first].getExtent());
  }
  Type element = assign.getYielded().getType();
  partial.sums = RowWorkspace(b, loc, ta::identityOf(*assign.getCombine(), element), extents);
  scope.partial = std::move(partial);
  return success();
}

// The values of a chunk's first variables at one of its positions, given as that of each level.
SmallVector<Value> KernelConverter::boundaryValues(const PartialSums &partial, const Chunk &chunk,
                                                   ArrayRef<Value> positions, const Scope &scope) {
  SmallVector<Value> values;
  for (unsigned at = 0; at < partial.boundary.size(); ++at) {
    if (!chunk.leader) {
      cin::ForallOp loop = chunk.loops[at];
      values.push_back(arith::RemUIOp::create(b, loc, positions[at], loop.getExtent()));
      continue;
    }
    Value root = lvl::RootOp::create(b, loc, nest.accesses[*chunk.leader].storage);
    Value parent;
    if (at > 0)
      parent = positions[at - 1];
    else
      parent = lvl::PositionOp::create(b, loc, scope.cursors.lookup(*chunk.leader).path).getFirst();
    values.push_back(
        lvl::CoordinateOp::create(b, loc, root, chunk.firstLevel + at, positions[at], parent));
  }
  return values;
}

// A part begins: its sums, and what it shares with the part before.
void KernelConverter::enterPart(cin::ForallOp forall, const Chunk *chunk, Scope &scope) {
  PartialSums &partial = *scope.partial;
  partial.part = scope.indices[nest.numberOf(forall.getVariable())];
  partial.sums.resetRow(b, loc, partial.part);
  if (partial.boundary.empty())
    return;
  SmallVector<Value> first =
      llvm::map_to_vector(chunk->own, [](const PositionRange &range) { return range.begin; });
  findBoundary(*chunk, first, scope);
}

// Finds what a chunk shares with those before it. `first`: the positions of its first entry, by
// level.
void KernelConverter::findBoundary(const Chunk &chunk, ArrayRef<Value> first, Scope &scope) {
  PartialSums &partial = *scope.partial;
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  partial.first = boundaryValues(partial, chunk, first, scope);
  // The entry before; of the first of all, that itself.
  Value begin = chunk.all.back().begin;
  partial.continues = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, first.back(), begin);
  Value behind =
      arith::MaxUIOp::create(b, loc, first.back(), arith::AddIOp::create(b, loc, begin, one));
  SmallVector<Value> last = ancestorsOf(chunk, arith::SubIOp::create(b, loc, behind, one));
  for (auto [x, y] : llvm::zip(partial.first, boundaryValues(partial, chunk, last, scope))) {
    Value same = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
    partial.continues = arith::AndIOp::create(b, loc, partial.continues, same);
  }
}

// Combines a value with the part's own sum, or with the result where no other part adds to it.
LogicalResult KernelConverter::storePartial(cin::AssignOp assign, Value value, Scope &scope) {
  auto keep = [&](Scope &inner) {
    if (!storesValues())
      return;
    const PartialSums &partial = *inner.partial;
    SmallVector<Value> at{partial.part};
    AffineMap place = nest.placeOf(assign.getMap(), assign.getIndices());
    for (unsigned dim : partial.kept)
      at.push_back(emitAffine(b, loc, place.getResult(dim), inner.indices));
    Value sum = partial.sums.load(b, loc, at);
    partial.sums.store(b, loc, at, ta::emitCombine(b, loc, *assign.getCombine(), sum, value));
  };
  const PartialSums &partial = *scope.partial;
  if (partial.boundary.empty()) {
    keep(scope);
    return success();
  }
  Value shared = partial.continues;
  for (auto [variable, first] : llvm::zip(partial.boundary, partial.first)) {
    Value same =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, scope.indices[variable], first);
    shared = arith::AndIOp::create(b, loc, shared, same);
  }
  return emitIf(shared, assign, scope, [&](Scope &inner, bool holds) {
    if (holds)
      keep(inner);
    else
      emitResult(assign, value, inner);
    return success();
  });
}

// After the loop: adds the parts' sums to the result, the first part's first.
LogicalResult KernelConverter::addPartial(cin::ForallOp forall, const Chunk *chunk, Value count,
                                          Value size, Scope &scope) {
  auto addPart = [&](Scope &inner) {
    PartialSums &partial = *inner.partial;
    partial.part = inner.indices[nest.numberOf(forall.getVariable())];
    if (partial.boundary.empty())
      return addKept(0, inner);
    Value begin = arith::MulIOp::create(b, loc, partial.part, size);
    Value first = arith::AddIOp::create(b, loc, chunk->all.back().begin, begin);
    findBoundary(*chunk, ancestorsOf(*chunk, first), inner);
    return emitIf(partial.continues, forall, inner, [&](Scope &inside, bool holds) {
      if (!holds)
        return success();
      for (auto [variable, value] : llvm::zip(partial.boundary, partial.first)) {
        inside.indices[variable] = value;
        takeVariable(variable, inside);
      }
      return addKept(0, inside);
    });
  };
  LogicalResult added = emitUniverse(forall, count, forall.getName() + "_sums", {}, scope, addPart,
                                     /*collects=*/true);
  scope.partial.reset();
  return added;
}

void KernelConverter::takeVariable(unsigned variable, Scope &scope) {
  resultWalk->enter(scope.result, variable, scope.bound, scope.indices,
                    scope.carried[resultStorage]);
  scope.bound.set(variable);
}

// Loops over the kept dimensions from number `at` on, and the sum that is there.
LogicalResult KernelConverter::addKept(unsigned at, Scope &scope) {
  PartialSums &partial = *scope.partial;
  AffineMap place = nest.resultPath().place;
  if (at == partial.kept.size()) {
    SmallVector<Value> coordinates{partial.part};
    for (unsigned dim : partial.kept)
      coordinates.push_back(emitAffine(b, loc, place.getResult(dim), scope.indices));
    Value sum = partial.sums.load(b, loc, coordinates);
    scope.partial.reset(); // what follows is the result's
    emitResult(nest.result, sum, scope);
    return success();
  }
  auto [variable, inner] = *loopsOfLabel(place.getResult(partial.kept[at]), nest);
  cin::ForallOp loop = nest.loops[variable];
  return emitUniverse(loop, loop.getExtent(), loop.getName(), {}, scope,
                      [&, inner = inner, variable = variable](Scope &inside) {
                        if (inner) {
                          inside.indices[*inner] = arith::ConstantIndexOp::create(b, loc, 0);
                          inside.bound.set(*inner);
                        }
                        takeVariable(variable, inside);
                        return addKept(at + 1, inside);
                      });
}

} // namespace strata
