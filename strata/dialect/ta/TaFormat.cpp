// Formats: text, verification, and what they mean for a tensor type.
#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/FormatNames.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::ta {

//===------------------------------------------------------------------------------------------===//
// Levels
//===------------------------------------------------------------------------------------------===//

// NAME or NAME(parameter or property, ...), where a level stands in a format.
static FailureOr<LevelAttr> parseLevel(AsmParser &parser) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  bool unique = true, ordered = true, signedCrd = false, aos = false;
  int64_t parameter = 0;
  unsigned pos = 0, crd = 0;
  auto property = [&]() -> ParseResult {
    StringRef word;
    SMLoc at = parser.getCurrentLocation();
    if (OptionalParseResult number = parser.parseOptionalInteger(parameter); number.has_value())
      return *number;
    if (parser.parseKeyword(&word))
      return failure();
    if (word == "pos" || word == "crd")
      return failure(parser.parseEqual() || parser.parseInteger(word == "pos" ? pos : crd));
    if (word == "nonunique")
      unique = false;
    else if (word == "unordered")
      ordered = false;
    else if (word == "signed")
      signedCrd = true;
    else if (word == "aos")
      aos = true;
    else
      return parser.emitError(at) << "unknown property '" << word
                                  << "'; a level can be nonunique, unordered, signed or aos, and "
                                     "have widths pos and crd";
    return success();
  };
  if (succeeded(parser.parseOptionalLParen()) &&
      (parser.parseCommaSeparatedList(property) || parser.parseRParen()))
    return failure();
  LevelAttr level =
      LevelAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), name,
                            unique, ordered, parameter, signedCrd, aos, pos, crd);
  if (!level)
    return failure();
  return level;
}

// With the widths that are not said for the whole format.
static void printLevel(AsmPrinter &printer, LevelAttr level, bool pos = true, bool crd = true) {
  const LevelTraits *traits = findLevelTraits(level.getName());
  SmallVector<std::string> words;
  if (level.getParameter())
    words.push_back(std::to_string(level.getParameter()));
  if (!level.getUnique())
    words.push_back("nonunique");
  if (!level.getOrdered() && (!traits || traits->defaults.ordered))
    words.push_back("unordered");
  if (level.getSignedCrd())
    words.push_back("signed");
  if (level.getAos())
    words.push_back("aos");
  if (pos && level.getPosWidth())
    words.push_back("pos = " + std::to_string(level.getPosWidth()));
  if (crd && level.getCrdWidth())
    words.push_back("crd = " + std::to_string(level.getCrdWidth()));
  printer << level.getName();
  if (!words.empty())
    printer << "(" << llvm::join(words, ", ") << ")";
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<LevelAttr> level = parseLevel(parser);
  if (failed(level) || parser.parseGreater())
    return {};
  return *level;
}

void LevelAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printLevel(printer, *this);
  printer << ">";
}

// 0: left open.
static bool isWidth(unsigned width) {
  return width == 0 || width == 8 || width == 16 || width == 32 || width == 64;
}

LogicalResult LevelAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                bool unique, bool ordered, int64_t parameter, bool signedCrd,
                                bool aos, unsigned pos, unsigned crd) {
  const LevelTraits *traits = findLevelTraits(name);
  if (!traits)
    return emitError() << "unknown level format '" << name << "'; valid level formats are "
                       << llvm::join(levelNames(), ", ");
  if (!unique && !traits->canBeNonunique)
    return emitError() << "a level that is " << name << " cannot be nonunique";
  if (!ordered && !traits->canBeUnordered)
    return emitError() << "a level that is " << name << " cannot be unordered";
  if (aos && !(traits->interleaves && !traits->defaults.branchless))
    return emitError() << "a level that is " << name
                       << " cannot be aos: it has no coordinates among which those of levels below "
                          "could lie";
  if (traits->parameter.empty() && parameter != 0)
    return emitError() << "a level that is " << name << " takes no number";
  if (!traits->parameter.empty() && (parameter <= 0 || parameter > greatestOfLevel))
    return emitError() << "a level that is " << name << " needs a number from 1 to "
                       << greatestOfLevel << ": its " << traits->parameter;
  for (unsigned width : {pos, crd})
    if (!isWidth(width))
      return emitError() << "positions and coordinates have 8, 16, 32 or 64 bits, not " << width;
  if (pos && !storesPositions(name))
    return emitError() << "a level that is " << name << " stores no positions";
  if ((crd || signedCrd) && !storesCoordinates(name))
    return emitError() << "a level that is " << name << " stores no coordinates";
  return success();
}

