// Element functions (exp, log, tanh, ...) that are computed for whole vectors.
#ifndef STRATA_TARGET_CPU_ELEMENTFUNCTIONS_H
#define STRATA_TARGET_CPU_ELEMENTFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace strata {

/// Turns calls of element functions of doubles and floats into calls of SLEEF's, which are within
/// 1 ulp, and tells LLVM of their forms for vectors of the target's widths. The bits of a result
/// are those of one formula, whether an element is computed by itself or in a vector of any width:
/// SLEEF's functions named `finz` with fused multiply-adds, `cinz` on processors without.
void callElementFunctions(llvm::Module &module, const llvm::TargetMachine &machine);

/// A function of SLEEF's, and where it is in this process.
struct ElementFunction {
  const char *name;
  void (*address)();
};

/// All that callElementFunctions() calls, for any target.
llvm::ArrayRef<ElementFunction> elementFunctions();

} // namespace strata

#endif // STRATA_TARGET_CPU_ELEMENTFUNCTIONS_H
