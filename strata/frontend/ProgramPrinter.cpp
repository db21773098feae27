// The text of analyzed programs.
#include "strata/frontend/ProgramPrinter.h"
#include "strata/frontend/AstPrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using llvm::raw_ostream;

namespace strata::frontend {
namespace {

class Printer {
public:
  Printer(const Program &program, raw_ostream &os) : program(program), os(os) {}

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

  void print(const Operation &operation) {
    std::visit([this](const auto &op) { print(op); }, operation.kind);
  }

private:
  raw_ostream &name(TensorId id) { return os << program.tensors[id].name; }

  void indices(const std::vector<Index> &indices, const Compute &compute) {
    if (indices.empty())
      return;
    os << "[";
    llvm::interleaveComma(indices, os, [&](const Index &index) {
      if (index.lo)
        os << index.lo << " + ";
      if (index.step != 1)
        os << index.step << " * ";
      os << compute.vars[index.var].name;
    });
    os << "]";
  }

  void print(const Compute &compute) {
    name(compute.result);
    indices(compute.indices, compute);
    switch (compute.op) {
    case ast::AssignOp::Set:
      os << " = ";
      break;
    case ast::AssignOp::Add:
      os << " += ";
      break;
    case ast::AssignOp::Subtract:
      os << " -= ";
      break;
    }
    element(*compute.value, compute, Loose);
    sizes("where", compute.vars);
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
      else
        name(source.tensor) << "." << source.dimension;
    }
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
  void print(const Print &print) {
    os << "print ";
    name(print.tensor);
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
      return;
    case Element::Kind::Access:
      name(e.tensor);
      return indices(e.indices, compute);
    case Element::Kind::Negate:
      os << "-";
      return element(*e.operands.front().element, compute, Tight);
    case Element::Kind::Add:
      return operands(" + ", " - ", Term);
    case Element::Kind::Multiply:
      return operands(" * ", " / ", Tight);
    case Element::Kind::Sum:
      os << "sum(";
      llvm::interleaveComma(e.vars, os, [&](unsigned var) { os << compute.vars[var].name; });
      os << ": ";
      element(*e.operands.front().element, compute, Loose);
      os << ")";
      return;
    }
  }

  const Program &program;
  raw_ostream &os;
};

} // namespace

void printProgram(const Program &program, raw_ostream &os) {
  Printer printer(program, os);
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
  Printer(program, os).print(operation);
  return text;
}

} // namespace strata::frontend
