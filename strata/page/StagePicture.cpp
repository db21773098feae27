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

Result<std::string> pictureAt(ProgramStage stage, ModuleOp program, const StageOptions &options,
                              Ground ground) {
  const runtime::Error shown{.message = "the kernels could not be compiled", .shown = true};
  std::optional<std::vector<ProgramKernel>> list =
      kernelsOf(mainOf(program), options.widths, options.phases);
  if (!list)
    return shown;
  OwningOpRef<ModuleOp> kernels = mergeKernels(*list, program.getContext());
  if (stage == ProgramStage::Graph) {
    if (auto graphs = iterationGraphs(*kernels))
      return graphSvg(*graphs, ground);
    return shown;
  }
  if (auto lattices = mergeLattices(*kernels))
    return latticeSvg(*lattices, ground);
  return shown;
}

} // namespace strata::page
