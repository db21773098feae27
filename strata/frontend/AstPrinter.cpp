// One line for each node, its children indented below it.
#include "strata/frontend/AstPrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using llvm::raw_ostream;

namespace strata::frontend {

using namespace ast;

template <typename Names> static void printNames(const Names &names, raw_ostream &os) {
  llvm::interleaveComma(names, os, [&](const Name &name) { os << name.text; });
}

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

static void printMap(const MapExpr &map, raw_ostream &os, bool nested) {
  llvm::StringRef op;
  switch (map.kind) {
  case MapExpr::Kind::Dimension:
    os << map.dimension.text;
    return;
  case MapExpr::Kind::Constant:
    os << map.constant;
    return;
  case MapExpr::Kind::Add:
    op = " + ";
    break;
  case MapExpr::Kind::Subtract:
    op = " - ";
    break;
  case MapExpr::Kind::Multiply:
    op = " * ";
    break;
  case MapExpr::Kind::FloorDiv:
    op = " floordiv ";
    break;
  case MapExpr::Kind::Mod:
    op = " mod ";
    break;
  case MapExpr::Kind::Slot:
    os << "slot(";
    for (const auto &counted : map.counted) {
      os << (&counted == &map.counted.front() ? "" : ", ");
      printMap(*counted, os, false);
    }
    os << ")";
    return;
  }
  os << (nested ? "(" : "");
  printMap(*map.lhs, os, true);
  os << op;
  printMap(*map.rhs, os, true);
  os << (nested ? ")" : "");
}

// With all digits that tell the number from others.
static void printNumber(double number, raw_ostream &os) {
  std::string text = "nan"; // which has no sign
  for (int digits : {15, 17})
    if (!std::isnan(number) && (digits == 15 || std::strtod(text.c_str(), nullptr) != number)) {
      text.clear();
      llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, number);
    }
  os << text;
}

static void printOption(const FormatOption &option, raw_ostream &os) {
  os << option.key.text;
  if (!option.value)
    return;
  const double imaginary = option.value->imag();
  printNumber(option.value->real(), os << " = ");
  if (imaginary != 0)
    printNumber(std::fabs(imaginary), os << (imaginary < 0 ? " - " : " + ")), os << "i";
}

static void printLevel(const FormatLevel &level, raw_ostream &os) {
  printMap(*level.coordinate, os, false);
  os << " : " << level.format.text;
  if (level.properties.empty() && level.parameter == 0)
    return;
  os << "(";
  if (level.parameter != 0)
    os << level.parameter << (level.properties.empty() ? "" : ", ");
  llvm::interleaveComma(level.properties, os,
                        [&](const FormatOption &property) { printOption(property, os); });
  os << ")";
}

static void printPlace(const ast::Place &place, raw_ostream &os) {
  switch (place.kind) {
  case ast::Place::Kind::All:
    os << "*";
    break;
  case ast::Place::Kind::At:
    os << place.cell;
    break;
  case ast::Place::Kind::Share:
    os << (place.byEntries ? "~" : "") << (place.dimensions.size() > 1 ? "(" : "");
    printNames(place.dimensions, os);
    os << (place.dimensions.size() > 1 ? ")" : "");
    break;
  }
}

static std::string storedText(const Format &format);

std::string formatText(const Format &format) {
  std::string text = storedText(format);
  if (!format.placement)
    return text;
  llvm::raw_string_ostream os(text);
  os << " on " << format.placement->machine.text << "(";
  llvm::interleaveComma(format.placement->places, os,
                        [&](const ast::Place &place) { printPlace(place, os); });
  os << ")";
  return text;
}

