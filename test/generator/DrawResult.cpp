// Results, and what depends on the whole case: fills, values, statements of their own.
#include "Drawer.h"

#include <cmath>
#include <limits>
#include <set>

namespace strata::test {

void Drawer::drawResult() {
  std::vector<unsigned> order = c.left;
  if (random.chance(20))
    random.shuffle(order);
  auto rank = static_cast<unsigned>(order.size());
  c.resultFormat = rank == 0 ? NamedFormat{"scalar", ""} : NamedFormat{"Dense", ""};
  if (rank > 0 && random.chance(55))
    c.resultFormat = drawFormat(random, rank);
  if (rank > 0 && rank < 4 && rare.chance(4)) {
    // Y(i, i) = ...
    order.insert(order.begin() + rare.between(0, rank), rare.pick(order));
    c.resultFormat = rare.chance(40) ? NamedFormat{"Dense", ""} : drawFormat(rare, rank + 1);
  }
  bool dense = c.resultFormat.text.empty();
  for (unsigned variable : order) {
    Position position = Position::of(variable);
    if (random.chance(dense ? 10 : 3)) {
      position.terms[0].factor = random.between(1, 2);
      position.offset = random.between(0, 2);
    }
    c.out.push_back(position);
    c.resultSlack.push_back(random.chance(dense ? 5 : 1) ? random.between(1, 2) : 0);
  }
  if (dense && random.chance(25))
    drawInit();
  else if (!dense && rare.chance(8))
    drawPart();
}

// A part of a tensor without a place for everything is written, or all of it.
void Drawer::drawPart() {
  for (size_t at = 0; at < c.out.size(); ++at) {
    if (rare.chance(30))
      c.out[at].terms[0].factor = rare.pick({2, 3});
    if (rare.chance(40))
      c.out[at].offset = rare.between(0, 3);
    if (rare.chance(40))
      c.resultSlack[at] = rare.between(0, 3);
  }
  if (rare.chance(50))
    c.combine = rare.chance(60) || isComplex(c.type) ? "add" : rare.pick({"min", "max"});
  updateWhat(rare, {.density = 0.4, .zeros = 10});
}

void Drawer::drawInit() {
  if (random.chance(80))
    c.combine =
        random.chance(80) || isComplex(c.type) ? "add" : random.pick({"mul", "min", "max", "lor"});
  // What is combined may come to one place several times.
  if (!c.combine.empty() && random.chance(25) && !c.out.empty()) {
    size_t dropped = static_cast<size_t>(random.below(static_cast<int64_t>(c.out.size())));
    c.out.erase(c.out.begin() + static_cast<long>(dropped));
    c.resultSlack.erase(c.resultSlack.begin() + static_cast<long>(dropped));
    if (c.out.empty())
      c.resultFormat = {"scalar", ""};
  }
  DrawData how = drawHow(false);
  how.density = 1;
  how.special = 0;
  updateWhat(random, how);
}

// The tensor that is updated. An access may read it, as it was before.
void Drawer::updateWhat(Random &drawn, const DrawData &how) {
  std::vector<Expression *> readers;
  std::set<unsigned> divisors;
  forEach(c.value, [&](Expression &e) {
    if (e.kind == Expression::Kind::binary && e.op == "/")
      divisors.insert(e.operands[1].tensor);
    bool fits = e.kind == Expression::Kind::access && e.place.size() == c.out.size();
    if (fits && !c.tensors[e.tensor].points && !divisors.contains(e.tensor))
      readers.push_back(&e);
  });
  c.init = static_cast<unsigned>(c.tensors.size());
  if (!readers.empty() && rare.chance(40)) {
    Expression &reader = *rare.pick(readers);
    c.fitResult(reader);
    reader.tensor = *c.init;
  }
  TensorData data = drawData(drawn, c.resultSizes(), c.type, how);
  c.tensors.push_back({"init", c.resultFormat, std::move(data), c.resultSlack});
}

// What a statement is worth where it reads fills alone, if that follows from the operators.
static std::optional<std::complex<double>> fillOf(const Expression &e, const Case &c) {
  if (e.kind == Expression::Kind::constant)
    return e.value;
  if (e.kind == Expression::Kind::access)
    return c.tensors[e.tensor].fill;
  if (e.kind != Expression::Kind::binary || e.op == "/")
    return std::nullopt;
  auto a = fillOf(e.operands[0], c), b = fillOf(e.operands[1], c);
  if (!a || !b)
    return std::nullopt;
  return e.op == "+" ? *a + *b : e.op == "-" ? *a - *b : *a * *b;
}

// The next multiple of a half, other than zero.
static double inHalves(double value) {
  if (!std::isfinite(value) || value == 0)
    return value;
  double halves = std::round(value * 2);
  return halves == 0 ? 0.5 : halves / 2;
}
static std::complex<double> inHalves(std::complex<double> value) {
  return {inHalves(value.real()), inHalves(value.imag())};
}

// Operands that are worth something where they store nothing, and results. Many fills cancel what
// is stored, in any order: sums are exact.
void Drawer::drawFills() {
  bool real = c.type == STRATA_F64 || c.type == STRATA_F32, signless = c.combine != "mul";
  forEach(c.value, [&](const Expression &e) {
    bool sum = e.kind == Expression::Kind::binary && e.op == "+";
    bool mayTurn = e.kind == Expression::Kind::binary || e.kind == Expression::Kind::negation;
    signless &= (sum || !mayTurn) && e.op != "mul" && e.inner != "*";
  });
  // Of infinite numbers with another sign it depends on the order what comes out.
  auto draw = [&]() -> std::complex<double> {
    bool infinite = real && rare.chance(15) && signless;
    return infinite ? std::numeric_limits<double>::infinity() : inHalves(drawValue(rare, c.type));
  };
  for (Operand &operand : c.tensors)
    for (Entry &entry : operand.data.entries)
      entry.value = inHalves(entry.value);
  forEach(c.value, [](Expression &e) { e.value = inHalves(e.value); });
  for (Operand &operand : c.tensors)
    if (!operand.format.text.empty() && !operand.points && operand.data.type == c.type &&
        rare.chance(60))
      operand.fill = draw();
  if (c.resultFormat.text.empty())
    return;
  c.resultFill = fillOf(c.value, c);
  bool fits = c.resultFill && !isNatural(c.type) && !isHalf(c.type) && rare.chance(80);
  if (!fits)
    c.resultFill.reset();
  if (!fits && rare.chance(40))
    c.resultFill = draw();
  if (c.init)
    c.tensors[*c.init].fill = c.resultFill;
}

// Operands that are NaN where they store nothing, as some of their entries are, and results.
void Drawer::drawNaNs() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const bool isReal = c.type == STRATA_F64 || c.type == STRATA_F32;
  if (!isReal && c.type != STRATA_C128)
    return;
  auto draw = [&]() -> std::complex<double> {
    return isReal ? nan : std::complex<double>(nans.pick({nan, nan, 0.5}), nan);
  };
  for (Operand &operand : c.tensors) {
    if (operand.format.text.empty() || operand.points || operand.data.type != c.type ||
        !nans.chance(60))
      continue;
    operand.fill = draw();
    for (Entry &entry : operand.data.entries)
      if (nans.chance(10))
        entry.value = *operand.fill;
  }
  if (c.resultFormat.text.empty())
    return;
  c.resultFill = fillOf(c.value, c);
  if (!c.resultFill && nans.chance(60))
    c.resultFill = draw();
  if (c.init)
    c.tensors[*c.init].fill = c.resultFill;
}

