// Explanations on standard output.
#ifndef STRATA_TOOLS_EXPLAINPROGRAM_H
#define STRATA_TOOLS_EXPLAINPROGRAM_H

#include "strata/explain/Explanation.h"

namespace strata::tool {

/// Explains a prepared program, as text or as JSON. False if a kernel could not be compiled, which
/// was reported.
bool explainProgram(mlir::ModuleOp program, const ExplainOptions &options, bool json = false);

} // namespace strata::tool

#endif // STRATA_TOOLS_EXPLAINPROGRAM_H