LevelAttr LevelAttr::withWidths(unsigned pos, unsigned crd) const {
  return LevelAttr::get(getContext(), getName(), getUnique(), getOrdered(), getParameter(),
                        getSignedCrd(), getAos(), storesPositions(getName()) ? pos : 0,
                        storesCoordinates(getName()) ? crd : 0);
}

LevelAttr LevelAttr::withOpenWidths(unsigned pos, unsigned crd) const {
  return withWidths(getPosWidth() ? getPosWidth() : pos, getCrdWidth() ? getCrdWidth() : crd);
}

LevelAttr LevelAttr::withSignedCrd() const {
  return LevelAttr::get(getContext(), getName(), getUnique(), getOrdered(), getParameter(), true,
                        getAos(), getPosWidth(), getCrdWidth());
}

// The levels whose coordinates lie in the buffer of `leader`, which may be its alone.
static SmallVector<unsigned> levelsIn(unsigned leader, ArrayRef<LevelAttr> levels) {
  SmallVector<unsigned> chain{leader};
  for (unsigned lvl = leader + 1; levels[leader].getAos() && lvl < levels.size(); ++lvl) {
    const LevelTraits &traits = *findLevelTraits(levels[lvl].getName());
    if (traits.interleaves && traits.defaults.branchless)
      chain.push_back(lvl);
    else if (!traits.computed)
      break;
  }
  return chain;
}

void shareWidths(MutableArrayRef<LevelAttr> levels) {
  for (unsigned leader = 0; leader < levels.size(); ++leader) {
    SmallVector<unsigned> chain = levelsIn(leader, levels);
    unsigned stated = 0;
    for (unsigned lvl : chain)
      stated = stated ? stated : levels[lvl].getCrdWidth();
    for (unsigned lvl : ArrayRef(chain).drop_front(chain.size() == 1))
      levels[lvl] = levels[lvl].withOpenWidths(0, stated);
  }
}

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

// (i, j sorted, k sorted(64), ...)
static ParseResult parseNames(AsmParser &parser,
                              SmallVectorImpl<std::pair<StringRef, AffineExpr>> &names,
                              SmallVectorImpl<int64_t> &windows) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    names.push_back({name, getAffineDimExpr(names.size(), parser.getContext())});
    windows.push_back(0);
    if (failed(parser.parseOptionalKeyword("sorted")))
      return success();
    windows.back() = FormatAttr::whole;
    if (failed(parser.parseOptionalLParen()))
      return success();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(windows.back()) || parser.parseRParen())
      return failure();
    return windows.back() > 0 ? success() : parser.emitError(loc, "a window is above 0");
  });
}

// slot(EXPR, ...) or EXPR
static ParseResult parseCoordinate(AsmParser &parser,
                                   ArrayRef<std::pair<StringRef, AffineExpr>> names,
                                   AffineExpr &result) {
  if (failed(parser.parseOptionalKeyword("slot")))
    return parser.parseAffineExpr(names, result);
  SmallVector<AffineExpr> counted;
  auto one = [&] { return parser.parseAffineExpr(names, counted.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, one))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  for (AffineExpr expr : counted)
    if (expr.isSymbolicOrConstant())
      return parser.emitError(loc, "a slot counts what depends on a dimension");
  result = slotOf(counted, parser.getContext());
  return result ? success() : parser.emitError(loc, "a slot counts something");
}

// The fill as the constant that stands for it.
static Attribute asFill(Attribute fill) {
  auto value = dyn_cast_or_null<TypedAttr>(fill);
  return value ? Attribute(fillConstant(value)) : fill;
}

// , pos = 32, crd = 32, fill = 1.0 : f64
static ParseResult parseOptions(AsmParser &parser, unsigned &pos, unsigned &crd, Attribute &fill) {
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    ParseResult result = key == "pos"    ? parser.parseInteger(pos)
                         : key == "crd"  ? parser.parseInteger(crd)
                         : key == "fill" ? parser.parseAttribute(fill)
                                         : parser.emitError(loc, "expected pos, crd or fill");
    if (result)
      return failure();
  }
  return success();
}

static LogicalResult checkWidth(AsmParser &parser, SMLoc loc, unsigned width) {
  if (isWidth(width))
    return success();
  return parser.emitError(loc) << "positions and coordinates have 8, 16, 32 or 64 bits, not "
                               << width;
}

