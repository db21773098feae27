// Where tensors come from: files, parameters, constants, generators.
#include "strata/translate/Translator.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/host/Print.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/FillBytes.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/translate/CompiledConversion.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

static SmallVector<TypedAttr> elementsOf(DenseElementsAttr numbers) {
  SmallVector<TypedAttr> elements;
  auto type = dyn_cast<ComplexType>(numbers.getElementType());
  if (!type) {
    for (Attribute number : numbers.getValues<Attribute>())
      elements.push_back(cast<TypedAttr>(number));
    return elements;
  }
  for (const std::complex<APFloat> &number : numbers.getValues<std::complex<APFloat>>())
    elements.push_back(cast<TypedAttr>(Attribute(complex::NumberAttr::get(
        type, number.real().convertToDouble(), number.imag().convertToDouble()))));
  return elements;
}

host::FileName Translator::fileOf(Operation *op, StringRef file) const {
  auto parameter = op->getAttrOfType<StringAttr>("parameter");
  return {file.str(), ahead && parameter ? parameter.str() : ""};
}

void Translator::fromList(Operation *op,
                          llvm::function_ref<host::Operation(TensorId, TypeId)> source) {
  Value result = op->getResult(0);
  std::optional<CompiledPacking> rows =
      ahead ? compilePacking(*ahead, decided(result)) : std::nullopt;
  if (!rows) {
    add(op, source(tensor(result), packedType(result)));
    return;
  }
  TensorId between = newTensor(ta::quotedNameOf(result));
  add(op, source(between, rows->rows));
  add(op, host::Convert{
              tensor(result), typeId(result), between, rows->last.kernel, rows->last.slots, {}});
  add(op, host::Release{{between}});
}

void Translator::translate(ta::ReadOp op) {
  ownType(op.getResult()); // or what the file says: it decides
  std::vector<std::string> sizes;
  if (auto given = op->getAttrOfType<ArrayAttr>("sizes"))
    for (StringAttr size : given.getAsRange<StringAttr>())
      sizes.push_back(size.str());
  auto read = [&](TensorId to, TypeId type) {
    return host::Read{
        to, type, fileOf(op, op.getFile()), int64_t(op.getPart()), op->hasAttr("comet"), sizes};
  };
  Value result = op.getResult();
  if (!ta::placementOf(cast<RankedTensorType>(result.getType())))
    return fromList(op, read);
  if (ahead)
    ahead->packed(ta::pieceType(cast<RankedTensorType>(result.getType())), /*silentZero=*/true);
  add(op, read(tensor(result), typeId(result)));
}

void Translator::translate(ta::ParameterOp op) {
  Value value = op.getResult();
  bool isSize = value.getType().isIndex();
  add(op, host::Parameter{isSize ? -1 : tensor(value), isSize ? -1 : typeId(value),
                          isSize ? size(value) : -1, op.getName().str()});
}

void Translator::translate(ta::FillOp op) {
  RankedTensorType type = decided(op.getResult());
  bool full = !ta::sumOf(type) && ta::formatOf(type).isFull();
  std::vector<SizeId> sizes = resultSizes(op, type, op.getSizes());
  std::vector<char> element;
  if (full)
    element = elementBytes(type.getElementType(), op.getValue());
  else if (ahead && ta::placementOf(type))
    ahead->packed(ta::pieceType(type), hasZeroFill(op.getResult()));
  add(op,
      host::Fill{tensor(op.getResult()),
                 full || ta::placementOf(type) ? typeId(op.getResult()) : ownType(op.getResult()),
                 std::move(sizes), std::move(element)});
}

void Translator::translate(ta::RandomOp op) {
  std::vector<SizeId> sizes = resultSizes(op, decided(op.getResult()), op.getSizes());
  fromList(op, [&](TensorId to, TypeId type) {
    return host::Random{to, type, sizes, op.getDensity().convertToDouble(), int64_t(op.getSeed())};
  });
}

void Translator::translate(ta::StencilOp op) {
  fromList(op, [&](TensorId to, TypeId type) {
    return host::Stencil{to, type, int64_t(op.getPoints())};
  });
}

void Translator::translate(ta::IotaOp op) {
  add(op, host::Iota{tensor(op.getResult()), packedType(op.getResult()), int64_t(op.getFirst()),
                     int64_t(op.getStep()), size(op.getSize())});
}

void Translator::translate(ta::OneHotOp op) {
  auto from = cast<RankedTensorType>(op.getTensor().getType());
  auto fill = dyn_cast<IntegerAttr>(Attribute(ta::fillOf(from)));
  add(op,
      host::OneHot{tensor(op.getResult()), packedType(op.getResult()), listed(op.getTensor()),
                   fill ? fill.getInt() : 0, size(op.getSize()), ta::quotedNameOf(op.getTensor())});
}

