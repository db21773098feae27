// Operators and functions of element expressions.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"
#include "strata/frontend/Suggest.h"

namespace strata::frontend {

// What an operator asks of the type in which the statement is computed.
void Analyzer::useOperator(Operator op, llvm::SMRange range, Notation &notation) {
  const OperatorInfo &info = infoOf(op);
  TypeFacts &facts = notation.facts;
  facts.hasReal |= info.real;
  facts.hasDivision |= op == Operator::Divide;
  facts.adds |= op == Operator::Plus || op == Operator::Times;
  if (op == Operator::Minus)
    subtracts(range, notation);
  if (info.ordered && !facts.ordered)
    facts.ordered = {op, range};
}

bool Analyzer::checkOperators(const TypeFacts &facts, ElementType type) {
  if (facts.ordered && isComplex(type)) {
    diagnostics
        .error(facts.ordered->second, "complex numbers have no order, which '" +
                                          infoOf(facts.ordered->first).name + "' needs")
        .note("abs(...) of a complex number is its magnitude");
    return false;
  }
  if (facts.negative && type == ElementType::Bool) {
    diagnostics.error(*facts.negative, "booleans have no '-'")
        .note("say what they are to be: int8(...); '!=' tells whether two differ");
    return false;
  }
  return true;
}

// a < b, a @(min,+) b, a @(min) b
ElementPtr Analyzer::binary(const ast::BinaryExpr &expr, Notation &notation) {
  if (expr.semiring)
    return semiringJoin(expr, notation);
  if (compares(expr.op) && !expr.joins)
    return comparison(expr, notation,
                      [&](const ast::Expr &side) { return element(side, notation); });
  useOperator(expr.op, expr.opRange, notation);
  if (expr.reduces)
    useOperator(*expr.reduces, expr.opRange, notation);
  ElementPtr left = element(*expr.lhs, notation), right = element(*expr.rhs, notation);
  if (!left || !right)
    return nullptr;
  if (expr.joins)
    return makeJoin(expr.op, expr.reduces, std::move(left), std::move(right), expr.range);
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(right));
  return makeApply(expr.op, std::move(operands), expr.range);
}

// a < b is a boolean, whatever a and b are.
ElementPtr Analyzer::comparison(const ast::BinaryExpr &expr, Notation &notation,
                                ReadElement readSide) {
  ElementPtr left, right;
  auto read = [&](bool &isConstant) {
    useOperator(expr.op, expr.opRange, notation);
    left = readSide(*expr.lhs);
    right = readSide(*expr.rhs);
    isConstant = left && right && left->kind == Element::Kind::Constant &&
                 right->kind == Element::Kind::Constant;
    return left && right;
  };
  std::optional<ElementType> type = inOwnType(notation, std::nullopt, read);
  if (!type)
    return nullptr;
  useType(ElementType::Bool, notation);
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(right));
  ElementPtr result = makeApply(expr.op, std::move(operands), expr.range);
  result->inner = type;
  return result;
}

// An expression of which only the truth counts; it has no say in the type of what is around it.
ElementPtr Analyzer::condition(const ast::Expr &expr, Notation &notation, ReadElement readValue) {
  ElementPtr value;
  auto read = [&](bool &isConstant) {
    value = readValue(expr);
    isConstant = value && value->kind == Element::Kind::Constant;
    return value != nullptr;
  };
  std::optional<ElementType> type = inOwnType(notation, ElementType::Bool, read);
  return type ? makeCast(std::move(value), *type, ElementType::Bool, expr.range) : nullptr;
}

// int8(a), float(a), ...: an element type as a function.
ElementPtr Analyzer::castTo(const ast::CallExpr &call, ElementType to, Notation &notation) {
  if (call.arguments.size() != 1) {
    diagnostics.error(call.range, "'" + call.callee.text + "' takes 1 argument, " +
                                      llvm::Twine(call.arguments.size()) + " are given");
    return nullptr;
  }
  ElementPtr value;
  auto read = [&](bool &isConstant) {
    value = element(*call.arguments.front(), notation);
    isConstant = value && value->kind == Element::Kind::Constant;
    return value != nullptr;
  };
  // Integers are computed in 64 bits before they are cut to those of the type.
  ElementType receiver = to == ElementType::Bool ? to : ElementType::Double;
  std::optional<ElementType> type = inOwnType(notation, receiver, read);
  if (!type)
    return nullptr;
  useType(to, notation);
  return makeCast(std::move(value), *type, to, call.range);
}

