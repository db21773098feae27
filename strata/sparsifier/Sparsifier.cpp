// The pipeline `sparsifier`: which passes run, Strata's and upstream's, in which order.
#include "strata/sparsifier/Sparsifier.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SparseTensor/Pipelines/Passes.h"
#include "mlir/Dialect/SparseTensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using sparse_tensor::SparsifierOptions;

namespace strata::sparsifier {

// The type of the struct behind a tensor's buffers has the encoding, too, and is none.
static bool hasSparseTensor(TypeRange types) {
  return llvm::any_of(types, [](Type type) {
    return isa<TensorType>(type) && sparse_tensor::getSparseTensorEncoding(type);
  });
}

namespace {

// Decides where buffers are written in place, by upstream's analysis, and has tensors copied where
// they are not.
struct InsertCopies : PassWrapper<InsertCopies, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InsertCopies)
  explicit InsertCopies(bool analysisOnly) : analysisOnly(analysisOnly) {}
  StringRef getName() const override { return "InsertCopies"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }
  void runOnOperation() override {
    bufferization::BufferizationState state;
    if (failed(bufferization::insertTensorCopies(
            getOperation(), getBufferizationOptionsForSparsification(analysisOnly), state)))
      signalPassFailure();
  }
  bool analysisOnly;
};

// Makes dense tensors memrefs, where all tensors are dense.
struct BufferizeDense : PassWrapper<BufferizeDense, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferizeDense)
  StringRef getName() const override { return "BufferizeDense"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect, memref::MemRefDialect>();
  }
  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options =
        getBufferizationOptionsForSparsification(/*analysisOnly=*/false);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isDeclaredStatement(function))
        declareAccesses(function);
    options.opFilter.denyOperation([](Operation *op) {
      if (hasSparseTensor(op->getOperandTypes()) || hasSparseTensor(op->getResultTypes()))
        return true;
      auto function = dyn_cast<func::FuncOp>(op);
      return function && (hasSparseTensor(function.getArgumentTypes()) ||
                          hasSparseTensor(function.getResultTypes()));
    });
    bufferization::BufferizationState state;
    if (failed(bufferization::bufferizeModuleOp(getOperation(), options, state)))
      return signalPassFailure();
    bufferization::removeBufferizationAttributesInModule(getOperation());
  }
};

} // namespace

// From tensors to buffers. What is not computed by kernels goes upstream's way.
static void addBufferization(OpPassManager &pm, const SparsifierOptions &options) {
  pm.addPass(createPreSparsificationRewritePass());
  pm.addNestedPass<func::FuncOp>(bufferization::createEmptyTensorToAllocTensorPass());
  pm.addPass(std::make_unique<InsertCopies>(options.testBufferizationAnalysisOnly));
  if (options.testBufferizationAnalysisOnly)
    return;
  pm.addPass(createSparseReinterpretMapPass(ReinterpretMapScope::kExceptGeneric));
  pm.addNestedPass<func::FuncOp>(createStageSparseOperationsPass());
  pm.addPass(createLowerSparseOpsToForeachPass(/*enableRT=*/false, /*enableConvert=*/true));
  pm.addPass(createSparseReinterpretMapPass(ReinterpretMapScope::kExceptGeneric));
  pm.addNestedPass<func::FuncOp>(createLowerForeachToSCFPass());
  pm.addNestedPass<func::FuncOp>(createLowerSparseIterationToSCFPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createSparseTensorCodegenPass(options.createSparseDeallocs,
                                           options.enableBufferInitialization));
  pm.addPass(createSparseBufferRewritePass(options.enableBufferInitialization));
  pm.addPass(std::make_unique<BufferizeDense>());
}

static void addLowering(OpPassManager &pm, const SparsifierOptions &options) {
  pm.addPass(createStorageSpecifierToLLVMPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addNestedPass<func::FuncOp>(memref::createExpandReallocPass());
  pm.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass(options.convertVectorToLLVMOptions()));
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addNestedPass<func::FuncOp>(createConvertComplexToStandardPass());
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass());
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertComplexToLibm());
  pm.addPass(createConvertVectorToLLVMPass(options.convertVectorToLLVMOptions()));
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createConvertVectorToLLVMPass(options.convertVectorToLLVMOptions()));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

static void addPasses(OpPassManager &pm, const SparsifierOptions &options) {
  const bool threads = options.parallelization != SparseParallelizationStrategy::kNone;
  const bool gpu = options.enableGPULibgen || !options.gpuTriple.empty() ||
                   !options.gpuChip.empty() || !options.gpuFeatures.empty();
  pm.addPass(createOutlineStatements({.threads = threads, .gpu = gpu}));
  addBufferization(pm, options);
  if (options.testBufferizationAnalysisOnly)
    return;
  pm.addPass(createDefineStatements());
  addLowering(pm, options);
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  sparse_tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
}

void registerPipeline() {
  PassPipelineRegistration<SparsifierOptions>(
      "sparsifier",
      "lower functions on sparse tensors to the LLVM dialect, as upstream's pipeline "
      "of this name: Strata's kernels compute the statements",
      addPasses);
}

} // namespace strata::sparsifier
