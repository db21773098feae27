// Imports what is done with tensors beside computing: they are allocated, converted, read, cut and
// joined; and with sizes and scalars.
#include "strata/interop/Encodings.h"
#include "strata/interop/Importer.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace strata::interop {

//===------------------------------------------------------------------------------------------===//
// Where tensors begin
//===------------------------------------------------------------------------------------------===//

LogicalResult Importer::importConstant(arith::ConstantOp op) {
  auto tensor = dyn_cast<RankedTensorType>(op.getType());
  if (!tensor) {
    if (isa<VectorType>(op.getType()))
      return refuse(op) << "programs have no vectors";
    return success(); // where it is used
  }
  FailureOr<RankedTensorType> type = typeOf(op, tensor);
  if (failed(type))
    return failure();
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  if (!elements || !isa<DenseElementsAttr, SparseElementsAttr>(op.getValue()))
    return refuse(op) << "a constant is dense<...> or sparse<...>";
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (dense && dense.isSplat()) {
    Attribute splat =
        isa<ComplexType>(tensor.getElementType()) ? Attribute() : dense.getSplatValue<Attribute>();
    starts[op.getResult()].splat = splat ? constantOf(splat, tensor.getElementType()) : TypedAttr();
  }
  if (type->getElementType() != tensor.getElementType()) {
    if (!dense)
      return refuse(op) << "a sparse constant of indices is none of ta";
    dense = dense.mapValues(type->getElementType(), [](const APInt &number) { return number; });
    return define(op.getResult(), arith::ConstantOp::create(b, op.getLoc(), *type, dense));
  }
  return define(op.getResult(),
                arith::ConstantOp::create(b, op.getLoc(), *type, cast<TypedAttr>(op.getValue())));
}

// Nothing is stored, or zeros: what is only allocated has no other value.
LogicalResult Importer::importEmpty(Operation *op, ValueRange sizes) {
  FailureOr<RankedTensorType> type = typeOf(op, op->getResult(0).getType());
  if (failed(type))
    return failure();
  SmallVector<Value> own;
  for (Value size : sizes) {
    FailureOr<Value> known = indexOf(op, size);
    if (failed(known))
      return failure();
    own.push_back(*known);
  }
  TypedAttr element =
      ta::formatOf(*type).isFull()
          ? ta::identityOf(ta::Combine::add, ta::valueTypeOf(type->getElementType()))
          : ta::fillOf(*type);
  starts[op->getResult(0)].isEmpty = true;
  return define(op->getResult(0), ta::FillOp::create(b, op->getLoc(), *type, element, own));
}

LogicalResult Importer::importAlloc(bufferization::AllocTensorOp op) {
  if (!op.getCopy())
    return importEmpty(op, op.getDynamicSizes());
  starts[op.getResult()] = startOf(op.getCopy());
  return define(op.getResult(), find(op.getCopy()));
}

FailureOr<std::string> Importer::fileOf(Operation *op, Value name) {
  auto known = files.find(name);
  if (known == files.end())
    return refuse(op) << "a file is named by getTensorFilename, which reads the environment's "
                         "TENSOR0, TENSOR1, ...";
  return known->second;
}

LogicalResult Importer::importNew(sparse_tensor::NewOp op) {
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  if (failed(type))
    return failure();
  FailureOr<std::string> file = fileOf(op, op.getSource());
  if (failed(file))
    return failure();
  return define(op.getResult(), ta::ReadOp::create(b, op.getLoc(), *type, *file));
}

