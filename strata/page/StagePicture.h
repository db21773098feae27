// The stages of a program that are pictures.
#ifndef STRATA_PAGE_STAGEPICTURE_H
#define STRATA_PAGE_STAGEPICTURE_H

#include "strata/explain/ProgramStage.h"
#include "strata/page/Pictures.h"

namespace strata::page {

/// Tells whether there is a picture of the stage: of Graph and of Lattice.
bool hasPicture(ProgramStage stage);

/// The picture of a prepared program at such a stage, in SVG.
runtime::Result<std::string> pictureAt(ProgramStage stage, mlir::ModuleOp program,
                                       const StageOptions &options, Ground ground);

/// The same of some kernels of a program.
runtime::Result<std::string> pictureAt(ProgramStage stage, llvm::ArrayRef<ProgramKernel> kernels,
                                       mlir::MLIRContext *context, Ground ground);

} // namespace strata::page

#endif // STRATA_PAGE_STAGEPICTURE_H
