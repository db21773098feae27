// Imports functions: which operation goes which way, calls, and the pass.
#include "strata/interop/ImportLinalg.h"
#include "strata/interop/Encodings.h"
#include "strata/interop/Importer.h"
#include "strata/interop/UpstreamOps.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Notation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstdlib>

using namespace mlir;

namespace strata::interop {

void registerDialects(DialectRegistry &registry) {
  registry.insert<linalg::LinalgDialect, sparse_tensor::SparseTensorDialect, tensor::TensorDialect,
                  bufferization::BufferizationDialect, vector::VectorDialect, scf::SCFDialect,
                  memref::MemRefDialect, arith::ArithDialect, complex::ComplexDialect,
                  math::MathDialect, func::FuncDialect, ta::TaDialect>();
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

FailureOr<RankedTensorType> Importer::typeOf(Operation *at, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return refuse(at) << type << " is no tensor with a rank";
  return interop::typeOf(tensor, [&] { return refuse(at); });
}

std::optional<int64_t> Importer::numberOf(Value value) const {
  if (auto known = numbers.find(value); known != numbers.end())
    return known->second;
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) && value.getType().isIntOrIndex()
             ? std::optional(number.getSExtValue())
             : std::nullopt;
}

Value Importer::sizeOf(Location loc, Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(b, loc, type.getDimSize(dim));
  // What is only made for its sizes is not made.
  if (auto fill = tensor.getDefiningOp<ta::FillOp>())
    return fill.getSizes()[type.getDynamicDimIndex(dim)];
  return ta::DimOp::create(b, loc, b.getIndexType(), tensor, dim);
}

SmallVector<Value> Importer::dynamicSizes(RankedTensorType type, ValueRange all) {
  SmallVector<Value> sizes;
  for (auto [dim, size] : llvm::enumerate(all))
    if (type.isDynamicDim(dim))
      sizes.push_back(size);
  return sizes;
}

ArrayAttr Importer::namesOf(unsigned count) {
  SmallVector<Attribute> names;
  for (const std::string &name : ta::indexNames(count))
    names.push_back(b.getStringAttr(name));
  return b.getArrayAttr(names);
}

Value Importer::copy(Location loc, RankedTensorType result, ValueRange sizes, Value init,
                     AffineMap out, ValueRange extents, Value from, AffineMap access) {
  auto statement =
      ta::ComputeOp::create(b, loc, result, extents, from, sizes, init, AffineMapAttr::get(out),
                            ta::CombineAttr(), namesOf(extents.size()));
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&statement.getBody());
  for (size_t at = 0; at < extents.size(); ++at)
    block->addArgument(b.getIndexType(), loc);
  Type element = ta::valueTypeOf(cast<RankedTensorType>(from.getType()).getElementType());
  Value value = ta::AccessOp::create(b, loc, element, from, block->getArguments(),
                                     AffineMapAttr::get(access), UnitAttr());
  ta::YieldOp::create(b, loc, value);
  return statement.getResult();
}

LogicalResult Importer::define(Value from, Value to) {
  values[from] = to;
  return success();
}

FailureOr<Value> Importer::scalarOf(Operation *at, Value value) {
  if (Value known = find(value); known && isa<RankedTensorType>(known.getType()))
    return known;
  Attribute constant;
  if (std::optional<int64_t> number = numberOf(value))
    constant = b.getIntegerAttr(value.getType(), *number);
  else
    matchPattern(value, m_Constant(&constant));
  TypedAttr element = constant ? constantOf(constant, value.getType()) : TypedAttr();
  if (!element)
    return refuse(at) << "it needs a value that the program does not have as a scalar";
  auto type = RankedTensorType::get({}, elementTypeOf(value.getType()));
  return ta::FillOp::create(b, at->getLoc(), type, element, ValueRange()).getResult();
}

//===------------------------------------------------------------------------------------------===//
// Functions
//===------------------------------------------------------------------------------------------===//

OwningOpRef<func::FuncOp> Importer::run(func::FuncOp entry) {
  Location loc = entry.getLoc();
  OwningOpRef<func::FuncOp> made = func::FuncOp::create(loc, "main", b.getFunctionType({}, {}));
  main = *made;
  Block *block = main.addEntryBlock();
  for (BlockArgument argument : entry.getArguments()) {
    Type type = argument.getType();
    const bool scalar = isElementType(elementTypeOf(type));
    FailureOr<RankedTensorType> own =
        scalar ? FailureOr(RankedTensorType::get({}, elementTypeOf(type))) : typeOf(entry, type);
    if (failed(own))
      return nullptr;
    Location place = argument.getLoc();
    if (!isa<NameLoc>(place))
      place =
          NameLoc::get(b.getStringAttr("argument " + Twine(argument.getArgNumber() + 1)), place);
    values[argument] = block->addArgument(*own, place);
  }
  b.setInsertionPointToEnd(block);
  SmallVector<Value> results;
  if (failed(importBody(entry, results)))
    return nullptr;
  func::ReturnOp::create(b, loc, results);
  main.setFunctionType(
      b.getFunctionType(block->getArgumentTypes(), ValueRange(results).getTypes()));
  // What is allocated, and was not needed after all.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  if (failed(verify(main)))
    return nullptr;
  return made;
}

