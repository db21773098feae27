// The ta operations on whole tensors: verification, folding. Those of statements are in
// StatementOps.cpp, those of control in ControlOps.cpp.
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Placements.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/Counted.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace strata::ta;

#define GET_OP_CLASSES
#include "strata/dialect/ta/TaOps.cpp.inc"

LogicalResult FillOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("needs one size for each dynamic dimension");
  if (getValue().getType() != valueTypeOf(type.getElementType()))
    return emitOpError("fills ") << type.getElementType() << " with " << getValue().getType();
  if (!formatOf(type).isFull() && Attribute(getValue()) != Attribute(fillOf(type)))
    return emitOpError("would store a value everywhere in a format that stores some places only");
  return success();
}

LogicalResult ConvertOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (from.getRank() != to.getRank())
    return emitOpError("changes the number of dimensions");
  for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
    if (a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b))
      return emitOpError("changes a size from ") << a << " to " << b;
  return success();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getTensor().getType() == getResult().getType() ? getTensor() : Value();
}

// Tells whether it is a vector of which each cell of a machine has the coordinates of a list.
static bool isListed(Type type) {
  auto vector = cast<RankedTensorType>(type);
  PlacementAttr placement = placementOf(vector);
  return placement && placement.getListed() == ArrayRef<unsigned>(0) && vector.getRank() == 1 &&
         vector.getElementType().isInteger(64);
}

// Tells whether there is a list for each dimension that the placement lists.
static bool areListedBy(PlacementAttr placement, ArrayRef<int64_t> dims, ValueRange lists) {
  auto isSame = [](unsigned listed, int64_t dim) { return int64_t(listed) == dim; };
  return !dims.empty() && lists.size() == dims.size() && llvm::all_of(lists.getTypes(), isListed) &&
         llvm::equal(placement.getListed(), dims, isSame);
}

LogicalResult NeedsOp::verify() {
  if (getTensors().empty() || getDims().size() != getTensors().size())
    return emitOpError("needs a dimension of each tensor, one or more");
  for (auto [type, dim] : llvm::zip(getTensors().getTypes(), getDims())) {
    auto tensor = cast<RankedTensorType>(type);
    if (!placementOf(tensor) || dim < 0 || dim >= tensor.getRank())
      return emitOpError("is of dimensions of tensors that are placed on a machine");
  }
  if (!isListed(getResult().getType()))
    return emitOpError("makes a vector of 64-bit integers whose dimension is listed");
  return success();
}

LogicalResult ReachOp::verify() {
  if (!isListed(getResult().getType()))
    return emitOpError("makes a vector of 64-bit integers whose dimension is listed");
  PlacementAttr placement = placementOf(cast<RankedTensorType>(getResult().getType()));
  if (int64_t(getAxis()) >= int64_t(placement.getPlaces().size()))
    return emitOpError("needs an axis of the machine");
  if (int64_t(getWidth()) < 1)
    return emitOpError("reaches a coordinate or more");
  return success();
}

bool FetchOp::comesFromCells() {
  PlacementAttr home = placementOf(cast<RankedTensorType>(getTensor().getType()));
  return home && llvm::any_of(home.getPlaces(), [&](PlaceAttr place) {
           return place.getKind() == PlaceKind::at ||
                  (place.getKind() == PlaceKind::share &&
                   place.getDims() == ArrayRef(unsigned(getDims().front())));
         });
}

LogicalResult FetchOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType()),
       to = cast<RankedTensorType>(getResult().getType());
  PlacementAttr placement = placementOf(to);
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() ||
      formatOf(from) != formatOf(to))
    return emitOpError("changes more than the placement");
  if (!placement || !areListedBy(placement, getDims(), getLists()))
    return emitOpError("needs a list for each dimension that its result's placement lists");
  return success();
}