LogicalResult Importer::importOut(sparse_tensor::OutOp op) {
  FailureOr<std::string> file = fileOf(op, op.getDest());
  if (failed(file))
    return failure();
  ta::WriteOp::create(b, op.getLoc(), find(op.getTensor()), *file);
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Sizes and scalars
//===------------------------------------------------------------------------------------------===//

FailureOr<Value> Importer::indexOf(Operation *at, Value index) {
  if (std::optional<int64_t> number = numberOf(index))
    return arith::ConstantIndexOp::create(b, at->getLoc(), *number).getResult();
  Value known = find(index);
  if (!known || !known.getType().isIndex())
    return refuse(at) << "it needs a size that is known before tensors are computed";
  return known;
}

// Sizes are sums and products of sizes.
LogicalResult Importer::importSize(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return success();
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    std::optional<int64_t> number = numberOf(cast.getIn());
    if (!number)
      return refuse(op) << "a size does not follow from what tensors hold";
    numbers[op->getResult(0)] = *number;
    return success();
  }
  if (op->getNumOperands() != 2)
    return refuse(op) << "it is no operation on sizes";
  SmallVector<Value> operands;
  SmallVector<AffineExpr> exprs;
  for (Value operand : op->getOperands()) {
    if (std::optional<int64_t> number = numberOf(operand)) {
      exprs.push_back(b.getAffineConstantExpr(*number));
      continue;
    }
    FailureOr<Value> known = indexOf(op, operand);
    if (failed(known))
      return failure();
    exprs.push_back(b.getAffineDimExpr(operands.size()));
    operands.push_back(*known);
  }
  auto fixed = dyn_cast<AffineConstantExpr>(exprs[1]);
  bool positive = fixed && fixed.getValue() > 0;
  AffineExpr expr;
  if (isa<arith::AddIOp>(op))
    expr = exprs[0] + exprs[1];
  else if (isa<arith::SubIOp>(op))
    expr = exprs[0] - exprs[1];
  else if (isa<arith::MulIOp>(op) && operands.size() < 2)
    expr = exprs[0] * exprs[1];
  else if (isa<arith::DivUIOp, arith::DivSIOp>(op) && positive)
    expr = exprs[0].floorDiv(exprs[1]);
  else if (isa<arith::CeilDivUIOp, arith::CeilDivSIOp>(op) && positive)
    expr = exprs[0].ceilDiv(exprs[1]);
  else if (isa<arith::RemUIOp, arith::RemSIOp>(op) && positive)
    expr = exprs[0] % exprs[1];
  if (!expr)
    return refuse(op) << "sizes are added, and multiplied and divided by constants";
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    numbers[op->getResult(0)] = number.getValue();
    return success();
  }
  AffineMap map = AffineMap::get(operands.size(), 0, expr);
  return define(op->getResult(0), ta::FitOp::create(b, op->getLoc(), b.getIndexType(),
                                                    AffineMapAttr::get(map), operands));
}

LogicalResult Importer::importDim(tensor::DimOp op) {
  std::optional<int64_t> dim = numberOf(op.getIndex());
  Value tensor = find(op.getSource());
  auto type = tensor ? dyn_cast<RankedTensorType>(tensor.getType()) : nullptr;
  if (!dim || !type || *dim < 0 || *dim >= type.getRank())
    return refuse(op) << "the number of a dimension is a constant";
  if (!type.isDynamicDim(unsigned(*dim)))
    numbers[op.getResult()] = type.getDimSize(unsigned(*dim));
  return define(op.getResult(), sizeOf(op.getLoc(), tensor, unsigned(*dim)));
}

LogicalResult Importer::importLevelSize(sparse_tensor::LvlOp op) {
  std::optional<int64_t> level = numberOf(op.getIndex());
  Value tensor = find(op.getSource());
  auto type = tensor ? dyn_cast<RankedTensorType>(tensor.getType()) : nullptr;
  AffineMap map = type ? ta::formatOf(type).getDimToLvl() : AffineMap();
  if (!level || !type || *level < 0 || *level >= int64_t(map.getNumResults()))
    return refuse(op) << "the number of a level is a constant";
  SmallVector<Value> sizes;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    sizes.push_back(sizeOf(op.getLoc(), tensor, dim));
  AffineExpr expr = map.getResult(unsigned(*level));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return define(op.getResult(), sizes[dim.getPosition()]);
  auto parts = dyn_cast<AffineBinaryOpExpr>(expr);
  auto factor = parts ? dyn_cast<AffineConstantExpr>(parts.getRHS()) : nullptr;
  if (factor && expr.getKind() == AffineExprKind::Mod)
    return define(op.getResult(),
                  arith::ConstantIndexOp::create(b, op.getLoc(), factor.getValue()));
  if (!factor || expr.getKind() != AffineExprKind::FloorDiv || !isa<AffineDimExpr>(parts.getLHS()))
    return refuse(op) << "the size of such a level is not known as an expression";
  AffineMap bound = AffineMap::get(map.getNumDims(), 0, parts.getLHS().ceilDiv(factor.getValue()));
  return define(op.getResult(), ta::FitOp::create(b, op.getLoc(), b.getIndexType(),
                                                  AffineMapAttr::get(bound), sizes));
}

