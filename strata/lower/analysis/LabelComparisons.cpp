// Reads comparisons as linear conditions on loop variables.
#include "strata/lower/analysis/LabelComparisons.h"

#include "strata/dialect/ta/LabelValues.h"
#include "strata/dialect/ta/Relations.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace strata {
namespace {

// So large the numbers of a comparison may be that 64 bits hold what it computes, and what follows
// from that for a loop, of labels with up to 2^44 values.
constexpr int64_t mostFactor = int64_t(1) << 16, mostConstant = int64_t(1) << 60;

bool isWithin(int64_t value, int64_t most) { return -most <= value && value <= most; }

/// A sum of variables with factors, and a number.
struct Linear {
  SmallVector<int64_t> factors;
  int64_t constant = 0;

  bool isSmall() const {
    return isWithin(constant, mostConstant) &&
           llvm::all_of(factors, [](int64_t factor) { return isWithin(factor, mostFactor); });
  }
  Linear plus(const Linear &other, int64_t times) const {
    Linear sum = *this;
    for (auto [factor, more] : llvm::zip(sum.factors, other.factors))
      factor += times * more;
    sum.constant += times * other.constant;
    return sum;
  }
};

class ComparisonReader {
public:
  ComparisonReader(unsigned variables, llvm::function_ref<AffineExpr(Operation *)> labelOf,
                   MLIRContext *context)
      : variables(variables), labelOf(labelOf), context(context) {}

  std::optional<LinearConditions> conditions(ta::CompareOp op, bool holds) const {
    ta::Relation relation = holds ? op.getRelation() : ta::inverseOf(op.getRelation());
    Value left = op.getLhs(), right = op.getRhs();
    if (auto magnitude = left.getDefiningOp<math::AbsIOp>())
      return ofMagnitude(relation, linear(magnitude.getOperand()), linear(right));
    if (auto magnitude = right.getDefiningOp<math::AbsIOp>())
      return ofMagnitude(ta::swapped(relation), linear(magnitude.getOperand()), linear(left));
    std::optional<Linear> x = linear(left), y = linear(right);
    if (!x || !y)
      return std::nullopt;
    Linear up = y->plus(*x, -1), down = x->plus(*y, -1);
    switch (relation) {
    case ta::Relation::eq:
      return LinearConditions{expr(up), expr(down)};
    case ta::Relation::lt:
      return LinearConditions{expr(up, -1)};
    case ta::Relation::le:
      return LinearConditions{expr(up)};
    case ta::Relation::gt:
      return LinearConditions{expr(down, -1)};
    case ta::Relation::ge:
      return LinearConditions{expr(down)};
    case ta::Relation::ne:
    case ta::Relation::ult:
    case ta::Relation::ule:
    case ta::Relation::ugt:
    case ta::Relation::uge:
      break;
    }
    return std::nullopt;
  }

private:
  // |x| < y, |x| <= y: neither x nor -x is above.
  std::optional<LinearConditions> ofMagnitude(ta::Relation relation, const std::optional<Linear> &x,
                                              const std::optional<Linear> &y) const {
    if (!x || !y || (relation != ta::Relation::lt && relation != ta::Relation::le))
      return std::nullopt;
    int64_t more = relation == ta::Relation::lt ? -1 : 0;
    return LinearConditions{expr(y->plus(*x, -1), more), expr(y->plus(*x, 1), more)};
  }

  AffineExpr expr(const Linear &sum, int64_t more = 0) const {
    AffineExpr result = getAffineConstantExpr(sum.constant + more, context);
    for (auto [variable, factor] : llvm::enumerate(sum.factors))
      result = result + getAffineDimExpr(variable, context) * factor;
    return result;
  }

  Linear number(int64_t constant) const { return {SmallVector<int64_t>(variables, 0), constant}; }

  static std::optional<Linear> small(const Linear &sum) {
    return sum.isSmall() ? std::optional(sum) : std::nullopt;
  }

