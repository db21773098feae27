// Takes loops apart that store a sum of contractions and other terms.
//
// before: for i { for j { s = 0; for k { s += A[i, k] * B[k, j] }; C[i, j] = D[i, j] - 2 * s } }
// after:  for i { for j { C[i, j] = D[i, j] } }
//         for i { for j { s = 0; for k { s += A[i, k] * B[k, j] }; C[i, j] = C[i, j] + -(2 * s) } }
#include "strata/lower/scf/ContractionTerms.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/scf/Buffers.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

namespace {

struct StoredTerm {
  Value value;
  bool negated;
};

class TermSplitter {
public:
  /// Copies `outer`, the root or the loop over its pieces.
  TermSplitter(scf::ForOp root, Operation *outer) : root(root), outer(outer) {}

  std::optional<ContractionTerms> run() {
    if (!findStore() || !collect(store.getValueToStore(), /*negated=*/false) || sums.empty() ||
        (sums.size() == 1 && rest.empty()))
      return std::nullopt;
    ContractionTerms terms;
    terms.loops = outer;
    bool adds = rest.size() == 1 && !rest[0].negated && isThere(rest[0].value);
    if (!adds && !rest.empty())
      terms.rest = copyWith(rest, /*adds=*/false);
    adds |= !rest.empty();
    for (const StoredTerm &sum : sums) {
      terms.copies.push_back(copyWith(sum, adds));
      adds = true;
      scf::ForOp nest = firstLoop(terms.copies.back());
      std::optional<ContractionNest> found = ContractionNest::match(nest);
      if (!found || bool(found->pieces) != (outer != root.getOperation()))
        return discard(terms);
      terms.nests.push_back(std::move(*found));
    }
    return terms;
  }

private:
  bool findStore();
  bool collect(Value value, bool negated);
  bool isThere(Value value);
  bool sumsUp(Value value);
  bool readsElsewhere(Value value);
  Operation *copyWith(ArrayRef<StoredTerm> terms, bool adds);
  Value joined(OpBuilder &b, ArrayRef<StoredTerm> terms, const IRMapping &mapping, Value before);
  static scf::ForOp firstLoop(Operation *copy);
  static void dropUnused(Block &block);

  static std::nullopt_t discard(ContractionTerms &terms) {
    for (Operation *copy : terms.copies)
      copy->erase();
    if (terms.rest)
      terms.rest->erase();
    return std::nullopt;
  }

  scf::ForOp root;
  Operation *outer;
  memref::StoreOp store;
  SmallVector<StoredTerm> sums, rest;
};

scf::ForOp TermSplitter::firstLoop(Operation *copy) {
  if (auto loop = dyn_cast<scf::ForOp>(copy))
    return loop;
  return *cast<scf::ParallelOp>(copy).getBody()->getOps<scf::ForOp>().begin();
}

// The one store, in the innermost loop that makes no sum.
bool TermSplitter::findStore() {
  scf::ForOp loop = root;
  while (true) {
    scf::ForOp inner;
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto found = dyn_cast<scf::ForOp>(op); found && found.getNumResults() == 0) {
        if (inner)
          return false;
        inner = found;
      } else if (auto stored = dyn_cast<memref::StoreOp>(op)) {
        if (store)
          return false;
        store = stored;
      } else if (!found && !isa<memref::LoadOp>(op) && !isPure(&op)) {
        return false;
      }
    if (!inner)
      return store && store->getBlock() == loop.getBody() && store.getIndices().size() == 1;
    if (store)
      return false;
    loop = inner;
  }
}

bool TermSplitter::isThere(Value value) {
  auto load = value.getDefiningOp<memref::LoadOp>();
  return load && load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices();
}

// Does the value follow from the sum of a loop?
bool TermSplitter::sumsUp(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != store->getBlock())
    return false;
  return isa<scf::ForOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return sumsUp(operand); });
}

// Does the value follow from the result at another place than that which is stored?
bool TermSplitter::readsElsewhere(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !root->isProperAncestor(op))
    return false;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return wholeOf(load.getMemRef()) == wholeOf(store.getMemRef()) && !isThere(value);
  return llvm::any_of(op->getOperands(), [&](Value operand) { return readsElsewhere(operand); });
}

// The terms of a value. What is not summed up reads the result at its own places alone.
bool TermSplitter::collect(Value value, bool negated) {
  Operation *op = value.getDefiningOp();
  if (!sumsUp(value)) {
    rest.push_back({value, negated});
    return !readsElsewhere(value);
  }
  if (ContractionNest::operatorOf(op) == ta::Combine::add)
    return collect(op->getOperand(0), negated) && collect(op->getOperand(1), negated);
  if (Value other = ta::negatedBy(op))
    return collect(other, !negated);
  if (auto difference = ContractionNest::differenceOf(op))
    return collect(difference->first, negated) && collect(difference->second, !negated);
  sums.push_back({value, negated});
  return true;
}

// A copy of the loops, before them, that stores these terms, or adds them to what is there.
Operation *TermSplitter::copyWith(ArrayRef<StoredTerm> terms, bool adds) {
  OpBuilder b(outer);
  IRMapping mapping;
  Operation *copy = b.clone(*outer, mapping);
  auto stored = cast<memref::StoreOp>(mapping.lookup(store.getOperation()));
  b.setInsertionPoint(stored);
  Value before;
  if (adds)
    before = memref::LoadOp::create(b, stored.getLoc(), stored.getMemRef(), stored.getIndices());
  stored.getValueMutable().assign(joined(b, terms, mapping, before));
  dropUnused(*stored->getBlock());
  return copy;
}

Value TermSplitter::joined(OpBuilder &b, ArrayRef<StoredTerm> terms, const IRMapping &mapping,
                           Value sum) {
  Location loc = store.getLoc();
  auto relaxed = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::reassoc);
  for (const StoredTerm &term : terms) {
    Value value = mapping.lookupOrDefault(term.value);
    if (term.negated)
      value = ta::emitNegative(b, loc, value);
    if (!sum)
      sum = value;
    else if (isa<ComplexType>(value.getType()))
      sum = complex::AddOp::create(b, loc, sum, value, relaxed);
    else if (isa<FloatType>(value.getType()))
      sum = arith::AddFOp::create(b, loc, sum, value, relaxed);
    else
      sum = arith::AddIOp::create(b, loc, sum, value);
  }
  return sum;
}

// Erases what nothing uses any more, sums among it.
void TermSplitter::dropUnused(Block &block) {
  for (Operation *op = block.getTerminator()->getPrevNode(); op;) {
    Operation *before = op->getPrevNode();
    if (op->use_empty() && !isa<memref::StoreOp>(op))
      op->erase();
    op = before;
  }
}

} // namespace

std::optional<ContractionTerms> ContractionTerms::match(scf::ForOp root) {
  if (root.getNumResults() > 0)
    return std::nullopt;
  Operation *around = root->getParentOp();
  if (isa<scf::ParallelOp>(around))
    if (std::optional<ContractionTerms> terms = TermSplitter(root, around).run())
      return terms;
  return TermSplitter(root, root).run();
}

} // namespace strata
