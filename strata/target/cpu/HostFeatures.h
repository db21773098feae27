// What this machine's processor is and can do, in LLVM's words.
#ifndef STRATA_TARGET_CPU_HOSTFEATURES_H
#define STRATA_TARGET_CPU_HOSTFEATURES_H

#include "llvm/ADT/StringMap.h"

namespace strata {

/// "znver4", "neoverse-n1"; "generic" if LLVM does not know it.
llvm::StringRef hostName();

/// Its sets of instructions by name, and whether it has each.
llvm::StringMap<bool> hostFeatures();

} // namespace strata

#endif // STRATA_TARGET_CPU_HOSTFEATURES_H
