// Element types, widths and extents at run time.
#include "strata/execution/ElementTypes.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/lower/StorageLayout.h"

using namespace mlir;

namespace strata {

std::optional<strata_type> runtimeType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF64() ? std::optional(STRATA_C128) : std::nullopt;
  if (type.isF64())
    return STRATA_F64;
  if (type.isF32())
    return STRATA_F32;
  if (type.isInteger(64))
    return STRATA_I64;
  if (type.isInteger(32))
    return STRATA_I32;
  return std::nullopt;
}

Type compilerType(MLIRContext *context, strata_type type) {
  Builder b(context);
  switch (type) {
  case STRATA_I8:
    return b.getI8Type();
  case STRATA_I16:
    return b.getI16Type();
  case STRATA_I32:
    return b.getI32Type();
  case STRATA_I64:
    return b.getI64Type();
  case STRATA_F32:
    return b.getF32Type();
  case STRATA_F64:
    return b.getF64Type();
  case STRATA_C128:
    return ComplexType::get(b.getF64Type());
  }
  llvm_unreachable("all types are handled above");
}

StringRef elementTypeWord(Type type) {
  if (isa<ComplexType>(type))
    return "complex";
  if (type.isF32())
    return "float";
  if (type.isInteger(64))
    return "int64";
  return type.isInteger(32) ? "int32" : "double";
}

namespace {
// Saturates, so that a tensor of absurd size gets 64-bit widths and no undefined arithmetic.
struct CheckedMath {
  int64_t constant(int64_t value) const { return value; }
  int64_t add(int64_t x, int64_t y) const {
    int64_t sum;
    return __builtin_add_overflow(x, y, &sum) ? INT64_MAX : sum;
  }
  int64_t sub(int64_t x, int64_t y) const { return x - y; }
  int64_t mul(int64_t x, int64_t y) const {
    int64_t product;
    return __builtin_mul_overflow(x, y, &product) ? INT64_MAX : product;
  }
  int64_t ceilDiv(int64_t x, int64_t y) const { return x / y + (x % y != 0); }
};
} // namespace

SmallVector<LevelExtent> levelExtents(ta::FormatAttr format, ArrayRef<int64_t> sizes,
                                      ArrayRef<int64_t> slots) {
  SmallVector<LevelExtent> result;
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults())) {
    if (format.isSlot(lvl)) {
      result.push_back({0, slots.empty() ? 1 : slots.front()});
      slots = slots.drop_front(!slots.empty());
      continue;
    }
    ta::Extent<int64_t> extent = ta::extentOf<int64_t>(expr, sizes, CheckedMath());
    result.push_back({extent.first, std::max<int64_t>(extent.extent, 0)});
  }
  return result;
}

RankedTensorType withDecidedWidths(RankedTensorType type, ArrayRef<int64_t> sizes,
                                   int64_t entries) {
  ta::FormatAttr format = ta::formatOf(type);
  if (!type.getEncoding())
    return type;
  bool narrow = true;
  for (LevelExtent level : levelExtents(format, sizes))
    narrow &= level.first > INT32_MIN && level.extent <= INT32_MAX;
  unsigned pos = entries < INT32_MAX ? 32 : 64, crd = narrow ? 32 : 64;
  return ta::withFormat(type, format.withWidths(format.getPosWidth() ? format.getPosWidth() : pos,
                                                format.getCrdWidth() ? format.getCrdWidth() : crd));
}

static bool stores(ta::LevelAttr level, BufferKind kind) {
  return llvm::any_of(findLevelFormat(level.getName())->buffers(),
                      [&](const BufferSpec &spec) { return spec.kind == kind; });
}

runtime::Status checkWidths(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries) {
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  unsigned pos = format.getPosWidth(), crd = format.getCrdWidth();
  for (auto [level, extent] : llvm::zip(format.getLevels(), extents)) {
    // Coordinates are read as signed numbers, positions as unsigned ones.
    // The least number marks what is no coordinate.
    bool fits = extent.extent == 0 || (llvm::isIntN(crd, extent.first - 1) &&
                                       llvm::isIntN(crd, extent.first + extent.extent - 1));
    if (stores(level, BufferKind::Coordinate) && !fits)
      return runtime::Error{"coordinates from " + std::to_string(extent.first) + " to " +
                                std::to_string(extent.first + extent.extent - 1) +
                                " do not fit the " + std::to_string(crd) +
                                " bits that the format has for them",
                            "a wider crd, or none: it is then chosen"};
    if (stores(level, BufferKind::Position) && pos < 64 && !llvm::isUIntN(pos, entries))
      return runtime::Error{"positions up to " + std::to_string(entries) + " do not fit the " +
                                std::to_string(pos) + " bits that the format has for them",
                            "a wider pos, or none: it is then chosen"};
  }
  return runtime::Status();
}

static strata_type integerType(unsigned width) {
  return width == 8 ? STRATA_I8 : width == 16 ? STRATA_I16 : width == 32 ? STRATA_I32 : STRATA_I64;
}

std::vector<strata_type> bufferTypes(RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  std::vector<strata_type> types;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
    for (const BufferSpec &spec : levelBuffers(format, lvl))
      switch (spec.kind) {
      case BufferKind::Position:
        types.push_back(integerType(format.getPosWidth()));
        break;
      case BufferKind::Coordinate:
        types.push_back(integerType(format.getCrdWidth()));
        break;
      case BufferKind::Word:
        types.push_back(STRATA_I64);
        break;
      }
  types.push_back(*runtimeType(type.getElementType()));
  return types;
}

} // namespace strata