LogicalResult Importer::importBody(func::FuncOp function, SmallVectorImpl<Value> &results) {
  if (!function.getBody().hasOneBlock())
    return function.emitError() << "'" << function.getSymName()
                                << "' cannot be imported: it has several blocks";
  if (llvm::is_contained(calls, function))
    return function.emitError() << "'" << function.getSymName()
                                << "' cannot be imported: it calls itself";
  calls.push_back(function);
  for (Operation *op = &function.getBody().front().front(); op; op = op->getNextNode()) {
    if (auto end = dyn_cast<func::ReturnOp>(op)) {
      for (Value value : end.getOperands()) {
        FailureOr<Value> result =
            isa<ShapedType>(value.getType()) ? FailureOr(find(value)) : scalarOf(op, value);
        if (failed(result))
          return failure();
        if (!*result)
          return refuse(op) << "it returns what is no tensor of the program";
        results.push_back(*result);
      }
      break;
    }
    if (auto parts = dyn_cast<linalg::AggregatedOpInterface>(op);
        parts && !isa<linalg::LinalgOp>(op)) {
      Operation *before = op->getPrevNode();
      if (failed(importAggregate(parts)))
        return failure();
      Block *block = op->getBlock();
      op->erase();
      Operation *first = before ? before->getNextNode() : &block->front();
      op = first;
    }
    if (failed(import(op)))
      return failure();
  }
  calls.pop_back();
  return success();
}

LogicalResult Importer::importCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  if (!callee)
    return refuse(op) << "there is no function '" << op.getCallee() << "'";
  if (callee.isExternal()) {
    std::optional<int64_t> number =
        op.getNumOperands() == 1 ? numberOf(op.getOperand(0)) : std::nullopt;
    if (op.getCallee() != "getTensorFilename" || !number || op.getNumResults() != 1)
      return refuse(op) << "'" << op.getCallee() << "' has no body";
    const char *file = std::getenv(("TENSOR" + std::to_string(*number)).c_str());
    if (!file)
      return refuse(op) << "the environment has no TENSOR" << *number << " to name a file";
    files[op.getResult(0)] = file;
    return success();
  }
  for (auto [argument, operand] : llvm::zip(callee.getArguments(), op.getOperands())) {
    values[argument] = find(operand);
    starts[argument] = startOf(operand);
    numbers.erase(argument);
    if (std::optional<int64_t> number = numberOf(operand))
      numbers[argument] = *number;
    if (auto file = files.find(operand); file != files.end())
      files[argument] = file->second;
    if (!find(operand) && !isa<ShapedType>(operand.getType()) && operand.getType().isIntOrFloat()) {
      FailureOr<Value> scalar = scalarOf(op, operand);
      if (failed(scalar))
        return failure();
      values[argument] = *scalar;
    }
  }
  SmallVector<Value> results;
  if (failed(importBody(callee, results)))
    return failure();
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    values[result] = value;
  return success();
}

// Operations on scalars of the function itself.
static bool isScalar(Operation *op) {
  auto plain = [](Type type) { return type.isIntOrFloat() || isa<ComplexType>(type); };
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         plain(op->getResult(0).getType()) && isPure(op) &&
         isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(op->getDialect());
}