LogicalResult Importer::importSlicePlace(Operation *op) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto encoding = cast<sparse_tensor::SparseTensorEncodingAttr>(type.getEncoding());
  auto offset = dyn_cast<sparse_tensor::ToSliceOffsetOp>(op);
  unsigned dim =
      unsigned(offset ? offset.getDim().getZExtValue()
                      : cast<sparse_tensor::ToSliceStrideOp>(op).getDim().getZExtValue());
  std::optional<uint64_t> number =
      offset ? encoding.getStaticDimSliceOffset(dim) : encoding.getStaticDimSliceStride(dim);
  if (!number)
    return refuse(op)
           << "the slice's place is not part of its type: a slice is a tensor of its own";
  numbers[op->getResult(0)] = int64_t(*number);
  return success();
}

namespace {

// The elements of a tensor by their coordinates, as a statement of its labels.
class GeneratedTensor : public ElementSource {
public:
  GeneratedTensor(Importer &importer, tensor::GenerateOp op) : importer(importer), op(op) {}

  FailureOr<Value> run() {
    OpBuilder &b = importer.b;
    FailureOr<RankedTensorType> type = importer.typeOf(op, op.getType());
    if (failed(type))
      return failure();
    SmallVector<Value> dynamic;
    for (Value size : op.getDynamicExtents()) {
      FailureOr<Value> known = importer.indexOf(op, size);
      if (failed(known))
        return failure();
      dynamic.push_back(*known);
    }
    ValueRange left(dynamic);
    for (int64_t size : type->getShape()) {
      bool isOpen = ShapedType::isDynamic(size);
      extents.push_back(isOpen ? left.front()
                               : arith::ConstantIndexOp::create(b, op.getLoc(), size));
      left = left.drop_front(isOpen);
    }
    AffineMap map = b.getMultiDimIdentityMap(extents.size());
    statement = ta::ComputeOp::create(b, op.getLoc(), *type, extents, ValueRange(), dynamic,
                                      Value(), AffineMapAttr::get(map), ta::CombineAttr(),
                                      importer.namesOf(unsigned(extents.size())));
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&statement.getBody());
    for (size_t at = 0; at < extents.size(); ++at)
      block->addArgument(b.getIndexType(), op.getLoc());
    ElementBody body(b, *this);
    FailureOr<Value> value = body.emit(op.getBody().front().getTerminator()->getOperand(0));
    if (failed(value))
      return failure();
    ta::YieldOp::create(b, op.getLoc(), *value);
    statement.getInputsMutable().assign(inputs.getArrayRef());
    return statement.getResult();
  }

private:
  bool isInside(Operation *inner) override { return op->isProperAncestor(inner); }
  FailureOr<Value> read(BlockArgument argument, bool) override { return scalar(op, argument); }
  bool hasExplicitValue(BlockArgument) override { return false; }
  FailureOr<Value> coordinate(Operation *, unsigned loop) override {
    OpBuilder &b = importer.b;
    Value numbers;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(statement);
      auto type = RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type());
      numbers = ta::IotaOp::create(b, op.getLoc(), type, 0, 1, extents[loop]);
    }
    return access(numbers, statement.getVariables()[loop]);
  }
  FailureOr<Value> scalar(Operation *at, Value outside) override {
    auto argument = dyn_cast<BlockArgument>(outside);
    if (argument && argument.getOwner() == &op.getBody().front())
      return coordinate(at, argument.getArgNumber());
    FailureOr<Value> tensor = importer.scalarOf(at, outside);
    if (failed(tensor))
      return failure();
    return access(*tensor, {});
  }
  FailureOr<Value> access(Value tensor, ValueRange at) {
    inputs.insert(tensor);
    OpBuilder &b = importer.b;
    Type type = ta::valueTypeOf(cast<RankedTensorType>(tensor.getType()).getElementType());
    return ta::AccessOp::create(b, op.getLoc(), type, tensor, at,
                                AffineMapAttr::get(b.getMultiDimIdentityMap(at.size())), UnitAttr())
        .getResult();
  }

  Importer &importer;
  tensor::GenerateOp op;
  ta::ComputeOp statement;
  SmallVector<Value> extents;
  llvm::SetVector<Value> inputs;
};

