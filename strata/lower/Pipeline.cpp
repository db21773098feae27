// The compiler's table of contents: which passes run, in which order.
#include "strata/lower/Pipeline.h"

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/entry/CallMathLibrary.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace strata {

static SmallVector<std::string> wordsOf(Resolutions resolutions) {
  return llvm::map_to_vector(resolutions.words(), [](StringRef word) { return word.str(); });
}

void addProgramPasses(OpPassManager &pm, const ProgramOptions &options) {
  pm.addPass(createForgetStorage());
  pm.addPass(createDistributeStatements());
  pm.addPass(createGatherPieces({.returnsPieces = options.returnsPieces}));
  pm.addPass(createLowerMasks());
  pm.addPass(createScheduleTensors());
  pm.addPass(createExpandSums());
  pm.addPass(createShareStatements());
  if (!options.forbidden.empty())
    pm.addPass(createForbidResolutions({.what = wordsOf(options.forbidden)}));
  pm.addPass(createFuseStatements());
  pm.addPass(createOrderProducts({.maxMemory = options.maxMemory}));
  pm.addPass(createTransposeContractions());
  pm.addPass(createSplitStatements());
  pm.addPass(createResolveConflicts());
  pm.addPass(createHoistConversions());
  pm.addPass(createPlaceStorage());
}

// Where stored: walks over coordinate hierarchies.
void addWalkPasses(OpPassManager &pm, const WalkOptions &options) {
  pm.addPass(
      createCinToLvl({.contractions = options.contractions, .vectorBytes = options.vectorBytes}));
  pm.addPass(createAdmitMasks());
  pm.addPass(createPlaceFills());
}

// Rewrites that follow from the loops of a schedule.
void addFinishingPasses(OpPassManager &pm) {
  pm.addPass(createPromoteSums());
  pm.addPass(createHoistProducers());
  pm.addPass(createJoinLists());
  pm.addPass(createAcceptDuplicates());
  pm.addPass(createWidenSums());
  pm.addPass(createParallelizeLoops());
}

static void addLoopPasses(OpPassManager &pm, Stage stage, const KernelOptions &options) {
  if (stage == Stage::Ta)
    return;

  if (stage >= Stage::Vector && options.purpose == Purpose::Running && !options.quick)
    pm.addPass(createInheritPatterns());

  // How: loops over index variables.
  pm.addPass(createTaToCin({.firstCache = options.caches.first}));
  pm.addPass(createApplySchedules());
  addFinishingPasses(pm);
  if (stage == Stage::Cin)
    return;

  // Few products take less time by loops than blocks take to compile. Who looks at a kernel before
  // there are vectors sees the loops.
  const bool contractions =
      stage >= Stage::Vector && options.purpose == Purpose::Running && !options.quick;
  addWalkPasses(pm, {.contractions = contractions, .vectorBytes = options.vectorBytes});
  if (stage == Stage::Lvl)
    return;

  // The levels' own functions, inlined.
  pm.addPass(createLvlToScf({.serial = options.purpose == Purpose::Reading}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createKeepBlocks());
  pm.addPass(createCanonicalizerPass());
  if (options.purpose == Purpose::Running) {
    pm.addPass(createFullParts());
    pm.addPass(createFlattenLoops());
    pm.addPass(createPrefetch());
  }
}

// Runs dense contractions in functions that kernels share.
static void addContractionPasses(OpPassManager &pm, const KernelOptions &options) {
  if (options.quick)
    return;
  if (options.gemm)
    pm.addPass(createCallGemm());
  pm.addPass(createBlockContractions({.vectorBytes = options.vectorBytes,
                                      .vectorRegisters = options.vectorRegisters,
                                      .firstCache = options.caches.first,
                                      .secondCache = options.caches.second,
                                      .thirdCache = options.caches.third}));
}

void addPassesToShared(OpPassManager &pm, const KernelOptions &options) {
  addLoopPasses(pm, Stage::Llvm, options);
  pm.addPass(createFoldFlags());
  pm.addPass(createRelaxArithmetic());
  addContractionPasses(pm, options);
}

// Loops in vectors, register tiles and blocks.
static void addVectorPasses(OpPassManager &pm, const KernelOptions &options) {
  pm.addPass(createBlockTransposes({.vectorBytes = options.vectorBytes,
                                    .secondCache = options.caches.second,
                                    .thirdCache = options.caches.third}));
  pm.addPass(createKeepSums());
  const bool masks = options.vectorBytes >= 64; // AVX-512 has them, AVX2 not for all that is read
  if (options.purpose == Purpose::Running && !options.quick) {
    pm.addPass(createSumShortRows({.gathers = options.gathers, .masks = masks}));
    pm.addPass(createScatterSingly());
    pm.addPass(createPrefetchGathers());
  }
  pm.addPass(createKeepRows({.littleCode = options.quick}));
  if (!options.quick) {
    pm.addPass(createScatterRows());
    pm.addPass(createSumSideBySide());
  }
  pm.addPass(createVectorizeLoops({.gathers = options.gathers, .masks = masks}));
}

void addPassesFromShared(OpPassManager &pm, const KernelOptions &options) {
  addVectorPasses(pm, options);

  // Upstream's road to LLVM.
  pm.addPass(createOutlinePieces());
  pm.addPass(createPollInterrupts());
  // Conversions to bfloat16 by integers: some processors' own flush denormal numbers to zero.
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createConvertComplexToStandardPass()); // operations that the next does not know
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createCallMathLibrary());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions barePointers;
  barePointers.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(barePointers));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createAnnotateLoops());
  pm.addPass(createMaskHalves());
  pm.addPass(createEmitEntryPoints());
}

void addKernelPasses(OpPassManager &pm, Stage stage, const KernelOptions &options) {
  if (stage < Stage::Vector)
    return addLoopPasses(pm, stage, options);
  addPassesToShared(pm, options);
  if (stage == Stage::Vector)
    return addVectorPasses(pm, options);
  addPassesFromShared(pm, options);
}

void registerDialects(DialectRegistry &registry) {
  registry
      .insert<ta::TaDialect, cin::CinDialect, lvl::LvlDialect, arith::ArithDialect,
              cf::ControlFlowDialect, complex::ComplexDialect, func::FuncDialect, LLVM::LLVMDialect,
              math::MathDialect, memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  registerPlanMemory(registry);
}

void registerPipelines() {
  registerStrataPasses();
  PassPipelineRegistration<>("strata-program", "all passes on whole programs",
                             [](OpPassManager &pm) { addProgramPasses(pm); });
  struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
    Option<std::string> stage{*this, "stage",
                              llvm::cl::desc("where to stop: cin, lvl, scf, vector or llvm"),
                              llvm::cl::init("llvm")};
  };
  PassPipelineRegistration<PipelineOptions>("strata-kernel", "all passes on kernels",
                                            [](OpPassManager &pm, const PipelineOptions &options) {
                                              Stage stage = llvm::StringSwitch<Stage>(
                                                                options.stage.getValue())
                                                                .Case("cin", Stage::Cin)
                                                                .Case("lvl", Stage::Lvl)
                                                                .Case("scf", Stage::Scf)
                                                                .Case("vector", Stage::Vector)
                                                                .Default(Stage::Llvm);
                                              addKernelPasses(pm, stage);
                                            });
}

} // namespace strata
