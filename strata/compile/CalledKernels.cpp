// Describes the arguments of kernels by words that the runtime checks.
#include "strata/compile/CalledKernels.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/tensor/StorageSignature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

SmallVector<std::string> extentNames(const ProgramKernel &kernel) {
  IndexStatement statement(kernel.statement);
  SmallVector<std::string> names;
  for (Value extent : kernel.arguments.extents) {
    const IndexVariable *found = llvm::find_if(
        statement.variables, [&](const IndexVariable &one) { return one.extent == extent; });
    names.push_back(found == statement.variables.end() ? "?" : found->name);
  }
  return names;
}

namespace {

class Description {
public:
  explicit Description(const ProgramKernel &kernel) : kernel(kernel), statement(kernel.statement) {}

  Signature run() {
    auto function = *const_cast<ProgramKernel &>(kernel).module->getOps<func::FuncOp>().begin();
    add({int64_t(kernel.arguments.tensors.size()) + 1, int64_t(kernel.arguments.extents.size())});
    describeStorage(cast<RankedTensorType>(function.getResultTypes().front()),
                    ta::nameOf(kernel.statement->getResult(0)), StorageRole::Result, signature);
    for (auto [tensor, type] : llvm::zip(kernel.arguments.tensors, function.getArgumentTypes()))
      describeStorage(cast<RankedTensorType>(type), ta::nameOf(tensor), StorageRole::Operand,
                      signature);
    for (const std::string &name : extentNames(kernel))
      addName(name);
    addSubscripts();
    return std::move(signature);
  }

private:
  void add(std::initializer_list<int64_t> words) { llvm::append_range(signature.words, words); }
  void addName(StringRef name) {
    signature.names += name;
    signature.names += '\0';
  }

  void addSubscripts() {
    size_t at = signature.words.size();
    add({0});
    addSubscripts(0, statement.resultPlace(),
                  cast<RankedTensorType>(kernel.statement->getResult(0).getType()));
    for (const auto &access : statement.accesses) {
      auto read = cast<ta::AccessOp>(access.first);
      const Value *tensor = llvm::find(kernel.arguments.tensors, read.getTensor());
      if (tensor != kernel.arguments.tensors.end())
        addSubscripts(tensor - kernel.arguments.tensors.begin() + 1,
                      statement.placeOf(read.getMap(), read.getIndices()),
                      cast<RankedTensorType>(read.getTensor().getType()));
    }
    signature.words[at] = subscripts;
  }

  void addSubscripts(int64_t storage, AffineMap place, RankedTensorType type) {
    for (auto [dim, expr] : llvm::enumerate(place.getResults())) {
      int64_t constant = 0;
      SmallVector<std::pair<int64_t, int64_t>> terms;
      if (!split(expr, 1, constant, terms))
        continue;
      bool covers = isa<AffineDimExpr>(expr) &&
                    coversDimension(cast<AffineDimExpr>(expr).getPosition(), type, dim);
      add({storage, int64_t(dim), covers, constant, int64_t(terms.size())});
      for (auto [extent, factor] : terms)
        add({extent, factor});
      ++subscripts;
    }
  }

  // A sum of multiples of variables, by their extents; false for what is none.
  bool split(AffineExpr expr, int64_t factor, int64_t &constant,
             SmallVectorImpl<std::pair<int64_t, int64_t>> &terms) const {
    if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
      constant += factor * number.getValue();
      return true;
    }
    if (auto variable = dyn_cast<AffineDimExpr>(expr)) {
      const auto &extents = kernel.arguments.extents;
      const Value *found = llvm::find(extents, statement.variables[variable.getPosition()].extent);
      terms.push_back({found - extents.begin(), factor});
      return found != extents.end();
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() == AffineExprKind::Add)
      return split(binary.getLHS(), factor, constant, terms) &&
             split(binary.getRHS(), factor, constant, terms);
    auto number = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
    return number && expr.getKind() == AffineExprKind::Mul &&
           split(binary.getLHS(), factor * number.getValue(), constant, terms);
  }

  // Has the variable a value for each coordinate of the dimension? Others that have fewer, since
  // they are declared so, or lest other accesses leave their tensors, only stay inside.
  bool coversDimension(unsigned variable, RankedTensorType type, unsigned dim) const {
    Value extent = statement.variables[variable].extent;
    if (std::optional<int64_t> number = getConstantIntValue(extent))
      return type.getDimSize(dim) == *number;
    return isa_and_present<ta::DimOp, ta::SameSizeOp>(extent.getDefiningOp());
  }

  const ProgramKernel &kernel;
  IndexStatement statement;
  Signature signature;
  int64_t subscripts = 0;
};

} // namespace

void addSignature(ProgramKernel &kernel) {
  setSignature(*kernel.module->getOps<func::FuncOp>().begin(), Description(kernel).run());
}

} // namespace strata
