// Walks over syntax trees.
#include "strata/frontend/Ast.h"

namespace strata::frontend::ast {

void forEachOperand(Expr &expr, llvm::function_ref<void(ExprPtr &)> body) {
  if (auto *call = llvm::dyn_cast<CallExpr>(&expr))
    for (ExprPtr &argument : call->arguments)
      body(argument);
  if (auto *negate = llvm::dyn_cast<NegateExpr>(&expr))
    body(negate->operand);
  if (auto *sum = llvm::dyn_cast<SumExpr>(&expr))
    for (SumExpr::Term &term : sum->terms)
      body(term.operand);
  if (auto *product = llvm::dyn_cast<ProductExpr>(&expr))
    for (ProductExpr::Factor &factor : product->factors)
      body(factor.operand);
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(&expr)) {
    body(binary->lhs);
    body(binary->rhs);
  }
}

void forEachOperand(const Expr &expr, llvm::function_ref<void(const Expr &)> body) {
  forEachOperand(const_cast<Expr &>(expr), [&](ExprPtr &operand) { body(*operand); });
}

Coordinate asCoordinate(ExprPtr expr) {
  if (auto *name = llvm::dyn_cast<NameExpr>(expr.get()))
    return {std::move(name->name)};
  const char *begin = expr->range.Start.getPointer(), *end = expr->range.End.getPointer();
  llvm::SMRange range = expr->range;
  return {{std::string(begin, end), range}, std::shared_ptr<const Expr>(std::move(expr))};
}

static void forEachName(const Expr &expr, llvm::function_ref<void(const Name &)> body) {
  if (const auto *name = llvm::dyn_cast<NameExpr>(&expr))
    body(name->name);
  if (const auto *access = llvm::dyn_cast<AccessExpr>(&expr))
    for (const Coordinate &coordinate : access->labels)
      forEachName(coordinate, body);
  forEachOperand(expr, [&](const Expr &operand) { forEachName(operand, body); });
}

void forEachName(const Coordinate &coordinate, llvm::function_ref<void(const Name &)> body) {
  if (coordinate.computed)
    forEachName(*coordinate.computed, body);
  else
    body(coordinate);
}

llvm::StringRef spelling(AssignOp op) {
  static constexpr llvm::StringRef spellings[] = {
      "=", "+=", "-=", "*=", "min=", "max=", "any=", "|=", "&="};
  return spellings[static_cast<size_t>(op)];
}

} // namespace strata::frontend::ast
