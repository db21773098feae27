// Modules from text, with names for messages and today's spelling of encodings.
#ifndef STRATA_INTEROP_READMODULE_H
#define STRATA_INTEROP_READMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace strata::interop {

/// Rewrites `#sparse_tensor.encoding<{dimLevelType = ..., dimOrdering = ..., pointerBitWidth = ...,
/// indexBitWidth = ...}>`, the keys of 001 section 4.1, and those that followed (lvlTypes,
/// dimToLvl), as a map of levels; line by line the text stays as it is. What cannot be rewritten
/// stays, for the parser to refuse.
std::string withTodaysEncodings(llvm::StringRef text);

/// Parses a module, whose file messages call `name`, and calls results and arguments what the text
/// calls them. The old keys of encodings are read. Null after errors.
mlir::OwningOpRef<mlir::ModuleOp> readModule(llvm::StringRef text, llvm::StringRef name,
                                             mlir::MLIRContext *context);

} // namespace strata::interop

#endif // STRATA_INTEROP_READMODULE_H