  // A value of labels and numbers alone; nothing where it is not linear, or no kernel argument that
  // counts.
  std::optional<Linear> linear(Value value) const {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSignificantBits() <= 64 ? small(number(constant.getSExtValue()))
                                                 : std::nullopt;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<cin::AccessOp, ta::AccessOp>(op)) {
      AffineExpr label = labelOf(op);
      return label ? linear(label) : std::nullopt;
    }
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return std::nullopt;
    std::optional<Linear> x = linear(op->getOperand(0)), y = linear(op->getOperand(1));
    if (!x || !y)
      return std::nullopt;
    if (!isa<arith::MulIOp>(op))
      return small(x->plus(*y, isa<arith::AddIOp>(op) ? 1 : -1));
    auto isNumber = [](const Linear &sum) {
      return llvm::all_of(sum.factors, [](int64_t factor) { return factor == 0; });
    };
    if (!isNumber(*x))
      std::swap(x, y);
    return isNumber(*x) ? times(*y, x->constant) : std::nullopt;
  }

  std::optional<Linear> times(const Linear &sum, int64_t factor) const {
    bool fits = isWithin(factor, mostFactor) && isWithin(sum.constant, mostConstant / mostFactor);
    return fits ? small(number(0).plus(sum, factor)) : std::nullopt;
  }

  std::optional<Linear> linear(AffineExpr place) const {
    if (auto constant = dyn_cast<AffineConstantExpr>(place))
      return small(number(constant.getValue()));
    if (auto dim = dyn_cast<AffineDimExpr>(place)) {
      Linear variable = number(0);
      variable.factors[dim.getPosition()] = 1;
      return variable;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(place);
    std::optional<Linear> x = binary ? linear(binary.getLHS()) : std::nullopt;
    std::optional<Linear> y = x ? linear(binary.getRHS()) : std::nullopt;
    if (y && place.getKind() == AffineExprKind::Add)
      return small(x->plus(*y, 1));
    auto factor = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
    return y && factor && place.getKind() == AffineExprKind::Mul ? times(*x, factor.getValue())
                                                                 : std::nullopt;
  }

  unsigned variables;
  llvm::function_ref<AffineExpr(Operation *)> labelOf;
  MLIRContext *context;
};

} // namespace

std::optional<LinearConditions>
linearConditions(ta::CompareOp op, bool holds, unsigned variables,
                 llvm::function_ref<AffineExpr(Operation *)> labelOf) {
  return ComparisonReader(variables, labelOf, op.getContext()).conditions(op, holds);
}

AffineExpr labelValue(AffineExpr place, int64_t first, int64_t step) {
  const bool fits = isWithin(step, mostFactor) && isWithin(first, mostConstant);
  return fits ? place * step + first : AffineExpr();
}

// The value of a label that an access reads: its storage is an argument of the kernel that counts.
static AffineExpr labelIn(cin::AccessOp access, const LoopNest &nest) {
  auto argument = dyn_cast<BlockArgument>(access.getStorage());
  auto kernel =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto counts = kernel ? kernel.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(),
                                                                    ta::iotaAttribute)
                       : DenseI64ArrayAttr();
  AffineMap place = nest.placeOf(access.getMap(), access.getIndices());
  return counts && counts.size() == 2 && place.getNumResults() == 1
             ? labelValue(place.getResult(0), counts[0], counts[1])
             : AffineExpr();
}

bool LabelComparison::isIn(Operation *statement) const {
  return llvm::any_of(ops, [&](Operation *op) { return statement->isAncestor(op); });
}

SmallVector<LabelComparison> labelComparisons(func::FuncOp kernel, const LoopNest &nest) {
  SmallVector<LabelComparison> found;
  auto labelOf = [&](Operation *op) {
    auto access = dyn_cast<cin::AccessOp>(op);
    return access ? labelIn(access, nest) : AffineExpr();
  };
  auto conditions = [&](ta::CompareOp op, bool holds) {
    return linearConditions(op, holds, nest.loops.size(), labelOf);
  };
  kernel.walk([&](ta::CompareOp op) {
    if (!op->hasAttr(ta::ofLabelsAttribute))
      return;
    LabelComparison one{{op}, conditions(op, true), conditions(op, false)};
    for (LabelComparison &other : found)
      if ((one.holding || one.failing) && other.holding == one.holding &&
          other.failing == one.failing) {
        other.ops.push_back(op);
        return;
      }
    found.push_back(std::move(one));
  });
  return found;
}

} // namespace strata
