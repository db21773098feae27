// Takes a program's kernels to a stage and draws it.
#include "strata/page/StagePicture.h"

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using strata::runtime::Result;

namespace strata::page {

bool hasPicture(ProgramStage stage) {
  return stage == ProgramStage::Graph || stage == ProgramStage::Lattice;
}

static runtime::Error shownError() {
  return runtime::Error::alreadyShown("the kernels could not be compiled");
}

Result<std::string> pictureAt(ProgramStage stage, ArrayRef<ProgramKernel> list,
                              MLIRContext *context, Ground ground) {
  OwningOpRef<ModuleOp> kernels = mergeKernels(list, context);
  if (stage == ProgramStage::Graph) {
    if (auto graphs = iterationGraphs(*kernels))
      return graphSvg(*graphs, ground);
    return shownError();
  }
  if (auto lattices = mergeLattices(*kernels))
    return latticeSvg(*lattices, ground);
  return shownError();
}

Result<std::string> pictureAt(ProgramStage stage, ModuleOp program, const StageOptions &options,
                              Ground ground) {
  std::optional<std::vector<ProgramKernel>> list =
      kernelsOf(mainOf(program), options.widths, options.phases);
  if (!list)
    return shownError();
  return pictureAt(stage, *list, program.getContext(), ground);
}

} // namespace strata::page