static bool isFinite(std::complex<double> value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

static bool isPadded(const Operand &operand) {
  return hasPadding(operand.format, static_cast<unsigned>(operand.data.sizes.size()));
}

// Zeros that a format stores beside entries are no absent ones: where they meet infinite values,
// what comes out depends on the formats.
void Drawer::keepFinite() {
  if (std::ranges::none_of(c.tensors, isPadded))
    return;
  for (Operand &operand : c.tensors) {
    for (Entry &entry : operand.data.entries)
      if (!isFinite(entry.value))
        entry.value = drawValue(random, c.type);
    if (operand.fill && !isFinite(*operand.fill))
      operand.fill = drawValue(rare, c.type);
  }
  forEach(c.value, [&](Expression &e) {
    if (e.kind == Expression::Kind::constant && !isFinite(e.value))
      e.value = drawValue(rare, c.type);
    // The least of no values is infinite.
    if (e.kind != Expression::Kind::reduction || e.missing || (e.op != "min" && e.op != "max"))
      return;
    bool mayHaveNone = std::ranges::any_of(
        e.reduced, [&](unsigned label) { return c.variables[label].extent == 0; });
    forEach(e, [&](Expression &inner) { mayHaveNone |= &inner != &e && inner.missing; });
    if (mayHaveNone)
      e.op = "add";
  });
  if (c.init)
    c.resultFill = c.tensors[*c.init].fill;
}

// For the same reason it depends on formats whether a sum has terms that reads such zeros, unless
// they count as missing.
void Drawer::countPadding() {
  auto isPadding = [&](const Expression &e) {
    return e.kind == Expression::Kind::access && !e.missing && isPadded(c.tensors[e.tensor]);
  };
  forEach(c.value, [&](Expression &e) {
    if (e.kind == Expression::Kind::reduction && e.missing)
      forEach(e, [&](Expression &inner) { e.missing &= !isPadding(inner); });
  });
}

// Parts of the right side become statements of their own. The case stays the same, as a program:
// not where what is stored matters, nor infinite values, which meet absent ones otherwise, nor
// where storing a value rounds it. What may be missing would be there as a fill.
void Drawer::drawStatements() {
  bool plain = !stored && !isHalf(c.type);
  for (const IndexVariable &variable : c.variables)
    plain &= variable.extent > 0;
  for (const Operand &operand : c.tensors) {
    plain &= isFinite(operand.fill.value_or(0));
    for (const Entry &entry : operand.data.entries)
      plain &= isFinite(entry.value);
  }
  forEach(c.value, [&](const Expression &e) { plain &= isFinite(e.value); });
  if (!plain || !random.chance(35))
    return;
  int most = 3;
  for (Expression &operand : c.value.operands)
    drawStored(operand, most, c.value.missing);
}

void Drawer::drawStored(Expression &e, int &most, bool asked) {
  bool leaf = e.kind == Expression::Kind::access || e.kind == Expression::Kind::constant;
  if (!leaf && most > 0 && random.chance(50) && !mayBeMissing(e)) {
    auto order = static_cast<unsigned>(freeVariables(e).size());
    if (order <= 4 && !asked) {
      --most;
      e.stored = order == 0          ? NamedFormat{"scalar", ""}
                 : random.chance(50) ? NamedFormat{"Dense", ""}
                                     : drawFormat(random, order);
    }
  }
  for (Expression &operand : e.operands)
    drawStored(operand, most, asked || e.missing);
}

} // namespace strata::test
