// Solves a format's map for its dimensions.
#include "strata/dialect/ta/FormatMap.h"

#include "strata/dialect/ta/Digits.h"

#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace mlir;

namespace strata::ta {

//===------------------------------------------------------------------------------------------===//
// Slots
//===------------------------------------------------------------------------------------------===//

AffineExpr slotOf(llvm::ArrayRef<AffineExpr> counted, MLIRContext *context) {
  AffineExpr slot;
  for (auto [at, expr] : llvm::enumerate(counted)) {
    AffineExpr term = expr * getAffineSymbolExpr(at, context);
    slot = slot ? slot + term : term;
  }
  return slot;
}

bool isSlot(AffineExpr expr) {
  bool found = false;
  expr.walk([&](AffineExpr inner) { found |= isa<AffineSymbolExpr>(inner); });
  return found;
}

unsigned symbolsIn(llvm::ArrayRef<AffineExpr> exprs) {
  unsigned symbols = 0;
  for (AffineExpr expr : exprs)
    expr.walk([&](AffineExpr inner) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(inner))
        symbols = std::max(symbols, symbol.getPosition() + 1);
    });
  return symbols;
}

llvm::SmallVector<AffineExpr> countedBy(AffineExpr slot) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(slot);
  if (!binary)
    return {};
  if (slot.getKind() == AffineExprKind::Add) {
    llvm::SmallVector<AffineExpr> counted = countedBy(binary.getLHS());
    counted.append(countedBy(binary.getRHS()));
    return counted;
  }
  bool left = isa<AffineSymbolExpr>(binary.getLHS());
  return {left ? binary.getRHS() : binary.getLHS()};
}

bool determines(AffineMap map, llvm::ArrayRef<AffineExpr> known, AffineExpr expr) {
  if (llvm::is_contained(known, expr))
    return true;
  SmallVector<AffineExpr> equations(known);
  equations.push_back(expr);
  FormatMap relations(
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), equations, map.getContext()));
  return relations.implied.back() != AffineExpr();
}

int numberedLevel(AffineMap map, unsigned level) {
  // What is the same for all entries of one numbering: the levels above, and what is counted.
  SmallVector<AffineExpr> known = countedBy(map.getResult(level));
  for (unsigned above = 0; above < level; ++above)
    known.push_back(map.getResult(above));
  for (unsigned below = level + 1; below < map.getNumResults(); ++below) {
    AffineExpr expr = map.getResult(below);
    if (!isSlot(expr) && !determines(map, known, expr))
      return int(below);
    known.push_back(expr);
  }
  return -1;
}

llvm::SmallVector<unsigned> slotDims(AffineMap map, unsigned level) {
  int numbered = numberedLevel(map, level);
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    for (int at = 0; at <= std::max(numbered, int(level)); ++at)
      if (map.getResult(at).isFunctionOfDim(dim)) {
        dims.push_back(dim);
        break;
      }
  return dims;
}

//===------------------------------------------------------------------------------------------===//
// Equations
//===------------------------------------------------------------------------------------------===//

bool canBeNegative(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() < 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() == AffineExprKind::Mod)
    return false;
  return canBeNegative(binary.getLHS()) || canBeNegative(binary.getRHS());
}

bool splitLinear(AffineExpr expr, unsigned dim, int64_t &coefficient, AffineExpr &rest) {
  MLIRContext *context = expr.getContext();
  if (!expr.isFunctionOfDim(dim)) {
    coefficient = 0;
    rest = expr;
    return true;
  }
  if (auto d = dyn_cast<AffineDimExpr>(expr)) {
    coefficient = 1;
    rest = getAffineConstantExpr(0, context);
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add) {
    int64_t a = 0, b = 0;
    AffineExpr restA, restB;
    if (!splitLinear(binary.getLHS(), dim, a, restA) ||
        !splitLinear(binary.getRHS(), dim, b, restB))
      return false;
    coefficient = a + b;
    rest = restA + restB;
    return true;
  }
  if (expr.getKind() != AffineExprKind::Mul)
    return false;
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!factor || !splitLinear(binary.getLHS(), dim, coefficient, rest))
    return false;
  coefficient *= factor.getValue();
  rest = rest * factor.getValue();
  return true;
}

namespace {

class Solver {
public:
  Solver(AffineMap map, FormatMap &result) : map(map), result(result) {
    context = map.getContext();
    result.inverse.assign(map.getNumDims(), AffineExpr());
    result.solvedAt.resize(map.getNumResults());
    result.implied.assign(map.getNumResults(), AffineExpr());
  }

