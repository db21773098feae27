// Sums of storages: text, verification, names.
#include "strata/dialect/ta/Sums.h"

#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/FormatNames.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Placements.h"
#include "strata/dialect/ta/Shorthands.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::ta {

//===------------------------------------------------------------------------------------------===//
// What a part takes
//===------------------------------------------------------------------------------------------===//

static const LevelTraits &traitsOf(FormatAttr format, unsigned lvl) {
  return *findLevelTraits(format.getLevels()[lvl].getName());
}

unsigned firstOfGroup(FormatAttr part) {
  unsigned first = part.getLvlRank();
  while (first > 0 && !traitsOf(part, first - 1).keepsCoordinates())
    --first;
  return first;
}

std::optional<Division> divisionOf(FormatAttr part) {
  auto levels = llvm::seq<unsigned>(0, part.getLvlRank());
  auto slots = llvm::count_if(levels, [&](unsigned lvl) { return part.isSlot(lvl); });
  if (slots > 0)
    return slots == 1 ? std::optional(Division::Slots) : std::nullopt;
  if (llvm::any_of(levels, [&](unsigned lvl) { return traitsOf(part, lvl).pads; }))
    return Division::Room;
  bool group = false;
  for (unsigned lvl = firstOfGroup(part); lvl < part.getLvlRank(); ++lvl) {
    if (!traitsOf(part, lvl).places && !traitsOf(part, lvl).computed)
      return std::nullopt; // how many places it has depends on the entries
    group |= traitsOf(part, lvl).places;
  }
  return group && firstOfGroup(part) > 0 ? std::optional(Division::Share) : std::nullopt;
}

//===------------------------------------------------------------------------------------------===//
// The attribute
//===------------------------------------------------------------------------------------------===//

Attribute SumAttr::parse(AsmParser &parser, Type) {
  SmallVector<FormatAttr> parts;
  SmallVector<int64_t> limits;
  unsigned pos = 0, crd = 0;
  SMLoc loc = parser.getCurrentLocation();
  auto part = [&] { return parser.parseAttribute(parts.emplace_back()); };
  auto limit = [&] { return parser.parseInteger(limits.emplace_back()); };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, part))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    ParseResult result = key == "limits"
                             ? parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, limit)
                         : key == "pos" ? parser.parseInteger(pos)
                         : key == "crd" ? parser.parseInteger(crd)
                                        : parser.emitError(at, "expected limits, pos or crd");
    if (result)
      return {};
  }
  if (parser.parseGreater())
    return {};
  for (unsigned width : {pos, crd})
    if (width != 0 && width != 8 && width != 16 && width != 32 && width != 64) {
      parser.emitError(loc) << "positions and coordinates have 8, 16, 32 or 64 bits, not " << width;
      return {};
    }
  for (FormatAttr &format : parts)
    format = format.withOpenWidths(pos, crd);
  if (limits.empty() && !parts.empty())
    limits.assign(parts.size() - 1, 0);
  return SumAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                             ArrayRef<FormatAttr>(parts), ArrayRef<int64_t>(limits));
}

void SumAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getParts(), printer, [&](FormatAttr part) { printer << part; });
  printer << "]";
  if (llvm::any_of(getLimits(), [](int64_t limit) { return limit != 0; })) {
    printer << ", limits = [";
    llvm::interleaveComma(getLimits(), printer);
    printer << "]";
  }
  printer << ">";
}

// A part that does not take the rest says what it takes.
static LogicalResult verifyDivision(llvm::function_ref<InFlightDiagnostic()> emitError,
                                    FormatAttr part, int64_t limit) {
  std::optional<Division> division = divisionOf(part);
  if (!division)
    return emitError() << "a part stored as " << formatName(part)
                       << " takes whatever comes: nothing is left for the parts behind it";
  if (limit < 0)
    return emitError() << "the limit of a part is not negative";
  if (*division == Division::Room && limit != 0)
    return emitError() << "a part stored as " << formatName(part)
                       << " takes no limit: its levels have room for so many entries";
  if (*division == Division::Share && limit > 100)
    return emitError() << "the limit of a part stored as " << formatName(part)
                       << " is how many percent of its places hold an entry, at most 100";
  return success();
}

LogicalResult SumAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<FormatAttr> parts, ArrayRef<int64_t> limits) {
  if (parts.size() < 2)
    return emitError() << "a sum has two parts or more";
  if (limits.size() + 1 != parts.size())
    return emitError() << "a sum of " << parts.size() << " parts has a limit for each but the last";
  for (FormatAttr part : parts) {
    if (part.getDimRank() != parts.front().getDimRank())
      return emitError() << "the parts of a sum have the same dimensions";
    if (part.getFill() != parts.front().getFill())
      return emitError() << "the parts of a sum have the same fill";
    if (part.isFull())
      return emitError() << "a part has a place for everything, and so has the sum";
  }
  for (auto [part, limit] : llvm::zip(parts, limits))
    if (failed(verifyDivision(emitError, part, limit)))
      return failure();
  return success();
}

LogicalResult SumAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                      llvm::function_ref<InFlightDiagnostic()> emitError) const {
  return success(llvm::all_of(getParts(), [&](FormatAttr part) {
    return succeeded(part.verifyEncoding(shape, elementType, emitError));
  }));
}

bool SumAttr::hasPadding() const {
  return llvm::any_of(getParts(), [](FormatAttr part) { return part.hasPadding(); });
}

