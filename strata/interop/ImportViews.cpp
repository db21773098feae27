// Imports what reads or writes a part of a tensor, or sees it in another shape: statements whose
// accesses are other places than their labels.
#include "strata/interop/Encodings.h"
#include "strata/interop/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata::interop {

//===------------------------------------------------------------------------------------------===//
// Single elements
//===------------------------------------------------------------------------------------------===//

FailureOr<AffineMap> Importer::constantPlace(Operation *op, ValueRange indices) {
  SmallVector<AffineExpr> place;
  for (Value index : indices) {
    std::optional<int64_t> number = numberOf(index);
    if (!number)
      return refuse(op) << "a coordinate is a constant";
    place.push_back(b.getAffineConstantExpr(*number));
  }
  return AffineMap::get(0, 0, place, b.getContext());
}

static AffineMap emptyMap(MLIRContext *context) { return AffineMap::get(0, 0, {}, context); }

LogicalResult Importer::importExtract(tensor::ExtractOp op) {
  FailureOr<AffineMap> place = constantPlace(op, op.getIndices());
  Value tensor = find(op.getTensor());
  if (failed(place))
    return failure();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  auto type = RankedTensorType::get({}, elementTypeOf(op.getType()));
  return define(op.getResult(),
                copy(op.getLoc(), type, {}, {}, emptyMap(b.getContext()), {}, tensor, *place));
}

LogicalResult Importer::importInsert(tensor::InsertOp op) {
  FailureOr<AffineMap> place = constantPlace(op, op.getIndices());
  Value tensor = find(op.getDest());
  if (failed(place))
    return failure();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  FailureOr<Value> scalar = scalarOf(op, op.getScalar());
  if (failed(scalar))
    return failure();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(sizeOf(op.getLoc(), tensor, unsigned(dim)));
  return define(op.getResult(), copy(op.getLoc(), type, dynamicSizes(type, sizes), tensor, *place,
                                     {}, *scalar, emptyMap(b.getContext())));
}

LogicalResult Importer::importFromElements(tensor::FromElementsOp op) {
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  if (failed(type))
    return failure();
  if (type->getRank() == 0 && !matchPattern(op.getElements().front(), m_Constant())) {
    FailureOr<Value> scalar = scalarOf(op, op.getElements().front());
    return failed(scalar) ? failure() : define(op.getResult(), *scalar);
  }
  SmallVector<Attribute> elements;
  for (Value element : op.getElements()) {
    Attribute constant;
    TypedAttr own;
    if (matchPattern(element, m_Constant(&constant)) && element.getType().isIntOrIndexOrFloat())
      own = constantOf(constant, element.getType());
    if (!own)
      return refuse(op) << "its elements are real constants";
    elements.push_back(own);
  }
  return define(op.getResult(), arith::ConstantOp::create(b, op.getLoc(), *type,
                                                          DenseElementsAttr::get(*type, elements)));
}

//===------------------------------------------------------------------------------------------===//
// Slices
//===------------------------------------------------------------------------------------------===//

namespace {

// Where the elements of a slice lie in the whole, by the slice's own coordinates.
struct SlicePlace {
  AffineMap map;
  SmallVector<OpFoldResult> sizes; ///< of the slice
};

} // namespace

// The place of a slice with constant offsets and strides; `dropped` dimensions have size 1.
template <typename Slice>
static FailureOr<SlicePlace> placeOf(Slice op, const Importer &importer,
                                     const llvm::SmallBitVector &dropped) {
  MLIRContext *context = op.getContext();
  SlicePlace place;
  SmallVector<AffineExpr> exprs;
  auto number = [&](OpFoldResult value) -> std::optional<int64_t> {
    if (auto attribute = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attribute).getInt();
    return importer.numberOf(cast<Value>(value));
  };
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    std::optional<int64_t> begin = number(offset), step = number(op.getMixedStrides()[dim]);
    if (!begin || !step)
      return refuse(op) << "its offsets and strides are constants";
    AffineExpr expr = getAffineConstantExpr(*begin, context);
    if (!dropped.test(dim)) {
      expr = getAffineDimExpr(place.sizes.size(), context) * *step + expr;
      place.sizes.push_back(op.getMixedSizes()[dim]);
    }
    exprs.push_back(expr);
  }
  place.map = AffineMap::get(place.sizes.size(), 0, exprs, context);
  return place;
}

