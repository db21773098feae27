// Finds statements, and cuts them out.
#include "strata/sparsifier/FoundStatement.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace strata::sparsifier {

static bool isSparse(Type type) {
  return static_cast<bool>(sparse_tensor::getSparseTensorEncoding(type));
}

static bool isSparse(ValueRange values) {
  return llvm::any_of(values.getTypes(), [](Type type) { return isSparse(type); });
}

// Tells whether all sizes but the first of each group are constants: then each has one divisor.
static bool hasConstantGroups(ArrayRef<ReassociationIndices> groups, Type expanded) {
  auto type = cast<RankedTensorType>(expanded);
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::none_of(ArrayRef(group).drop_front(),
                         [&](int64_t dim) { return type.isDynamicDim(unsigned(dim)); });
  });
}

static bool isConstantSlice(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice.getStaticOffsets().size() > 0 && slice.getOffsets().empty() &&
         slice.getSizes().empty() && slice.getStrides().empty();
}

static bool isSlice(Type type) {
  auto encoding = sparse_tensor::getSparseTensorEncoding(type);
  return encoding && encoding.isSlice();
}

bool isStatement(Operation *op) {
  if (!isSparse(op->getOperands()) && !isSparse(op->getResults()))
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.hasPureTensorSemantics();
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return sparse_tensor::getSparseTensorEncoding(cast.getSource().getType()) !=
           sparse_tensor::getSparseTensorEncoding(cast.getType());
  if (auto convert = dyn_cast<sparse_tensor::ConvertOp>(op))
    return !isSlice(convert.getSource().getType()) || isConstantSlice(convert.getSource());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return hasConstantGroups(collapse.getReassociationIndices(), collapse.getSrcType());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return hasConstantGroups(expand.getReassociationIndices(), expand.getResultType());
  return isa<sparse_tensor::ReorderCOOOp, sparse_tensor::ConcatenateOp, tensor::PadOp>(op);
}

// What may stand anywhere, since it costs nothing.
static bool movesInto(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return !alloc.getCopy();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.hasPureTensorSemantics() && matchPattern(fill.getInputs()[0], m_Constant()) &&
           fill.getOutputs()[0].getDefiningOp() && movesInto(fill.getOutputs()[0].getDefiningOp());
  if (isa<tensor::ExtractSliceOp>(op))
    return isSparse(op->getResults()) && isConstantSlice(op->getResult(0));
  if (!op->hasTrait<OpTrait::ConstantLike>())
    return false;
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return !dense || dense.isSplat();
}

FoundStatement::FoundStatement(Operation *op) : op(op) {
  for (Value operand : op->getOperands())
    add(operand);
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    add(value, /*isSize=*/false);
  inside.insert(op);
  auto structured = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpResult result : op->getResults()) {
    Value goal = structured ? structured.getTiedOpOperand(result)->get() : Value();
    bool isGiven = goal && !isSparse(goal.getType()) && inputs.contains(goal);
    goals.push_back(isGiven ? int64_t(llvm::find(inputs, goal) - inputs.begin()) : -1);
  }
}

void FoundStatement::add(Value value, bool isSize) {
  Operation *from = value.getDefiningOp();
  if (from && movesInto(from)) {
    for (Value operand : from->getOperands())
      add(operand);
    inside.insert(from);
  } else if (value.getType().isIndex() && isSize) {
    sizes.insert(value);
  } else {
    inputs.insert(value);
  }
}

OwningOpRef<ModuleOp> FoundStatement::asProgram() const {
  OpBuilder b(op->getContext());
  Location loc = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types =
      llvm::map_to_vector(inputs, [](Value value) { return value.getType(); });
  if (!sizes.empty())
    types.push_back(RankedTensorType::get(SmallVector<int64_t>(sizes.size(), ShapedType::kDynamic),
                                          b.getI8Type()));
  auto main = func::FuncOp::create(b, loc, "main", b.getFunctionType(types, op->getResultTypes()));
  Block *block = main.addEntryBlock();
  b.setInsertionPointToEnd(block);
  IRMapping mapping, inBodies;
  for (auto [input, argument] : llvm::zip(inputs, block->getArguments()))
    inBodies.map(input, argument);
  mapping = inBodies;
  for (auto [dim, size] : llvm::enumerate(sizes))
    mapping.map(size, tensor::DimOp::create(b, loc, block->getArguments().back(), int64_t(dim)));
  for (Operation *one : inside) {
    // A number that is a size, too, is a scalar in bodies.
    IRMapping own = mapping;
    if (one == op)
      for (auto [input, argument] : inBodies.getValueMap())
        own.map(input, argument);
    mapping.map(one->getResults(), b.clone(*one, own)->getResults());
  }
  SmallVector<Value> results =
      llvm::map_to_vector(op->getResults(), [&](Value result) { return mapping.lookup(result); });
  func::ReturnOp::create(b, loc, results);
  return module;
}

} // namespace strata::sparsifier