// One operation on scalars, as a statement without labels.
class ScalarStatement : public ElementSource {
public:
  ScalarStatement(Importer &importer, Operation *op) : importer(importer), op(op) {}

  FailureOr<Value> run() {
    OpBuilder &b = importer.b;
    auto type = RankedTensorType::get({}, op->getResult(0).getType());
    for (Value operand : op->getOperands())
      if (!matchPattern(operand, m_Constant())) {
        FailureOr<Value> tensor = importer.scalarOf(op, operand);
        if (failed(tensor))
          return failure();
        tensors[operand] = *tensor;
      }
    AffineMap map = AffineMap::get(0, 0, {}, b.getContext());
    auto statement = ta::ComputeOp::create(b, op->getLoc(), type, ValueRange(), ValueRange(),
                                           ValueRange(), Value(), AffineMapAttr::get(map),
                                           ta::CombineAttr(), b.getArrayAttr({}));
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&statement.getBody());
    ElementBody body(b, *this);
    FailureOr<Value> value = body.emit(op->getResult(0));
    if (failed(value))
      return failure();
    ta::YieldOp::create(b, op->getLoc(), *value);
    statement.getInputsMutable().assign(inputs.getArrayRef());
    return statement.getResult();
  }

private:
  bool isInside(Operation *inner) override { return inner == op; }
  FailureOr<Value> read(BlockArgument argument, bool) override { return scalar(op, argument); }
  bool hasExplicitValue(BlockArgument) override { return false; }
  FailureOr<Value> coordinate(Operation *at, unsigned) override {
    return refuse(at) << "there is no loop around it";
  }
  FailureOr<Value> scalar(Operation *at, Value outside) override {
    Value tensor = tensors.lookup(outside);
    if (!tensor)
      return refuse(at) << "it reads what is no scalar of the program";
    inputs.insert(tensor);
    OpBuilder &b = importer.b;
    Type type = ta::valueTypeOf(cast<RankedTensorType>(tensor.getType()).getElementType());
    AffineMap map = AffineMap::get(0, 0, {}, b.getContext());
    return ta::AccessOp::create(b, op->getLoc(), type, tensor, ValueRange(),
                                AffineMapAttr::get(map), UnitAttr())
        .getResult();
  }

  Importer &importer;
  Operation *op;
  llvm::DenseMap<Value, Value> tensors;
  llvm::SetVector<Value> inputs;
};

} // namespace

LogicalResult Importer::importScalars(Operation *op) {
  FailureOr<Value> value = ScalarStatement(*this, op).run();
  return failed(value) ? failure() : define(op->getResult(0), *value);
}

LogicalResult Importer::importGenerate(tensor::GenerateOp op) {
  FailureOr<Value> value = GeneratedTensor(*this, op).run();
  return failed(value) ? failure() : define(op.getResult(), *value);
}