Attribute FormatAttr::parse(AsmParser &parser, Type) {
  SmallVector<std::pair<StringRef, AffineExpr>> names;
  SmallVector<AffineExpr> exprs;
  SmallVector<LevelAttr> levels;
  SmallVector<int64_t> windows;
  unsigned pos = 0, crd = 0;
  Attribute fill;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    if (parseCoordinate(parser, names, exprs.emplace_back()) || parser.parseColon())
      return failure();
    FailureOr<LevelAttr> parsed = parseLevel(parser);
    if (failed(parsed))
      return failure();
    levels.push_back(*parsed);
    return success();
  };
  if (parser.parseLess() || parseNames(parser, names, windows) || parser.parseArrow() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne) ||
      parseOptions(parser, pos, crd, fill) || parser.parseGreater())
    return {};
  if (failed(checkWidth(parser, loc, pos)) || failed(checkWidth(parser, loc, crd)))
    return {};
  shareWidths(levels);
  for (LevelAttr &level : levels)
    level = level.withOpenWidths(pos, crd);
  AffineMap map = AffineMap::get(names.size(), symbolsIn(exprs), exprs, parser.getContext());
  return FormatAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), map,
                                ArrayRef<LevelAttr>(levels), asFill(fill),
                                llvm::any_of(windows, [](int64_t window) { return window != 0; })
                                    ? ArrayRef<int64_t>(windows)
                                    : ArrayRef<int64_t>());
}

// The width that all levels share that have one of this kind; 0 if they differ or none has one.
static unsigned sharedWidth(ArrayRef<LevelAttr> levels, bool (*stores)(StringRef),
                            unsigned (LevelAttr::*widthOf)() const) {
  std::optional<unsigned> shared;
  for (LevelAttr level : levels) {
    if (!stores(level.getName()))
      continue;
    unsigned width = (level.*widthOf)();
    if (shared.value_or(width) != width)
      return 0;
    shared = width;
  }
  return shared.value_or(0);
}

void FormatAttr::print(AsmPrinter &printer) const {
  unsigned pos = sharedWidth(getLevels(), storesPositions, &LevelAttr::getPosWidth);
  unsigned crd = sharedWidth(getLevels(), storesCoordinates, &LevelAttr::getCrdWidth);
  SmallVector<std::string> names = indexNames(getDimRank());
  SmallVector<std::string> dims(names);
  for (unsigned dim : sortedDims()) {
    int64_t window = getWindows()[dim];
    dims[dim] += window == whole ? " sorted" : " sorted(" + std::to_string(window) + ")";
  }
  printer << "<(" << llvm::join(dims, ", ") << ") -> (";
  llvm::interleaveComma(llvm::seq<unsigned>(0, getLvlRank()), printer, [&](unsigned lvl) {
    printer << exprText(getDimToLvl().getResult(lvl), names) << " : ";
    printLevel(printer, getLevels()[lvl], pos == 0, crd == 0);
  });
  printer << ")";
  if (pos)
    printer << ", pos = " << pos;
  if (crd)
    printer << ", crd = " << crd;
  if (getFill())
    printer << ", fill = " << getFill();
  printer << ">";
}

// A slot numbers the coordinates of one level, and the place of each must be its own.
static LogicalResult verifySlot(llvm::function_ref<InFlightDiagnostic()> emitError, AffineMap map,
                                unsigned lvl, ArrayRef<LevelAttr> levels) {
  int numbered = numberedLevel(map, lvl);
  if (numbered < 0)
    return emitError() << "level " << lvl + 1
                       << " is a slot, and there is nothing below it to count";
  for (AffineExpr counted : countedBy(map.getResult(lvl)))
    if (!determines(map, map.getResults().take_front(numbered), counted))
      return emitError() << "level " << lvl + 1 << " is a slot among what it counts; that must be "
                         << "stored above level " << numbered + 1;
  if (findLevelTraits(levels[lvl].getName())->keepsCoordinates())
    return emitError() << "level " << lvl + 1 << " is a slot, which a level that is "
                       << levels[lvl].getName() << " cannot hold: slots are numbered without gaps";
  if (StringRef below = levels[numbered].getName(); !findLevelTraits(below)->keepsCoordinates())
    return emitError() << "level " << lvl + 1 << " is a slot, which numbers the entries of level "
                       << numbered + 1 << "; a " << below
                       << " level does not say which coordinate an "
                       << "entry has";
  return success();
}

