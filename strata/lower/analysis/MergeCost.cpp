// Counts the cases of merges.
#include "strata/lower/analysis/MergeCost.h"

#include "strata/dialect/cin/Cin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include <cmath>

using namespace mlir;

namespace strata {

bool isProduct(Operation *op) { return isa<arith::MulFOp, arith::MulIOp, complex::MulOp>(op); }
bool isMultilinear(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || isa<ta::AccessOp, cin::AccessOp>(def) || def->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isProduct(def) && llvm::all_of(def->getOperands(), isMultilinear);
}

bool isAddition(Operation *op) { return isa<arith::AddFOp, arith::AddIOp, complex::AddOp>(op); }
bool isDifference(Operation *op) { return isa<arith::SubFOp, arith::SubIOp, complex::SubOp>(op); }

SmallVector<ta::AccessOp> accessesIn(ta::ComputeOp op, Value value) {
  SmallVector<ta::AccessOp> found;
  SmallVector<Value> work{value};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    Operation *def = next.getDefiningOp();
    if (!def || !op->isProperAncestor(def) || !seen.insert(next).second)
      continue;
    if (auto access = dyn_cast<ta::AccessOp>(def))
      found.push_back(access);
    else if (auto reduce = dyn_cast<ta::ReduceOp>(def))
      work.push_back(reduce.getYielded());
    else
      llvm::append_range(work, llvm::reverse(def->getOperands()));
  }
  return found;
}

SmallVector<ta::AccessOp> mergedOperands(ta::ComputeOp op, Value value) {
  SmallVector<ta::AccessOp> operands;
  for (ta::AccessOp access : accessesIn(op, value)) {
    bool again = llvm::any_of(operands, [&](ta::AccessOp other) {
      return other.getTensor() == access.getTensor() && other.getMap() == access.getMap() &&
             other.getIndices() == access.getIndices();
    });
    if (isSparse(access) && !again)
      operands.push_back(access);
  }
  return operands;
}

static double mergedIn(ta::ComputeOp op, Value value, DenseMap<Value, double> &known) {
  Operation *def = value.getDefiningOp();
  if (!def || !op->isProperAncestor(def) || isa<ta::ReduceOp>(def))
    return 0;
  if (isa<ta::AccessOp>(def) || known.contains(value))
    return known.lookup(value);
  double merged = 0;
  unsigned count = isa<ta::UnionOp>(def) ? 2 : def->getNumOperands(); // the third is of these
  for (Value operand : def->getOperands().take_front(count)) {
    double other = mergedIn(op, operand, known);
    bool both = merged > 0 && other > 0 && isProduct(def);
    merged =
        both ? std::log2((std::exp2(merged) - 1) * (std::exp2(other) - 1) + 1) : merged + other;
  }
  return known[value] = merged;
}

double mergedIn(ta::ComputeOp op, Value value) {
  DenseMap<Value, double> known;
  for (ta::AccessOp access : mergedOperands(op, value))
    known[access] = 1;
  return mergedIn(op, value, known);
}

// Each case of a merged level has all those of the levels below it.
bool mergesTooMany(const IndexStatement &statement, Value value) {
  constexpr double mostCases = 64;
  unsigned levels = 1;
  SmallVector<ta::AccessOp> operands = mergedOperands(statement.op, value);
  for (ta::AccessOp access : operands) {
    ta::FormatAttr format = statement.accesses.find(access)->second.format;
    unsigned walked =
        llvm::count_if(llvm::seq<unsigned>(0, format.getLvlRank()), [&](unsigned lvl) {
          LevelProperties properties = ta::levelProperties(format, lvl);
          return !properties.full && !properties.branchless;
        });
    // Blocks, diagonals and slots have loops of their own below, or become rows first.
    levels = std::max(levels, format.getDimToLvl().isPermutation() ? walked : walked + 1);
  }
  double cases = std::pow(levels + 1, mergedIn(statement.op, value));
  return operands.size() > mostMerged || cases > mostCases;
}

} // namespace strata