  void run() {
    for (unsigned level = 0; level < map.getNumResults(); ++level) {
      if (isSlot(map.getResult(level)))
        continue;
      AffineExpr expr = substituted(map.getResult(level));
      if (expr)
        result.implied[level] = expr;
      pending.push_back(level);
      while (solveOne(level))
        ;
    }
  }

private:
  // The expression over levels, or null while a dimension in it is unknown.
  AffineExpr substituted(AffineExpr expr) {
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim) && !result.inverse[dim])
        return {};
    return expr.replaceDims(result.inverse);
  }

  bool solve(unsigned level, unsigned dim, AffineExpr value) {
    result.inverse[dim] = simplifyAffineExpr(value, map.getNumResults(), 0);
    result.solvedAt[level].push_back({dim, result.inverse[dim]});
    return true;
  }

  // Looks for an equation with one unknown; `level` is the deepest level known.
  bool solveOne(unsigned level) {
    for (unsigned equation : pending) {
      AffineExpr expr = map.getResult(equation);
      int unknown = -1, unknowns = 0;
      for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
        if (expr.isFunctionOfDim(dim) && !result.inverse[dim])
          unknown = dim, ++unknowns;
      if (unknowns != 1)
        continue;
      AffineExpr crd = getAffineDimExpr(equation, context);
      int64_t coefficient = 0;
      AffineExpr rest;
      if (splitLinear(expr, unknown, coefficient, rest) &&
          (coefficient == 1 || coefficient == -1)) {
        rest = rest.replaceDims(inverseOrSelf());
        return solve(level, unknown, coefficient == 1 ? crd - rest : rest - crd);
      }
      if (asDigit(expr)) {
        SmallVector<std::pair<AffineExpr, AffineExpr>> known;
        for (unsigned other : pending)
          known.push_back({map.getResult(other), getAffineDimExpr(other, context)});
        if (AffineExpr value = fromDigits(getAffineDimExpr(unknown, context), known).value)
          return solve(level, unknown, value);
      }
    }
    return false;
  }

  SmallVector<AffineExpr> inverseOrSelf() {
    SmallVector<AffineExpr> values(result.inverse.begin(), result.inverse.end());
    for (auto [dim, value] : llvm::enumerate(values))
      if (!value)
        value = getAffineDimExpr(dim, context);
    return values;
  }

  AffineMap map;
  FormatMap &result;
  MLIRContext *context;
  SmallVector<unsigned> pending;
};

} // namespace

FormatMap::FormatMap(AffineMap dimToLvl) { Solver(dimToLvl, *this).run(); }

llvm::SmallVector<std::string> indexNames(unsigned n) {
  llvm::SmallVector<std::string> names;
  for (unsigned at = 0; at < n; ++at)
    names.push_back(n <= 9 ? std::string(1, "ijklmnopq"[at]) : "i" + std::to_string(at));
  return names;
}

std::string exprText(AffineExpr expr, llvm::ArrayRef<std::string> names) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return names[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (isSlot(expr)) {
    SmallVector<std::string> counted;
    for (AffineExpr e : countedBy(expr))
      counted.push_back(exprText(e, names));
    return "slot(" + llvm::join(counted, ", ") + ")";
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto paren = [&](AffineExpr e) {
    std::string text = exprText(e, names);
    return isa<AffineBinaryOpExpr>(e) ? "(" + text + ")" : text;
  };
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  switch (expr.getKind()) {
  case AffineExprKind::Add: {
    auto negated = [](AffineExpr e) -> AffineExpr {
      auto product = dyn_cast<AffineBinaryOpExpr>(e);
      if (!product || e.getKind() != AffineExprKind::Mul)
        return {};
      auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
      return factor && factor.getValue() < 0 ? -e : AffineExpr();
    };
    if (AffineExpr positive = negated(rhs))
      return exprText(lhs, names) + " - " + paren(positive);
    if (AffineExpr positive = negated(lhs))
      return exprText(rhs, names) + " - " + paren(positive);
    if (auto constant = dyn_cast<AffineConstantExpr>(rhs); constant && constant.getValue() < 0)
      return exprText(lhs, names) + " - " + std::to_string(-constant.getValue());
    return exprText(lhs, names) + " + " + exprText(rhs, names);
  }
  case AffineExprKind::Mul:
    return paren(lhs) + " * " + paren(rhs);
  case AffineExprKind::Mod:
    return paren(lhs) + " mod " + paren(rhs);
  case AffineExprKind::FloorDiv:
    return paren(lhs) + " floordiv " + paren(rhs);
  case AffineExprKind::CeilDiv:
  case AffineExprKind::Constant: // leaves are handled above
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return paren(lhs) + " ceildiv " + paren(rhs);
}

} // namespace strata::ta
