// Computes before a statement what its loops would compute again and again.
//
// before: R[i, k] = sum(j, S[i, j] * tanh(B[j, k] + c[k])), where S is sparse
// after:  f[j, k] = tanh(B[j, k] + c[k])
//         R[i, k] = sum(j, S[i, j] * f[j, k])
#include "strata/lower/ta/RepeatedFactors.h"

#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/StatementPart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace strata {

namespace {

class Search {
public:
  explicit Search(const IndexStatement &statement) : statement(statement) {}

  /// The widest of the values that are worth computing first.
  SmallVector<Value> run() {
    visit(statement.op.getYielded());
    return SmallVector<Value>(found.begin(), found.end());
  }

private:
  void visit(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || !seen.insert(def).second || ta::asksPresence(def))
      return;
    if (isCostly(value) && isRepeated(value)) {
      found.insert(value);
      return;
    }
    if (auto reduce = dyn_cast<ta::ReduceOp>(def); reduce && !reduce.getWorkspace())
      visit(reduce.getYielded());
    for (Value operand : def->getOperands())
      visit(operand);
  }

  // Does it call a function, divide, or read several tensors?
  bool isCostly(Value value) const {
    Type type = value.getType();
    if (type.isIndex() || type.isInteger(1) || !widestElement(statement, value))
      return false;
    llvm::SmallPtrSet<Operation *, 8> operations;
    SmallVector<Value> open{value};
    unsigned reads = 0;
    bool takesLong = false;
    while (!open.empty()) {
      Operation *def = open.pop_back_val().getDefiningOp();
      if (!operations.insert(def).second)
        continue;
      auto access = dyn_cast<ta::AccessOp>(def);
      reads += access && !access.getIndices().empty();
      takesLong |= isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, complex::DivOp>(def) ||
                   (isa<math::MathDialect, complex::ComplexDialect>(def->getDialect()) &&
                    !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, complex::AddOp, complex::SubOp,
                         complex::MulOp, complex::NegOp, complex::ConjOp, complex::ReOp,
                         complex::ImOp, complex::CreateOp, complex::ConstantOp>(def));
      if (!isa<ta::AccessOp>(def))
        llvm::append_range(open, def->getOperands());
    }
    return takesLong || reads > 1;
  }

  // Has a sparse operand labels that the value does not have, though it stands in their loops?
  bool isRepeated(Value value) const {
    llvm::SmallBitVector own = statement.freeVariables(value);
    llvm::SmallBitVector around = statement.variablesAround(value.getDefiningOp());
    return llvm::any_of(statement.accesses, [&](const auto &entry) {
      auto access = cast<ta::AccessOp>(entry.first);
      return isSparse(access) && (labelsIn(statement, access) &= around).test(own);
    });
  }

  const IndexStatement &statement;
  llvm::SmallPtrSet<Operation *, 16> seen;
  llvm::SetVector<Value> found;
};

} // namespace

void computeRepeatedFactors(ta::ComputeOp op, unsigned &names) {
  if (op.getScheduleAttr() || op.getMask() || isForbidden(op, Resolution::Split))
    return;
  SmallVector<Value> found = [&] {
    IndexStatement statement(op);
    return Search(statement).run();
  }();
  if (found.empty())
    return;
  ta::ComputeOp asStored = copyOf(op);
  for (Value value : found) {
    IndexStatement statement(op);
    const AccessPath &path = statement.accesses.find(widestElement(statement, value))->second;
    StatementPart part{value, storedOrder(path, statement.freeVariables(value)),
                       "a factor that the loops would compute again and again"};
    replaceBy(statement, part, computeMasked(statement, part, "f" + std::to_string(names++)));
  }
  keepBoth(op, asStored, op.getResult().getType(), fewUsesAttribute);
}

} // namespace strata
