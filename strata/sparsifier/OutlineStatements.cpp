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
using sparse_tensor::SparseTensorType;

namespace strata::sparsifier {

// Upstream's batches have buffers of several dimensions, with as much room for each as the largest
// takes, which no kernel reads.
static LogicalResult refuseBatches(const FoundStatement &statement) {
  SmallVector<Type> types(statement.op->getResultTypes());
  for (Value input : statement.inputs)
    types.push_back(input.getType());
  for (Type type : types)
    if (auto encoding = sparse_tensor::getSparseTensorEncoding(type);
        encoding && encoding.getBatchLvlRank() > 0)
      return statement.op->emitOpError("has no kernel: batches of sparse tensors have none");
  return success();
}

// A file is read as a list of entries, which is converted.
static void stageReading(ModuleOp module) {
  module.walk([](sparse_tensor::NewOp op) {
    auto type = SparseTensorType(cast<RankedTensorType>(op.getType()));
    if (type.getAoSCOOStart() == 0)
      return;
    OpBuilder b(op);
    auto map = b.getMultiDimIdentityMap(unsigned(type.getDimRank()));
    // Whatever levels these are: the list has its own.
    SmallVector<sparse_tensor::LevelType> levels(type.getDimRank(), type.getLvlType(0));
    auto plain = SparseTensorEncodingAttr::get(op.getContext(), levels, map, map,
                                               type.getEncoding().getPosWidth(),
                                               type.getEncoding().getCrdWidth());
    RankedTensorType listType =
        SparseTensorType(RankedTensorType::get(type.getDimShape(), type.getElementType(), plain))
            .getCOOType(/*ordered=*/true);
    auto read = sparse_tensor::NewOp::create(b, op.getLoc(), listType, op.getSource());
    Value made = sparse_tensor::ConvertOp::create(b, op.getLoc(), op.getType(), read);
    bufferization::DeallocTensorOp::create(b, op.getLoc(), read);
    op.replaceAllUsesWith(made);
    op.erase();
  });
}

static bool isSlice(Value value) {
  auto encoding = sparse_tensor::getSparseTensorEncoding(value.getType());
  return encoding && encoding.isSlice();
}

// Slices that come from elsewhere become tensors of their own, by upstream's loops: of their places
// nothing is known here.
static void copySlices(FoundStatement &statement) {
  Operation *op = statement.op;
  bool changes = false;
  for (Value input : SmallVector<Value>(statement.inputs.getArrayRef())) {
    if (!isSlice(input))
      continue;
    OpBuilder b(op);
    auto type = cast<RankedTensorType>(input.getType());
    SparseTensorEncodingAttr whole =
        sparse_tensor::getSparseTensorEncoding(type).withoutDimSlices();
    Value copy = sparse_tensor::ConvertOp::create(
        b, op->getLoc(), RankedTensorType::get(type.getShape(), type.getElementType(), whole),
        input);
    op->replaceUsesOfWith(input, copy);
    changes = true;
  }
  if (changes)
    statement = FoundStatement(op);
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

// Stands for what the function will do as long as tensors are no buffers, so that upstream's
// analysis knows which results share memory with an argument: those that are written there alone.
static void addModelBody(func::FuncOp function, const FoundStatement &statement) {
  Location loc = function.getLoc();
  Block *block = function.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockEnd(block);
  SmallVector<Value> results;
  for (auto [goal, type] : llvm::zip(statement.goals, function.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<Value> sizes(size_t(tensor.getNumDynamicDims()));
    if (goal < 0)
      for (Value &size : sizes)
        size = arith::ConstantIndexOp::create(b, loc, 1);
    results.push_back(goal >= 0 ? Value(block->getArgument(unsigned(goal)))
                                : bufferization::AllocTensorOp::create(b, loc, tensor, sizes));
  }
  func::ReturnOp::create(b, loc, results);
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
  function->setAttr("strata.inputs",
                    typesOf(TypeRange(ValueRange(operands)).take_front(statement.inputs.size())));
  function->setAttr("strata.results", typesOf(results));
  function->setAttr("strata.goals", b.getDenseI64ArrayAttr(statement.goals));
  if (options.threads)
    function->setAttr("strata.threads", b.getUnitAttr());
  declareAccesses(function);
  addModelBody(function, statement);
}

bool isDeclaredStatement(func::FuncOp function) { return function->hasAttr("strata.inputs"); }

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
    if (options.gpu) {
      module.emitError("kernels run on processors alone: leave the options of GPUs out");
      return signalPassFailure();
    }
    stageReading(module);
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
      copySlices(statement);
      std::string name = freeName(module, number);
      if (failed(refuseBatches(statement)) || failed(addCode(module, statement, name, *kernels)))
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
    return KernelOptions{.vectorBytes = (*jit)->vectorBytes(),
                         .vectorRegisters = (*jit)->vectorRegisters(),
                         .caches = (*jit)->caches()};
  }

  StatementOptions options;
};

} // namespace

std::unique_ptr<Pass> createOutlineStatements(StatementOptions options) {
  return std::make_unique<OutlineStatements>(options);
}

} // namespace strata::sparsifier
