// Computes once what several statements say.
#include "strata/lower/ta/ShareStatements.h"

#include "strata/lower/Passes.h"
#include "strata/lower/ta/ProgramNotes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopedHashTable.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SHARESTATEMENTS
#include "strata/lower/Passes.h.inc"

namespace {

// Whether two operations compute the same. What index variables and sizes are called does not
// matter, nor do places in the text.
class Comparison {
public:
  /// `schedules`: statements with other schedules are others.
  explicit Comparison(bool schedules) : schedules(schedules) {}

  bool same(Operation *a, Operation *b) {
    if (a->getName() != b->getName() || a->getNumOperands() != b->getNumOperands() ||
        a->getResultTypes() != b->getResultTypes() || a->getNumRegions() != b->getNumRegions() ||
        !sameAttributes(a, b))
      return false;
    for (auto [x, y] : llvm::zip(a->getOperands(), b->getOperands()))
      if (matching(x) != y)
        return false;
    for (auto [x, y] : llvm::zip(a->getRegions(), b->getRegions()))
      if (!sameBlock(x.front(), y.front()))
        return false;
    for (auto [x, y] : llvm::zip(a->getResults(), b->getResults()))
      matched[x] = y;
    return true;
  }

private:
  bool sameAttributes(Operation *a, Operation *b) const {
    auto counts = [&](NamedAttribute attribute) {
      StringRef name = attribute.getName().getValue();
      return !llvm::is_contained({"names", "uses", "label"}, name) &&
             (schedules || name != "schedule");
    };
    auto all = [&](Operation *op) {
      DictionaryAttr dictionary = op->getAttrDictionary();
      return llvm::to_vector(llvm::make_filter_range(dictionary, counts));
    };
    return all(a) == all(b);
  }

  bool sameBlock(Block &a, Block &b) {
    if (a.getArgumentTypes() != b.getArgumentTypes() ||
        a.getOperations().size() != b.getOperations().size())
      return false;
    for (auto [x, y] : llvm::zip(a.getArguments(), b.getArguments()))
      matched[x] = y;
    return llvm::all_of(llvm::zip(a, b),
                        [&](auto pair) { return same(&std::get<0>(pair), &std::get<1>(pair)); });
  }

  Value matching(Value value) const {
    auto found = matched.find(value);
    return found == matched.end() ? value : found->second;
  }

  bool schedules;
  DenseMap<Value, Value> matched; ///< values of the first inside, as they are in the second
};

// Operations by what they compute.
struct ByComputation : DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *key) {
    auto *op = const_cast<Operation *>(key);
    llvm::hash_code hash =
        llvm::hash_combine(op->getName(), llvm::hash_combine_range(op->getOperands()),
                           llvm::hash_combine_range(op->getResultTypes()));
    op->walk([&](Operation *inner) {
      auto constant = dyn_cast<arith::ConstantOp>(inner);
      Attribute number = constant ? Attribute(constant.getValue()) : Attribute();
      hash = llvm::hash_combine(hash, inner->getName(), number);
    });
    return hash;
  }
  static bool isEqual(const Operation *a, const Operation *b) {
    if (a == b || a == getEmptyKey() || a == getTombstoneKey() || b == getEmptyKey() ||
        b == getTombstoneKey())
      return a == b;
    return Comparison(/*schedules=*/true)
        .same(const_cast<Operation *>(a), const_cast<Operation *>(b));
  }
};

class Sharing {
public:
  /// Without `notes`, numbers are shared, and no statements.
  explicit Sharing(ProgramNotes *notes) : notes(notes) {}

  void share(Block &block) {
    Known::ScopeTy scope(known);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      // What stands between two readings of the clock is computed there.
      era += isa<ta::TimeOp>(op);
      for (Region &region : op.getRegions())
        if (isa<ta::ForOp, ta::LoopOp, ta::IfOp>(op))
          share(region.front());
      if (isa<ta::DimOp, ta::SameSizeOp, arith::ConstantOp>(op) ||
          (notes && isa<ta::ComputeOp>(op)))
        shareOne(&op);
    }
  }

private:
  struct Computed {
    Operation *op = nullptr;
    unsigned era = 0;
  };
  using Known = llvm::ScopedHashTable<Operation *, Computed, ByComputation>;

  void shareOne(Operation *op) {
    if (auto compute = dyn_cast<ta::ComputeOp>(op);
        compute && compute.getReason() == scheduledReason)
      return;
    if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1))
      return; // the condition of two ways
    Computed before = known.lookup(op);
    if (!before.op || (isa<ta::ComputeOp>(op) && before.era != era))
      return known.insert(op, {op, era});
    if (isa<ta::ComputeOp>(op))
      notes->add(op->getResult(0), "is not computed again: it is what '" +
                                       ProgramNotes::nameOf(before.op->getResult(0)) + "' is");
    op->replaceAllUsesWith(before.op);
    op->erase();
  }

  ProgramNotes *notes;
  Known known;
  unsigned era = 0;
};

void shareIn(ModuleOp program, ProgramNotes *notes) {
  for (auto function : program.getOps<func::FuncOp>())
    if (!function.isExternal())
      Sharing(notes).share(function.getBody().front());
}

struct ShareStatements : impl::ShareStatementsBase<ShareStatements> {
  void runOnOperation() override {
    ProgramNotes notes(getOperation());
    shareIn(getOperation(), &notes);
  }
};

} // namespace

void shareNumbers(ModuleOp program) { shareIn(program, nullptr); }

bool computeTheSame(ta::ComputeOp a, ta::ComputeOp b) {
  return Comparison(/*schedules=*/false).same(a, b);
}

} // namespace strata