LogicalResult Importer::importPrint(Operation *op) {
  Location loc = op->getLoc();
  if (auto print = dyn_cast<sparse_tensor::PrintOp>(op)) {
    Value tensor = find(print.getTensor());
    if (!tensor)
      return refuse(op) << "it prints what is no tensor of the program";
    auto made = ta::PrintOp::create(b, loc, tensor, ta::nameOf(print.getTensor(), "tensor"));
    made.setStorage(true);
    return success();
  }
  auto print = cast<vector::PrintOp>(op);
  if (std::optional<StringRef> text = print.getStringLiteral()) {
    ta::PrintTextOp::create(b, loc, *text);
    return success();
  }
  Value source = print.getSource();
  if (!source || print.getPunctuation() != vector::PrintPunctuation::NewLine)
    return refuse(op) << "it prints punctuation, which values bring along";
  if (isa<VectorType>(source.getType())) {
    Value vector = find(source);
    if (!vector)
      return refuse(op) << "it prints a vector that was not read from a tensor at once";
    ta::PrintOp::create(b, loc, vector, ta::nameOf(source, "vector"));
    return success();
  }
  FailureOr<Value> scalar = scalarOf(op, source);
  if (failed(scalar))
    return failure();
  ta::PrintOp::create(b, loc, *scalar, ta::nameOf(source, "value")).setBare(true);
  ta::PrintTextOp::create(b, loc, "\n");
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

LogicalResult Importer::importConversion(Operation *op) {
  if (op->getNumResults() == 0)
    return refuse(op) << "it writes to a buffer of its caller; results are returned";
  FailureOr<RankedTensorType> type = typeOf(op, op->getResult(0).getType());
  Value from = find(op->getOperand(0));
  if (failed(type))
    return failure();
  if (!from)
    return refuse(op) << "its operand is no tensor of the program";
  starts[op->getResult(0)] = startOf(op->getOperand(0));
  // What a sparse constant lists is stored, zeros too.
  auto constant = op->getOperand(0).getDefiningOp<arith::ConstantOp>();
  auto listed = constant ? dyn_cast<SparseElementsAttr>(constant.getValue()) : nullptr;
  if (listed && type->getEncoding() && type->getElementType() == listed.getElementType()) {
    auto own = RankedTensorType::get(listed.getType().getShape(), type->getElementType(),
                                     type->getEncoding());
    Attribute entries = SparseElementsAttr::get(own, listed.getIndices(), listed.getValues());
    from = arith::ConstantOp::create(b, op->getLoc(), own, cast<TypedAttr>(entries));
  }
  if (from.getType() == *type)
    return define(op->getResult(0), from);
  return define(op->getResult(0),
                ta::ConvertOp::create(b, op->getLoc(), *type, from, StringAttr()));
}

LogicalResult Importer::importConcatenation(sparse_tensor::ConcatenateOp op) {
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  if (failed(type))
    return failure();
  SmallVector<Value> parts;
  for (Value input : op.getInputs())
    parts.push_back(find(input));
  return define(op.getResult(),
                ta::ConcatOp::create(b, op.getLoc(), *type, int64_t(op.getDimension()), parts));
}

// One for each entry that is stored.
LogicalResult Importer::importCount(sparse_tensor::NumberOfEntriesOp op) {
  Value tensor = find(op.getTensor());
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    extents.push_back(sizeOf(loc, tensor, unsigned(dim)));
  AffineMap nothing = AffineMap::get(0, 0, {}, b.getContext());
  auto statement = ta::ComputeOp::create(
      b, loc, RankedTensorType::get({}, b.getI64Type()), ValueRange(), tensor, ValueRange(),
      Value(), AffineMapAttr::get(nothing), ta::CombineAttr(), b.getArrayAttr({}));
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&statement.getBody());
  auto reduce = ta::ReduceOp::create(b, loc, b.getI64Type(), ta::Combine::add, extents,
                                     namesOf(unsigned(extents.size())), /*missing=*/false);
  ta::YieldOp::create(b, loc, reduce.getResult());
  Block *block = b.createBlock(&reduce.getBody());
  for (size_t at = 0; at < extents.size(); ++at)
    block->addArgument(b.getIndexType(), loc);
  AffineMap identity = b.getMultiDimIdentityMap(extents.size());
  Value one = ta::emitConstant(b, loc, b.getI64IntegerAttr(1));
  if (!ta::formatOf(type).isFull()) {
    Value entry =
        ta::AccessOp::create(b, loc, ta::valueTypeOf(type.getElementType()), tensor,
                             block->getArguments(), AffineMapAttr::get(identity), b.getUnitAttr());
    one = ta::MaskedOp::create(b, loc, one, entry);
  } else {
    statement.getInputsMutable().clear();
  }
  ta::YieldOp::create(b, loc, one);
  return define(op.getResult(), statement.getResult());
}

} // namespace strata::interop
