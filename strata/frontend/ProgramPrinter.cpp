// The text of analyzed programs.
#include "strata/frontend/ProgramPrinter.h"
#include "strata/frontend/AstPrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using llvm::raw_ostream;

namespace strata::frontend {
namespace {

class AnalysisPrinter {
public:
  AnalysisPrinter(const Program &program, raw_ostream &os) : program(program), os(os) {}

  void print(const Tensor &tensor) {
    os << "tensor " << tensor.name << " : " << elementTypeName(tensor.type) << " [";
    llvm::interleaveComma(tensor.sizes, os, [&](const std::optional<int64_t> &size) {
      if (size)
        os << *size;
      else
        os << "?";
    });
    os << "]";
    if (tensor.format)
      os << " " << formatText(*tensor.format);
    os << "\n";
  }

  void print(const Machine &machine) {
    os << "machine " << machine.name << "(";
    llvm::interleaveComma(machine.axes, os, [&](const Machine::Axis &axis) {
      os << axis.name << " = ";
      if (!axis.parameter.empty())
        os << axis.parameter;
      else if (axis.cells)
        os << axis.cells;
      else
        os << "?";
    });
    os << ")\n";
  }

  void print(const Operation &operation) {
    std::visit([this](const auto &op) { print(op); }, operation.kind);
  }

private:
  raw_ostream &name(TensorId id) { return os << program.tensors[id].name; }

  void indices(const std::vector<Index> &indices, const Compute &compute) {
    if (indices.empty())
      return;
    os << "[";
    llvm::interleaveComma(indices, os, [&](const Index &index) { this->index(index, compute); });
    os << "]";
  }

  void index(const Index &index, const Compute &compute) {
    if (index.lo || index.terms.empty())
      os << index.lo << (index.terms.empty() ? "" : " + ");
    llvm::interleave(
        index.terms, os, [&](const Index::Term &term) { this->term(term, compute); }, " + ");
  }

  void term(const Index::Term &term, const Compute &compute) {
    if (term.factor != 1)
      os << term.factor << " * ";
    if (!term.number) {
      os << compute.vars[term.var].name;
      return;
    }
    os << "((";
    index(*term.number, compute);
    os << ")" << (term.remainder ? " mod " : " floordiv ") << term.divisor << ")";
  }

  void print(const Compute &compute) {
    name(compute.result);
    indices(compute.indices, compute);
    if (const std::optional<ComputeMask> &mask = compute.mask) {
      os << "<" << (mask->complemented ? "!" : "");
      element(*mask->access, compute, Loose);
      os << (mask->structural ? ", structural" : "") << (mask->replace ? ", replace" : "")
         << (mask->pull ? ", pull" : "") << ">";
    }
    os << " " << ast::spelling(compute.op) << " ";
    element(*compute.value, compute, Loose);
    sizes("where", compute.vars);
    if (compute.schedule)
      os << " " << scheduleText(*compute.schedule);
  }

  // "where i = A.0 = 32, j = A.1"
  void sizes(llvm::StringRef word, const std::vector<IndexVar> &vars) {
    for (const IndexVar &var : vars) {
      os << (&var == &vars.front() ? " " : ", ");
      if (&var == &vars.front())
        os << word << " ";
      os << var.name;
      size(var.size);
    }
  }

  void size(const Size &size) {
    for (const SizeSource &source : size.sources) {
      os << " = ";
      if (source.constant)
        os << *source.constant;
      else if (!source.parameter.empty())
        os << source.parameter;
      else
        name(source.tensor) << "." << source.dimension;
    }
    if (size.begin)
      os << " from " << size.begin;
    if (!size.reaches.empty())
      os << " where inside";
  }

  void shape(const std::vector<Size> &sizes) {
    os << " [";
    llvm::interleaveComma(sizes, os, [&](const Size &s) {
      os << s.name;
      size(s);
    });
    os << "]";
  }

  void print(const Fill &fill) {
    os << "fill ";
    name(fill.result) << " = " << llvm::format("%.17g", fill.value);
    shape(fill.sizes);
  }
  void print(const Random &random) {
    os << "random ";
    name(random.result);
    shape(random.sizes);
  }
  void print(const LinearAlgebra &algebra) {
    name(algebra.result) << " = " << algebra.function << "(";
    llvm::interleaveComma(algebra.operands, os, [&](TensorId id) { name(id); });
    os << ")";
  }
  void print(const Concatenation &joined) {
    name(joined.result) << " = concat(" << joined.dimension;
    for (TensorId operand : joined.operands) {
      os << ", ";
      name(operand);
    }
    os << ")";
  }
  void print(const Reordering &reordered) {
    name(reordered.result) << (reordered.dimension ? " = lexi_order(" : " = tensor_reorder(");
    name(reordered.operand);
    if (reordered.dimension)
      os << ", " << *reordered.dimension;
    os << ")";
  }
  void print(const Values &values) {
    name(values.result);
    os << " = " << values.numbers.size() << (values.isList ? " values\n" : " entries\n");
  }