LogicalResult ScatterOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType()),
       to = cast<RankedTensorType>(getResult().getType());
  PlacementAttr placement = placementOf(from);
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() ||
      formatOf(from).getFill() != formatOf(to).getFill())
    return emitOpError("changes more than the placement, and what is stored");
  if (!placement || !areListedBy(placement, getDims(), getLists()))
    return emitOpError("needs a list for each dimension that its operand's placement lists");
  PlacementAttr target = placementOf(to);
  if (target && !target.getListed().empty())
    return emitOpError("has a result whose coordinates are listed");
  if (getLike() && (!target || target.getMachine() != placement.getMachine()))
    return emitOpError("has a result on other cells, where it is to be like a tensor");
  if (getInto() && (getLike() || getInto().getType() != to || !formatOf(to).isFull() || !target ||
                    target.getMachine() != placement.getMachine()))
    return emitOpError("puts what cells have into a tensor of its result's type, on these cells, "
                       "that has a place for everything");
  return success();
}

// Returns what a loop or a branch hands over as the value `result`, in one of its ends.
static Value handedOver(OpResult result) {
  Operation *op = result.getOwner();
  Operation *end = op->getRegion(0).front().getTerminator();
  if (isa<IfOp>(op) && isa<BreakOp>(end))
    end = op->getRegion(1).front().getTerminator();
  return end->getNumOperands() == op->getNumResults() ? end->getOperand(result.getResultNumber())
                                                      : Value();
}

Value strata::ta::originOf(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (isa<ForOp, LoopOp, IfOp>(op)) {
      Value inner = handedOver(cast<OpResult>(tensor));
      if (!inner)
        break;
      tensor = inner;
      continue;
    }
    // A copy that the program asks for has a name of its own.
    auto copy = dyn_cast<ConvertOp>(op);
    if (!isa<ConvertOp, GatherOp, ComponentOp, FetchOp>(op) ||
        (copy && !copy.getReason() && isa<NameLoc>(copy.getLoc())))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

LogicalResult ComponentOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  SumAttr sum = sumOf(type);
  if (!sum)
    return emitOpError("takes a part of a tensor that is not stored in a hybrid format");
  if (getNumber() >= sum.getParts().size())
    return emitOpError("takes part ") << getNumber() << " of " << sum.getParts().size();
  if (getResult().getType() != withFormat(type, sum.getParts()[getNumber()]))
    return emitOpError("has a result that is not stored as the part is");
  return success();
}

LogicalResult GatherOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  AffineMap map = getMap();
  if (map.getNumResults() != from.getRank() || map.getNumDims() != to.getRank() ||
      map.getNumSymbols() != 0)
    return emitOpError("needs a map from the result's dimensions to the tensor's");
  if (from.getElementType() != to.getElementType())
    return emitOpError("changes the element type");
  if (getSizes().size() != size_t(to.getRank()) || to.getNumDynamicDims() != size_t(to.getRank()))
    return emitOpError("needs a size for each dimension of the result");
  if (!usesAllVariables(map))
    return emitOpError("has a map that leaves an index variable open");
  return success();
}

LogicalResult InsertPartOp::verify() {
  auto part = cast<RankedTensorType>(getPart().getType());
  auto whole = cast<RankedTensorType>(getWhole().getType());
  AffineMap map = getMap();
  if (map.getNumResults() != whole.getRank() || map.getNumDims() != part.getRank() ||
      map.getNumSymbols() != 0)
    return emitOpError("needs a map from the part's dimensions to the tensor's");
  if (getResult().getType() != whole || part.getElementType() != whole.getElementType())
    return emitOpError("changes the tensor's type");
  if (getSizes().size() != size_t(part.getRank()))
    return emitOpError("needs a size for each dimension of the part");
  if (!usesAllVariables(map))
    return emitOpError("has a map that leaves an index variable open");
  return success();
}

LogicalResult DimOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  int64_t dim = getDim();
  if (dim < 0 || dim >= type.getRank())
    return emitOpError("asks for dimension ") << dim << " of a tensor of " << type.getRank();
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (type.isDynamicDim(getDim()))
    return {};
  return Builder(getContext()).getIndexAttr(type.getDimSize(getDim()));
}

LogicalResult SameSizeOp::verify() {
  if (getSizes().empty())
    return emitOpError("needs a size");
  if (getSizes().size() != getUses().size())
    return emitOpError("needs one use for each size");
  return success();
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (type.getRank() != 1 || !type.getElementType().isSignlessInteger() || type.getEncoding())
    return emitOpError("makes a dense vector of integers");
  if (!type.isDynamicDim(0))
    return emitOpError("makes a vector of dynamic size");
  return success();
}