// A level that stores a coordinate for each position above it, and no pads, needs positions that
// all hold something.
static LogicalResult verifySole(llvm::function_ref<InFlightDiagnostic()> emitError, unsigned lvl,
                                ArrayRef<LevelAttr> levels) {
  const LevelTraits &own = *findLevelTraits(levels[lvl].getName());
  if (!own.defaults.branchless || !own.appends)
    return success();
  unsigned above = lvl;
  const LevelTraits *parent = nullptr;
  while (above > 0 && (!parent || parent->computed))
    parent = findLevelTraits(levels[--above].getName());
  if (!parent || (parent->keepsCoordinates() && !parent->pads && !parent->places))
    return success();
  return emitError() << "level " << lvl + 1 << " (" << own.name << ") stores a coordinate for each "
                     << "place above it, and level " << above + 1 << " (" << parent->name
                     << ") has places that hold none";
}

// Coordinates that lie in turns belong to the same positions, and have one width.
static LogicalResult verifyAos(llvm::function_ref<InFlightDiagnostic()> emitError, unsigned lvl,
                               ArrayRef<LevelAttr> levels) {
  if (!levels[lvl].getAos())
    return success();
  SmallVector<unsigned> chain = levelsIn(lvl, levels);
  if (chain.size() == 1)
    return emitError() << "level " << lvl + 1 << " (" << levels[lvl].getName()
                       << ") is aos, and no level below it stores one coordinate for each of its "
                          "own, as a singleton would";
  for (unsigned other : chain)
    if (levels[other].getCrdWidth() != levels[lvl].getCrdWidth())
      return emitError() << "the coordinates of levels " << lvl << " and " << other
                         << " lie in one buffer, and have widths of " << levels[lvl].getCrdWidth()
                         << " and " << levels[other].getCrdWidth() << " bits";
  return success();
}

// Ranks save something only where not every coordinate has a place.
static LogicalResult verifyWindows(llvm::function_ref<InFlightDiagnostic()> emitError,
                                   AffineMap map, ArrayRef<LevelAttr> levels,
                                   ArrayRef<int64_t> windows) {
  if (windows.empty())
    return success();
  bool full = llvm::all_of(
      levels, [](LevelAttr level) { return findLevelTraits(level.getName())->defaults.full; });
  if (full)
    return emitError() << "a dimension is sorted, though every coordinate has a place";
  bool fits = windows.size() == map.getNumDims() &&
              llvm::none_of(windows, [](int64_t window) { return window < 0; });
  return fits ? success() : emitError() << "expected a window for each dimension";
}

// Tells whether there is a place for every coordinate, dimension after dimension, which leaves
// nothing to verify. This is the format that is asked for at each access to a dense tensor.
static bool isPlain(AffineMap map, ArrayRef<LevelAttr> levels, ArrayRef<int64_t> windows) {
  return map.isIdentity() && windows.empty() && !levels.empty() && llvm::all_equal(levels) &&
         findLevelTraits(levels.front().getName())->inFiles == FileLevel::Places;
}

LogicalResult FormatAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, AffineMap map,
                                 ArrayRef<LevelAttr> levels, Attribute, ArrayRef<int64_t> windows) {
  if (map.getNumResults() != levels.size())
    return emitError() << "expected one level for each result of the map";
  if (symbolsIn(map.getResults()) > map.getNumSymbols())
    return emitError() << "the map has a slot that it does not declare";
  if (isPlain(map, levels, windows))
    return success();
  if (failed(verifyWindows(emitError, map, levels, windows)))
    return failure();
  for (unsigned lvl = 0; lvl < levels.size(); ++lvl)
    if (ta::isSlot(map.getResult(lvl)) && failed(verifySlot(emitError, map, lvl, levels)))
      return failure();
  FormatMap relations(map);
  SmallVector<std::string> names = indexNames(map.getNumDims());
  for (auto [dim, value] : llvm::enumerate(relations.inverse))
    if (!value)
      return emitError() << "the levels do not determine dimension '" << names[dim] << "'";
  for (auto [lvl, level] : llvm::enumerate(levels)) {
    const LevelTraits *traits = findLevelTraits(level.getName());
    if (traits->computed && !relations.implied[lvl])
      return emitError() << "level " << lvl + 1 << " (" << level.getName()
                         << ") needs a coordinate that the levels above it determine";
    if (traits->sharesValues && lvl + 1 != levels.size())
      return emitError() << "level " << lvl + 1 << " (" << level.getName()
                         << ") shares values and can only stand at the leaf";
    if (traits->outermost && lvl != 0 && !findLevelTraits(levels[lvl - 1].getName())->outermost)
      return emitError() << "level " << lvl + 1 << " (" << level.getName()
                         << ") can only stand around all others, at the root";
    if (lvl > 0 && traits->iteratesPositions && !traits->defaults.compact && !traits->computed &&
        !levels[lvl - 1].getUnique())
      return emitError() << "level " << lvl + 1 << " (" << level.getName()
                         << ") may have gaps between the coordinates of its parents, and cannot "
                            "stand below a level that is nonunique";
    if (lvl == 0 && traits->defaults.branchless)
      return emitError() << "a level that is " << level.getName() << " needs a level above it";
    if (failed(verifySole(emitError, lvl, levels)) || failed(verifyAos(emitError, lvl, levels)))
      return failure();
  }
  return success();
}

