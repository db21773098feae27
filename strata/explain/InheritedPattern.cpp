// Asks the pass that gives kernels the pattern of an operand.
#include "strata/explain/InheritedPattern.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/runtime/assembly.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace strata {

std::optional<std::string> describeInheritedPattern(const ProgramKernel &kernel) {
  ModuleOp module = *const_cast<ProgramKernel &>(kernel).module;
  OwningOpRef<ModuleOp> copy(module.clone());
  PassManager passes(copy->getContext());
  passes.addPass(createInheritPatterns());
  if (failed(passes.run(*copy)))
    return std::nullopt;
  for (auto function : copy->getOps<func::FuncOp>()) {
    std::optional<Inheritance> found = inheritanceOf(function);
    if (!found)
      continue;
    auto plan = *reinterpret_cast<const strata_inheritance *>(found->plan.data());
    Value source = kernel.arguments.tensors[size_t(plan.operand - 1)];
    return llvm::formatv("that of {0} in its first {1} level{2}: where there is much to do, these "
                         "are copied, and all values are computed at once",
                         ta::operandName(kernel.statement, source), plan.shared,
                         plan.shared == 1 ? "" : "s")
        .str();
  }
  return std::nullopt;
}

} // namespace strata
