// The tensors that a program reads, for what is told of it before it runs.
#ifndef STRATA_TOOLS_READFILES_H
#define STRATA_TOOLS_READFILES_H

#include "strata/run/Executor.h"

#include <optional>
#include <vector>

namespace strata::tool {

/// What each ta.read of a prepared program gives, in the order of the text, as a run reads it, or
/// nothing where a file cannot be read, of which a warning tells, and where it would be in pieces.
std::vector<std::optional<TensorValue>> readFiles(mlir::ModuleOp program, RunOptions options);

} // namespace strata::tool

#endif // STRATA_TOOLS_READFILES_H
