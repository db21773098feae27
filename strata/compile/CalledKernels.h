// Kernels that programs call: what they were compiled for, so that the runtime can check arguments.
#ifndef STRATA_COMPILE_CALLEDKERNELS_H
#define STRATA_COMPILE_CALLEDKERNELS_H

#include "strata/compile/ProgramKernels.h"

namespace strata {

/// Gives a kernel its signature (runtime/storage/Signature.h): its storages' types, how the counts
/// of their buffers follow from each other, and how the extents fit their sizes.
void addSignature(ProgramKernel &kernel);

/// The index variables whose values each extent of a kernel counts: the name of the first one.
llvm::SmallVector<std::string> extentNames(const ProgramKernel &kernel);

} // namespace strata

#endif // STRATA_COMPILE_CALLEDKERNELS_H
