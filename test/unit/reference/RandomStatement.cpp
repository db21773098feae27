// Draws a statement as text, from the left side inwards.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "RandomStatement.h"

#include <limits>
#include <random>

namespace strata::reference {

namespace {
struct Variable {
  std::string name;
  int64_t extent;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed), integers(chance(20)) {}
  RandomStatement draw();

private:
  struct Position {
    std::string text;
    int64_t greatest;
  };

  int64_t below(int64_t count) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(count));
  }
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }
  std::string element() const { return integers ? "i64" : "f64"; }
  std::string fresh() { return "%v" + std::to_string(names++); }
  std::string line(const std::string &text) {
    std::string name = fresh();
    body += name + " = " + text + "\n";
    return name;
  }

  Variable drawVariable();
  Position drawPosition(const std::vector<Variable> &scope);
  std::string drawType(const Coordinate &sizes);
  Tensor drawTensor(const Coordinate &sizes);
  std::string drawAccess(const std::vector<Variable> &scope);
  std::string drawReduction(std::vector<Variable> scope, int depth);
  std::string drawExpression(const std::vector<Variable> &scope, int depth);
  std::string drawMask(const std::vector<Variable> &left, const std::string &resultType,
                       bool combines, std::string &words);

  std::mt19937_64 random;
  bool integers;
  int names = 0, variables = 0;
  std::string body, arguments, types, operands;
  RandomStatement result;
};
} // namespace

Variable Generator::drawVariable() {
  // The least of no integers is one that the loops, computing in floating point, cannot add to.
  int64_t extent = !integers && chance(5) ? 0 : 1 + below(4);
  return {"%x" + std::to_string(variables++), extent};
}

// One coordinate, an affine function of the variables in scope.
Generator::Position Generator::drawPosition(const std::vector<Variable> &scope) {
  if (scope.empty() || chance(4))
    return {"1", 1};
  const Variable &v = pick(scope), &w = pick(scope);
  int64_t last = std::max<int64_t>(v.extent - 1, 0), other = std::max<int64_t>(w.extent - 1, 0);
  switch (below(14)) {
  case 0:
    return {v.name + " + 2", last + 2};
  case 1:
    return {v.name + " * 2 + 1", last * 2 + 1};
  case 2:
    return {v.name + " * -1 + " + std::to_string(last), last};
  case 3:
    return {v.name + " + " + w.name, last + other};
  case 4:
    return {v.name + " * 2 + " + w.name, last * 2 + other};
  case 5:
    return {v.name + " mod 2", 1};
  case 6:
    return {v.name + " floordiv 2", last / 2};
  default:
    return {v.name, last};
  }
}

std::string Generator::drawType(const Coordinate &sizes) {
  std::string shape;
  for (int64_t size : sizes)
    shape += std::to_string(size) + "x";
  static const char *dims[] = {"", "(a) -> (a", "(a, b) -> (a", "(a, b, c) -> (a"};
  static const char *rest[] = {"", "", ", b : compressed", ", b : compressed, c : compressed"};
  std::string format;
  if (size_t order = sizes.size(); order && chance(75)) {
    std::string fill;
    if (chance(25))
      fill = integers     ? ", fill = 3 : i64"
             : chance(50) ? ", fill = 1.0 : f64"
             : chance(50) ? ", fill = 0x7FF8000000000000 : f64"
                          : ", fill = 0x7FF0000000000000 : f64";
    format = std::string(", #ta.format<") + dims[order] + " : compressed" + rest[order] + ")" +
             fill + ">";
  }
  return "tensor<" + shape + element() + format + ">";
}

Tensor Generator::drawTensor(const Coordinate &sizes) {
  std::vector<Item> items;
  int64_t density = pick<int64_t>({0, 20, 50, 100});
  Coordinate at(sizes.size());
  for (int64_t number = 0, count = countCoordinates(sizes); number < count; ++number) {
    int64_t rest = number;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
      at[d] = rest % sizes[d];
    auto value = static_cast<double>(below(6) - 2);
    if (!integers && chance(3))
      value = chance(50) ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
    if (chance(density))
      items.push_back({at, value});
  }
  return sparse(sizes, items, integers ? STRATA_I64 : STRATA_F64);
}

std::string Generator::drawAccess(const std::vector<Variable> &scope) {
  int64_t order = chance(3) ? 0 : 1 + below(3);
  Coordinate sizes;
  std::string positions;
  for (int64_t d = 0; d < order; ++d) {
    Position position = drawPosition(scope);
    positions += (d ? ", " : "") + position.text;
    sizes.push_back(position.greatest + 1 + below(2));
  }
  std::string name = "%t" + std::to_string(result.inputs.size()), type = drawType(sizes);
  result.inputs.push_back(drawTensor(sizes));
  arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
  operands += (operands.empty() ? "" : ", ") + name;
  types += (types.empty() ? "" : ", ") + type;
  return line("ta.access " + name + "[" + positions + "] : " + type);
}