void Translator::translate(ta::InsideOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  const bool isPlaced = bool(ta::placementOf(type));
  if (isPlaced && ahead)
    ahead->packed(ta::pieceType(type), /*silentZero=*/true);
  add(op, host::Inside{tensor(op.getResult()),
                       isPlaced ? typeId(op.getResult()) : packedType(op.getResult()),
                       affineOf(op.getMap().getResult(0)), sizesOf(op.getExtents()),
                       size(op.getSize())});
}

void Translator::translate(ta::DenseAlgebraOp op) {
  std::vector<TensorId> operands;
  for (Value operand : op.getTensors())
    operands.push_back(listed(operand));
  std::vector<SizeId> sizes = resultSizes(op, decided(op.getResult()), op.getSizes());
  add(op, host::DenseAlgebra{tensor(op.getResult()), packedType(op.getResult()),
                             op.getFunction().str(), std::move(operands), std::move(sizes)});
}

static bool isZero(ArrayRef<char> bytes) {
  return llvm::all_of(bytes, [](char byte) { return byte == 0; });
}

// Gives the value in the result of the places that operands do not store; none, after an error,
// where one of them disagrees.
static FailureOr<TypedAttr> fillOfJoined(Operation *op, ValueRange tensors) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const Type element = type.getElementType();
  TypedAttr fill = ta::fillOf(type);
  bool isFirst = ta::formatOf(type).isFull();
  for (Value tensor : tensors) {
    auto part = cast<RankedTensorType>(tensor.getType());
    if (ta::formatOf(part).isFull())
      continue;
    TypedAttr own = *constantOf(element, numberOf(part.getElementType(), ta::fillOf(part)));
    if (isFirst)
      fill = own;
    isFirst = false;
    if (own != fill)
      return op->emitError() << "where " << ta::quotedNameOf(tensor) << " stores nothing it is "
                             << host::fillText(numberOf(element, own)) << ", but "
                             << (tensors.size() == 1 ? "the result" : "what is joined with it")
                             << " is " << host::fillText(numberOf(element, fill)) << " there";
  }
  return fill;
}

// Gives the fill of what is made of the entries of tensors, as bytes; nothing after an error.
std::optional<std::vector<char>> Translator::fillOfEntries(Operation *op, ValueRange tensors) {
  FailureOr<TypedAttr> joined = fillOfJoined(op, tensors);
  fails |= failed(joined);
  if (fails)
    return std::nullopt;
  Value result = op->getResult(0);
  std::vector<char> fill = elementBytes(decided(result).getElementType(), *joined);
  if (ahead && !isZero(fill) && fill != program.format(typeId(result)).fill) {
    refuse(op, "an operand has another fill than the result");
    return std::nullopt;
  }
  return fill;
}

void Translator::translate(ta::ConcatOp op) {
  std::optional<std::vector<char>> fill = fillOfEntries(op, op.getTensors());
  if (!fill)
    return;
  std::vector<TensorId> operands;
  for (Value operand : op.getTensors())
    operands.push_back(listed(operand));
  add(op, host::Concat{tensor(op.getResult()), packedType(op.getResult(), isZero(*fill)),
                       int64_t(op.getDim()), std::move(operands), std::move(*fill)});
}

void Translator::translate(ta::LexiOrderOp op) {
  if (std::optional<uint64_t> dim = op.getDim())
    return add(op, host::LexiOrder{tensor(op.getResult()),
                                   packedType(op.getResult()),
                                   listed(op.getTensor()),
                                   int64_t(*dim),
                                   {}});
  std::optional<std::vector<char>> fill = fillOfEntries(op, op.getTensor());
  if (!fill)
    return;
  add(op, host::LexiOrder{tensor(op.getResult()), packedType(op.getResult(), isZero(*fill)),
                          listed(op.getTensor()), -1, std::move(*fill)});
}

void Translator::translate(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type) {
    if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
      add(op, host::Number{size(op.getResult()), integer.getInt()});
    return;
  }
  auto sparse = dyn_cast<SparseElementsAttr>(op.getValue());
  auto numbers = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!sparse && !numbers)
    return refuse(op, "expected a constant of dense<...> or sparse<...>");
  if (sparse)
    numbers = sparse.getValues();
  if (sparse && sparse.getIndices().isSplat() && sparse.getIndices().getType().getDimSize(0) > 1)
    return refuse(op, "the constant lists an entry twice");
  host::Constant constant{
      tensor(op.getResult()), packedType(op.getResult()), type.getShape().vec(), {}, {}};
  int64_t count = sparse ? sparse.getIndices().getType().getDimSize(0) : numbers.size();
  SmallVector<int64_t> places;
  if (sparse)
    llvm::append_range(places, sparse.getIndices().getValues<int64_t>());
  int64_t below = numbers.size();
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    below /= std::max<int64_t>(extent, 1);
    for (int64_t entry = 0; entry < count; ++entry)
      constant.coordinates.push_back(sparse ? places[entry * type.getRank() + int64_t(dim)]
                                            : entry / std::max<int64_t>(below, 1) % extent);
  }
  for (TypedAttr number : elementsOf(numbers))
    llvm::append_range(constant.elements, elementBytes(type.getElementType(), number));
  add(op, std::move(constant));
}

} // namespace strata
