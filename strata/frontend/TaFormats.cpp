// Conversion of formats, with the dialect's own checks as reasons.
#include "strata/frontend/TaFormats.h"

#include "strata/frontend/ElementConversion.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/level/LevelProperties.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace strata::frontend {

Type emitElementType(MLIRContext *context, ElementType type) {
  Builder builder(context);
  switch (kindOf(type)) {
  case NumberKind::Boolean:
    return builder.getI1Type();
  case NumberKind::Natural:
    return builder.getIntegerType(bitsOf(type), /*isSigned=*/false);
  case NumberKind::Integer:
    return builder.getIntegerType(bitsOf(type));
  case NumberKind::Real:
    return type == ElementType::BFloat16  ? Type(builder.getBF16Type())
           : type == ElementType::Float16 ? Type(builder.getF16Type())
           : type == ElementType::Float   ? Type(builder.getF32Type())
                                          : Type(builder.getF64Type());
  case NumberKind::Complex:
    break;
  }
  return ComplexType::get(bitsOf(type) == 32 ? builder.getF32Type() : builder.getF64Type());
}

// A level's coordinate; null, with the reason, where it is no affine function.
static AffineExpr emitMap(MLIRContext *context, const ast::MapExpr &map,
                          const std::vector<ast::Name> &dimensions, std::string &why) {
  using Kind = ast::MapExpr::Kind;
  if (map.kind == Kind::Constant)
    return getAffineConstantExpr(map.constant, context);
  if (map.kind == Kind::Dimension) {
    const auto *found = llvm::find_if(llvm::ArrayRef(dimensions), [&](const ast::Name &dimension) {
      return dimension.text == map.dimension.text;
    });
    return getAffineDimExpr(found - dimensions.data(), context);
  }
  if (map.kind == Kind::Slot) {
    SmallVector<AffineExpr> counted;
    for (const auto &inner : map.counted) {
      counted.push_back(emitMap(context, *inner, dimensions, why));
      if (counted.back() && counted.back().isSymbolicOrConstant())
        why = "a slot counts what depends on a dimension";
      if (!counted.back() || counted.back().isSymbolicOrConstant())
        return {};
    }
    return ta::slotOf(counted, context);
  }
  AffineExpr lhs = emitMap(context, *map.lhs, dimensions, why);
  AffineExpr rhs = lhs ? emitMap(context, *map.rhs, dimensions, why) : AffineExpr();
  if (!rhs)
    return {};
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  switch (map.kind) {
  case Kind::Add:
    return lhs + rhs;
  case Kind::Subtract:
    return lhs - rhs;
  case Kind::Multiply:
    if (constant || isa<AffineConstantExpr>(lhs))
      return lhs * rhs;
    why = "a level's coordinate multiplies by constants only";
    return {};
  case Kind::FloorDiv:
  case Kind::Mod:
  case Kind::Constant: // leaves are handled above
  case Kind::Dimension:
  case Kind::Slot:
    break;
  }
  if (constant && constant.getValue() > 0)
    return map.kind == Kind::Mod ? lhs % rhs : lhs.floorDiv(rhs);
  why = "floordiv and mod take a constant above 0";
  return {};
}

static ta::LevelAttr emitLevel(MLIRContext *context, const ast::FormatLevel &level,
                               llvm::function_ref<InFlightDiagnostic()> emitError) {
  bool unique = true, signedCrd = false, aos = false;
  bool ordered = findLevelTraits(level.format.text)->defaults.ordered;
  unsigned pos = 0, crd = 0;
  for (const ast::FormatOption &property : level.properties) {
    StringRef key = property.key.text;
    unique &= key != "nonunique";
    ordered &= key != "unordered";
    signedCrd |= key == "signed";
    aos |= key == "aos";
    if (key == "pos")
      pos = unsigned(property.value->real());
    else if (key == "crd")
      crd = unsigned(property.value->real());
  }
  return ta::LevelAttr::getChecked(emitError, context, StringRef(level.format.text), unique,
                                   ordered, level.parameter, signedCrd, aos, pos, crd);
}

