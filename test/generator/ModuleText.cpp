// Cases as modules of ta.
#include "Case.h"

#include <map>
#include <numeric>
#include <set>

namespace strata::test {

namespace {

class Printer {
public:
  explicit Printer(const Case &c) : c(c) {}

  std::string module();
  std::string program();

private:
  std::string type(const std::vector<int64_t> &sizes, NamedFormat format, bool isStatic,
                   strata_type element, std::optional<std::complex<double>> fill = std::nullopt,
                   const std::string &places = "");
  std::string formatName(const std::string &text);
  std::string typeOf(unsigned tensor, const std::string &places) {
    const Operand &operand = c.tensors[tensor];
    return type(operand.data.sizes, operand.format, c.staticSizes, operand.data.type, operand.fill,
                places);
  }
  std::string typeOf(unsigned tensor) { return typeOf(tensor, c.tensors[tensor].places); }
  // As it is given, and returned: whole.
  std::string wholeTypeOf(unsigned tensor) { return typeOf(tensor, ""); }
  std::string givenName(unsigned tensor) const {
    return "%" + c.tensors[tensor].name + (c.tensors[tensor].places.empty() ? "" : "whole");
  }
  void placeOperands();
  std::string finish();
  std::string accessedType(unsigned tensor);
  std::string accessedName(unsigned tensor) {
    return "%" + c.tensors[tensor].name + (c.tensors[tensor].points ? "at" : "");
  }
  void selectors();
  void counts();
  std::string countOf(unsigned variable) const { return "%" + c.variables[variable].name + "s"; }
  std::string labels(const Expression &e, const std::string &indent);
  std::string selected(const std::string &value, const std::string &indent);
  std::string resultType(const std::string &places) {
    return type(c.resultSizes(), c.resultFormat, c.staticSizes, c.type, c.resultFill, places);
  }
  std::string resultType() { return resultType(c.resultPlaces); }
  std::string wholeResultType() { return resultType(""); }
  std::string place(const std::vector<Position> &positions);
  std::string variables(const std::vector<unsigned> &list);
  std::string emit(const Expression &e, const std::string &indent);
  std::string operation(const Expression &e, const std::string &indent);
  std::string line(const std::string &indent, const std::string &text) {
    std::string name = "%" + std::to_string(values++);
    body += indent + name + " = " + text + "\n";
    return name;
  }
  /// The type in which the statement is computed: of what has 16 bits and a fraction, f32.
  std::string element() const { return isHalf(c.type) ? "f32" : valueTypeText(c.type); }
  std::string suffix() const { return isInteger(c.type) ? "i" : "f"; }
  std::string dialect() const { return isComplex(c.type) ? "complex." : "arith."; }
  std::string binary(char op) const;
  std::string truth(const std::string &value, const std::string &indent);
  std::string fromTruth(const std::string &truth, const std::string &indent);
  std::string reducer(const std::string &op) const;
  std::string extent(int64_t value);
  std::string listed(unsigned tensor);
  std::string typeOf(const Expression &stored);
  std::string inputs(const Expression &value, const CaseMask *mask = nullptr);
  std::string maskText();
  std::vector<std::string> attributeWords();
  std::string sizes(const std::vector<int64_t> &all);
  void computeStored(const Expression &e);
  void compute();