// Without the placement.
static std::string storedText(const Format &format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (format.kind) {
  case Format::Kind::Named:
    if (format.options.empty())
      return format.words.front().text;
    [[fallthrough]];
  case Format::Kind::Levels:
    os << "{";
    printNames(format.words, os);
    break;
  case Format::Kind::Map:
    os << "{(";
    for (auto [at, dimension] : llvm::enumerate(format.dimensions)) {
      int64_t window = at < format.windows.size() ? format.windows[at] : 0;
      os << (at ? ", " : "") << dimension.text << (window ? " sorted" : "");
      if (window && window != std::numeric_limits<int64_t>::max())
        os << "(" << window << ")";
    }
    os << ") -> (";
    llvm::interleaveComma(format.levels, os,
                          [&](const FormatLevel &level) { printLevel(level, os); });
    os << ")";
    break;
  case Format::Kind::Sum:
    os << (format.options.empty() ? "" : "{");
    for (auto [at, part] : llvm::enumerate(format.parts)) {
      os << (at ? " + " : "") << formatText(part);
      if (part.limit)
        os << ":" << *part.limit;
    }
    if (format.options.empty())
      return text;
    break;
  }
  for (const FormatOption &option : format.options)
    printOption(option, os << ", ");
  os << "}";
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Schedules
//===------------------------------------------------------------------------------------------===//

static bool isWord(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// The compiler's own names for labels, such as p[i], stand in quotes.
static void printArgument(const CommandArgument &argument, raw_ostream &os) {
  switch (argument.kind) {
  case CommandArgument::Kind::Name:
    if (isWord(argument.name)) {
      os << argument.name;
    } else {
      os << '"';
      llvm::printEscapedString(argument.name, os);
      os << '"';
    }
    return;
  case CommandArgument::Kind::Number:
    os << argument.number;
    return;
  case CommandArgument::Kind::List:
    os << "{";
    llvm::interleaveComma(argument.list, os,
                          [&](const CommandArgument &one) { printArgument(one, os); });
    os << "}";
    return;
  }
}

std::string scheduleText(const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "schedule { ";
  for (const Command &command : schedule.commands) {
    os << command.name.text << "(";
    llvm::interleaveComma(command.arguments, os,
                          [&](const CommandArgument &argument) { printArgument(argument, os); });
    os << "); ";
  }
  os << "}";
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Expressions and statements
//===------------------------------------------------------------------------------------------===//

namespace {

class SyntaxPrinter {
public:
  explicit SyntaxPrinter(raw_ostream &os) : os(os) {}

  void print(const OperatorFunction &function) {
    os << "operator " << function.name.text << "(";
    printNames(function.parameters, os);
    os << ")\n";
    below(*function.value);
  }

  void print(const Semiring &semiring) {
    os << "semiring " << semiring.name.text;
    if (semiring.zero)
      os << " zero " << llvm::format("%.17g", *semiring.zero);
    if (semiring.one)
      os << " one " << llvm::format("%.17g", *semiring.one);
    os << "\n";
    for (const ExprPtr *part : {&semiring.add, &semiring.multiply})
      if (*part)
        below(**part);
  }

  void print(const Function &function) {
    os << "function " << function.name.text << "\n";
    indent += 2;
    for (const FunctionParameter &parameter : function.parameters) {
      line() << "parameter " << parameter.name.text << " [";
      llvm::interleaveComma(parameter.dimensions, os, [&](const Bound &bound) { print(bound); });
      os << "]";
      if (parameter.elementType)
        os << " : " << parameter.elementType->text;
      if (parameter.format)
        os << " " << formatText(*parameter.format);
      os << "\n";
    }
    for (const StmtPtr &statement : function.body)
      print(*statement);
    indent -= 2;
  }

  void print(const Stmt &statement) {
    switch (statement.kind) {
    case Stmt::Kind::Labels:
      return print(llvm::cast<LabelsStmt>(statement));
    case Stmt::Kind::Tensor:
      return print(llvm::cast<TensorStmt>(statement));
    case Stmt::Kind::Scalar: {
      const auto &scalar = llvm::cast<ScalarStmt>(statement);
      line() << "scalar " << scalar.name.text << " =\n";
      below(*scalar.value);
      return print(scalar.schedule);
    }
    case Stmt::Kind::Assign:
      return print(llvm::cast<AssignStmt>(statement));
    case Stmt::Kind::Call:
      return print(*llvm::cast<CallStmt>(statement).call);
    case Stmt::Kind::Return:
      line() << "return\n";
      if (const ExprPtr &value = llvm::cast<ReturnStmt>(statement).value)
        below(*value);
      return;
    case Stmt::Kind::For:
      return print(llvm::cast<ForStmt>(statement));
    case Stmt::Kind::Loop:
      return print(llvm::cast<LoopStmt>(statement));
    case Stmt::Kind::If: {
      const auto &branch = llvm::cast<IfStmt>(statement);
      line() << "if\n";
      below(branch.condition);
      below(branch.body);
      line() << "else\n";
      return below(branch.otherwise);
    }
    case Stmt::Kind::Break:
      line() << "break\n";
      return;
    }
  }

private:
  raw_ostream &line() { return os.indent(indent); }

  void below(const Expr &expr) {
    indent += 2;
    print(expr);
    indent -= 2;
  }

  void below(const std::vector<StmtPtr> &statements) {
    indent += 2;
    for (const StmtPtr &statement : statements)
      print(*statement);
    indent -= 2;
  }

  void below(const Condition &condition) {
    indent += 2;
    static constexpr llvm::StringRef words[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    line() << words[size_t(condition.kind)] << "\n";
    for (const Condition &part : condition.parts)
      below(part);
    if (condition.lhs) {
      below(*condition.lhs);
      below(*condition.rhs);
    }
    indent -= 2;
  }

  void print(const ForStmt &loop) {
    line() << "for " << loop.variable.text << "\n";
    for (const ExprPtr *bound : {&loop.lo, &loop.hi, &loop.step})
      if (*bound)
        below(**bound);
    line() << "do\n";
    below(loop.body);
  }

  void print(const LoopStmt &loop) {
    line() << (loop.asksFirst ? "while" : "repeat until");
    if (loop.limit) {
      os << " limit ";
      print(*loop.limit);
    }
    os << "\n";
    below(loop.condition);
    line() << "do\n";
    below(loop.body);
  }

  void print(const Bound &bound) {
    if (bound.number)
      os << *bound.number;
    else
      os << bound.name;
  }

  void print(const LabelsStmt &labels) {
    line() << "labels ";
    printNames(labels.labels, os);
    os << " = [";
    if (labels.isInterval) {
      print(labels.lo);
      os << ":";
    }
    if (labels.hi)
      print(*labels.hi);
    else
      os << "?";
    if (labels.isInterval) {
      os << ":";
      print(labels.step);
    }
    os << "]\n";
  }

  void print(const TensorStmt &tensor) {
    line() << "tensor " << tensor.name.text << " : " << tensor.elementType.text << " [";
    llvm::interleaveComma(tensor.dimensions, os, [&](const Bound &bound) { print(bound); });
    os << "]";
    if (tensor.format)
      os << " " << formatText(*tensor.format);
    os << "\n";
  }

  void print(const AssignStmt &assign) {
    line() << "assign " << assign.tensor.text;
    if (assign.hasLabels) {
      os << "[";
      printNames(assign.labels, os);
      os << "]";
    }
    if (assign.mask)
      os << (assign.mask->complemented ? " <!>" : " <>");
    os << " " << spelling(assign.op) << "\n";
    if (assign.mask)
      below(*assign.mask->access);
    below(*assign.value);
    print(assign.schedule);
  }

  void print(const std::optional<Schedule> &schedule) {
    if (schedule)
      os.indent(indent + 2) << scheduleText(*schedule) << "\n";
  }

  void print(const Expr &expr) {
    switch (expr.kind) {
    case Expr::Kind::Number: {
      const auto &number = llvm::cast<NumberExpr>(expr);
      line() << "number ";
      if (number.integer)
        os << *number.integer << "\n";
      else
        os << llvm::format("%.17g", number.imaginary != 0 ? number.imaginary : number.value)
           << (number.imaginary != 0 ? "i\n" : "\n");
      return;
    }
    case Expr::Kind::Text:
      line() << "text \"";
      os.write_escaped(llvm::cast<TextExpr>(expr).text) << "\"\n";
      return;
    case Expr::Kind::Name:
      line() << "name " << llvm::cast<NameExpr>(expr).name.text << "\n";
      return;
    case Expr::Kind::Access: {
      const auto &access = llvm::cast<AccessExpr>(expr);
      line() << "access " << access.tensor.text << "[";
      printNames(access.labels, os);
      os << "]\n";
      return;
    }
    case Expr::Kind::Call:
      return print(llvm::cast<CallExpr>(expr));
    case Expr::Kind::Labels:
      line() << "labels ";
      printNames(llvm::cast<LabelsExpr>(expr).labels, os);
      os << "\n";
      return;
    case Expr::Kind::Values:
      line() << (llvm::cast<ValuesExpr>(expr).isList ? "list of " : "entries: ")
             << llvm::cast<ValuesExpr>(expr).entries.size() << "\n";
      return;
    case Expr::Kind::Negate:
      line() << "negate\n";
      return below(*llvm::cast<NegateExpr>(expr).operand);
    case Expr::Kind::Sum:
      return print(llvm::cast<SumExpr>(expr));
    case Expr::Kind::Product:
      return print(llvm::cast<ProductExpr>(expr));
    case Expr::Kind::Binary: {
      const auto &binary = llvm::cast<BinaryExpr>(expr);
      line() << (binary.joins ? "join " : "");
      os << (binary.semiring ? llvm::StringRef(binary.semiring->text) : infoOf(binary.op).name);
      if (binary.reduces)
        os << " by " << infoOf(*binary.reduces).name;
      os << "\n";
      below(*binary.lhs);
      return below(*binary.rhs);
    }
    }
  }

  void print(const CallExpr &call) {
    line() << "call " << call.callee.text << "\n";
    for (const ExprPtr &argument : call.arguments)
      below(*argument);
  }

  void print(const SumExpr &sum) {
    line() << "sum";
    for (const SumExpr::Term &term : sum.terms)
      os << (term.subtracted ? " -" : " +");
    os << "\n";
    for (const SumExpr::Term &term : sum.terms)
      below(*term.operand);
  }

  void print(const ProductExpr &product) {
    line() << "product";
    for (const ProductExpr::Factor &factor : product.factors)
      os << (factor.op == ProductExpr::Op::Times         ? " *"
             : factor.op == ProductExpr::Op::Elementwise ? " .*"
             : factor.op == ProductExpr::Op::FloorDivide ? " floordiv"
             : factor.op == ProductExpr::Op::Remainder   ? " mod"
                                                         : " /");
    os << "\n";
    for (const ProductExpr::Factor &factor : product.factors)
      below(*factor.operand);
  }

  raw_ostream &os;
  unsigned indent = 0;
};

} // namespace

static void printMachine(const ast::Machine &machine, raw_ostream &os) {
  os << "machine " << machine.name.text << "(";
  llvm::interleaveComma(machine.axes, os, [&](const ast::Machine::Axis &axis) {
    if (!axis.name.text.empty())
      os << axis.name.text << " = ";
    if (!axis.cells)
      os << "?";
    else if (axis.cells->number)
      os << *axis.cells->number;
    else
      os << axis.cells->name;
  });
  os << ")\n";
}

void printAst(const Module &module, raw_ostream &os) {
  for (const ast::Machine &machine : module.machines)
    printMachine(machine, os);
  for (const OperatorFunction &function : module.operators)
    SyntaxPrinter(os).print(function);
  for (const Semiring &semiring : module.semirings)
    SyntaxPrinter(os).print(semiring);
  for (const Function &function : module.functions)
    SyntaxPrinter(os).print(function);
}

void printAst(const Stmt &statement, raw_ostream &os) { SyntaxPrinter(os).print(statement); }

} // namespace strata::frontend