LogicalResult FormatAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                         llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDimRank())
    return emitError() << "a format of " << getDimRank() << " dimensions on a tensor of "
                       << shape.size();
  auto typed = dyn_cast_or_null<TypedAttr>(getFill());
  if (typed && typed.getType() != valueTypeOf(elementType))
    return emitError() << "the fill is " << typed.getType() << ", the elements are " << elementType;
  return success();
}

bool FormatAttr::isList() const {
  for (unsigned lvl = 0; lvl < getLvlRank(); ++lvl) {
    LevelProperties properties = levelProperties(*this, lvl);
    if (!findLevelTraits(getLevels()[lvl].getName())->appends || properties.ordered ||
        properties.unique || properties.branchless != (lvl > 0))
      return false;
  }
  return getLvlRank() > 0;
}

bool FormatAttr::isSlot(unsigned lvl) const { return ta::isSlot(getDimToLvl().getResult(lvl)); }

bool FormatAttr::hasSlots() const { return getDimToLvl().getNumSymbols() > 0; }

// A level that has places for coordinates is padded unless entries are stored below it.
bool FormatAttr::hasPadding() const {
  for (LevelAttr level : llvm::reverse(getLevels())) {
    const LevelTraits &traits = *findLevelTraits(level.getName());
    if (!traits.computed)
      return !traits.keepsCoordinates();
  }
  return false;
}

SmallVector<unsigned> FormatAttr::sortedDims() const {
  SmallVector<unsigned> dims;
  for (auto [dim, window] : llvm::enumerate(getWindows()))
    if (window != 0)
      dims.push_back(dim);
  return dims;
}

bool FormatAttr::isFull() const {
  for (unsigned lvl = 0; lvl < getLvlRank(); ++lvl)
    if (!levelProperties(*this, lvl).full)
      return false;
  return true;
}

bool FormatAttr::isDenseRowMajor() const { return isFull() && getDimToLvl().isIdentity(); }

FormatAttr FormatAttr::withLevels(ArrayRef<LevelAttr> levels) const {
  return FormatAttr::get(getContext(), getDimToLvl(), levels, getFill(), getWindows());
}

FormatAttr FormatAttr::withFill(Attribute fill) const {
  return FormatAttr::get(getContext(), getDimToLvl(), getLevels(), asFill(fill), getWindows());
}

FormatAttr FormatAttr::withWidths(unsigned pos, unsigned crd) const {
  return withLevels(llvm::map_to_vector(
      getLevels(), [&](LevelAttr level) { return level.withWidths(pos, crd); }));
}

FormatAttr FormatAttr::withOpenWidths(unsigned pos, unsigned crd) const {
  return withLevels(llvm::map_to_vector(
      getLevels(), [&](LevelAttr level) { return level.withOpenWidths(pos, crd); }));
}

bool FormatAttr::hasSignedCoordinates(unsigned lvl) const {
  LevelAttr level = getLevels()[lvl];
  return level.getSignedCrd() || findLevelTraits(level.getName())->pads ||
         canBeNegative(getDimToLvl().getResult(lvl));
}

Interleaving FormatAttr::interleaving(unsigned lvl) const {
  for (unsigned leader = 0; leader < lvl; ++leader) {
    SmallVector<unsigned> chain = levelsIn(leader, getLevels());
    if (const auto *own = llvm::find(chain, lvl); own != chain.end())
      return {leader, int64_t(chain.size()), own - chain.begin()};
  }
  return {lvl, int64_t(levelsIn(lvl, getLevels()).size()), 0};
}

