// Operators and functions of element expressions.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

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
  if ((info.of == Operands::Ordered || info.of == Operands::Real) && !facts.ordered)
    facts.ordered = {op, range};
  if (info.of == Operands::Bits && !facts.bits)
    facts.bits = {op, range};
}

bool Analyzer::checkOperators(const TypeFacts &facts, ElementType type) {
  if (facts.ordered && isComplex(type)) {
    const OperatorInfo &info = infoOf(facts.ordered->first);
    diagnostics
        .error(facts.ordered->second,
               info.of == Operands::Real
                   ? "'" + info.name + "' takes real numbers, but its operand is complex"
                   : "complex numbers have no order, which '" + info.name + "' needs")
        .note("abs(...) of a complex number is its magnitude, re(...) and im(...) are its parts");
    return false;
  }
  if (facts.bits && kindOf(type) >= NumberKind::Real) {
    Operator op = facts.bits->first;
    diagnostics
        .error(facts.bits->second, "'" + (op == Operator::BitNot ? "~" : signOfBits(op)) +
                                       "' works on the bits of integers, but " +
                                       "its operands are " + elementTypeName(type))
        .note(op == Operator::BitXor
                  ? "for a power, write pow(a, b); for integers, convert: int64(...)"
                  : "convert them: int64(...), or bool(...) for whether they are "
                    "not zero");
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
  auto read = [&](const ast::Expr &side) { return element(side, notation); };
  if (compares(expr.op) && !expr.joins)
    return comparison(expr, notation, read);
  if (!expr.joins)
    return ofBits(expr, notation, read);
  useOperator(expr.op, expr.opRange, notation);
  if (expr.reduces)
    useOperator(*expr.reduces, expr.opRange, notation);
  ElementPtr left = element(*expr.lhs, notation), right = element(*expr.rhs, notation);
  if (!left || !right)
    return nullptr;
  return makeJoin(expr.op, expr.reduces, std::move(left), std::move(right), expr.range);
}

// a | b, a << 2
ElementPtr Analyzer::ofBits(const ast::BinaryExpr &expr, Notation &notation, ReadElement read) {
  useOperator(expr.op, expr.opRange, notation);
  std::vector<ElementPtr> operands;
  operands.push_back(read(*expr.lhs));
  operands.push_back(read(*expr.rhs));
  if (!operands[0] || !operands[1])
    return nullptr;
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

// min(a, b, c, d): of two halves, so that the tree of many operands is not deep.
static ElementPtr reduced(Operator op, llvm::MutableArrayRef<ElementPtr> operands,
                          llvm::SMRange range) {
  if (operands.size() == 1)
    return std::move(operands.front());
  const size_t half = (operands.size() + 1) / 2;
  std::vector<ElementPtr> two;
  two.push_back(reduced(op, operands.take_front(half), range));
  two.push_back(reduced(op, operands.drop_front(half), range));
  return makeApply(op, std::move(two), range);
}

// min(a, b), sqrt(a), where(c, a, b)
ElementPtr Analyzer::apply(const ast::CallExpr &call, Operator op, Notation &notation,
                           ReadElement read) {
  const OperatorInfo &info = infoOf(op);
  bool chains = info.operands == 2 && info.reduces; // min(a, b, c)
  bool optional = op == Operator::Heaviside;        // of its second operand, 0
  if (call.arguments.size() + optional < info.operands ||
      (call.arguments.size() > info.operands && !chains)) {
    diagnostics.error(call.range, "'" + info.name + "' takes " + std::to_string(info.operands) +
                                      (chains ? " or more " : " ") +
                                      nounFor(info.operands, "argument") + ", " +
                                      std::to_string(call.arguments.size()) +
                                      (call.arguments.size() == 1 ? " is given" : " are given"));
    return nullptr;
  }
  if (op == Operator::Not) {
    ElementPtr truth = condition(*call.arguments.front(), notation, read);
    useType(ElementType::Bool, notation);
    return truth ? makeNot(std::move(truth), call.range) : nullptr;
  }
  if (measures(op))
    return measure(call, op, notation, read);
  if (op == Operator::BitNot)
    return complement(call, notation, read);
  useOperator(op, call.callee.range, notation);
  std::vector<ElementPtr> operands;
  for (const ast::ExprPtr &argument : call.arguments) {
    bool asks = op == Operator::Where && operands.empty();
    operands.push_back(asks ? condition(*argument, notation, read) : read(*argument));
    if (!operands.back())
      return nullptr;
  }
  if (chains)
    return reduced(op, operands, call.range);
  if (operands.size() < info.operands)
    operands.push_back(makeConstant(0, 0, call.range));
  return makeApply(op, std::move(operands), call.range);
}

// abs(z), re(z), im(z) are real where z is complex; else they are of the type around them.
ElementPtr Analyzer::measure(const ast::CallExpr &call, Operator op, Notation &notation,
                             ReadElement read) {
  TypeFacts around = std::exchange(notation.facts, {});
  ElementPtr value = read(*call.arguments.front());
  TypeFacts own = std::exchange(notation.facts, around);
  if (!value)
    return nullptr;
  ElementType type = typeOf(withOpen(own, std::nullopt), value->kind == Element::Kind::Constant);
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(value));
  ElementPtr result = makeApply(op, std::move(operands), call.range);
  if (!isComplex(type)) {
    notation.facts.include(own);
    return result;
  }
  if (!checkOperators(own, type))
    return nullptr;
  result->inner = type;
  useType(partOf(type), notation);
  return result;
}

// ~a has the bits of its operand's own type: of a uint8, eight.
ElementPtr Analyzer::complement(const ast::CallExpr &call, Notation &notation, ReadElement read) {
  TypeFacts around = std::exchange(notation.facts, {});
  useOperator(Operator::BitNot, call.callee.range, notation);
  ElementPtr value = read(*call.arguments.front());
  TypeFacts own = std::exchange(notation.facts, around);
  if (!value)
    return nullptr;
  ElementType type = own.type ? typeOf(own, false) : ElementType::Int64;
  if (!checkOperators(own, type))
    return nullptr;
  useType(type, notation);
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(value));
  ElementPtr result = makeApply(Operator::BitNot, std::move(operands), call.range);
  result->inner = type;
  return result;
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
  const ast::Expr &reduced = *call.arguments.back();
  ElementPtr body = *op == Operator::Plus ? summand(reduced, notation) : element(reduced, notation);
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
