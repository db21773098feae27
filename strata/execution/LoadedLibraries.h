// What code this process consists of.
#ifndef STRATA_EXECUTION_LOADEDLIBRARIES_H
#define STRATA_EXECUTION_LOADEDLIBRARIES_H

#include "llvm/ADT/StringRef.h"

namespace strata {

/// The program and its libraries, by the identities that linkers give (GNU build ids), or, where
/// one has none, by its file's name, size and time. Two processes with one text run the same
/// compiler.
llvm::StringRef loadedLibraries();

} // namespace strata

#endif // STRATA_EXECUTION_LOADEDLIBRARIES_H
