// Translates encodings level by level.
#include "strata/interop/Encodings.h"

#include "strata/dialect/ta/FillValue.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::interop {

using sparse_tensor::LevelFormat;
using sparse_tensor::LevelPropNonDefault;
using sparse_tensor::LevelType;
using sparse_tensor::SparseTensorEncodingAttr;

Type elementTypeOf(Type element) {
  return element.isIndex() ? IntegerType::get(element.getContext(), 64) : element;
}

bool isElementType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (element.isUnsignedInteger())
    return llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth());
  return element.isF16() || element.isBF16() || element.isF32() || element.isF64() ||
         (element.isSignlessInteger() &&
          llvm::is_contained({1u, 8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth()));
}

TypedAttr constantOf(Attribute value, Type type) {
  type = ta::valueTypeOf(elementTypeOf(type));
  if (auto parts = dyn_cast<ArrayAttr>(value); parts && parts.size() == 2) {
    auto complex = dyn_cast<ComplexType>(type);
    auto re = dyn_cast<FloatAttr>(parts[0]), im = dyn_cast<FloatAttr>(parts[1]);
    if (!complex || !re || !im)
      return {};
    return cast<TypedAttr>(
        Attribute(complex::NumberAttr::get(complex, re.getValueAsDouble(), im.getValueAsDouble())));
  }
  if (auto integer = dyn_cast<IntegerAttr>(value); integer && isa<IntegerType>(type))
    return IntegerAttr::get(type, integer.getValue().sextOrTrunc(type.getIntOrFloatBitWidth()));
  auto typed = dyn_cast<TypedAttr>(value);
  return typed && typed.getType() == type ? typed : TypedAttr();
}

// The level at which entries begin that are lists of all their coordinates, structs one behind the
// other: a nonunique level, and singleton levels that do not say soa.
static bool beginsStructs(SparseTensorEncodingAttr encoding, unsigned level) {
  ArrayRef<LevelType> types = encoding.getLvlTypes();
  if (!types[level].isWithPosLT() || !types[level].isa<LevelPropNonDefault::Nonunique>() ||
      level + 1 == types.size())
    return false;
  return llvm::all_of(types.drop_front(level + 1), [](LevelType type) {
    bool isOneEach = type.isWithCrdLT() && !type.isWithPosLT() && !type.isa<LevelFormat::NOutOfM>();
    return isOneEach && !type.isa<LevelPropNonDefault::SoA>();
  });
}

static FailureOr<ta::LevelAttr> levelOf(SparseTensorEncodingAttr encoding, unsigned level,
                                        EmitError emitError) {
  LevelType type = encoding.getLvlType(level);
  StringRef name = sparse_tensor::toFormatString(type.getLvlFmt()); // they have the same names
  const LevelTraits *traits = findLevelTraits(name);
  if (!traits)
    return emitError() << "level " << level + 1 << " of the encoding is "
                       << sparse_tensor::toMLIRString(type)
                       << ", which no level format of Strata stores";
  const bool stores = type.isWithCrdLT() && !type.isa<LevelFormat::NOutOfM>();
  const bool isUnique = !type.isa<LevelPropNonDefault::Nonunique>();
  const bool isOrdered = !type.isa<LevelPropNonDefault::Nonordered>();
  int64_t number = type.isa<LevelFormat::NOutOfM>() ? int64_t(type.getN()) : 0;
  MLIRContext *context = encoding.getContext();
  ta::LevelAttr made =
      ta::LevelAttr::getChecked(emitError, context, name, isUnique, isOrdered, number,
                                /*signedCrd=*/false, beginsStructs(encoding, level),
                                /*posWidth=*/0U, /*crdWidth=*/0U);
  if (!made)
    return failure();
  return stores ? made.withWidths(encoding.getPosWidth(), encoding.getCrdWidth()) : made;
}

// What is not stored is worth zero unless the encoding says otherwise.
static FailureOr<Attribute> fillOf(SparseTensorEncodingAttr encoding, Type element,
                                   EmitError emitError) {
  Attribute implicit = encoding.getImplicitVal();
  if (!implicit)
    return Attribute();
  TypedAttr fill = constantOf(implicit, element);
  if (!fill)
    return emitError() << "the implicit value " << implicit << " is no constant of " << element;
  return Attribute(ta::fillConstant(fill));
}

FailureOr<ta::FormatAttr> formatOf(SparseTensorEncodingAttr encoding, Type element,
                                   EmitError emitError) {
  SmallVector<ta::LevelAttr> levels;
  for (unsigned level = 0; level < unsigned(encoding.getLvlRank()); ++level) {
    FailureOr<ta::LevelAttr> made = levelOf(encoding, level, emitError);
    if (failed(made))
      return failure();
    levels.push_back(*made);
  }
  FailureOr<Attribute> fill = fillOf(encoding, element, emitError);
  if (failed(fill))
    return failure();
  AffineMap map = encoding.getDimToLvl();
  if (!map)
    map = AffineMap::getMultiDimIdentityMap(levels.size(), encoding.getContext());
  ta::FormatAttr format =
      ta::FormatAttr::getChecked(emitError, encoding.getContext(), map,
                                 ArrayRef<ta::LevelAttr>(levels), *fill, ArrayRef<int64_t>());
  if (!format)
    return failure();
  return format;
}

FailureOr<RankedTensorType> typeOf(RankedTensorType type, EmitError emitError) {
  Type element = elementTypeOf(type.getElementType());
  if (!isElementType(element))
    return emitError() << "tensors have no elements of " << element;
  auto plain = RankedTensorType::get(type.getShape(), element);
  Attribute encoding = type.getEncoding();
  if (!encoding)
    return plain;
  if (isa<ta::FormatAttr, ta::SumAttr, ta::DistributedAttr>(encoding))
    return type;
  auto sparse = dyn_cast<SparseTensorEncodingAttr>(encoding);
  if (!sparse)
    return emitError() << "the encoding " << encoding << " is none of sparse tensors";
  FailureOr<ta::FormatAttr> format = formatOf(sparse, element, emitError);
  if (failed(format))
    return failure();
  return ta::withFormat(plain, *format);
}

TypedAttr explicitValueOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto encoding =
      tensor ? dyn_cast_or_null<SparseTensorEncodingAttr>(tensor.getEncoding()) : nullptr;
  return encoding && encoding.getExplicitVal()
             ? constantOf(encoding.getExplicitVal(), tensor.getElementType())
             : TypedAttr();
}

} // namespace strata::interop
