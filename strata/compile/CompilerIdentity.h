// Which compiler this is.
#ifndef STRATA_COMPILE_COMPILERIDENTITY_H
#define STRATA_COMPILE_COMPILERIDENTITY_H

#include "llvm/ADT/StringRef.h"

namespace strata {

/// A digest of the sources that make kernels, and of LLVM's version: two processes with one
/// identity make the same kernel of the same text, whatever else is loaded in them. The build
/// writes it.
llvm::StringRef compilerIdentity();

} // namespace strata

#endif // STRATA_COMPILE_COMPILERIDENTITY_H
