// A kernel is compiled for more than its types: for what sizes and numbers of entries decide.
#ifndef STRATA_ESTIMATE_KERNELFACTS_H
#define STRATA_ESTIMATE_KERNELFACTS_H

#include "strata/estimate/Work.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace strata {

struct KernelFacts {
  Assumptions assumptions = Assumptions::None;
  Policy policy = Policy::None;
  /// How long the rows of a dense result are that sparse operands make, if they are short: the
  /// compiler may make this a constant of the kernel. 0: of any length.
  int64_t rowSize = 0;

  bool operator==(const KernelFacts &) const = default;
  /// Tells them to a kernel, but for the size of rows.
  void tell(mlir::func::FuncOp kernel) const;
};

/// Decides the facts of a statement's kernel. `windowed`: checkBounds() says so. `sizes` are the
/// result's.
KernelFacts factsOf(ta::ComputeOp op, bool windowed, llvm::ArrayRef<int64_t> sizes,
                    llvm::function_ref<Occupancy(mlir::Value)> occupancyOf,
                    llvm::function_ref<int64_t(mlir::Value)> extentOf);

/// Says why a statement's kernel has this policy, where that changes what its loops run over;
/// empty for others.
std::string reasonFor(Policy policy, ta::ComputeOp op);

} // namespace strata

#endif // STRATA_ESTIMATE_KERNELFACTS_H
