// The code of a statement: a program, and its kernels in the LLVM dialect.
#ifndef STRATA_SPARSIFIER_STATEMENTCODE_H
#define STRATA_SPARSIFIER_STATEMENTCODE_H

#include "strata/lower/Pipeline.h"
#include "strata/sparsifier/FoundStatement.h"

namespace strata::sparsifier {

/// Adds the kernels of a statement to the module, and a function NAME_run that runs it on words
/// (host/Statement.h). Errors stand at operations of the statement.
mlir::LogicalResult addCode(mlir::ModuleOp module, const FoundStatement &statement,
                            llvm::StringRef name, const KernelOptions &options);

} // namespace strata::sparsifier

#endif // STRATA_SPARSIFIER_STATEMENTCODE_H
