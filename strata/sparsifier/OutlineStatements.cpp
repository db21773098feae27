// Makes statements on sparse tensors calls of functions, each with its kernels in the module.
#include "strata/interop/ImportLinalg.h"
#include "strata/sparsifier/Sparsifier.h"
#include "strata/sparsifier/StatementCode.h"
#include "strata/target/cpu/Jit.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensorType.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using sparse_tensor::SparseTensorEncodingAttr;

namespace strata::sparsifier {

// Why buffers of such a tensor cannot be handed to a kernel; empty if they can.
static StringRef unknownLayout(Type type) {
  SparseTensorEncodingAttr encoding = sparse_tensor::getSparseTensorEncoding(type);
  if (encoding && encoding.isSlice())
    return "a slice comes from elsewhere: it is known here where tensor.extract_slice stands in "
           "the "
           "same function";
  if (encoding && encoding.getBatchLvlRank() > 0)
    return "upstream's batches have buffers of several dimensions, with as much room for each as "
           "the largest takes, which no kernel reads";
  return {};
}

static LogicalResult refuseUnknownLayouts(const FoundStatement &statement) {
  SmallVector<Type> types(statement.op->getResultTypes());
  for (Value input : statement.inputs)
    types.push_back(input.getType());
  for (Type type : types)
    if (StringRef why = unknownLayout(type); !why.empty())
      return statement.op->emitError("has no kernel: ") << why;
  return success();
}

static std::string freeName(ModuleOp module, unsigned &number) {
  std::string name;
  do
    name = "strata_statement_" + std::to_string(number++);
  while (module.lookupSymbol(name));
  return name;
}

static bool isSparseTensor(Type type) {
  return isa<TensorType>(type) && sparse_tensor::getSparseTensorEncoding(type);
}

// Makes the call. What the function reads and writes is said for bufferization.
static void replaceByCall(ModuleOp module, const FoundStatement &statement, StringRef name,
                          const StatementOptions &options) {
  OpBuilder b(statement.op);
  Location loc = statement.op->getLoc();
  SmallVector<Value> operands(statement.inputs.begin(), statement.inputs.end());
  llvm::append_range(operands, statement.sizes);
  TypeRange results = statement.op->getResultTypes();
  auto call = func::CallOp::create(b, loc, name, results, operands);
  statement.op->replaceAllUsesWith(call);
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(b, loc, name,
                                       b.getFunctionType(ValueRange(operands).getTypes(), results));
  function.setPrivate();
  auto typesOf = [&](TypeRange types) {
    return b.getArrayAttr(
        llvm::map_to_vector(types, [](Type type) -> Attribute { return TypeAttr::get(type); }));
  };
  function->setAttr("strata.inputs", typesOf(ValueRange(operands).getTypes()));
  function->setAttr("strata.results", typesOf(results));
  function->setAttr("strata.goals", b.getDenseI64ArrayAttr(statement.goals));
  if (options.threads)
    function->setAttr("strata.threads", b.getUnitAttr());
  declareAccesses(function);
}

bool isDeclaredStatement(func::FuncOp function) {
  return function.isExternal() && function->hasAttr("strata.inputs");
}

void declareAccesses(func::FuncOp function) {
  constexpr StringRef access = bufferization::BufferizationDialect::kBufferAccessAttrName;
  OpBuilder b(function.getContext());
  auto goals = function->getAttrOfType<DenseI64ArrayAttr>("strata.goals").asArrayRef();
  // The tensors follow each other as they did, whatever stands between them.
  SmallVector<int64_t> inputs;
  for (unsigned at = 0; at < function.getNumArguments(); ++at)
    function.removeArgAttr(at, access);
  const bool isFlat = llvm::none_of(function.getArgumentTypes(), isSparseTensor);
  auto types = function->getAttrOfType<ArrayAttr>("strata.inputs").getAsValueRange<TypeAttr>();
  for (auto [number, type] : llvm::enumerate(types))
    if (isa<TensorType>(type) && !(isFlat && isSparseTensor(type)))
      inputs.push_back(int64_t(number));
  ArrayRef<int64_t> left = inputs;
  for (auto [at, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isa<TensorType>(type))
      continue;
    bool isWritten = llvm::is_contained(goals, left.front());
    function.setArgAttr(unsigned(at), access, b.getStringAttr(isWritten ? "read-write" : "read"));
    left = left.drop_front();
  }
}

namespace {

struct OutlineStatements : PassWrapper<OutlineStatements, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlineStatements)
  explicit OutlineStatements(StatementOptions options) : options(options) {}

  StringRef getName() const override { return "OutlineStatements"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    strata::registerDialects(registry);
    interop::registerDialects(registry);
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> found;
    for (auto function : module.getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        if (isStatement(op))
          found.push_back(op);
      });
    if (found.empty())
      return;
    std::optional<KernelOptions> kernels = kernelOptions();
    if (!kernels)
      return signalPassFailure();
    unsigned number = 0;
    for (Operation *op : found) {
      FoundStatement statement(op);
      std::string name = freeName(module, number);
      if (failed(refuseUnknownLayouts(statement)) ||
          failed(addCode(module, statement, name, *kernels)))
        return signalPassFailure();
      replaceByCall(module, statement, name, options);
      for (Operation *one : llvm::reverse(statement.inside))
        if (one == op || isOpTriviallyDead(one))
          one->erase();
    }
  }

private:
  // For the processor that runs the code.
  std::optional<KernelOptions> kernelOptions() {
    runtime::Result<Processor> processor = Processor::fromEnvironment();
    runtime::Result<std::unique_ptr<Jit>> jit =
        processor ? Jit::create(*processor, Optimization::Full)
                  : runtime::Result<std::unique_ptr<Jit>>(processor.takeStatus());
    if (!jit) {
      getOperation().emitError(jit.error().sentence());
      return std::nullopt;
    }
    return KernelOptions{.vectorBytes = (*jit)->vectorBytes(), .caches = (*jit)->caches()};
  }

  StatementOptions options;
};

} // namespace

std::unique_ptr<Pass> createOutlineStatements(StatementOptions options) {
  return std::make_unique<OutlineStatements>(options);
}

} // namespace strata::sparsifier