  void print(const Stencil &stencil) {
    os << "stencil ";
    name(stencil.result) << " " << stencil.points;
  }
  void print(const Read &read) {
    os << "read ";
    name(read.result) << " \"";
    os.write_escaped(read.file) << "\" " << read.part;
  }
  void print(const Write &write) {
    os << "write ";
    name(write.tensor) << " \"";
    os.write_escaped(write.file) << "\"";
  }
  void print(const Given &given) {
    os << "given ";
    name(given.result);
  }
  void print(const Return &op) {
    os << "return ";
    name(op.tensor);
  }
  void print(const Print &print) {
    os << "print ";
    name(print.tensor) << (print.bare ? " bare" : "") << (print.storage ? " storage" : "");
  }
  void print(const PrintText &print) {
    os << "print \"";
    os.write_escaped(print.text) << "\"";
  }
  void print(const Time &time) {
    os << "time ";
    name(time.result);
  }
  void print(const PrintElapsed &elapsed) {
    os << "print_elapsed ";
    name(elapsed.start) << " ";
    name(elapsed.end);
  }

  void print(const Share &share) {
    os << "share ";
    name(share.result) << " ";
    name(share.source);
  }

  void print(const Test &test) {
    static constexpr llvm::StringRef words[] = {
        " < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || "};
    llvm::StringRef word = words[size_t(test.kind)];
    if (test.parts.empty()) {
      name(test.lhs) << word;
      name(test.rhs);
      return;
    }
    os << "(";
    for (const Test &part : test.parts) {
      os << (&part == &test.parts.front() ? "" : word);
      print(part);
    }
    os << ")";
  }

  void names(llvm::StringRef word, const std::vector<TensorId> &tensors) {
    if (tensors.empty())
      return;
    os << " " << word << " ";
    llvm::interleaveComma(tensors, os, [&](TensorId id) { name(id); });
  }

  void block(const std::vector<Operation> &operations) {
    os << " {\n";
    depth += 2;
    for (const Operation &operation : operations) {
      os.indent(depth);
      print(operation);
      os << "\n";
    }
    depth -= 2;
    os.indent(depth) << "}";
  }

  void print(const Loop &loop) {
    if (loop.variable) {
      name(*loop.variable) << " from ";
      name(loop.lo) << " to ";
      name(loop.hi) << " step ";
      name(loop.step);
    } else {
      os << "loop limit " << loop.limit;
    }
    names("carry", loop.carried);
    names("make", loop.made);
    block(loop.body);
  }
  void print(const Branch &branch) {
    os << "if ";
    print(branch.test);
    names("give", branch.results);
    block(branch.body);
    os << " else";
    block(branch.otherwise);
  }
  void print(const Break &) { os << "break"; }

  // How tightly the surroundings bind.
  enum Binding { Loose, Term, Tight };

  void element(const Element &e, const Compute &compute, Binding binding) {
    auto operands = [&](llvm::StringRef op, llvm::StringRef inverse, Binding inner) {
      if (binding >= inner)
        os << "(";
      for (const Element::Operand &operand : e.operands) {
        if (&operand != &e.operands.front())
          os << (operand.inverse ? inverse : op);
        element(*operand.element, compute, operand.inverse ? Tight : inner);
      }
      if (binding >= inner)
        os << ")";
    };
    switch (e.kind) {
    case Element::Kind::Constant:
      os << llvm::format("%.17g", e.value);
      if (e.imaginary != 0)
        os << llvm::format("%+.17gi", e.imaginary);
      return;
    case Element::Kind::Parameter:
      os << e.parameter;
      return;
    case Element::Kind::Access:
      name(e.tensor);
      indices(e.indices, compute);
      if (e.missing)
        os << "?";
      return;
    case Element::Kind::Negate:
      os << "-";
      return element(*e.operands.front().element, compute, Tight);
    case Element::Kind::Add:
      return operands(" + ", " - ", Term);
    case Element::Kind::Label:
      os << "value";
      return indices(e.indices, compute);
    case Element::Kind::Selector:
      if (e.inside)
        index(*e.inside, compute);
      else
        name(e.tensor);
      os << (e.inside ? " inside" : " points");
      return indices(e.indices, compute);
    case Element::Kind::Multiply:
      return operands(" * ", " / ", Tight);
    case Element::Kind::Sum:
      os << (e.op == Operator::Plus ? "sum" : infoOf(e.op).name) << (e.missing ? "?(" : "(");
      llvm::interleaveComma(e.vars, os, [&](unsigned var) { os << compute.vars[var].name; });
      os << ": ";
      element(*e.operands.front().element, compute, Loose);
      os << ")";
      return;
    case Element::Kind::Apply:
    case Element::Kind::Join:
    case Element::Kind::Mask:
      os << (e.kind == Element::Kind::Mask   ? "masked"
             : e.kind == Element::Kind::Join ? e.reduces ? "both " : "either "
                                             : "");
      if (e.kind == Element::Kind::Apply && e.op == Operator::Cast)
        os << elementTypeName(e.castTo);
      else if (e.kind != Element::Kind::Mask)
        os << infoOf(e.op).name;
      os << "(";
      llvm::interleaveComma(e.operands, os, [&](const Element::Operand &operand) {
        element(*operand.element, compute, Loose);
      });
      os << ")";
      return;
    }
  }

  const Program &program;
  raw_ostream &os;
  unsigned depth = 0; // of the indentation
};

} // namespace

void printProgram(const Program &program, raw_ostream &os) {
  AnalysisPrinter printer(program, os);
  for (const Machine &machine : program.machines)
    printer.print(machine);
  for (const Tensor &tensor : program.tensors)
    printer.print(tensor);
  for (const Operation &operation : program.operations) {
    printer.print(operation);
    os << "\n";
  }
}

std::string operationText(const Program &program, const Operation &operation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  AnalysisPrinter(program, os).print(operation);
  return text;
}

} // namespace strata::frontend