LogicalResult Importer::importExtractSlice(tensor::ExtractSliceOp op) {
  FailureOr<SlicePlace> place = placeOf(op, *this, op.getDroppedDims());
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  Value tensor = find(op.getSource());
  if (failed(place) || failed(type))
    return failure();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  SmallVector<Value> sizes;
  for (OpFoldResult size : place->sizes) {
    FailureOr<Value> own =
        isa<Attribute>(size)
            ? FailureOr<Value>(arith::ConstantIndexOp::create(
                  b, op.getLoc(), cast<IntegerAttr>(cast<Attribute>(size)).getInt()))
            : indexOf(op, cast<Value>(size));
    if (failed(own))
      return failure();
    sizes.push_back(*own);
  }
  return define(op.getResult(),
                copy(op.getLoc(), *type, dynamicSizes(*type, sizes), {},
                     b.getMultiDimIdentityMap(sizes.size()), sizes, tensor, place->map));
}

LogicalResult Importer::importInsertSlice(tensor::InsertSliceOp op) {
  FailureOr<SlicePlace> place = placeOf(op, *this, op.getDroppedDims());
  Value tensor = find(op.getSource()), whole = find(op.getDest());
  if (failed(place))
    return failure();
  if (!tensor || !whole)
    return refuse(op) << "an operand is no tensor of the program";
  auto type = cast<RankedTensorType>(whole.getType());
  SmallVector<Value> sizes, extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(sizeOf(op.getLoc(), whole, unsigned(dim)));
  for (unsigned dim = 0; dim < place->sizes.size(); ++dim)
    extents.push_back(sizeOf(op.getLoc(), tensor, dim));
  return define(op.getResult(),
                copy(op.getLoc(), type, dynamicSizes(type, sizes), whole, place->map, extents,
                     tensor, b.getMultiDimIdentityMap(extents.size())));
}

// A tensor with a constant around it: written into what holds that constant alone.
LogicalResult Importer::importPad(tensor::PadOp op) {
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  Value tensor = find(op.getSource());
  Value padding = op.getConstantPaddingValue();
  Attribute constant;
  if (failed(type))
    return failure();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  bool isKnown = padding && matchPattern(padding, m_Constant(&constant));
  TypedAttr around = isKnown ? constantOf(constant, padding.getType()) : TypedAttr();
  if (!around || !op.getLow().empty() || !op.getHigh().empty())
    return refuse(op) << "what is around a tensor is a constant, and of constant widths";
  if (!ta::formatOf(*type).isFull() && Attribute(around) != Attribute(ta::fillOf(*type)))
    return refuse(op) << "a format that does not store all is padded with its fill";
  SmallVector<AffineExpr> places;
  SmallVector<Value> sizes, extents;
  for (unsigned dim = 0; dim < unsigned(type->getRank()); ++dim) {
    int64_t low = op.getStaticLow()[dim], more = low + op.getStaticHigh()[dim];
    if (low < 0 || op.getStaticHigh()[dim] < 0)
      return refuse(op) << "a tensor is padded, not cut";
    places.push_back(b.getAffineDimExpr(dim) + low);
    extents.push_back(sizeOf(op.getLoc(), tensor, dim));
    AffineMap sum = AffineMap::get(1, 0, b.getAffineDimExpr(0) + more);
    sizes.push_back(ta::FitOp::create(b, op.getLoc(), b.getIndexType(), AffineMapAttr::get(sum),
                                      extents.back()));
  }
  SmallVector<Value> dynamic = dynamicSizes(*type, sizes);
  Value whole = ta::FillOp::create(b, op.getLoc(), *type, around, dynamic);
  AffineMap out = AffineMap::get(places.size(), 0, places, b.getContext());
  return define(op.getResult(), copy(op.getLoc(), *type, dynamic, whole, out, extents, tensor,
                                     b.getMultiDimIdentityMap(unsigned(places.size()))));
}

// A vector that is read from a tensor, as a tensor of its own.
LogicalResult Importer::importTransferRead(vector::TransferReadOp op) {
  Value tensor = find(op.getBase());
  AffineMap order = op.getPermutationMap();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  if (!order.isMinorIdentity() || op.getMask() || op.getVectorType().isScalable())
    return refuse(op) << "a vector that is read is a part of a tensor as it stands";
  FailureOr<AffineMap> place = constantPlace(op, op.getIndices());
  if (failed(place))
    return failure();
  ArrayRef<int64_t> shape = op.getVectorType().getShape();
  SmallVector<AffineExpr> exprs(place->getResults());
  SmallVector<Value> extents;
  for (auto [at, size] : llvm::enumerate(shape)) {
    AffineExpr &expr = exprs[exprs.size() - shape.size() + at];
    expr = b.getAffineDimExpr(unsigned(at)) + expr;
    extents.push_back(arith::ConstantIndexOp::create(b, op.getLoc(), size));
  }
  auto type = RankedTensorType::get(shape, elementTypeOf(op.getVectorType().getElementType()));
  return define(op.getResult(),
                copy(op.getLoc(), type, {}, {}, b.getMultiDimIdentityMap(shape.size()), extents,
                     tensor, AffineMap::get(shape.size(), 0, exprs, b.getContext())));
}