static ta::FormatAttr emitFormatMap(MLIRContext *context, const ast::Format &format,
                                    std::string &why) {
  ScopedDiagnosticHandler handler(context,
                                  [&](mlir::Diagnostic &diagnostic) { why = diagnostic.str(); });
  auto report = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  llvm::function_ref<InFlightDiagnostic()> emitError = report;
  SmallVector<AffineExpr> coordinates;
  SmallVector<ta::LevelAttr> levels;
  for (const ast::FormatLevel &level : format.levels) {
    coordinates.push_back(emitMap(context, *level.coordinate, format.dimensions, why));
    if (!coordinates.back())
      return {};
    levels.push_back(emitLevel(context, level, emitError));
    if (!levels.back())
      return {};
  }
  ta::shareWidths(levels);
  AffineMap map =
      AffineMap::get(format.dimensions.size(), ta::symbolsIn(coordinates), coordinates, context);
  return ta::FormatAttr::getChecked(emitError, context, map, llvm::ArrayRef<ta::LevelAttr>(levels),
                                    Attribute(), llvm::ArrayRef<int64_t>(format.windows));
}

// What is asked of all levels, and the fill.
template <typename Storage>
static Storage withOptions(Storage format, const std::vector<ast::FormatOption> &options,
                           ElementType type) {
  unsigned pos = 0, crd = 0;
  Attribute fill = format.getFill();
  for (const ast::FormatOption &option : options) {
    if (option.key.text == "pos")
      pos = unsigned(option.value->real());
    else if (option.key.text == "crd")
      crd = unsigned(option.value->real());
    else
      fill = *option.value == 0.0
                 ? Attribute()
                 : Attribute(elementConstant(format.getContext(), type, option.value->real(),
                                             std::nullopt, option.value->imag()));
  }
  format = format.withOpenWidths(pos, crd);
  return format.withFill(fill);
}

static ta::FormatAttr emitPart(MLIRContext *context, const ast::Format &part, unsigned order,
                               ElementType type, int64_t &limit, std::string &why);

// ELL:3 + COO
static ta::SumAttr emitSum(MLIRContext *context, const ast::Format &format, unsigned order,
                           ElementType type, std::string &why) {
  SmallVector<ta::FormatAttr> parts;
  SmallVector<int64_t> limits;
  for (const ast::Format &part : format.parts) {
    parts.push_back(emitPart(context, part, order, type, limits.emplace_back(), why));
    if (!parts.back())
      return {};
  }
  if (limits.pop_back_val() != 0) {
    why = "the last part of a sum takes what is left, without a limit";
    return {};
  }
  ScopedDiagnosticHandler handler(context,
                                  [&](mlir::Diagnostic &diagnostic) { why = diagnostic.str(); });
  return ta::SumAttr::getChecked([&] { return mlir::emitError(UnknownLoc::get(context)); }, context,
                                 ArrayRef<ta::FormatAttr>(parts), ArrayRef<int64_t>(limits));
}

static Attribute emitLevels(MLIRContext *context, const ast::Format &format, unsigned order,
                            ElementType type, std::string &why) {
  SmallVector<StringRef> words;
  for (const ast::Name &word : format.words)
    words.push_back(word.text);
  SmallVector<unsigned> dims(format.order.begin(), format.order.end());
  if (dims.empty())
    dims = llvm::to_vector(llvm::seq(order));
  switch (format.kind) {
  case ast::Format::Kind::Named:
    if (Attribute named = ta::namedFormat(context, words.front(), order, why))
      return named;
    // {CU} for a vector is a list of one word, unless CU is a format for other orders.
    if (order == 1) {
      std::string whyNoLevel;
      return ta::fromLevelWords(context, words, dims, whyNoLevel);
    }
    return {};
  case ast::Format::Kind::Levels:
    return ta::fromLevelWords(context, words, dims, why);
  case ast::Format::Kind::Map:
    return emitFormatMap(context, format, why);
  case ast::Format::Kind::Sum:
    break;
  }
  return emitSum(context, format, order, type, why);
}

