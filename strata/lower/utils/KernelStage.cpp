// Tells a kernel's stage by the dialects of its operations.
#include "strata/lower/utils/KernelStage.h"

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace strata {

// A function of the dialect func: what the machine runs is one of LLVM's.
static KernelStage stageOf(func::FuncOp kernel) {
  KernelStage stage = KernelStage::Code;
  kernel.walk([&](Operation *op) {
    if (isa<ta::ComputeOp>(op))
      stage = KernelStage::Statement;
    else if (isa_and_present<cin::CinDialect>(op->getDialect()))
      stage = KernelStage::Loops;
    else if (isa_and_present<lvl::LvlDialect>(op->getDialect()) && !isa<lvl::ContractOp>(op))
      stage = KernelStage::Walks;
    return stage == KernelStage::Code ? WalkResult::advance() : WalkResult::interrupt();
  });
  return stage;
}

static StringRef nameOf(KernelStage stage) {
  switch (stage) {
  case KernelStage::Statement:
    return "ta (a statement)";
  case KernelStage::Loops:
    return "cin (loops over index variables)";
  case KernelStage::Walks:
    return "lvl (walks over levels)";
  case KernelStage::Code:
    return "upstream dialects alone";
  case KernelStage::Machine:
    return "LLVM's dialect";
  }
  return "";
}

// The pass that leads from a stage to the next.
static StringRef passFrom(KernelStage stage) {
  switch (stage) {
  case KernelStage::Statement:
    return "convert-ta-to-cin";
  case KernelStage::Loops:
    return "convert-cin-to-lvl";
  case KernelStage::Walks:
    return "convert-lvl-to-scf";
  case KernelStage::Code:
    return "convert-func-to-llvm";
  case KernelStage::Machine:
    break;
  }
  return "";
}

static LogicalResult expectStage(func::FuncOp kernel, KernelStage expected, StringRef pass) {
  KernelStage found = stageOf(kernel);
  if (found == expected)
    return success();
  InFlightDiagnostic error = kernel.emitError("'")
                             << pass << "' takes kernels written in " << nameOf(expected)
                             << "; this one is written in " << nameOf(found);
  if (found < expected)
    error.attachNote() << "run '" << passFrom(found) << "' before it";
  else
    error.attachNote() << "'" << passFrom(expected) << "' has run already, or the kernel is empty";
  return error;
}

LogicalResult expectStage(ModuleOp module, KernelStage expected, StringRef pass) {
  for (auto kernel : module.getOps<func::FuncOp>())
    if (isKernel(kernel) && failed(expectStage(kernel, expected, pass)))
      return failure();
  return success();
}

} // namespace strata
