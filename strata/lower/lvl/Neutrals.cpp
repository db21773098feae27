// Compares, case by case, folding with computing from constants.
#include "strata/lower/lvl/Neutrals.h"

#include "strata/dialect/ta/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace strata {
namespace {

constexpr unsigned mostGroups = 5;

// What becomes of a value in one case; null: what only the run knows, and is the same both ways.
struct Reading {
  ta::Known folded;   ///< with the absent accesses folded away
  TypedAttr computed; ///< with constants in their place
};

bool isFloat(TypedAttr value, double number) {
  auto attr = dyn_cast_or_null<FloatAttr>(Attribute(value));
  return attr && attr.getValue().bitwiseIsEqual(FloatAttr::get(attr.getType(), number).getValue());
}

bool isInteger(TypedAttr value, int64_t number) {
  auto attr = dyn_cast_or_null<IntegerAttr>(Attribute(value));
  return attr && attr.getValue() == APInt(attr.getValue().getBitWidth(), number, true);
}

// Is the operation its other operand, to the last bit, where operand `at` is `value`?
bool isIdentity(Operation *op, unsigned at, TypedAttr value) {
  if (isa<arith::AddFOp>(op))
    return isFloat(value, -0.0);
  if (isa<arith::SubFOp>(op))
    return at == 1 && isFloat(value, 0.0);
  if (isa<arith::AddIOp>(op))
    return isInteger(value, 0);
  return isa<arith::SubIOp>(op) && at == 1 && isInteger(value, 0);
}

bool isExact(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, complex::ReOp, complex::ImOp,
             complex::CreateOp, complex::ConjOp>(op);
}

// The operation on constants, to the last bit; null where that is not sure. `folded` is what
// folding makes of it.
TypedAttr computed(Operation *op, ArrayRef<Reading> operands, TypedAttr folded) {
  if (isExact(op) &&
      llvm::all_of(operands, [](const Reading &one) { return one.folded.value == one.computed; }))
    return folded;
  SmallVector<APFloat> numbers;
  for (const Reading &operand : operands)
    if (auto number = dyn_cast_or_null<FloatAttr>(Attribute(operand.computed)))
      numbers.push_back(number.getValue());
  if (numbers.size() != operands.size() || numbers.empty())
    return {};
  APFloat value = numbers[0];
  if (isa<arith::NegFOp>(op))
    value.changeSign();
  else if (isa<arith::AddFOp>(op))
    value.add(numbers[1], APFloat::rmNearestTiesToEven);
  else if (isa<arith::SubFOp>(op))
    value.subtract(numbers[1], APFloat::rmNearestTiesToEven);
  else if (isa<arith::MulFOp>(op))
    value.multiply(numbers[1], APFloat::rmNearestTiesToEven);
  else
    return {};
  return FloatAttr::get(op->getResult(0).getType(), value);
}

class Reader {
public:
  Reader(const Absence &absence, ArrayRef<SmallVector<Operation *>> groups)
      : absence(absence), groups(groups) {}

  // Does the assigned value, in every case but the fullest, come out the same both ways?
  bool agrees(Value value, ArrayRef<TypedAttr> chosen) {
    neutrals = chosen;
    for (present = 1; present + 1 < 1u << groups.size(); ++present) {
      std::optional<Reading> reading = read(value);
      if (!reading || reading->folded)
        return false;
    }
    return true;
  }

private:
  std::optional<Reading> read(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || !def->getParentOfType<cin::AssignOp>())
      return Reading{};
    Value same;
    if (ta::Known constant = knownValue(value, absence, &same))
      return Reading{constant, constant.value};
    if (same)
      return read(same);
    if (auto access = dyn_cast<cin::AccessOp>(def))
      return readAccess(access);
    if (!isa<arith::ArithDialect, complex::ComplexDialect, math::MathDialect>(def->getDialect()) ||
        !isPure(def) || def->getNumResults() != 1)
      return std::nullopt;
    SmallVector<Reading> operands;
    for (Value operand : def->getOperands()) {
      std::optional<Reading> one = read(operand);
      if (!one)
        return std::nullopt;
      operands.push_back(*one);
    }
    return combined(def, operands);
  }

  std::optional<Reading> readAccess(cin::AccessOp access) {
    if (access.getMissing())
      return std::nullopt;
    for (auto [at, group] : llvm::enumerate(groups))
      if (llvm::is_contained(group, access.getOperation()) && !(present >> at & 1))
        return Reading{{ta::fillOf(access.getStorage().getType().getTensor()), true}, neutrals[at]};
    return Reading{};
  }

  std::optional<Reading> combined(Operation *op, ArrayRef<Reading> operands) {
    SmallVector<ta::Known> folded;
    for (const Reading &operand : operands)
      folded.push_back(operand.folded);
    Value same;
    if (ta::Known constant = ta::foldElement(op, folded, same)) {
      TypedAttr exact = computed(op, operands, constant.value);
      return exact ? std::optional(Reading{constant, exact}) : std::nullopt;
    }
    bool agrees = true;
    for (auto [at, operand] : llvm::enumerate(operands))
      if (operand.folded)
        agrees &=
            same ? isIdentity(op, at, operand.computed) : operand.folded.value == operand.computed;
    return agrees ? std::optional(Reading{}) : std::nullopt;
  }

  const Absence &absence;
  ArrayRef<SmallVector<Operation *>> groups;
  ArrayRef<TypedAttr> neutrals;
  unsigned present = 0;
};

} // namespace

// Of a fill that is zero, that with the other sign is worth a try.
std::optional<SmallVector<TypedAttr>> findNeutrals(cin::AssignOp assign, const Absence &absence,
                                                   ArrayRef<SmallVector<Operation *>> groups) {
  if (groups.size() > mostGroups)
    return std::nullopt;
  SmallVector<TypedAttr> fills;
  for (const SmallVector<Operation *> &group : groups)
    fills.push_back(
        ta::fillOf(cast<cin::AccessOp>(group.front()).getStorage().getType().getTensor()));
  Reader reader(absence, groups);
  for (unsigned negative = 0; negative < 1u << groups.size(); ++negative) {
    SmallVector<TypedAttr> chosen = fills;
    bool possible = true;
    for (unsigned at = 0; at < groups.size(); ++at)
      if (negative >> at & 1) {
        possible &= isFloat(fills[at], 0.0);
        chosen[at] = possible ? FloatAttr::get(fills[at].getType(), -0.0) : fills[at];
      }
    if (possible && reader.agrees(assign.getYielded(), chosen))
      return chosen;
  }
  return std::nullopt;
}

} // namespace strata