LogicalResult OneHotOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (!from.getElementType().isSignlessInteger())
    return emitOpError("needs a tensor of integers");
  if (to.getRank() != from.getRank() + 1 || int64_t(to.getNumDynamicDims()) != to.getRank())
    return emitOpError("makes a tensor of one dimension more, all of them dynamic");
  return success();
}

LogicalResult InsideOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getMap().getNumDims() != getExtents().size() || getMap().getNumSymbols() != 0 ||
      getMap().getNumResults() != 1)
    return emitOpError("needs a map from its index variables to one coordinate");
  if (type.getRank() != int64_t(getExtents().size()) + 1 ||
      type.getNumDynamicDims() != size_t(type.getRank()))
    return emitOpError("makes a tensor of one dimension more than variables, all of them dynamic");
  return success();
}

llvm::ArrayRef<std::pair<StringRef, unsigned>> DenseAlgebraOp::functions() {
  static constexpr std::pair<StringRef, unsigned> all[] = {
      {"solve", 2},       {"inverse", 1},          {"pseudoinverse", 1},
      {"orthonormal", 1}, {"singular_vectors", 1}, {"singular_values", 1}};
  return all;
}

LogicalResult DenseAlgebraOp::verify() {
  const auto *known = llvm::find_if(
      functions(), [&](const auto &function) { return function.first == getFunction(); });
  if (known == functions().end())
    return emitOpError("knows no function ") << getFunctionAttr();
  if (getTensors().size() != known->second)
    return emitOpError("needs ") << known->second << " operands";
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("needs a size for each dynamic dimension");
  return success();
}

LogicalResult ConcatOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t joined = getDim(), sum = 0;
  if (getTensors().empty())
    return emitOpError("needs a tensor");
  if (joined < 0 || joined >= type.getRank())
    return emitOpError("joins along dimension ")
           << joined << ", the result has " << counted(type.getRank(), "dimension");
  for (auto [number, tensor] : llvm::enumerate(getTensors())) {
    auto part = cast<RankedTensorType>(tensor.getType());
    if (part.getRank() != type.getRank())
      return emitOpError("tensor ")
             << number << " has order " << part.getRank() << ", the result " << type.getRank();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != joined &&
          failed(verifyCompatibleShape(part.getDimSize(dim), type.getDimSize(dim))))
        return emitOpError("tensor ")
               << number << " has another size in dimension " << dim << " than the result";
    bool known = !ShapedType::isDynamic(sum) && !part.isDynamicDim(joined);
    sum = known ? sum + part.getDimSize(joined) : ShapedType::kDynamic;
  }
  if (failed(verifyCompatibleShape(sum, type.getDimSize(joined))))
    return emitOpError("the sizes in dimension ")
           << joined << " add up to " << sum << ", the result has " << type.getDimSize(joined);
  return success();
}

LogicalResult LexiOrderOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  const std::optional<int64_t> dim = getDim();
  if (dim && (*dim < 0 || *dim >= from.getRank()))
    return emitOpError("gives the order of dimension ")
           << *dim << ", the tensor has " << counted(from.getRank(), "dimension");
  if (to.getRank() != (dim ? 1 : from.getRank()))
    return emitOpError("gives a tensor of order ")
           << (dim ? 1 : from.getRank()) << ", the result has order " << to.getRank();
  for (int64_t at = 0; at < to.getRank(); ++at)
    if (failed(verifyCompatibleShape(from.getDimSize(dim.value_or(at)), to.getDimSize(at))))
      return emitOpError("has another size in dimension ") << at << " than the result";
  return success();
}

LogicalResult FitOp::verify() {
  AffineMap map = getMap();
  if (map.getNumDims() != getSizes().size() || map.getNumSymbols() != 0)
    return emitOpError("needs a size for each dimension of its map");
  if (map.getNumResults() == 0)
    return emitOpError("needs a bound");
  return success();
}

OpFoldResult SameSizeOp::fold(FoldAdaptor) {
  return llvm::all_equal(getSizes()) ? getSizes().front() : Value();
}
