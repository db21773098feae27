// Outlines the statements of a program with types decided from formats alone.
#include "strata/compile/ProgramKernels.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Phase.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace strata {
namespace {

class Outlining {
public:
  Outlining(func::FuncOp main, OpenWidths widths, bool phases)
      : main(main), widths(widths), phases(phases) {}

  std::optional<std::vector<ProgramKernel>> run() {
    main.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto statement = dyn_cast<ta::ComputeOp>(op)) {
        if (isConversion(statement))
          decide(statement->getResults());
        else
          outline(statement);
        return WalkResult::skip();
      }
      decide(op->getResults());
      if (auto with = dyn_cast<ta::WithValuesOp>(op))
        types[with.getResult()] = types[with.getTensor()];
      for (Region &region : op->getRegions())
        decide(region.getArguments());
      return WalkResult::advance();
    });
    if (fails)
      return std::nullopt;
    return std::move(kernels);
  }

private:
  void decide(ValueRange values) {
    for (Value value : values)
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        types[value] = decided(type, widths.bits);
  }

  RankedTensorType decided(RankedTensorType type, unsigned positions) {
    return ta::withOpenWidths(type, positions, widths.bits);
  }

  // A C identifier that nothing else has.
  std::string freshName(ta::ComputeOp statement) {
    std::string name = "kernel_";
    for (char c : ta::nameOf(statement.getResult()))
      name += llvm::isAlnum(c) ? c : '_';
    unsigned &count = uses[name];
    return ++count == 1 ? name : name + "_" + std::to_string(count);
  }

  void outline(ta::ComputeOp statement) {
    Value result = statement.getResult();
    types[result] = statement.getInit()
                        ? types[statement.getInit()]
                        : decided(cast<RankedTensorType>(result.getType()), widths.resultPositions);
    std::string name = freshName(statement);
    outline(statement, name, Phase::All);
    if (!phases || statement.getInit())
      return;
    std::string fault = phaseFault(ta::formatOf(types[result]));
    if (!fault.empty()) {
      fails = true;
      statement.emitError() << "cannot compute '" << ta::nameOf(result)
                            << "' in phases: of its format "
                            << ta::formatName(ta::formatOf(types[result])) << ", " << fault;
      return;
    }
    outline(statement, name + "_assemble", Phase::Assemble);
    outline(statement, name + "_compute", Phase::Compute);
  }

  void outline(ta::ComputeOp statement, const std::string &name, Phase phase) {
    ProgramKernel kernel{statement, name, phase, {}, {}};
    kernel.module = outlineKernel(
        statement, name, [&](Value operand) { return types[operand]; },
        [&](Value operand) { return ta::operandName(statement, operand); },
        types[statement.getResult()], kernel.arguments);
    setPhase(*kernel.module->getOps<func::FuncOp>().begin(), phase);
    kernels.push_back(std::move(kernel));
  }

  func::FuncOp main;
  OpenWidths widths;
  bool phases, fails = false;
  llvm::DenseMap<Value, RankedTensorType> types;
  llvm::StringMap<unsigned> uses;
  std::vector<ProgramKernel> kernels;
};

} // namespace

func::FuncOp mainOf(ModuleOp module) { return module.lookupSymbol<func::FuncOp>("main"); }

std::optional<std::vector<ProgramKernel>> kernelsOf(func::FuncOp main, OpenWidths widths,
                                                    bool phases) {
  return Outlining(main, widths, phases).run();
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

} // namespace strata