SmallVector<unsigned> FormatAttr::givenLevels() const {
  SmallVector<unsigned> given;
  for (auto [lvl, level] : llvm::enumerate(getLevels()))
    if (!findLevelTraits(level.getName())->computed)
      given.push_back(lvl);
  return given;
}

FormatAttr FormatAttr::levelSpace() const {
  SmallVector<LevelAttr> levels;
  // (A slot is a dimension there, and its number is no data.)
  for (unsigned lvl : givenLevels()) {
    LevelAttr level = getLevels()[lvl];
    bool isSigned = storesCoordinates(level.getName()) && hasSignedCoordinates(lvl);
    levels.push_back(isSigned ? level.withSignedCrd() : level);
  }
  return FormatAttr::get(getContext(),
                         AffineMap::getMultiDimIdentityMap(levels.size(), getContext()), levels,
                         getFill());
}

LevelProperties levelProperties(FormatAttr format, unsigned lvl) {
  LevelAttr level = format.getLevels()[lvl];
  LevelProperties properties = findLevelTraits(level.getName())->defaults;
  properties.unique &= level.getUnique();
  properties.ordered &= level.getOrdered();
  return properties;
}

FormatAttr denseFormat(MLIRContext *context, unsigned order) {
  // Levels.def lists one.
  StringRef full = *llvm::find_if(
      levelNames(), [](StringRef name) { return findLevelTraits(name)->defaults.full; });
  SmallVector<LevelAttr> levels(order, LevelAttr::get(context, full, true, true));
  return FormatAttr::get(context, AffineMap::getMultiDimIdentityMap(order, context), levels,
                         Attribute());
}

// The encoding of a piece.
static Attribute storedAs(RankedTensorType type) {
  auto distributed = dyn_cast_or_null<DistributedAttr>(type.getEncoding());
  return distributed ? distributed.getStored() : type.getEncoding();
}

SumAttr sumOf(RankedTensorType type) { return dyn_cast_or_null<SumAttr>(storedAs(type)); }

FormatAttr formatOf(RankedTensorType type) {
  if (auto format = dyn_cast_or_null<FormatAttr>(storedAs(type)))
    return format;
  if (SumAttr sum = sumOf(type))
    return sum.joined();
  return denseFormat(type.getContext(), type.getRank());
}

PlacementAttr placementOf(RankedTensorType type) {
  auto distributed = dyn_cast_or_null<DistributedAttr>(type.getEncoding());
  return distributed ? distributed.getPlacement() : PlacementAttr();
}

static RankedTensorType withEncodings(RankedTensorType type, Attribute stored,
                                      PlacementAttr placement) {
  if (placement)
    stored = DistributedAttr::get(type.getContext(),
                                  stored ? stored : denseFormat(type.getContext(), type.getRank()),
                                  placement);
  else if (auto format = dyn_cast_or_null<FormatAttr>(stored);
           format && format.isDenseRowMajor() && !format.getFill())
    stored = Attribute();
  return RankedTensorType::get(type.getShape(), type.getElementType(), stored);
}

RankedTensorType withFormat(RankedTensorType type, Attribute format) {
  return withEncodings(type, format, placementOf(type));
}

RankedTensorType withPlacement(RankedTensorType type, PlacementAttr placement) {
  return withEncodings(type, storedAs(type), placement);
}

RankedTensorType pieceType(RankedTensorType type) {
  SmallVector<int64_t> sizes(type.getRank(), ShapedType::kDynamic);
  return RankedTensorType::get(sizes, type.getElementType(), withPlacement(type, {}).getEncoding());
}

FormatAttr StorageType::getFormat() const { return formatOf(getTensor()); }

Type StorageType::getElementType() const { return valueTypeOf(getTensor().getElementType()); }

Type valueTypeOf(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer ? IntegerType::get(element.getContext(), integer.getWidth()) : element;
}

TypedAttr fillOf(RankedTensorType type) {
  Builder builder(type.getContext());
  if (auto fill = dyn_cast_or_null<TypedAttr>(formatOf(type).getFill()))
    return fill;
  if (auto complex = dyn_cast<ComplexType>(type.getElementType()))
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(complex, 0.0, 0.0)));
  return builder.getZeroAttr(valueTypeOf(type.getElementType()));
}

} // namespace strata::ta
