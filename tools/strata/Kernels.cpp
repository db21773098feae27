// Outlines the statements of a program with types decided from formats alone.
#include "Kernels.h"
#include "Session.h"

#include "strata/execution/Output.h"
#include "strata/lower/IndexStatement.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace strata::tool {
namespace {

class Outlining {
public:
  Outlining(func::FuncOp main, unsigned width) : main(main), width(width) {}

  std::vector<ProgramKernel> run() {
    main.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto statement = dyn_cast<ta::ComputeOp>(op)) {
        if (!convertsSum(statement))
          outline(statement);
        return WalkResult::skip();
      }
      decide(op->getResults());
      for (Region &region : op->getRegions())
        decide(region.getArguments());
      return WalkResult::advance();
    });
    return std::move(kernels);
  }

private:
  void decide(ValueRange values) {
    for (Value value : values)
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        types[value] = decided(type, width);
  }

  RankedTensorType decided(RankedTensorType type, unsigned positions) {
    if (!type.getEncoding())
      return type;
    if (ta::SumAttr sum = ta::sumOf(type))
      return ta::withFormat(type, sum.withOpenWidths(positions, width));
    return ta::withFormat(type, ta::formatOf(type).withOpenWidths(positions, width));
  }

  // A C identifier that nothing else has.
  std::string freshName(ta::ComputeOp statement) {
    std::string name = "kernel_";
    for (char c : nameOf(statement.getResult()))
      name += llvm::isAlnum(c) ? c : '_';
    unsigned &count = uses[name];
    return ++count == 1 ? name : name + "_" + std::to_string(count);
  }

  void outline(ta::ComputeOp statement) {
    Value result = statement.getResult();
    types[result] = statement.getInit() ? types[statement.getInit()]
                                        : decided(cast<RankedTensorType>(result.getType()), 64);
    ProgramKernel kernel{statement, freshName(statement), {}, {}};
    kernel.module = outlineKernel(
        statement, kernel.name, [&](Value operand) { return types[operand]; },
        [&](Value operand) { return operandName(statement, operand); }, types[result],
        kernel.arguments);
    kernels.push_back(std::move(kernel));
  }

  func::FuncOp main;
  unsigned width;
  llvm::DenseMap<Value, RankedTensorType> types;
  llvm::StringMap<unsigned> uses;
  std::vector<ProgramKernel> kernels;
};

} // namespace

std::vector<ProgramKernel> kernelsOf(func::FuncOp main, unsigned width) {
  return Outlining(main, width).run();
}

OwningOpRef<ModuleOp> mergeKernels(ArrayRef<ProgramKernel> kernels, MLIRContext *context) {
  OpBuilder b(context);
  OwningOpRef<ModuleOp> merged = ModuleOp::create(b, b.getUnknownLoc());
  b.setInsertionPointToEnd(merged->getBody());
  for (const ProgramKernel &kernel : kernels)
    for (Operation &op : *const_cast<ProgramKernel &>(kernel).module->getBody())
      b.clone(op);
  return merged;
}

} // namespace strata::tool
