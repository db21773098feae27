// Reductions without terms, over labels without values or operands without entries, on the right
// side of statements that update what is there: R(3 * j + 2) min= sum(k, A(k)).
#include "Drawer.h"

namespace strata::test {

// Over labels of which most have no values, of a constant, an operand or a product of two; most
// operands store nothing, or zeros.
Expression Drawer::drawReductionWithoutTerms() {
  Expression reduction;
  reduction.kind = Expression::Kind::reduction;
  reduction.op =
      isComplex(c.type)
          ? nothing.pick({"add", "add", "mul"})
          : nothing.pick({"add", "add", "add", "mul", "min", "max", "lor", "land", "lxor"});
  for (int64_t count = nothing.chance(85) ? 1 : 2; count > 0; --count) {
    reduction.reduced.push_back(freshVariable());
    c.variables.back().extent = nothing.chance(60) ? 0 : nothing.between(1, 4);
  }
  auto term = [&]() -> Expression {
    if (nothing.chance(15)) {
      Expression constant;
      constant.value = drawValue(nothing, c.type);
      return constant;
    }
    std::vector<unsigned> labels = reduction.reduced;
    if (nothing.chance(10))
      labels = c.left;
    else
      for (unsigned label : c.left)
        if (nothing.chance(40))
          labels.push_back(label);
    if (nothing.chance(30))
      nothing.shuffle(labels);
    const auto order = static_cast<unsigned>(labels.size());
    const NamedFormat format = order == 0           ? NamedFormat{"scalar", ""}
                               : nothing.chance(30) ? NamedFormat{"Dense", ""}
                                                    : drawFormat(nothing, order);
    Expression access = addOperand(
        nothing, labels, format,
        {.density = nothing.pick({0.0, 0.0, 0.3, 1.0}), .zeros = nothing.pick({0, 0, 30, 100})});
    access.missing = nothing.chance(20);
    return access;
  };
  reduction.operands.push_back(term());
  if (nothing.chance(25)) {
    Expression product;
    product.kind = Expression::Kind::binary;
    product.op = nothing.pick({"*", "+"});
    product.operands = {std::move(reduction.operands.front()), term()};
    reduction.operands = {std::move(product)};
  }
  reduction.missing = nothing.chance(35);
  return reduction;
}

// The left side: all of a result or a part of it, with what it held before.
void Drawer::drawUpdatedResult() {
  bool parts = nothing.chance(50);
  for (unsigned variable : c.left) {
    Position position = Position::of(variable);
    if (parts && nothing.chance(60)) {
      position.terms[0].factor = nothing.between(1, 3);
      position.offset = nothing.between(0, 3);
    }
    c.out.push_back(position);
    c.resultSlack.push_back(parts && nothing.chance(30) ? nothing.between(1, 2) : 0);
  }
  const auto order = static_cast<unsigned>(c.left.size());
  c.resultFormat = order == 0           ? NamedFormat{"scalar", ""}
                   : nothing.chance(25) ? NamedFormat{"Dense", ""}
                                        : drawFormat(nothing, order);
  if (!nothing.chance(80))
    return;
  if (nothing.chance(85))
    c.combine =
        isComplex(c.type)
            ? nothing.pick({"add", "mul", "any"})
            : nothing.pick({"add", "add", "mul", "min", "min", "max", "max", "any", "lor", "land"});
  c.joins = !c.combine.empty() && nothing.chance(40);
  updateWhat(nothing, {.density = c.resultFormat.text.empty() ? 1 : 0.4, .zeros = 20});
}

Case Drawer::drawWithoutTerms() {
  c.type = nothing.chance(30)   ? STRATA_F64
           : nothing.chance(30) ? STRATA_BOOL
                                : allTypes[nothing.below(int64_t(std::size(allTypes)))];
  for (size_t count = nothing.weighted({8, 67, 25}); count > 0; --count) {
    c.left.push_back(freshVariable());
    c.variables.back().extent = nothing.chance(4) ? 0 : nothing.between(1, 5);
  }
  c.value = drawReductionWithoutTerms();
  if (nothing.chance(30))
    c.value = drawEpilogue(std::move(c.value), c.left);
  if (nothing.chance(15)) {
    Expression both;
    both.kind = Expression::Kind::binary;
    both.op = nothing.pick({"+", "*"});
    both.operands = {std::move(c.value), drawReductionWithoutTerms()};
    c.value = std::move(both);
  }
  drawUpdatedResult();
  if (nothing.chance(15))
    drawMask();
  c.fitSizes();
  if (nothing.chance(10))
    drawFills();
  keepFinite();
  countPadding();
  return std::move(c);
}

} // namespace strata::test
