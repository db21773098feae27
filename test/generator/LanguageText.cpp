// Every reduction is written with its labels, or as SUM, or is left to the rule for sums.
#include "LanguageText.h"

#include "DrawCase.h"

#include <cmath>
#include <map>
#include <set>

namespace strata::test {

using Kind = Expression::Kind;

static bool isFinite(std::complex<double> value) { return std::isfinite(value.real()); }

static bool hasPlainData(const Operand &operand) {
  if (operand.points || operand.data.type != STRATA_F64)
    return false;
  return std::ranges::all_of(operand.data.entries,
                             [](const Entry &entry) { return isFinite(entry.value); });
}

static const std::set<std::string> &reductionWords() {
  static const std::set<std::string> words{"add", "mul", "min", "max"};
  return words;
}

static const std::map<std::string, std::string> &relations() {
  static const std::map<std::string, std::string> words{{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                        {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
  return words;
}

static bool isExpressible(const Expression &e) {
  if (e.missing)
    return false;
  switch (e.kind) {
  case Kind::constant:
    return isFinite(e.value);
  case Kind::reduction:
    return reductionWords().contains(e.op);
  case Kind::operation:
    return !comparesLabels(e) && (e.op == "min" || e.op == "max" || e.op == "select" ||
                                  relations().contains(e.op) || e.op == "function");
  case Kind::access:
  case Kind::binary:
  case Kind::negation:
    break;
  }
  return true;
}

// The variables of positions, which may repeat.
static std::set<unsigned> variablesOf(const std::vector<Position> &positions) {
  std::set<unsigned> found;
  for (const Position &position : positions)
    for (const Position::Term &term : position.terms)
      found.insert(term.variable);
  return found;
}

bool isOfLanguage(const Case &c) {
  bool can = c.type == STRATA_F64 && !c.mask && !c.joins && !c.empties &&
             (c.combine.empty() || reductionWords().contains(c.combine));
  can = can && std::ranges::all_of(c.tensors, hasPlainData);
  forEach(c.value, [&](const Expression &e) { can = can && isExpressible(e); });
  // A sum without terms is no operand of min= and max=.
  if (c.combine == "min" || c.combine == "max")
    for (const IndexVariable &variable : c.variables)
      can = can && variable.extent > 0;
  // What the left side lacks would be summed.
  return can && variablesOf(c.out) == std::set<unsigned>(c.left.begin(), c.left.end());
}

//===------------------------------------------------------------------------------------------===//
// Drawing
//===------------------------------------------------------------------------------------------===//

static Expression constant(double value) {
  Expression e;
  e.value = value;
  return e;
}

// SUM(f(e)), of which nothing is left.
static void sumAll(Case &c, Random &random) {
  Expression function;
  function.kind = Kind::operation;
  function.op = random.pick({"function", "ne", "max", "gt"});
  function.inner = function.op == "function" ? random.pick({"math.sinh", "math.atan"}) : "";
  function.operands.push_back(std::move(c.value));
  if (function.op != "function")
    function.operands.push_back(constant(random.pick({0.0, 0.5, 2.0})));
  c.value = {};
  c.value.kind = Kind::reduction;
  c.value.op = "add";
  c.value.reduced = freeVariables(function);
  c.value.operands.push_back(std::move(function));
  c.left.clear();
  c.out.clear();
  c.resultFormat = {"scalar", ""};
  c.resultSlack.clear();
  c.init.reset();
  c.combine.clear();
}

// A(i, i, j) = ...
static void repeatLabel(Case &c, Random &random) {
  auto at = static_cast<long>(random.below(static_cast<int64_t>(c.out.size())));
  auto place = static_cast<long>(random.between(0, static_cast<int64_t>(c.out.size())));
  Position repeated = c.out[static_cast<size_t>(at)];
  c.out.insert(c.out.begin() + place, repeated);
  c.resultFormat = {"Dense", ""};
  c.resultSlack.insert(c.resultSlack.begin() + place, 0);
}

static void updateResult(Case &c, Random &random) {
  c.combine = random.pick({"", "add", "add", "mul", "min", "max"});
  c.init = static_cast<unsigned>(c.tensors.size());
  TensorData data = drawData(random, c.resultSizes(), c.type, {.density = 0.7});
  c.tensors.push_back({"init", {"Dense", ""}, std::move(data), c.resultSlack});
}

Case drawProgram(uint64_t seed) {
  Case c = asOneStatement(withoutCells(drawCase(seed)));
  Random random(seed ^ 0x5bd1e995);
  c.schedule.reset();
  c.phases = false;
  c.file.clear();
  c.staticSizes = false;
  c.resultFill.reset();
  c.resultSlack.assign(c.resultSlack.size(), 0); // a label has the size of the dimension
  bool usable = isOfLanguage(c);
  if (usable && !freeVariables(c.value).empty() && random.chance(25)) {
    sumAll(c, random);
  } else if (usable && !c.out.empty() && c.out.size() < 4 && random.chance(30)) {
    c.init.reset();
    c.combine.clear();
    repeatLabel(c, random);
    if (random.chance(50))
      c.value = constant(drawValue(random, c.type).real());
    if (random.chance(60))
      updateResult(c, random);
  }
  c.dropUnused();
  for (Operand &operand : c.tensors) {
    operand.fill.reset();
    operand.slack.assign(operand.slack.size(), 0);
  }
  c.fitSizes();
  return c;
}

Case drawForLanguage(uint64_t seed) {
  Case c = drawProgram(seed);
  auto makeDense = [](NamedFormat &format, size_t order) {
    format = order == 0 ? NamedFormat{"scalar", ""} : NamedFormat{"Dense", ""};
  };
  for (Operand &operand : c.tensors)
    makeDense(operand.format, operand.data.sizes.size());
  makeDense(c.resultFormat, c.out.size());
  return c;
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

namespace {

class Writer {
public:
  Writer(const Case &c, Random &random) : c(c), random(random) {}

  std::string statement();

private:
  std::string placeText(const std::vector<Position> &place) const;
  std::string access(const Expression &e) const;
  std::string reduction(const Expression &e);
  std::string operation(const Expression &e);
  std::string write(const Expression &e);

  const Case &c;
  Random &random;
};

} // namespace

std::string Writer::placeText(const std::vector<Position> &place) const {
  std::string text;
  for (const Position &position : place)
    text += (text.empty() ? "(" : ", ") + positionText(position, c, "");
  return text.empty() ? "" : text + ")";
}

std::string Writer::access(const Expression &e) const {
  bool isInit = c.init && e.tensor == *c.init;
  return (isInit ? "result" : c.tensors[e.tensor].name) + placeText(e.place);
}

// A product of accesses: whatever it is summed over stands around it.
static bool isProduct(const Expression &e) {
  return e.kind == Kind::access ||
         (e.kind == Kind::binary && e.op == "*" && std::ranges::all_of(e.operands, isProduct));
}

// The terms of a sum in SUM sum their own labels.
static bool hasTerms(const Expression &e) {
  if (e.kind == Kind::operation || e.kind == Kind::reduction)
    return false;
  bool adds = e.kind == Kind::binary && (e.op == "+" || e.op == "-");
  return adds || std::ranges::any_of(e.operands, hasTerms);
}

std::string Writer::reduction(const Expression &e) {
  const Expression &body = e.operands.front();
  std::string text = write(body);
  bool usesAll = true;
  std::vector<unsigned> used = freeVariables(body);
  for (unsigned variable : e.reduced)
    usesAll &= std::ranges::find(used, variable) != used.end();
  bool isWhole = &e == &c.value;
  if (e.op == "add" && usesAll && isWhole && isProduct(body) && random.chance(50))
    return text;
  if (e.op == "add" && usesAll && freeVariables(e).empty() && !hasTerms(body) && random.chance(60))
    return "SUM(" + text + ")";
  std::string labels;
  for (unsigned variable : e.reduced)
    labels += c.variables[variable].name + ", ";
  return (e.op == "add" ? "sum" : e.op == "mul" ? "prod" : e.op) + "(" + labels + text + ")";
}

std::string Writer::operation(const Expression &e) {
  std::string name = e.op == "select"     ? "where"
                     : e.op == "function" ? e.inner.substr(e.inner.find('.') + 1)
                                          : e.op;
  if (auto relation = relations().find(e.op); relation != relations().end())
    return "(" + write(e.operands[0]) + " " + relation->second + " " + write(e.operands[1]) + ")";
  std::string text;
  for (const Expression &operand : e.operands)
    text += (text.empty() ? "(" : ", ") + write(operand);
  return name + text + ")";
}

std::string Writer::write(const Expression &e) {
  switch (e.kind) {
  case Kind::access:
    return access(e);
  case Kind::constant: {
    std::string text = numberText(e.value.real(), STRATA_F64);
    return e.value.real() < 0 ? "(" + text + ")" : text;
  }
  case Kind::binary:
    return "(" + write(e.operands[0]) + " " + e.op + " " + write(e.operands[1]) + ")";
  case Kind::negation:
    return "(-" + write(e.operands[0]) + ")";
  case Kind::reduction:
    return reduction(e);
  case Kind::operation:
    break;
  }
  return operation(e);
}

std::string Writer::statement() {
  static const std::map<std::string, std::string> updates{
      {"", "="}, {"add", "+="}, {"mul", "*="}, {"min", "min="}, {"max", "max="}};
  return "result" + placeText(c.out) + " " + updates.at(c.combine) + " " + write(c.value);
}

std::string languageText(const Case &c, Random &random) { return Writer(c, random).statement(); }

// The format as the language has it, in full.
static std::string formatText(const NamedFormat &format) {
  const std::string begin = "#ta.format<";
  if (!format.text.starts_with(begin)) // dense, or in several parts
    return format.text.empty() ? "Dense" : "HYB";
  return "{" + format.text.substr(begin.size(), format.text.size() - begin.size() - 1) + "}";
}

std::string languageProgram(const Case &c, Random &random) {
  std::string labels, tensors, reads;
  auto declareLabel = [&](const std::string &name, int64_t size) {
    labels += "  IndexLabel [" + name + "] = [" + std::to_string(size) + "];\n";
  };
  auto declare = [&](const std::string &name, const NamedFormat &format,
                     const std::vector<int64_t> &sizes) {
    std::string own;
    for (size_t at = 0; at < sizes.size(); ++at) {
      std::string label = name + "_" + std::to_string(at);
      declareLabel(label, sizes[at]);
      own += (at == 0 ? "" : ", ") + label;
    }
    tensors += "  Tensor<double> " + name;
    tensors += sizes.empty() ? "[];\n" : "([" + own + "], " + formatText(format) + ");\n";
    return name + "[" + own + "]";
  };
  for (const IndexVariable &variable : c.variables)
    declareLabel(variable.name, variable.extent);
  std::string result = declare("result", c.resultFormat, c.resultSizes());
  for (unsigned at = 0; at < c.tensors.size(); ++at) {
    const Operand &operand = c.tensors[at];
    bool isInit = c.init && at == *c.init;
    std::string whole = isInit ? result : declare(operand.name, operand.format, operand.data.sizes),
                file = operand.name + (operand.data.sizes.size() == 2 ? ".mtx" : ".tns");
    reads += "  " + whole + " = read(\"" + file + "\");\n";
  }
  return "def main() {\n" + labels + tensors + reads + "  " + languageText(c, random) +
         ";\n  print(result);\n}\n";
}

} // namespace strata::test