//===------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------===//

// The sizes of a group of dimensions but the first, which shapes say.
static FailureOr<SmallVector<int64_t>> stridesOf(Operation *op, ArrayRef<int64_t> group,
                                                 ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(group.size(), 1);
  for (size_t at = group.size(); at-- > 1;) {
    int64_t size = shape[size_t(group[at])];
    if (ShapedType::isDynamic(size) || size == 0)
      return refuse(op)
             << "of the dimensions that are joined all but the first have constant sizes";
    strides[at - 1] = strides[at] * size;
  }
  return strides;
}

// Of a tensor that stores everything, zeros too, a sparse result stores what is none.
Value Importer::reshaped(Location loc, RankedTensorType type, ValueRange sizes, Value tensor,
                         ArrayRef<AffineExpr> place) {
  auto from = cast<RankedTensorType>(tensor.getType());
  const bool drops = ta::formatOf(from).isFull() && !ta::formatOf(type).isFull();
  auto own = drops ? RankedTensorType::get(type.getShape(), type.getElementType()) : type;
  AffineMap access = AffineMap::get(sizes.size(), 0, place, b.getContext());
  Value made = copy(loc, own, dynamicSizes(own, sizes), {},
                    b.getMultiDimIdentityMap(unsigned(sizes.size())), sizes, tensor, access);
  return drops ? ta::ConvertOp::create(b, loc, type, made, StringAttr()).getResult() : made;
}

LogicalResult Importer::importCollapse(tensor::CollapseShapeOp op) {
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  Value tensor = find(op.getSrc());
  if (failed(type))
    return failure();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> sizes;
  for (auto [number, group] : llvm::enumerate(op.getReassociationIndices())) {
    FailureOr<SmallVector<int64_t>> strides = stridesOf(op, group, shape);
    if (failed(strides))
      return failure();
    AffineExpr all = b.getAffineDimExpr(unsigned(number));
    for (auto [at, dim] : llvm::enumerate(group)) {
      AffineExpr expr = all.floorDiv((*strides)[at]);
      exprs.push_back(at == 0 ? expr : expr % shape[size_t(dim)]);
    }
    Value first = sizeOf(op.getLoc(), tensor, unsigned(group.front()));
    AffineMap product = AffineMap::get(1, 0, b.getAffineDimExpr(0) * strides->front());
    sizes.push_back(strides->front() == 1 ? first
                                          : ta::FitOp::create(b, op.getLoc(), b.getIndexType(),
                                                              AffineMapAttr::get(product), first));
  }
  return define(op.getResult(), reshaped(op.getLoc(), *type, sizes, tensor, exprs));
}

LogicalResult Importer::importExpand(tensor::ExpandShapeOp op) {
  FailureOr<RankedTensorType> type = typeOf(op, op.getType());
  Value tensor = find(op.getSrc());
  if (failed(type))
    return failure();
  if (!tensor)
    return refuse(op) << "its operand is no tensor of the program";
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> sizes;
  for (auto [number, group] : llvm::enumerate(op.getReassociationIndices())) {
    FailureOr<SmallVector<int64_t>> strides = stridesOf(op, group, type->getShape());
    if (failed(strides))
      return failure();
    AffineExpr place = b.getAffineConstantExpr(0);
    for (auto [at, dim] : llvm::enumerate(group)) {
      place = place + b.getAffineDimExpr(unsigned(dim)) * (*strides)[at];
      if (at > 0) {
        sizes.push_back(
            arith::ConstantIndexOp::create(b, op.getLoc(), type->getDimSize(unsigned(dim))));
        continue;
      }
      Value all = sizeOf(op.getLoc(), tensor, unsigned(number));
      AffineMap quotient = AffineMap::get(1, 0, b.getAffineDimExpr(0).floorDiv(strides->front()));
      sizes.push_back(strides->front() == 1 ? all
                                            : ta::FitOp::create(b, op.getLoc(), b.getIndexType(),
                                                                AffineMapAttr::get(quotient), all));
    }
    exprs.push_back(place);
  }
  return define(op.getResult(), reshaped(op.getLoc(), *type, sizes, tensor, exprs));
}

} // namespace strata::interop