  const Case &c;
  std::vector<std::string> formats;
  std::vector<int64_t> constants;
  std::string body;
  int values = 0;
  std::map<const Expression *, std::string> temporaries; // of what is computed first
};

} // namespace

static std::string join(const std::vector<std::string> &words, const char *between = ", ") {
  std::string text;
  for (size_t at = 0; at < words.size(); ++at)
    text += (at ? between : "") + words[at];
  return text;
}

// As an attribute with its type.
static std::string fillText(std::complex<double> fill, strata_type type) {
  std::string real = numberText(fill.real(), type), part = valueTypeText(type);
  if (!isComplex(type))
    return type == STRATA_BOOL ? (fill == 0.0 ? "false" : "true") : real + " : " + part;
  part = type == STRATA_C64 ? "f32" : "f64";
  return "#complex.number<:" + part + " " + numberText(fill.real(), STRATA_F64) + ", " +
         numberText(fill.imag(), STRATA_F64) + "> : complex<" + part + ">";
}

std::string Printer::formatName(const std::string &text) {
  size_t at = static_cast<size_t>(std::ranges::find(formats, text) - formats.begin());
  if (at == formats.size())
    formats.push_back(text);
  return "#F" + std::to_string(at);
}

std::string Printer::type(const std::vector<int64_t> &sizes, NamedFormat format, bool isStatic,
                          strata_type element, std::optional<std::complex<double>> fill,
                          const std::string &places) {
  if (fill && !format.text.empty())
    format = withFill(format, static_cast<unsigned>(sizes.size()), fillText(*fill, element));
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += (isStatic ? std::to_string(size) : "?") + "x";
  text += typeText(element);
  if (!places.empty()) {
    if (format.text.empty()) {
      std::vector<unsigned> dims(sizes.size());
      std::iota(dims.begin(), dims.end(), 0);
      format = levelsFormat(dims, std::vector<std::string>(sizes.size(), "dense"));
    }
    text += ", #ta.distributed<" + formatName(format.text) + ", <\"M\", " + places + ">>";
  } else if (!format.text.empty()) {
    text += ", " + formatName(format.text);
  }
  return text + ">";
}

// Of what accesses read: where an operand points, as the language stores it.
std::string Printer::accessedType(unsigned tensor) {
  const Operand &operand = c.tensors[tensor];
  if (!operand.points)
    return typeOf(tensor);
  std::vector<int64_t> sizes(operand.data.sizes.size() + 1);
  return type(sizes, selectorFormat(static_cast<unsigned>(sizes.size())), false, STRATA_I8);
}

void Printer::selectors() {
  for (unsigned at = 0; at < c.tensors.size(); ++at)
    if (const Operand &operand = c.tensors[at]; operand.points)
      body += "  " + accessedName(at) + " = ta.one_hot %" + operand.name + " (" +
              extent(operand.length) + ") : " + typeOf(at) + " to " + accessedType(at) + "\n";
}

// The values of the labels that are compared.
void Printer::counts() {
  std::set<unsigned> compared;
  forEach(c.value, [&](const Expression &e) {
    if (comparesLabels(e))
      for (const Position::Term &term : e.place[0].terms)
        compared.insert(term.variable);
  });
  for (unsigned variable : compared)
    body += "  " + countOf(variable) + " = ta.iota from 0 step 1 (" +
            extent(c.variables[variable].extent) + ") : tensor<?xi64>\n";
}

std::string Printer::place(const std::vector<Position> &positions) {
  std::vector<std::string> texts;
  for (const Position &position : positions)
    texts.push_back(positionText(position, c, "%"));
  return "[" + join(texts) + "]";
}

std::string Printer::extent(int64_t value) {
  if (std::ranges::find(constants, value) == constants.end())
    constants.push_back(value);
  return "%n" + std::to_string(value);
}

std::string Printer::variables(const std::vector<unsigned> &list) {
  std::vector<std::string> texts;
  for (unsigned v : list)
    texts.push_back("%" + c.variables[v].name + " = " + extent(c.variables[v].extent));
  return "[" + join(texts) + "]";
}

static std::string namesText(const std::vector<unsigned> &list, const Case &c,
                             std::vector<std::string> words = {}) {
  std::vector<std::string> texts;
  for (unsigned v : list)
    texts.push_back("\"" + c.variables[v].name + "\"");
  words.push_back("names = [" + join(texts) + "]");
  return "attributes {" + join(words) + "}";
}

std::string Printer::binary(char op) const {
  if (c.type == STRATA_BOOL)
    return op == '+' ? "arith.ori" : "arith.andi";
  std::string name = op == '+' ? "add" : op == '-' ? "sub" : op == '*' ? "mul" : "div";
  if (isComplex(c.type))
    return "complex." + name;
  bool whole = op == '/' && suffix() == "i";
  return "arith." + name + (whole ? isNatural(c.type) ? "ui" : "si" : suffix());
}

// A number as an i1, and back.
std::string Printer::truth(const std::string &value, const std::string &indent) {
  if (c.type == STRATA_BOOL)
    return value;
  std::string zero;
  if (isComplex(c.type)) {
    std::string part = c.type == STRATA_C64 ? "f32" : "f64";
    zero = line(indent, "complex.constant [0.0 : " + part + ", 0.0 : " + part + "] : " + element());
  } else {
    zero = line(indent, "arith.constant " + numberText(0, c.type) + " : " + element());
  }
  return line(indent, "ta.compare ne " + value + ", " + zero + " : " + element());
}

// 1 or 0 as a number of the statement.
std::string Printer::selected(const std::string &value, const std::string &indent) {
  std::string zero = line(indent, "arith.constant 0 : i8");
  return fromTruth(line(indent, "ta.compare ne " + value + ", " + zero + " : i8"), indent);
}

std::string Printer::fromTruth(const std::string &truth, const std::string &indent) {
  if (c.type == STRATA_BOOL)
    return truth;
  if (isInteger(c.type))
    return line(indent, "arith.extui " + truth + " : i1 to " + element());
  if (!isComplex(c.type))
    return line(indent, "arith.uitofp " + truth + " : i1 to " + element());
  std::string part = c.type == STRATA_C64 ? "f32" : "f64";
  std::string real = line(indent, "arith.uitofp " + truth + " : i1 to " + part);
  std::string zero = line(indent, "arith.constant 0.0 : " + part);
  return line(indent, "complex.create " + real + ", " + zero + " : " + element());
}

// The operator that means it for the type.
std::string Printer::reducer(const std::string &op) const {
  if (c.type == STRATA_BOOL)
    return op == "add" || op == "max" ? "lor" : op == "mul" || op == "min" ? "land" : op;
  bool ordered = op == "min" || op == "max";
  return ordered && isNatural(c.type) ? "u" + op : op;
}

std::string Printer::emit(const Expression &e, const std::string &indent) {
  if (auto stored = temporaries.find(&e); stored != temporaries.end()) {
    std::vector<Position> at;
    for (unsigned variable : freeVariables(e))
      at.push_back(Position::of(variable));
    return line(indent, "ta.access " + stored->second + place(at) + " : " + typeOf(e));
  }
  switch (e.kind) {
  case Expression::Kind::access: {
    std::string read =
        line(indent, "ta.access " + accessedName(e.tensor) + place(e.place) +
                         (e.missing ? " {missing} : " : " : ") + accessedType(e.tensor));
    if (c.tensors[e.tensor].points)
      return e.missing ? read : selected(read, indent);
    if (!isHalf(c.type))
      return read;
    return line(indent, "arith.extf " + read + " : " + valueTypeText(c.type) + " to f32");
  }
  case Expression::Kind::constant:
    if (isComplex(c.type)) {
      std::string part = c.type == STRATA_C64 ? " : f32" : " : f64";
      return line(indent, "complex.constant [" + numberText(e.value.real(), STRATA_F64) + part +
                              ", " + numberText(e.value.imag(), STRATA_F64) + part +
                              "] : " + element());
    }
    return line(indent, "arith.constant " + numberText(e.value.real(), c.type) + " : " + element());
  case Expression::Kind::binary: {
    std::string a = emit(e.operands[0], indent), b = emit(e.operands[1], indent);
    return line(indent, binary(e.op[0]) + " " + a + ", " + b + " : " + element());
  }
  case Expression::Kind::negation: {
    std::string a = emit(e.operands[0], indent);
    if (suffix() == "f")
      return line(indent,
                  dialect() + (isComplex(c.type) ? "neg " : "negf ") + a + " : " + element());
    if (c.type == STRATA_BOOL)
      return fromTruth(line(indent, "ta.compare eq " + a + ", " +
                                        line(indent, "arith.constant 0 : i1") + " : i1"),
                       indent);
    std::string zero = line(indent, "arith.constant 0 : " + element());
    return line(indent, "arith.subi " + zero + ", " + a + " : " + element());
  }
  case Expression::Kind::reduction: {
    std::string name = "%s" + std::to_string(values++);
    body += indent + name + " = ta.reduce " + reducer(e.op) + " " + variables(e.reduced) + " " +
            namesText(e.reduced, c, std::vector<std::string>(e.missing, "missing")) + " : " +
            element() + " {\n";
    std::string value = emit(e.operands[0], indent + "  ");
    body += indent + "  ta.yield " + value + " : " + element() + "\n" + indent + "}\n";
    return name;
  }
  case Expression::Kind::operation:
    return operation(e, indent);
  }
  return "";
}

static bool isPointer(const Expression &e, const Case &c) {
  return e.kind == Expression::Kind::access && c.tensors[e.tensor].points && e.missing;
}

std::string Printer::labels(const Expression &e, const std::string &indent) {
  auto number = [&](int64_t value) {
    return line(indent, "arith.constant " + std::to_string(value) + " : i64");
  };
  std::string sum = number(e.place[0].offset);
  for (const Position::Term &term : e.place[0].terms) {
    std::string label = line(indent, "ta.access " + countOf(term.variable) +
                                         place({Position::of(term.variable)}) + " : tensor<?xi64>");
    if (term.factor == -1) {
      sum = line(indent, "arith.subi " + sum + ", " + label + " : i64");
      continue;
    }
    if (term.factor != 1)
      label = line(indent, "arith.muli " + label + ", " + number(term.factor) + " : i64");
    sum = line(indent, "arith.addi " + sum + ", " + label + " : i64");
  }
  const bool distance = e.inner == "distance";
  if (distance)
    sum = line(indent, "math.absi " + sum + " : i64");
  return line(indent, "ta.compare " + e.op + " " + sum + ", " +
                          number(distance ? int64_t(e.value.real()) : 0) +
                          " {strata.of_labels} : i64");
}

std::string Printer::operation(const Expression &e, const std::string &indent) {
  if (comparesLabels(e))
    return fromTruth(labels(e, indent), indent);
  std::vector<std::string> operands;
  for (const Expression &operand : e.operands)
    operands.push_back(emit(operand, indent));
  auto extreme = [&](const std::string &op) {
    std::string name = op == "min" ? "minimumf " : "maximumf ";
    if (c.type == STRATA_BOOL)
      name = op == "min" ? "andi " : "ori ";
    else if (suffix() == "i")
      name = op + (isNatural(c.type) ? "ui " : "si ");
    return line(indent, "arith." + name + operands[0] + ", " + operands[1] + " : " + element());
  };
  if (e.op == "min" || e.op == "max")
    return extreme(e.op);
  if (e.op == "function")
    return line(indent, e.inner + " " + join(operands) + " : " + element());
  if (e.op == "select") {
    operands[0] = truth(operands[0], indent);
    return line(indent, "ta.select " + join(operands) + " : " + element());
  }
  if (e.op == "either") {
    bool arithmetic = e.inner == "+" || e.inner == "*";
    std::string both = arithmetic ? line(indent, binary(e.inner[0]) + " " + operands[0] + ", " +
                                                     operands[1] + " : " + element())
                                  : extreme(e.inner);
    return line(indent, "ta.union " + join(operands) + ", " + both + " : " + element());
  }
  if (e.op == "masked" || e.op == "unmasked" || e.op == "filter")
    return line(indent, "ta." + e.op + " " + operands[0] + (e.op == "filter" ? " if " : " by ") +
                            operands[1] + " : " + element() + ", " +
                            (isPointer(e.operands[1], c) ? "i8" : element()));
  bool ordered = e.op != "eq" && e.op != "ne";
  std::string relation = ordered && isNatural(c.type) ? "u" + e.op : e.op;
  return fromTruth(
      line(indent, "ta.compare " + relation + " " + join(operands) + " : " + element()), indent);
}

std::string Printer::typeOf(const Expression &stored) {
  std::vector<int64_t> sizes;
  for (unsigned variable : freeVariables(stored))
    sizes.push_back(c.variables[variable].extent);
  return type(sizes, *stored.stored, c.staticSizes, c.type);
}

// What a statement of this value reads: operands, and what was computed before.
std::string Printer::inputs(const Expression &value, const CaseMask *mask) {
  std::vector<std::string> names, types;
  auto collect = [&](const Expression &e, auto &&self) -> void {
    auto stored = temporaries.find(&e);
    bool access = e.kind == Expression::Kind::access;
    if (stored != temporaries.end() || access) {
      std::string name = stored != temporaries.end() ? stored->second : accessedName(e.tensor);
      if (std::ranges::find(names, name) != names.end())
        return;
      names.push_back(name);
      types.push_back(stored != temporaries.end() ? typeOf(e) : accessedType(e.tensor));
      return;
    }
    if (comparesLabels(e))
      for (const Position::Term &term : e.place[0].terms)
        if (std::ranges::find(names, countOf(term.variable)) == names.end()) {
          names.push_back(countOf(term.variable));
          types.push_back("tensor<?xi64>");
        }
    for (const Expression &operand : e.operands)
      self(operand, self);
  };
  collect(value, collect);
  if (mask && std::ranges::find(names, accessedName(mask->tensor)) == names.end()) {
    names.push_back(accessedName(mask->tensor));
    types.push_back(accessedType(mask->tensor));
  }
  return names.empty() ? "" : " ins(" + join(names) + " : " + join(types) + ")";
}

std::string Printer::sizes(const std::vector<int64_t> &all) {
  std::vector<std::string> texts;
  if (!c.staticSizes)
    for (int64_t size : all)
      texts.push_back(extent(size));
  return texts.empty() ? "" : " sizes(" + join(texts) + ")";
}

// The statements that come first, inner ones before those that read them.
void Printer::computeStored(const Expression &e) {
  for (const Expression &operand : e.operands)
    computeStored(operand);
  if (!e.stored)
    return;
  std::string name = "%t" + std::to_string(temporaries.size());
  std::vector<unsigned> left = freeVariables(e);
  std::vector<Position> out;
  std::vector<int64_t> all;
  for (unsigned variable : left) {
    out.push_back(Position::of(variable));
    all.push_back(c.variables[variable].extent);
  }
  body += "  " + name + " = ta.compute " + variables(left) + inputs(e) + sizes(all) + " -> " +
          typeOf(e) + " out " + place(out) + " " + namesText(left, c) + " {\n";
  std::string value = emit(e, "    ");
  body += "    ta.yield " + value + " : " + element() + "\n  }\n";
  temporaries[&e] = name;
}

std::string Printer::maskText() {
  return " mask(" + accessedName(c.mask->tensor) + place(c.mask->place) + " : " +
         accessedType(c.mask->tensor) + ")";
}

std::vector<std::string> Printer::attributeWords() {
  std::vector<std::string> words;
  const std::pair<bool, const char *> flags[] = {{c.mask && c.mask->complement, "complement"},
                                                 {c.mask && c.mask->structural, "structural"},
                                                 {c.mask && c.mask->replace, "replace"},
                                                 {c.mask && c.mask->pull, "pull"},
                                                 {c.joins && !c.combine.empty(), "joins"}};
  for (auto [holds, word] : flags)
    if (holds)
      words.push_back(word);
  if (c.empties) {
    bool dense = c.resultFormat.text.empty();
    std::complex<double> empty = dense ? c.emptied : c.resultFill.value_or(0);
    std::string text = fillText(empty, c.type);
    words.push_back("empty = " + text);
  }
  if (c.schedule)
    words.push_back("schedule = #ta.schedule<" + join(*c.schedule) + ">");
  return words;
}

void Printer::compute() {
  selectors();
  counts();
  computeStored(c.value);
  body += "  %result = ta.compute " + variables(c.left) +
          inputs(c.value, c.mask ? &*c.mask : nullptr) + sizes(c.resultSizes());
  if (c.init)
    body += " init(%" + c.tensors[*c.init].name + " : " + resultType() + ")";
  if (!c.combine.empty())
    body += " combine " + reducer(c.combine);
  if (c.mask)
    body += maskText();
  body += " -> " + resultType() + " out " + place(c.out) + " " +
          namesText(c.left, c, attributeWords()) + " {\n";
  std::string value = emit(c.value, "    ");
  if (isHalf(c.type))
    value = line("    ", "arith.truncf " + value + " : f32 to " + valueTypeText(c.type));
  body += "    ta.yield " + value + " : " + valueTypeText(c.type) + "\n  }\n";
}

static std::string heading(const std::vector<std::string> &formats, const Case &c) {
  std::string text;
  for (size_t at = 0; at < formats.size(); ++at)
    text += "#F" + std::to_string(at) + " = " + formats[at] + "\n";
  if (c.cells.empty())
    return text;
  std::vector<std::string> axes;
  for (size_t axis = 0; axis < c.cells.size(); ++axis)
    axes.push_back("x" + std::to_string(axis) + " = " + std::to_string(c.cells[axis]));
  return text + "ta.machine @M(" + join(axes) + ")\n";
}

static std::string constantLines(const std::vector<int64_t> &constants) {
  std::string text;
  for (int64_t value : constants)
    text += "  %n" + std::to_string(value) + " = arith.constant " + std::to_string(value) +
            " : index\n";
  return text;
}

void Printer::placeOperands() {
  for (unsigned at = 0; at < c.tensors.size(); ++at)
    if (!c.tensors[at].places.empty())
      body += "  %" + c.tensors[at].name + " = ta.convert " + givenName(at) + " : " +
              wholeTypeOf(at) + " to " + typeOf(at) + "\n";
}

// Gives the name of the result, whole.
std::string Printer::finish() {
  if (c.resultPlaces.empty())
    return "%result";
  body += "  %whole = ta.convert %result : " + resultType() + " to " + wholeResultType() + "\n";
  return "%whole";
}

std::string Printer::module() {
  std::vector<std::string> arguments;
  for (unsigned at = 0; at < c.tensors.size(); ++at)
    arguments.push_back(givenName(at) + ": " + wholeTypeOf(at) + " loc(\"" + c.tensors[at].name +
                        "\")");
  placeOperands();
  compute();
  std::string result = finish();
  return heading(formats, c) + "func.func @main(" + join(arguments) + ") -> " + wholeResultType() +
         " {\n" + constantLines(constants) + body + "  return " + result + " : " +
         wholeResultType() + "\n}\n";
}

// Files say that what they do not list is zero: what they list, and the fill elsewhere.
std::string Printer::listed(unsigned tensor) {
  const Operand &operand = c.tensors[tensor];
  const TensorData &data = operand.data;
  auto order = static_cast<unsigned>(data.sizes.size());
  std::string list = type(data.sizes, listFormat(order), c.staticSizes, data.type), variables;
  std::string names;
  for (unsigned d = 0; d < order; ++d) {
    std::string name = "%d" + std::to_string(d), between = d ? ", " : "";
    variables += between + name + " = " + extent(data.sizes[d]);
    names += between + name;
  }
  std::string value = valueTypeText(data.type), name = "%" + operand.name + "listed";
  return name + " = ta.read \"" + fileOf(operand).first + "\" : " + list + "\n  " +
         givenName(tensor) + " = ta.compute [" + variables + "] ins(" + name + " : " + list + ")" +
         sizes(data.sizes) + " -> " + wholeTypeOf(tensor) + " out [" + names +
         "] {\n    %v = ta.access " + name + "[" + names + "] {missing} : " + list +
         "\n    ta.yield %v : " + value + "\n  }";
}

std::string Printer::program() {
  std::string reads;
  for (unsigned at = 0; at < c.tensors.size(); ++at) {
    const Operand &operand = c.tensors[at];
    if (operand.fill && !operand.format.text.empty()) {
      reads += "  " + listed(at) + "\n";
      continue;
    }
    reads += "  " + givenName(at) + " = ";
    if (operand.data.sizes.empty()) {
      double value = 0;
      for (const Entry &entry : operand.data.entries)
        value += entry.value.real();
      if (c.type == STRATA_BOOL && !operand.points)
        value = value != 0;
      strata_type number = operand.data.type;
      reads += "ta.fill " + numberText(value, number) + " : " + valueTypeText(number) +
               " () : " + wholeTypeOf(at);
    } else {
      reads += "ta.read \"" + fileOf(operand).first + "\" : " + wholeTypeOf(at);
    }
    reads += "\n";
  }
  placeOperands();
  compute();
  std::string result = finish();
  return heading(formats, c) + "func.func @main() {\n" + constantLines(constants) + reads + body +
         "  ta.print " + result + " \"result\" : " + wholeResultType() + "\n  return\n}\n";
}

std::string moduleText(const Case &c) { return Printer(c).module(); }
std::string programText(const Case &c) { return Printer(c).program(); }

} // namespace strata::test