LogicalResult Importer::import(Operation *op) {
  if (isa<ta::TaDialect>(op->getDialect()))
    return refuse(op) << "the function is written in upstream's operations, too; a program of ta "
                         "has those of ta alone";
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return importStructured(structured);
  if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex() &&
      isa<arith::ArithDialect>(op->getDialect()))
    return importSize(op);
  using Result = LogicalResult;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::ConstantOp one) { return importConstant(one); })
      .Case([&](tensor::EmptyOp one) { return importEmpty(op, one.getDynamicSizes()); })
      .Case([&](bufferization::AllocTensorOp one) { return importAlloc(one); })
      .Case([&](bufferization::DeallocTensorOp) { return success(); })
      .Case([&](tensor::DimOp one) { return importDim(one); })
      .Case([&](sparse_tensor::LvlOp one) { return importLevelSize(one); })
      .Case<sparse_tensor::ConvertOp, sparse_tensor::ReorderCOOOp, tensor::CastOp,
            sparse_tensor::LoadOp, bufferization::MaterializeInDestinationOp>(
          [&](auto) { return importConversion(op); })
      .Case([&](sparse_tensor::ConcatenateOp one) { return importConcatenation(one); })
      .Case([&](sparse_tensor::NumberOfEntriesOp one) { return importCount(one); })
      .Case([&](sparse_tensor::NewOp one) { return importNew(one); })
      .Case([&](sparse_tensor::OutOp one) { return importOut(one); })
      .Case<sparse_tensor::PrintOp, vector::PrintOp>([&](auto) { return importPrint(op); })
      .Case<sparse_tensor::ToSliceOffsetOp, sparse_tensor::ToSliceStrideOp>(
          [&](auto) { return importSlicePlace(op); })
      .Case([&](tensor::GenerateOp one) { return importGenerate(one); })
      .Case([&](vector::TransferReadOp one) { return importTransferRead(one); })
      .Case([&](tensor::ExtractOp one) { return importExtract(one); })
      .Case([&](tensor::InsertOp one) { return importInsert(one); })
      .Case([&](tensor::FromElementsOp one) { return importFromElements(one); })
      .Case([&](tensor::ExtractSliceOp one) { return importExtractSlice(one); })
      .Case([&](tensor::InsertSliceOp one) { return importInsertSlice(one); })
      .Case([&](tensor::PadOp one) { return importPad(one); })
      .Case([&](tensor::CollapseShapeOp one) { return importCollapse(one); })
      .Case([&](tensor::ExpandShapeOp one) { return importExpand(one); })
      .Case([&](func::CallOp one) { return importCall(one); })
      .Default([&](Operation *) -> Result {
        if (op->hasTrait<OpTrait::ConstantLike>())
          return success(); // where it is used
        if (isScalar(op))
          return importScalars(op);
        StringRef why = reasonToRefuse(op->getName().getStringRef());
        return refuse(op) << (why.empty() ? "programs of tensors have no such operation" : why);
      });
}

//===------------------------------------------------------------------------------------------===//
// Modules
//===------------------------------------------------------------------------------------------===//

// Operations of arith and math on whole tensors.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

// Makes these statements, element by element.
static void writeElementwise(ModuleOp module) {
  MLIRContext *context = module.getContext();
  context->loadDialect<linalg::LinalgDialect, tensor::TensorDialect>();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
}

bool needsImport(func::FuncOp function) {
  auto isForeign = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || !isElementType(tensor.getElementType()) ||
           isa_and_nonnull<sparse_tensor::SparseTensorEncodingAttr>(tensor.getEncoding());
  };
  if (llvm::any_of(function.getArgumentTypes(), isForeign))
    return true;
  WalkResult walk = function.walk([&](Operation *op) {
    bool known =
        (isa<ta::TaDialect, arith::ArithDialect, complex::ComplexDialect, math::MathDialect>(
             op->getDialect()) &&
         !isElementwise(op)) ||
        isa<func::FuncOp, func::ReturnOp>(op);
    return known ? WalkResult::advance() : WalkResult::interrupt();
  });
  return walk.wasInterrupted();
}

static SmallVector<func::FuncOp> functionsOf(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  return functions;
}

func::FuncOp findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> functions = functionsOf(module);
  for (func::FuncOp function : functions)
    if (function.getSymName() == (name.empty() ? "main" : name))
      return function;
  return name.empty() && functions.size() == 1 ? functions.front() : func::FuncOp();
}

std::string entryMissing(ModuleOp module, StringRef name) {
  std::string names;
  for (func::FuncOp function : functionsOf(module))
    names += (names.empty() ? "" : ", ") + function.getSymName().str();
  return "the module has no function '" + (name.empty() ? "main" : name.str()) + "'; " +
         (names.empty() ? "none of its functions has a body" : "it has " + names);
}

LogicalResult importLinalg(ModuleOp module, func::FuncOp entry) {
  // Operations that fall into several do so in the copy.
  OwningOpRef<ModuleOp> copy = module.clone();
  writeElementwise(*copy);
  auto own = copy->lookupSymbol<func::FuncOp>(entry.getSymName());
  OwningOpRef<func::FuncOp> main = Importer(module.getContext()).run(own);
  if (!main)
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    op.erase();
  module.push_back(main.release());
  return success();
}

LogicalResult makeProgram(ModuleOp module, func::FuncOp entry) {
  if (needsImport(entry))
    return importLinalg(module, entry);
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != entry)
      function.erase();
  entry.setSymName("main");
  return success();
}

namespace {

struct ImportLinalg : PassWrapper<ImportLinalg, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ImportLinalg)
  ImportLinalg() = default;
  ImportLinalg(const ImportLinalg &) {}
  StringRef getArgument() const final { return "strata-import-linalg"; }
  StringRef getDescription() const final {
    return "make a function of linalg and sparse_tensor a program of ta";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    interop::registerDialects(registry);
  }

  void runOnOperation() override {
    func::FuncOp function = findEntry(getOperation(), entry);
    if (!function)
      getOperation().emitError(entryMissing(getOperation(), entry));
    if (!function || failed(importLinalg(getOperation(), function)))
      signalPassFailure();
  }

  Option<std::string> entry{*this, "entry",
                            llvm::cl::desc("the function; where not given, main or the only one")};
};

} // namespace

void registerPasses() { PassRegistration<ImportLinalg>(); }

} // namespace strata::interop
