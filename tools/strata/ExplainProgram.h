// Explanations on standard output, and as pages.
#ifndef STRATA_TOOLS_EXPLAINPROGRAM_H
#define STRATA_TOOLS_EXPLAINPROGRAM_H

#include "strata/explain/Explanation.h"
#include "strata/page/ExplanationPage.h"

namespace strata::tool {

/// Explains a prepared program, as text or as JSON. False if a kernel could not be compiled, which
/// was reported.
bool explainProgram(mlir::ModuleOp program, const ExplainOptions &options, bool json = false);

/// Explains it in a page for a browser, which is written to `file`. Returns the code to end with.
/// `keepsKernels`: those that draw formats are looked for in the cache, and kept there.
int writePage(mlir::ModuleOp program, page::PageRequest request, bool keepsKernels,
              llvm::StringRef file);

} // namespace strata::tool

#endif // STRATA_TOOLS_EXPLAINPROGRAM_H
