// How the accesses of a statement given alone are spelled. Nothing declares its names, and TACO's
// users spell accesses in ways that program files do not know: A_ij, A_{i,j}, and windows
// A(i(2,5),j). All become accesses A[i, j] here, before anything else looks at the statement.
#ifndef STRATA_FRONTEND_ACCESSSPELLINGS_H
#define STRATA_FRONTEND_ACCESSSPELLINGS_H

#include "strata/frontend/Ast.h"
#include "strata/frontend/Diagnostics.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace strata::frontend {

/// The names that options beside the statement speak of, and as what. They tell a tensor from a
/// function and a scalar from an index where the statement leaves it open.
struct GivenNames {
  llvm::StringSet<> tensors;
  llvm::StringSet<> pointers; ///< tensors that hold coordinates: of an integer type
  llvm::StringSet<> indices;
  llvm::StringSet<> scalars;
};

/// The number of values that a window gives an index variable, and where it stands.
struct WindowSize {
  int64_t size;
  llvm::SMRange range;
};

/// Rewrites every access of `statement` as A[i, j]. Names that are called and are neither tensors
/// nor functions stay calls. Returns the sizes of the index variables that have windows.
llvm::StringMap<WindowSize> respellAccesses(ast::AssignStmt &statement, const GivenNames &given,
                                            Diagnostics &diagnostics);

/// Is this the name of a function, a reduction or an element type?
bool namesFunction(llvm::StringRef name);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ACCESSSPELLINGS_H
