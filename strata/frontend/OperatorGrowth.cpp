// Walks over declarations of operators, and counts.
#include "strata/frontend/OperatorGrowth.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace strata::frontend {

using llvm::cast;
using llvm::StringRef;

void Growth::add(const Growth &operand, uint64_t times) {
  own = bounded(own + times * operand.own);
  for (auto [sum, some] : llvm::zip(uses, operand.uses))
    sum = bounded(sum + times * some);
}

OperatorGrowth::OperatorGrowth(const ast::Module &module, Diagnostics &diagnostics)
    : diagnostics(diagnostics) {
  for (const ast::OperatorFunction &function : module.operators)
    declared.try_emplace(function.name.text, &function);
}

static llvm::SmallVector<const ast::Expr *, 2> operandsOf(const ast::Expr &expr) {
  using Kind = ast::Expr::Kind;
  llvm::SmallVector<const ast::Expr *, 2> operands;
  switch (expr.kind) {
  case Kind::Negate:
    operands.push_back(cast<ast::NegateExpr>(expr).operand.get());
    break;
  case Kind::Sum:
    for (const ast::SumExpr::Term &term : cast<ast::SumExpr>(expr).terms)
      operands.push_back(term.operand.get());
    break;
  case Kind::Product:
    for (const ast::ProductExpr::Factor &factor : cast<ast::ProductExpr>(expr).factors)
      operands.push_back(factor.operand.get());
    break;
  case Kind::Binary:
    operands.push_back(cast<ast::BinaryExpr>(expr).lhs.get());
    operands.push_back(cast<ast::BinaryExpr>(expr).rhs.get());
    break;
  case Kind::Call:
    for (const ast::ExprPtr &argument : cast<ast::CallExpr>(expr).arguments)
      operands.push_back(argument.get());
    break;
  case Kind::Number:
  case Kind::Text:
  case Kind::Name:
  case Kind::Access:
  case Kind::Labels:
  case Kind::Values:
    break;
  }
  return operands;
}

std::optional<Growth> OperatorGrowth::of(const ast::Expr &expr,
                                         llvm::ArrayRef<StringRef> parameters) {
  if (depth >= maxGrownDepth) {
    refuseDepthOfOperators(expr.range, diagnostics);
    return std::nullopt;
  }
  Growth growth;
  growth.uses.assign(parameters.size(), 0);
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    for (auto [parameter, uses] : llvm::zip(parameters, growth.uses))
      if (growth.own > 0 && parameter == name->name.text) {
        growth.own = 0;
        uses = 1;
      }
    return growth;
  }
  std::optional<Growth> body; // of the operator that is called
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr))
    if (const ast::OperatorFunction *function = declared.lookup(call->callee.text)) {
      body = ofFunction(*function, call->range);
      if (!body)
        return std::nullopt;
      growth.own = body->own;
    }
  unsigned deepest = 0;
  for (auto [at, operand] : llvm::enumerate(operandsOf(expr))) {
    ++depth;
    std::optional<Growth> inner = of(*operand, parameters);
    --depth;
    if (!inner)
      return std::nullopt;
    // An operand is read once, and copied to each place where its parameter stands.
    growth.add(*inner, body && at < body->uses.size() ? 1 + body->uses[at] : 1);
    deepest = std::max(deepest, inner->depth);
  }
  growth.depth = deepest + (body ? body->depth : 1);
  if (growth.depth <= maxGrownDepth)
    return growth;
  refuseDepthOfOperators(expr.range, diagnostics);
  return std::nullopt;
}

std::optional<Growth> OperatorGrowth::ofFunction(const ast::OperatorFunction &function,
                                                 llvm::SMRange call) {
  auto [found, isNew] = known.try_emplace(&function);
  if (!isNew && found->second)
    return found->second;
  if (!isNew) {
    diagnostics.error(call, "operators cannot use themselves")
        .note("'" + function.name.text + "' is declared here", function.name.range);
    return std::nullopt;
  }
  llvm::SmallVector<StringRef> parameters;
  for (const ast::Name &parameter : function.parameters)
    parameters.push_back(parameter.text);
  ++depth;
  std::optional<Growth> growth = of(*function.value, parameters);
  --depth;
  if (growth)
    known[&function] = growth;
  return growth;
}

void refuseDepthOfOperators(llvm::SMRange range, Diagnostics &diagnostics) {
  diagnostics.error(range, "operators use each other too deeply (more than " +
                               llvm::Twine(maxGrownDepth) + " levels)");
}

std::pair<uint64_t, unsigned> extentOf(const Element &element) {
  uint64_t elements = 1;
  unsigned deepest = 0;
  for (const Element::Operand &operand : element.operands) {
    auto [inner, depth] = extentOf(*operand.element);
    elements += inner;
    deepest = std::max(deepest, depth);
  }
  return {elements, deepest + 1};
}

} // namespace strata::frontend
