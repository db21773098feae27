// The attributes of a kernel's function: they say which part of the work it does, what it relies
// on, and what estimates speak for.
#ifndef STRATA_LOWER_ANALYSIS_KERNELATTRIBUTES_H
#define STRATA_LOWER_ANALYSIS_KERNELATTRIBUTES_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

using ta::Assumptions;
using ta::Phase;
using ta::Policy;

/// Marks the function as a kernel, which the passes on kernels take.
void markKernel(mlir::func::FuncOp function);
bool isKernel(mlir::func::FuncOp function);

/// Marks a function that is the same in many kernels, as `strata.shared`, with a line that tells
/// people what it does: it may be compiled apart from them, once.
void markShared(mlir::func::FuncOp function, llvm::StringRef title);
void unmarkShared(mlir::func::FuncOp function);
bool isShared(mlir::Operation *function);
llvm::StringRef titleOfShared(mlir::func::FuncOp function);

/// `strata.phase`, a #ta.phase; all of the work where there is none.
Phase phaseOf(mlir::func::FuncOp kernel);
void setPhase(mlir::func::FuncOp kernel, Phase phase);
inline bool makesPattern(Phase phase) {
  return phase == Phase::Assemble || phase == Phase::Pattern;
}

/// Tells whether the kernel relies on it: `strata.assumptions`, a #ta.assumptions. On the module of
/// a program, it holds for all kernels that are outlined from it.
bool assumes(mlir::Operation *kernel, Assumptions one);
void assume(mlir::Operation *kernel, Assumptions one);
/// All that it relies on; null where that is nothing.
ta::AssumptionsAttr assumptionsAttrOf(mlir::Operation *kernel);

/// Tells whether estimates speak for it: `strata.policy`, a #ta.policy.
bool prefers(mlir::Operation *kernel, Policy one);
void prefer(mlir::func::FuncOp kernel, Policy one);
void forget(mlir::func::FuncOp kernel, Policy one);
/// Leaves the kernel to what its schedule says.
void forgetPolicies(mlir::func::FuncOp kernel);

/// `strata.schedule`, a #ta.schedule: the commands that rewrite the kernel's loops; empty where
/// there is none.
ta::ScheduleAttr scheduleOf(mlir::func::FuncOp kernel);
void setSchedule(mlir::func::FuncOp kernel, ta::ScheduleAttr schedule);

/// How the result has the pattern of an operand.
struct Inheritance {
  llvm::ArrayRef<int64_t> plan; ///< a strata_inheritance and what lies behind it
  llvm::StringRef values;       ///< the kernel that computes all values
};
/// `strata.inherits` and `strata.values`: the kernel does all by itself, but where an operand turns
/// out to have the result's pattern.
void setInheritance(mlir::func::FuncOp kernel, llvm::ArrayRef<int64_t> plan,
                    mlir::func::FuncOp values);
std::optional<Inheritance> inheritanceOf(mlir::Operation *kernel);

/// Fails, with an error, where the function has an attribute `strata.*` that no pass knows, or one
/// of another type.
mlir::LogicalResult verifyKernelAttributes(mlir::func::FuncOp kernel);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_KERNELATTRIBUTES_H