// min(a, b), sqrt(a), where(c, a, b)
ElementPtr Analyzer::apply(const ast::CallExpr &call, Operator op, Notation &notation) {
  const OperatorInfo &info = infoOf(op);
  bool chains = info.operands == 2 && info.reduces; // min(a, b, c)
  if (call.arguments.size() < info.operands || (call.arguments.size() > info.operands && !chains)) {
    diagnostics.error(call.range, "'" + info.name + "' takes " + llvm::Twine(info.operands) +
                                      (chains ? " or more" : "") +
                                      (info.operands == 1 ? " argument, " : " arguments, ") +
                                      llvm::Twine(call.arguments.size()) +
                                      (call.arguments.size() == 1 ? " is given" : " are given"));
    return nullptr;
  }
  auto read = [&](const ast::Expr &argument) { return element(argument, notation); };
  if (op == Operator::Not) {
    ElementPtr truth = condition(*call.arguments.front(), notation, read);
    useType(ElementType::Bool, notation);
    return truth ? makeNot(std::move(truth), call.range) : nullptr;
  }
  useOperator(op, call.callee.range, notation);
  std::vector<ElementPtr> operands;
  for (const ast::ExprPtr &argument : call.arguments) {
    bool asks = op == Operator::Where && operands.empty();
    operands.push_back(asks ? condition(*argument, notation, read) : read(*argument));
    if (!operands.back())
      return nullptr;
    if (operands.size() <= info.operands || !chains)
      continue;
    std::vector<ElementPtr> two;
    ElementPtr last = std::move(operands.back());
    operands.pop_back();
    two.push_back(makeApply(op, std::move(operands), call.range));
    two.push_back(std::move(last));
    operands = std::move(two);
  }
  return makeApply(op, std::move(operands), call.range);
}

// min(j, e), sum(j, k, e): the first arguments are labels, which belong to this reduction alone.
// Nothing if the call is none.
std::optional<ElementPtr> Analyzer::reduction(const ast::CallExpr &call, Notation &notation) {
  std::optional<Operator> op = findReduction(call.callee.text);
  auto isLabel = [&](const ast::ExprPtr &argument) {
    const auto *name = llvm::dyn_cast<ast::NameExpr>(argument.get());
    const Symbol *symbol = name ? scope->find(name->name.text) : nullptr;
    return symbol && symbol->kind == Symbol::Kind::Label;
  };
  if (!op || call.arguments.empty())
    return std::nullopt;
  bool labelled = isLabel(call.arguments.front());
  if (!labelled && frontend::findFunction(call.callee.text))
    return std::nullopt;
  if (!labelled || call.arguments.size() < 2) {
    diagnostics.error(call.range, "'" + call.callee.text + "' reduces over labels")
        .note("write " + call.callee.text + "(j, A[i, j]); SUM(A[i, j]) adds all elements");
    return nullptr;
  }
  useOperator(*op, call.callee.range, notation);
  std::vector<unsigned> vars;
  llvm::StringMap<unsigned> own;
  for (const ast::ExprPtr &argument : llvm::drop_end(call.arguments)) {
    if (!isLabel(argument)) {
      diagnostics.error(argument->range, "expected a label to reduce over");
      return nullptr;
    }
    const ast::Name &name = llvm::cast<ast::NameExpr>(*argument).name;
    vars.push_back(notation.vars.size());
    if (!own.try_emplace(name.text, vars.back()).second) {
      diagnostics.error(name.range, "the label '" + name.text + "' is reduced over twice");
      return nullptr;
    }
    notation.vars.push_back({name.text, name.range, {}});
  }
  notation.reduced.push_back(std::move(own));
  ElementPtr body = element(*call.arguments.back(), notation);
  notation.reduced.pop_back();
  if (!body)
    return nullptr;
  llvm::SmallVector<unsigned> used = usedVars(*body);
  for (auto [var, argument] : llvm::zip(vars, call.arguments))
    if (!llvm::is_contained(used, var)) {
      diagnostics.error(argument->range,
                        "what is reduced does not use the label '" + notation.vars[var].name + "'");
      return nullptr;
    }
  bool missing = body->missing;
  return makeReduction(*op, vars, std::move(body), missing);
}

} // namespace strata::frontend