SumAttr SumAttr::withParts(ArrayRef<FormatAttr> parts) const {
  return SumAttr::get(getContext(), parts, getLimits());
}

SumAttr SumAttr::withOpenWidths(unsigned pos, unsigned crd) const {
  return withParts(llvm::map_to_vector(
      getParts(), [&](FormatAttr part) { return part.withOpenWidths(pos, crd); }));
}

SumAttr SumAttr::withFill(Attribute fill) const {
  return withParts(
      llvm::map_to_vector(getParts(), [&](FormatAttr part) { return part.withFill(fill); }));
}

FormatAttr SumAttr::joined() const {
  std::string why;
  return shorthand(getContext(), "CSF", getDimRank(), why).withFill(getFill());
}

//===------------------------------------------------------------------------------------------===//
// Names
//===------------------------------------------------------------------------------------------===//

namespace {

struct SumEntry {
  StringRef name;
  unsigned order;
  std::initializer_list<StringRef> parts;
  StringRef what;
};

const SumEntry sumTable[] = {
    {"HYB",
     2,
     {"ELL", "COO"},
     "ELL of so many entries a row as many rows have, and the rest as COO"},
};

SumAttr make(MLIRContext *context, const SumEntry &entry, int64_t limit) {
  std::string why;
  SmallVector<FormatAttr> parts;
  for (StringRef part : entry.parts)
    parts.push_back(shorthand(context, part, entry.order, why));
  SmallVector<int64_t> limits(parts.size() - 1, 0);
  limits.front() = limit;
  return SumAttr::get(context, parts, limits);
}

// NAME:limit
bool splitLimit(StringRef text, StringRef &name, int64_t &limit) {
  auto [before, last] = text.rsplit(':');
  name = before.rtrim();
  return !last.trim().getAsInteger(10, limit) && limit > 0 && limit <= int64_t(1) << 40;
}

} // namespace

ArrayRef<StringRef> sumNames() {
  static const SmallVector<StringRef> names =
      llvm::map_to_vector(sumTable, [](const SumEntry &entry) { return entry.name; });
  return names;
}

Attribute namedFormat(MLIRContext *context, StringRef text, unsigned order, std::string &why) {
  for (const SumEntry &entry : sumTable) {
    StringRef name = text;
    int64_t limit = 0;
    bool numbered = text.contains(':'), fine = !numbered || splitLimit(text, name, limit);
    if (!name.split(':').first.equals_insensitive(entry.name))
      continue;
    if (order != entry.order)
      why = (entry.name + " is a format for tensors of order " + llvm::utostr(entry.order) +
             ", this one has order " + llvm::utostr(order))
                .str();
    else if (!fine || name.contains(':'))
      why = (entry.name + " takes a number above 0, as " + entry.name + ":4").str();
    else
      return make(context, entry, limit);
    return {};
  }
  return shorthand(context, text, order, why);
}

FormatAttr namedPart(MLIRContext *context, StringRef text, unsigned order, int64_t &limit,
                     std::string &why) {
  limit = 0;
  if (FormatAttr whole = shorthand(context, text, order, why))
    return whole;
  StringRef name;
  std::string whyNot;
  if (!text.contains(':') || !splitLimit(text, name, limit))
    return {};
  FormatAttr part = shorthand(context, name, order, whyNot);
  return part;
}

std::string sumHelp() {
  std::string text;
  for (const SumEntry &entry : sumTable) {
    std::string name = entry.name.str();
    name.resize(16, ' ');
    text += "  " + name + entry.what.str() + "\n";
    text += std::string(18, ' ') + llvm::join(entry.parts, " + ") + "\n";
  }
  return text;
}

std::string partName(FormatAttr part, int64_t limit) {
  std::string name = limit ? numberedName(part) : formatName(part);
  if (StringRef(name).starts_with("("))
    name = "{" + name + "}";
  return limit ? name + ":" + std::to_string(limit) : name;
}

std::string formatName(SumAttr sum) {
  if (sum.getFill())
    return "{" + formatName(sum.withFill({})) + ", fill = " + fillText(sum.getFill()) + "}";
  SumAttr plain = sum.withParts(
      llvm::map_to_vector(sum.getParts(), [](FormatAttr part) { return part.withWidths(0, 0); }));
  for (const SumEntry &entry : sumTable)
    if (int64_t limit = sum.getLimits().front();
        entry.order == sum.getDimRank() && make(sum.getContext(), entry, limit) == plain)
      return entry.name.str() + (limit ? ":" + std::to_string(limit) : "");
  SmallVector<std::string> parts;
  for (auto [at, part] : llvm::enumerate(sum.getParts()))
    parts.push_back(partName(part, at < sum.getLimits().size() ? sum.getLimits()[at] : 0));
  return llvm::join(parts, " + ");
}

std::string formatName(RankedTensorType type) {
  SumAttr sum = sumOf(type);
  std::string name = sum ? formatName(sum) : formatName(formatOf(type));
  if (PlacementAttr placement = placementOf(type))
    name += " on " + placementText(placement, indexNames(unsigned(type.getRank())));
  return name;
}

RankedTensorType withOpenWidths(RankedTensorType type, unsigned positions, unsigned coordinates) {
  if (!type.getEncoding())
    return type;
  if (SumAttr sum = sumOf(type))
    return withFormat(type, sum.withOpenWidths(positions, coordinates));
  return withFormat(type, formatOf(type).withOpenWidths(positions, coordinates));
}

} // namespace strata::ta
