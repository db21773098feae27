// Index variables, expressions and their operands.
#include "DrawCase.h"
#include "Drawer.h"
#include "FileTrip.h"

#include <limits>

namespace strata::test {

unsigned Drawer::freshVariable() {
  static const char *names[] = {"i", "j", "k", "l", "m", "n", "o", "p", "q", "r"};
  auto number = static_cast<unsigned>(c.variables.size());
  int64_t extent = sharedExtent;
  if (extent < 0 || random.chance(10))
    switch (random.weighted({3, 8, 89})) {
    case 0:
      extent = 0;
      break;
    case 1:
      extent = 1;
      break;
    default:
      extent = random.between(2, mostExtent);
    }
  c.variables.push_back({number < 10 ? names[number] : "v" + std::to_string(number), extent});
  return number;
}

std::vector<unsigned> Drawer::drawSubset(const std::vector<unsigned> &scope) {
  std::vector<unsigned> chosen;
  for (unsigned variable : scope)
    if (random.chance(75))
      chosen.push_back(variable);
  if (chosen.empty() && random.chance(85))
    chosen = scope;
  if (random.chance(30))
    random.shuffle(chosen);
  while (chosen.size() > 4)
    chosen.erase(chosen.begin() + random.below(static_cast<int64_t>(chosen.size())));
  if (!chosen.empty() && chosen.size() < 4 && random.chance(4))
    chosen.push_back(random.pick(chosen)); // A(i, i)
  return chosen;
}

Position Drawer::drawPosition(unsigned variable, const std::vector<unsigned> &scope, bool dense) {
  Position position = Position::of(variable);
  if (quotients.chance(dense ? 6 : 3)) {
    position.offset = quotients.chance(30) ? quotients.between(1, 3) : 0;
    if (quotients.chance(60))
      position.divisor = quotients.between(2, 4);
    if (position.divisor == 1 || quotients.chance(30))
      position.modulus = quotients.between(2, 5);
  }
  if (!random.chance(dense ? 15 : 4))
    return position;
  switch (random.below(5)) {
  case 0:
    position.offset = random.between(1, 3);
    break;
  case 1:
    position.terms[0].factor = random.between(2, 3);
    position.offset = random.between(0, 1);
    break;
  case 2:
    position.terms[0].factor = -1;
    position.offset = std::max<int64_t>(c.variables[variable].extent - 1, 0);
    break;
  case 3:
    position.terms.push_back({random.pick(scope), random.between(1, 2)});
    break;
  default:
    position = {{}, random.between(0, 2)};
  }
  if (position.terms.size() == 2 && position.terms[0].variable == position.terms[1].variable)
    position = Position::of(variable);
  return position;
}

DrawData Drawer::drawHow(bool divisor) {
  if (divisor)
    return {.density = 1, .nonzero = true};
  DrawData how;
  how.density = random.pick({0.0, 0.05, 0.2, 0.2, 0.5, 0.5, 1.0});
  how.zeros = random.chance(40) ? 15 : 0;
  how.duplicates = random.chance(25) ? 20 : 0;
  how.special = random.chance(10) ? 10 : 0;
  return how;
}

// An operand that is there already and has these sizes.
bool Drawer::reuse(Expression &access, const std::vector<int64_t> &sizes) {
  for (unsigned at = 0; at < c.tensors.size(); ++at)
    if (c.tensors[at].data.sizes == sizes && !c.tensors[at].points && random.chance(50)) {
      access.tensor = at;
      return true;
    }
  return false;
}

// Coordinates in the order of the variables.
NamedFormat Drawer::drawList(unsigned order) {
  std::vector<NamedFormat> named = namedFormats(order);
  std::erase_if(named, [](const NamedFormat &format) {
    return format.name != "COO" && format.name != "COO-AoS";
  });
  return named.empty() ? drawFormat(random, order) : random.pick(named);
}

// `found` is a variable that the access uses by itself.
Expression Drawer::drawAccess(const std::vector<unsigned> &scope, bool divisor,
                              std::optional<unsigned> found) {
  Expression access;
  access.kind = Expression::Kind::access;
  // A natural zero annihilates minima: beside a missing operand the reference would take it for
  // what is absent there.
  access.missing = stored && !divisor && (isNatural(c.type) || random.chance(85));
  // Where loops over many of them nest, each case of each loop has all those of the loops inside.
  bool list = alike && !divisor && !found && scope.size() <= 3 && scope.size() * lists < 6 &&
              random.chance(85);
  lists += list;
  std::vector<unsigned> chosen = list ? scope : drawSubset(scope);
  if (found) {
    std::erase(chosen, *found);
    chosen.resize(std::min<size_t>(chosen.size(), 3));
    auto at = random.between(0, static_cast<int64_t>(chosen.size()));
    chosen.insert(chosen.begin() + at, *found);
  }
  auto order = static_cast<unsigned>(chosen.size());
  NamedFormat format{"Dense", ""};
  if (order == 0)
    format = {"scalar", ""};
  else if (list)
    format = drawList(order);
  else if (!divisor && random.chance(80))
    format = drawFormat(random, order);
  std::vector<int64_t> sizes, slack;
  for (unsigned variable : chosen) {
    bool plain = list || variable == found;
    access.place.push_back(plain ? Position::of(variable)
                                 : drawPosition(variable, scope, format.text.empty()));
    bool larger = random.chance(format.text.empty() ? 5 : 2);
    slack.push_back(larger ? random.between(1, 3) : 0);
    sizes.push_back(sizeOf(access.place.back(), c.variables) + slack.back());
  }
  if (!divisor && random.chance(20) && reuse(access, sizes))
    return access;
  access.tensor = static_cast<unsigned>(c.tensors.size());
  std::string name(1, static_cast<char>('A' + access.tensor));
  c.tensors.push_back({name, format, drawData(random, sizes, c.type, drawHow(divisor)), slack});
  return access;
}

// A variable that takes coordinates that are looked up: there are some.
unsigned Drawer::foundVariable() {
  unsigned variable = freshVariable();
  IndexVariable &found = c.variables[variable];
  found.extent = std::max<int64_t>(found.extent, 1);
  return variable;
}

// p(i, ..., found): whole numbers in any format, for values of at most two variables.
Expression Drawer::drawPointer(const std::vector<unsigned> &scope, unsigned found) {
  Expression pointer;
  pointer.kind = Expression::Kind::access;
  pointer.tensor = static_cast<unsigned>(c.tensors.size());
  std::vector<unsigned> chosen = drawSubset(scope);
  std::erase(chosen, found);
  chosen.resize(std::min<size_t>(chosen.size(), 2));
  std::vector<int64_t> sizes;
  for (unsigned variable : chosen) {
    pointer.place.push_back(Position::of(variable));
    sizes.push_back(c.variables[variable].extent);
  }
  pointer.place.push_back(Position::of(found));
  auto order = static_cast<unsigned>(chosen.size());
  Operand operand{std::string(1, static_cast<char>('A' + pointer.tensor)), {"scalar", ""}, {}, {}};
  if (order > 0)
    operand.format = random.chance(60) ? NamedFormat{"Dense", ""} : drawFormat(random, order);
  operand.slack.assign(order + 1, 0);
  operand.points = true;
  operand.length = c.variables[found].extent;
  operand.data = drawData(random, sizes, STRATA_I32, {.density = random.pick({0.5, 1.0, 1.0})});
  for (Entry &entry : operand.data.entries)
    entry.value = static_cast<double>(random.below(operand.length));
  c.tensors.push_back(std::move(operand));
  return pointer;
}

// The value where the pointer points: as a factor, or, where something may be missing, as a mask.
Expression Drawer::selected(Expression value, Expression pointer) {
  Expression result;
  if (value.missing) {
    pointer.missing = true;
    result.kind = Expression::Kind::operation;
    result.op = "masked";
    result.operands = {std::move(value), std::move(pointer)};
    return result;
  }
  result.kind = Expression::Kind::binary;
  result.op = "*";
  result.operands = {std::move(pointer), std::move(value)};
  return result;
}

// A(p(i), j)
Expression Drawer::drawGather(const std::vector<unsigned> &scope) {
  unsigned found = foundVariable();
  Expression reduction;
  reduction.kind = Expression::Kind::reduction;
  reduction.op = "add";
  reduction.reduced = {found};
  Expression access = drawAccess(scope, false, found);
  reduction.missing = access.missing;
  reduction.operands.push_back(selected(std::move(access), drawPointer(scope, found)));
  return reduction;
}

// h(p(i)) += x(i): the values for all i that point to a place are combined there.
void Drawer::drawScatter(int leaves) {
  unsigned found = foundVariable();
  c.left.push_back(found);
  std::vector<unsigned> scope = c.left;
  c.value.kind = Expression::Kind::reduction;
  c.value.op = random.chance(60) || isComplex(c.type) ? "add" : random.pick({"mul", "min", "max"});
  c.value.missing = true;
  c.value.reduced = {freshVariable()};
  scope.push_back(c.value.reduced.front());
  std::erase(scope, found);
  Expression value = drawExpression(scope, leaves);
  Expression pointer = drawPointer(c.value.reduced, found);
  pointer.missing = true;
  Expression masked;
  masked.kind = Expression::Kind::operation;
  masked.op = "masked";
  masked.operands = {std::move(value), std::move(pointer)};
  c.value.operands.push_back(std::move(masked));
}

Expression Drawer::drawConstant() {
  Expression constant;
  // A zero that is written annihilates nothing, and meets what is infinite.
  if (rare.chance(20)) {
    bool special = c.type == STRATA_F64 || c.type == STRATA_F32;
    double infinity = std::numeric_limits<double>::infinity();
    constant.value = special ? rare.pick({0.0, 0.0, 0.0, infinity, -infinity}) : 0.0;
    return constant;
  }
  constant.value =
      random.chance(10) ? std::complex<double>(random.pick({0.0, 1.0})) : drawValue(random, c.type);
  return constant;
}

Expression Drawer::drawDivisor(const std::vector<unsigned> &scope) {
  if (random.chance(60))
    return drawAccess(scope, true);
  Expression constant;
  constant.value = drawValue(random, c.type);
  return constant;
}

Expression Drawer::drawLeaf(const std::vector<unsigned> &scope) {
  if (!alike && c.variables.size() < 6 && rare.chance(6))
    return drawGather(scope);
  return random.chance(9) ? drawConstant() : drawAccess(scope, false);
}

bool mayBeMissing(const Expression &e) {
  bool filters = e.op == "masked" || e.op == "unmasked" || e.op == "filter";
  return e.missing || filters || std::ranges::any_of(e.operands, mayBeMissing);
}

Expression Drawer::drawReduction(std::vector<unsigned> scope, int leaves) {
  Expression reduction;
  reduction.kind = Expression::Kind::reduction;
  reduction.op = random.chance(stored ? 50 : 88) ? "add"
                 : isComplex(c.type) ? "mul"
                                     : random.pick({"mul", "min", "max", "lor", "land", "lxor"});
  // What is absent is a term of other reductions than sums, but for fills that change nothing.
  if (reduction.op == "add" && !stored && !isComplex(c.type) && rare.chance(12))
    reduction.op = rare.pick({"mul", "min", "max"});
  reduction.missing = stored && random.chance(80);
  for (int64_t count = random.chance(80) ? 1 : 2; count > 0; --count) {
    reduction.reduced.push_back(freshVariable());
    scope.push_back(reduction.reduced.back());
  }
  bool gathers = reduction.op == "add" && !stored && c.variables.size() < 6 && rare.chance(6);
  if (gathers) {
    // The same reduction binds what is found.
    unsigned found = foundVariable();
    std::vector<unsigned> before = scope;
    reduction.reduced.push_back(found);
    scope.push_back(found);
    Expression value = drawExpression(scope, leaves);
    reduction.operands.push_back(selected(std::move(value), drawPointer(before, found)));
  } else {
    reduction.operands.push_back(drawExpression(scope, leaves));
  }
  reduction.missing &= mayBeMissing(reduction.operands.front());
  // Long products overflow, and whether before or after a factor of zero depends on their order.
  double terms = 1;
  auto count = [&](const Expression &e) {
    for (unsigned variable : e.reduced)
      terms *= double(c.variables[variable].extent);
  };
  forEach(reduction, count);
  constexpr double mostFactors = 24;
  if (reduction.op == "mul" && terms > mostFactors)
    reduction.op = "add";
  return reduction;
}

// A function that is defined for all numbers of the type, or an operator on bits.
Expression Drawer::drawFunction(const std::vector<unsigned> &scope, int leaves) {
  Expression function;
  function.kind = Expression::Kind::operation;
  function.op = "function";
  if (isInteger()) {
    function.inner = rare.pick({"arith.ori", "arith.andi", "arith.xori"});
    function.operands.push_back(drawExpression(scope, std::max(leaves / 2, 1)));
    function.operands.push_back(drawExpression(scope, std::max(leaves - leaves / 2, 1)));
    return function;
  }
  function.inner =
      isComplex(c.type)
          ? "complex.conj"
          : rare.pick({"math.atan", "math.asinh", "math.cbrt", "math.expm1", "math.erf",
                       "math.erfc", "math.sinh", "math.cosh", "math.tanh", "math.sin"});
  function.operands.push_back(drawExpression(scope, leaves));
  return function;
}

Expression Drawer::drawOperation(const std::vector<unsigned> &scope, int leaves) {
  Expression operation;
  operation.kind = Expression::Kind::operation;
  bool unordered = isComplex(c.type);
  auto arithmetic = [&] { return random.pick({"+", "*"}); };
  if (stored && random.chance(75)) {
    operation.op = random.pick({"either", "either", "masked", "masked", "unmasked", "filter"});
    if (operation.op == "either")
      operation.inner = unordered || random.chance(50) ? arithmetic() : random.pick({"min", "max"});
  } else if (unordered) {
    operation.op = random.pick({"eq", "ne", "select"});
  } else {
    operation.op = random.pick({"min", "max", "eq", "ne", "lt", "le", "gt", "ge", "select"});
  }
  int rest = leaves;
  for (int operands = operation.op == "select" ? 3 : 2; operands > 0; --operands) {
    int own = operands == 1 ? rest
                            : static_cast<int>(random.between(1, std::max(rest - operands + 1, 1)));
    operation.operands.push_back(drawExpression(scope, std::max(own, 1)));
    rest -= own;
  }
  return operation;
}

Expression Drawer::drawExpression(std::vector<unsigned> scope, int leaves) {
  if (c.variables.size() < 6 && random.chance(12))
    return drawReduction(scope, leaves);
  if (random.chance(6)) {
    Expression negation;
    negation.kind = Expression::Kind::negation;
    negation.operands.push_back(drawExpression(scope, leaves));
    return negation;
  }
  if (c.type != STRATA_F32 && !isHalf(c.type) && rare.chance(isInteger() ? 10 : 4))
    return drawFunction(scope, leaves);
  if (leaves == 1)
    return drawLeaf(scope);
  if (random.chance(stored ? 55 : 12))
    return drawOperation(scope, leaves);
  Expression binary;
  binary.kind = Expression::Kind::binary;
  static const char *ops[] = {"+", "-", "*", "/"};
  binary.op = ops[random.weighted({32, 14, 44, 10})];
  if (c.type == STRATA_BOOL && (binary.op == "-" || binary.op == "/"))
    binary.op = "+"; // what booleans lack
  int first = static_cast<int>(random.between(1, leaves - 1));
  if (binary.op == "/") {
    binary.operands.push_back(drawExpression(scope, leaves - 1));
    binary.operands.push_back(drawDivisor(scope));
    return binary;
  }
  binary.operands.push_back(drawExpression(scope, first));
  binary.operands.push_back(drawExpression(scope, leaves - first));
  return binary;
}

// A result with a place for everything has nothing to assemble, one that is updated has a pattern.
static bool mayHavePhases(const Case &c) { return !c.resultFormat.text.empty() && !c.init; }

// A tensor is copied from one format to another, any of them; often it is small, or empty.
Case Drawer::drawConversion() {
  c.type = rare.chance(60) ? STRATA_F64
                           : allTypes[rare.below(static_cast<int64_t>(std::size(allTypes)))];
  Expression access;
  access.kind = Expression::Kind::access;
  std::vector<int64_t> sizes;
  for (size_t order = 1 + rare.weighted({20, 50, 22, 8}); order > 0; --order) {
    unsigned variable = freshVariable();
    c.variables[variable].extent =
        rare.chance(6) ? 0 : rare.pick<int64_t>({1, 1, 2, 3, 4, 5, 7, 8, 9});
    c.left.push_back(variable);
    c.out.push_back(Position::of(variable));
    c.resultSlack.push_back(0);
    access.place.push_back(Position::of(variable));
    sizes.push_back(c.variables[variable].extent);
  }
  auto order = static_cast<unsigned>(sizes.size());
  auto format = [&] {
    return rare.chance(60) ? drawAnyStack(rare, order) : drawFormat(rare, order);
  };
  DrawData how = drawHow(false);
  if (rare.chance(20))
    how.density = 0;
  c.tensors.push_back(
      {"A", format(), drawData(rare, sizes, c.type, how), std::vector<int64_t>(sizes.size(), 0)});
  c.value = access;
  c.resultFormat = format();
  c.fitSizes();
  if (rare.chance(40))
    c.file = drawFile(rare, c);
  return std::move(c);
}

Case Drawer::draw() {
  if (rare.chance(20))
    return drawConversion();
  if (patterns.chance(6))
    return drawPattern();
  if (blocks.chance(6))
    return drawBlocks();
  if (sums.chance(8))
    return drawSums();
  if (nothing.chance(4))
    return drawWithoutTerms();
  if (absent.chance(5))
    return drawAbsentSums();
  c.type = STRATA_F64;
  if (random.chance(60))
    c.type = allTypes[random.below(static_cast<int64_t>(std::size(allTypes)))];
  c.staticSizes = random.chance(15);
  stored = random.chance(25);
  size_t count = random.weighted({8, 30, 42, 15, 5});
  int leaves = 1 + static_cast<int>(random.weighted({22, 42, 24, 12}));
  mostExtent = count <= 2 && leaves <= 2 ? 20 : count <= 3 && leaves <= 3 ? 9 : 5;
  if (random.chance(40))
    sharedExtent = random.between(1, mostExtent);
  for (size_t at = 0; at < count; ++at)
    c.left.push_back(freshVariable());
  if (count < 3 && rare.chance(5))
    drawScatter(leaves);
  else
    c.value = random.chance(40) ? drawReduction(c.left, leaves) : drawExpression(c.left, leaves);
  if (comparisons.chance(12))
    compareLabels();
  drawResult();
  if (masks.chance(20))
    drawMask();
  c.fitSizes();
  if (rare.chance(8))
    drawFills();
  if (nans.chance(4))
    drawNaNs();
  keepFinite();
  countPadding();
  drawStatements();
  c.phases = mayHavePhases(c) && random.chance(25);
  if (masks.chance(12))
    c.file = drawFile(masks, c);
  return std::move(c);
}

Case drawCase(uint64_t seed) { return Drawer(seed).draw(); }

} // namespace strata::test
