// Walks over syntax trees.
#include "strata/frontend/Ast.h"

namespace strata::frontend::ast {

void forEachOperand(const Expr &expr, llvm::function_ref<void(const Expr &)> body) {
  if (const auto *call = llvm::dyn_cast<CallExpr>(&expr))
    for (const ExprPtr &argument : call->arguments)
      body(*argument);
  if (const auto *negate = llvm::dyn_cast<NegateExpr>(&expr))
    body(*negate->operand);
  if (const auto *sum = llvm::dyn_cast<SumExpr>(&expr))
    for (const SumExpr::Term &term : sum->terms)
      body(*term.operand);
  if (const auto *product = llvm::dyn_cast<ProductExpr>(&expr))
    for (const ProductExpr::Factor &factor : product->factors)
      body(*factor.operand);
  if (const auto *binary = llvm::dyn_cast<BinaryExpr>(&expr)) {
    body(*binary->lhs);
    body(*binary->rhs);
  }
}

llvm::StringRef spelling(AssignOp op) {
  static constexpr llvm::StringRef spellings[] = {
      "=", "+=", "-=", "*=", "min=", "max=", "|=", "&="};
  return spellings[static_cast<size_t>(op)];
}

} // namespace strata::frontend::ast