static ta::FormatAttr emitPart(MLIRContext *context, const ast::Format &part, unsigned order,
                               ElementType type, int64_t &limit, std::string &why) {
  limit = 0;
  Attribute emitted;
  if (part.kind == ast::Format::Kind::Named)
    emitted = ta::namedPart(context, part.words.front().text, order, limit, why);
  else
    emitted = emitLevels(context, part, order, type, why);
  if (emitted && part.limit && limit) {
    why = "a part has one limit, inside its braces or behind them";
    return {};
  }
  limit = part.limit.value_or(limit);
  auto format = dyn_cast_or_null<ta::FormatAttr>(emitted);
  if (emitted && !format)
    why = "a part of a sum is no sum itself: write all parts side by side";
  return format ? withOptions(format, part.options, type) : format;
}

Attribute emitFormat(MLIRContext *context, const ast::Format &format, unsigned order,
                     ElementType type, std::string &why) {
  Attribute emitted = emitLevels(context, format, order, type, why);
  if (emitted && format.limit) {
    why = "only the parts of a sum have limits";
    return {};
  }
  if (auto sum = dyn_cast_or_null<ta::SumAttr>(emitted))
    return withOptions(sum, format.options, type);
  auto single = dyn_cast_or_null<ta::FormatAttr>(emitted);
  return single ? withOptions(single, format.options, type) : single;
}

static ta::PlaceAttr emitPlace(MLIRContext *context, const ast::Place &place) {
  using Kind = ast::Place::Kind;
  ta::PlaceKind kind = place.kind == Kind::All  ? ta::PlaceKind::all
                       : place.kind == Kind::At ? ta::PlaceKind::at
                       : place.byEntries        ? ta::PlaceKind::entries
                                                : ta::PlaceKind::share;
  return ta::PlaceAttr::get(context, kind, place.numbers, place.cell);
}

ta::PlacementAttr emitPlacement(MLIRContext *context, const ast::Format &format) {
  if (!format.placement)
    return {};
  SmallVector<ta::PlaceAttr> places;
  for (const ast::Place &place : format.placement->places)
    places.push_back(emitPlace(context, place));
  return ta::PlacementAttr::get(context, format.placement->machine.text, places);
}

// The dialect speaks of dimensions i, j, ...; the program may have called them otherwise.
static std::string inNamesOf(const ast::Format &format, StringRef why) {
  SmallVector<std::string> names = ta::indexNames(format.dimensions.size());
  SmallVector<StringRef> parts;
  why.split(parts, '\'');
  std::string text;
  for (auto [at, part] : llvm::enumerate(parts)) {
    const auto *name = at % 2 ? llvm::find(names, part.str()) : names.end();
    text += at ? "'" : "";
    text += name == names.end() ? part.str() : format.dimensions[name - names.begin()].text;
  }
  return text;
}

TaFormats::TaFormats(MLIRContext *context) : context(context), words({"D", "CU", "CN", "S"}) {
  context->getOrLoadDialect<ta::TaDialect>();
  llvm::append_range(words, levelNames());
  llvm::append_range(words, llvm::ArrayRef<StringRef>{"d", "s", "c", "u", "q"});
}

llvm::ArrayRef<StringRef> TaFormats::formatNames() const { return ta::shorthandNames(); }
llvm::ArrayRef<StringRef> TaFormats::levelNames() const { return strata::levelNames(); }

std::string TaFormats::problem(const ast::Format &format, unsigned order) const {
  std::string why;
  Attribute emitted = emitFormat(context, format, order, ElementType::ComplexDouble, why);
  bool cutsEntries = format.placement && llvm::any_of(format.placement->places,
                                                      [](auto &place) { return place.byEntries; });
  if (emitted && cutsEntries && isa<ta::SumAttr>(emitted))
    return "what is stored in several parts is cut by coordinates only";
  if (emitted)
    return {};
  return why.empty() ? "its levels do not fit together" : inNamesOf(format, why);
}

bool TaFormats::storesAll(const ast::Format &format, unsigned order) const {
  std::string why;
  auto emitted = dyn_cast_or_null<ta::FormatAttr>(
      emitFormat(context, format, order, ElementType::ComplexDouble, why));
  return emitted && emitted.isFull();
}

} // namespace strata::frontend
