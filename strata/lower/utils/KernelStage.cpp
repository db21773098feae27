// Tells a kernel's stage by the dialects of its operations.
#include "strata/lower/utils/KernelStage.h"

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Ta.h"

using namespace mlir;

namespace strata {

static KernelStage stageOf(func::FuncOp kernel) {
  KernelStage stage = KernelStage::Code;
  kernel.walk([&](Operation *op) {
    if (isa<ta::ComputeOp>(op))
      stage = KernelStage::Statement;
    else if (isa_and_present<cin::CinDialect>(op->getDialect()))
      stage = KernelStage::Loops;
    else if (isa_and_present<lvl::LvlDialect>(op->getDialect()))
      stage = KernelStage::Walks;
    return stage == KernelStage::Code ? WalkResult::advance() : WalkResult::interrupt();
  });
  return stage;
}

static StringRef nameOf(KernelStage stage) {
  switch (stage) {
  case KernelStage::Statement:
    return "a statement (ta)";
  case KernelStage::Loops:
    return "loops over index variables (cin)";
  case KernelStage::Walks:
    return "walks over levels (lvl)";
  case KernelStage::Code:
    return "no operations of Strata";
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
    break;
  }
  return "";
}

LogicalResult expectStage(func::FuncOp kernel, KernelStage expected, StringRef pass) {
  KernelStage found = stageOf(kernel);
  if (found == expected)
    return success();
  InFlightDiagnostic error = kernel.emitError("'")
                             << pass << "' takes kernels that are " << nameOf(expected)
                             << "; this one has " << nameOf(found);
  if (found < expected)
    error.attachNote() << "run '" << passFrom(found) << "' before it";
  else
    error.attachNote() << "'" << passFrom(expected) << "' has run already, or the kernel is empty";
  return error;
}

} // namespace strata