std::string Generator::drawReduction(std::vector<Variable> scope, int depth) {
  std::vector<std::string> kinds{"add", "add", "min", "max"};
  if (!integers)
    kinds.push_back("mul");
  std::string header;
  for (int64_t count = 1 + below(2); count > 0; --count) {
    scope.push_back(drawVariable());
    const Variable &variable = scope.back();
    header +=
        (header.empty() ? "" : ", ") + variable.name + " = %c" + std::to_string(variable.extent);
  }
  std::string name = fresh();
  body += name + " = ta.reduce " + pick(kinds) + " [" + header + "] : " + element() + " {\n";
  std::string value = drawExpression(scope, depth);
  body += "ta.yield " + value + " : " + element() + "\n}\n";
  return name;
}

std::string Generator::drawExpression(const std::vector<Variable> &scope, int depth) {
  int64_t kind = below(100);
  if (depth == 0 || kind < 10)
    return drawAccess(scope);
  if (kind < 15)
    return line("arith.constant " + std::to_string(below(4) - 1) + (integers ? "" : ".0") + " : " +
                element());
  if (kind < 45 && variables < 6)
    return drawReduction(scope, depth - 1);
  if (kind < 50 && !integers) {
    std::string operand = drawExpression(scope, depth - 1);
    return line("arith.negf " + operand + " : f64");
  }
  std::vector<std::string> ops{"add", "add", "sub", "mul", "mul", "mul"};
  for (const char *op : {"min", "max"})
    ops.push_back(op + std::string(integers ? "s" : "imum"));
  if (!integers)
    ops.push_back("div");
  std::string a = drawExpression(scope, depth - 1);
  std::string b = chance(8) ? a : drawExpression(scope, depth - 1);
  return line("arith." + pick(ops) + (integers ? "i " : "f ") + a + ", " + b + " : " + element());
}

// Where several values come to one place, it would be open whether that is emptied.
std::string Generator::drawMask(const std::vector<Variable> &left, const std::string &resultType,
                                bool combines, std::string &words) {
  Coordinate sizes;
  std::string positions;
  for (int64_t order = below(4); order > 0; --order) {
    Position position = drawPosition(left);
    positions += (positions.empty() ? "" : ", ") + position.text;
    sizes.push_back(position.greatest + 1);
  }
  std::string type = drawType(sizes);
  result.inputs.push_back(drawTensor(sizes));
  arguments += (arguments.empty() ? "" : ", ") + std::string("%mask: ") + type;
  operands += (operands.empty() ? "" : ", ") + std::string("%mask");
  types += (types.empty() ? "" : ", ") + type;
  for (const char *word : {", complement", ", structural"})
    words += chance(50) ? word : "";
  if (!combines && chance(50))
    words += ", replace";
  if (!combines && resultType.find('#') == std::string::npos && chance(50))
    words += ", empty = 7" + std::string(integers ? " : i64" : ".0 : f64");
  return " mask(%mask[" + positions + "] : " + type + ")";
}

RandomStatement Generator::draw() {
  std::vector<Variable> left;
  for (int64_t count = below(4); count > 0; --count)
    left.push_back(drawVariable());
  std::string value = drawExpression(left, 3), inner = std::exchange(body, "");

  // Mostly one coordinate for each variable.
  std::string header, out;
  Coordinate sizes;
  std::vector<Variable> order = left;
  std::shuffle(order.begin(), order.end(), random);
  for (const Variable &variable : left)
    header +=
        (header.empty() ? "" : ", ") + variable.name + " = %c" + std::to_string(variable.extent);
  bool combines = chance(20);
  for (const Variable &variable : order) {
    Position position{variable.name, variable.extent - 1};
    if (chance(20))
      position =
          combines ? drawPosition(left) : Position{variable.name + " * 2 + 1", variable.extent * 2};
    out += (out.empty() ? "" : ", ") + position.text;
    sizes.push_back(std::max<int64_t>(position.greatest + 1, 0));
  }
  std::string type = drawType(sizes), init;
  for (int64_t extent = 0; extent < 5; ++extent)
    body += "%c" + std::to_string(extent) + " = arith.constant " + std::to_string(extent) +
            " : index\n";
  if (combines || chance(15)) {
    result.init = drawTensor(sizes);
    arguments += (arguments.empty() ? "" : ", ") + std::string("%init: ") + type;
    init = " init(%init : " + type + ")";
    if (combines)
      init += " combine " + pick<std::string>({"add", "mul", "min", "max"});
  }
  std::string mask, words = combines && chance(25) ? ", joins" : "";
  if (chance(35))
    mask = drawMask(left, type, combines, words);
  std::string ins = operands.empty() ? "" : " ins(" + operands + " : " + types + ")";
  body += "%r = ta.compute [" + header + "]" + ins + init + mask + " -> " + type + " out [" + out +
          "] attributes {names = []" + words + "} {\n" + inner + "ta.yield " + value + " : " +
          element() + "\n}";
  result.arguments = arguments;
  result.body = body;
  return std::move(result);
}

RandomStatement drawStatement(uint64_t seed) { return Generator(seed).draw(); }

} // namespace strata::reference
