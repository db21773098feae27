// Masked statements: which places take part, and what becomes of the others.
#include "Drawer.h"

#include <limits>
#include <set>

namespace strata::test {

// What a place holds that has no terms, or another number.
static std::complex<double> drawEmptied(Random &random, const Case &c) {
  bool real = c.type == STRATA_F64 || c.type == STRATA_F32;
  double infinity = std::numeric_limits<double>::infinity();
  if (real && c.value.kind == Expression::Kind::reduction && random.chance(60)) {
    if (c.value.op == "min")
      return infinity;
    if (c.value.op == "max")
      return -infinity;
  }
  if (c.value.op == "mul" && random.chance(60))
    return 1;
  return random.chance(50) ? 0 : drawValue(random, c.type);
}

// Each place of the result is reached once, or it would be open whether it takes part.
void Drawer::drawMask() {
  std::set<unsigned> reached;
  for (const Position &position : c.out)
    for (const Position::Term &term : position.terms)
      reached.insert(term.variable);
  if (reached.size() != c.left.size())
    return;
  bool dense = c.resultFormat.text.empty();
  if (!c.init && masks.chance(75)) {
    if (masks.chance(60))
      c.combine = isComplex(c.type) ? masks.pick({"add", "add", "mul"})
                                    : masks.pick({"add", "add", "mul", "min", "max", "lor", "any"});
    DrawData how{.density = dense ? 1 : 0.4, .zeros = 10};
    updateWhat(masks, how);
  }
  bool scatters = c.value.kind == Expression::Kind::reduction && c.value.missing;
  bool ordered = c.combine == "min" || c.combine == "max" || c.combine == "any";
  c.joins = !c.combine.empty() && masks.chance(ordered ? 70 : 15);
  // Of `any`, and of what joins, the language makes operations on entries: a sum without terms is
  // none.
  if (c.joins || c.combine == "any")
    forEach(c.value, [&](Expression &e) {
      for (unsigned variable : e.reduced)
        e.missing |= c.variables[variable].extent == 0;
    });
  c.empties = c.combine.empty() ? masks.chance(scatters ? 60 : 85) : masks.chance(20);
  if (c.empties)
    c.emptied = drawEmptied(masks, c);

  CaseMask mask;
  mask.complement = masks.chance(40);
  mask.structural = masks.chance(40);
  mask.replace = masks.chance(45);
  mask.pull = masks.chance(40);
  if (c.init && masks.chance(12)) {
    mask.tensor = *c.init;
    mask.place = c.out;
    c.mask = mask;
    return;
  }
  std::vector<unsigned> chosen;
  for (unsigned variable : c.left)
    if (masks.chance(88))
      chosen.push_back(variable);
  if (masks.chance(25))
    masks.shuffle(chosen);
  while (chosen.size() > 4)
    chosen.pop_back();
  auto order = static_cast<unsigned>(chosen.size());
  Operand operand{"mask", {"scalar", ""}, {}, {}};
  if (order > 0)
    operand.format = masks.chance(25) ? NamedFormat{"Dense", ""} : drawFormat(masks, order);
  std::vector<int64_t> sizes;
  for (unsigned variable : chosen) {
    mask.place.push_back(Position::of(variable));
    if (masks.chance(4))
      mask.place.back().offset = masks.between(1, 2);
    sizes.push_back(sizeOf(mask.place.back(), c.variables));
  }
  operand.slack.assign(order, 0);
  strata_type type =
      masks.chance(60) ? c.type : allTypes[masks.below(int64_t(std::size(allTypes)))];
  operand.data =
      drawData(masks, sizes, type, {.density = masks.pick({0.1, 0.4, 0.4, 0.7, 1.0}), .zeros = 25});
  mask.tensor = static_cast<unsigned>(c.tensors.size());
  c.tensors.push_back(std::move(operand));
  c.mask = mask;
}

} // namespace strata::test
