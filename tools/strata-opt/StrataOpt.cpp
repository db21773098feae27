// strata-opt: every dialect and pass of Strata, with the standard MLIR switches.
#include "PrintAnalyses.h"
#include "strata/interop/ImportLinalg.h"
#include "strata/lower/Pipeline.h"
#include "strata/sparsifier/Sparsifier.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  strata::registerDialects(registry);
  strata::interop::registerDialects(registry);
  strata::sparsifier::registerDialects(registry);
  strata::registerPipelines();
  strata::interop::registerPasses();
  strata::sparsifier::registerPipeline();
  strata::registerPrintPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Strata: tensor algebra, stage by stage\n", registry));
}
