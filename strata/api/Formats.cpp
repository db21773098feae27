// Formats as handles: parsed from text, described array by array.
#include "strata/api/Handles.h"

#include "strata/dialect/ta/FormatNames.h"
#include "strata/dialect/ta/Placements.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/host/Print.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/StoredFormats.h"

#include "llvm/Support/FormatVariadic.h"

#include <charconv>
#include <cmath>

using namespace mlir;
using namespace strata;
using namespace strata::api;

// The first width that a level states, of those that store such a thing; 0 if none does.
static unsigned firstWidth(ArrayRef<ta::FormatAttr> formats,
                           unsigned (ta::LevelAttr::*width)() const) {
  for (ta::FormatAttr format : formats)
    for (ta::LevelAttr level : format.getLevels())
      if ((level.*width)())
        return (level.*width)();
  return 0;
}

// The options that give all these formats the widths that they have; nothing where these differ.
static std::optional<std::string> widthOptions(ArrayRef<ta::FormatAttr> formats) {
  unsigned pos = firstWidth(formats, &ta::LevelAttr::getPosWidth);
  unsigned crd = firstWidth(formats, &ta::LevelAttr::getCrdWidth);
  if (!llvm::all_of(formats, [&](ta::FormatAttr format) {
        return format.withWidths(0, 0).withOpenWidths(pos, crd) == format;
      }))
    return std::nullopt;
  return (pos ? llvm::formatv(", pos = {0}", pos).str() : "") +
         (crd ? llvm::formatv(", crd = {0}", crd).str() : "");
}

// With all digits that tell the number from others: formats are known by their texts.
static std::string exactText(double number) {
  if (!std::isfinite(number))
    return host::numberText(number);
  char text[40];
  const std::to_chars_result end = std::to_chars(std::begin(text), std::end(text), number);
  return std::string(text, end.ptr);
}

static std::string fillOption(RankedTensorType type) {
  if (!hasFill(type))
    return "";
  const std::complex<double> fill = numberOf(type.getElementType(), ta::fillOf(type));
  const std::string real = ", fill = " + exactText(fill.real());
  if (fill.imag() == 0)
    return real;
  return real + (fill.imag() < 0 ? " - " : " + ") + exactText(std::abs(fill.imag())) + "i";
}

static std::string mapText(ta::FormatAttr format) {
  std::string text;
  llvm::raw_string_ostream(text) << format;
  return StringRef(text).drop_front(text.find('<') + 1).drop_back().str();
}

// A sum as programs write it: with options for all parts, or, where widths differ, for each.
static std::string writtenSum(RankedTensorType type, ta::SumAttr sum) {
  std::string fill = fillOption(type);
  sum = sum.withFill({});
  if (std::optional<std::string> widths = widthOptions(sum.getParts())) {
    std::string options = *widths + fill;
    return options.empty() ? ta::formatName(sum) : "{" + ta::formatName(sum) + options + "}";
  }
  SmallVector<std::string> parts;
  for (auto [at, part] : llvm::enumerate(sum.getParts())) {
    int64_t limit = at < sum.getLimits().size() ? sum.getLimits()[at] : 0;
    std::optional<std::string> options = widthOptions(part);
    std::string text = options && options->empty() ? ta::partName(part, limit)
                       : options                   ? "{" + ta::numberedName(part) + *options + "}"
                                                   : "{" + mapText(part) + "}";
    if (limit && !(options && options->empty()))
      text += ":" + std::to_string(limit);
    parts.push_back(std::move(text));
  }
  std::string text = llvm::join(parts, " + ");
  return fill.empty() ? text : "{" + text + fill + "}";
}

// A format as programs write it, without its places, with the map in place of a name if `mapped`.
static std::string writtenFormat(RankedTensorType type, bool mapped) {
  if (ta::SumAttr sum = ta::sumOf(type))
    return writtenSum(type, sum);
  if (type.getRank() == 0)
    return "Dense"; // which has no levels
  ta::FormatAttr format = ta::formatOf(type).withFill({});
  std::optional<std::string> widths = widthOptions(format);
  std::string options = widths.value_or("") + fillOption(type);
  if (widths)
    format = format.withWidths(0, 0);
  std::string text = widths ? ta::formatName(format) : mapText(format);
  bool isMap = StringRef(text).contains("->");
  if (mapped && !isMap) {
    text = mapText(format);
    isMap = true;
  }
  return isMap || !options.empty() ? "{" + text + options + "}" : text;
}

static std::string written(RankedTensorType type, bool mapped) {
  std::string text = writtenFormat(type, mapped);
  ta::PlacementAttr placement = ta::placementOf(type);
  return placement ? text + " on " +
                         ta::placementText(placement, ta::indexNames(unsigned(type.getRank())))
                   : text;
}

// The levels and arrays; a format that is a sum of others has none of its own.
static void describeArrays(FormatFacts &format) {
  if (ta::sumOf(format.type))
    return;
  ta::FormatAttr attribute = ta::formatOf(format.type);
  std::vector<strata_type> types =
      bufferTypes(ta::withFormat(format.type, attribute.withOpenWidths(64, 64)));
  auto add = [&](const char *name, int32_t level, bool open) {
    int32_t type = open ? -1 : int32_t(types[format.arrays.size()]);
    format.arrays.push_back({name, level, type});
  };
  for (auto [number, level] : llvm::enumerate(attribute.getLevels())) {
    format.levels.push_back(level.getName().str());
    for (const BufferSpec &buffer : levelBuffers(attribute, number))
      add(buffer.name.data(), int32_t(number),
          (buffer.kind == BufferKind::Position && !level.getPosWidth()) ||
              (buffer.kind == BufferKind::Coordinate && !level.getCrdWidth()));
  }
  for (size_t sorted = 0; sorted < attribute.sortedDims().size(); ++sorted)
    for (const char *name : {"order", "ranks"})
      add(name, -1, false);
  add("values", -1, false);
  if (attribute.isFull() && format.arrays.size() == 1)
    format.full = storedFormatOf(format.type);
}

namespace strata::api {

RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> sizes) {
  return RankedTensorType::get(sizes, type.getElementType(), type.getEncoding());
}

FormatFacts &factsOf(strata_session &session, RankedTensorType type) {
  RankedTensorType shapeless =
      withShape(type, SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic));
  std::unique_ptr<FormatFacts> &facts = session.formats[shapeless];
  if (!facts) {
    facts = std::make_unique<FormatFacts>(FormatFacts{
        shapeless, written(shapeless, /*mapped=*/false), written(shapeless, /*mapped=*/true)});
    if (ta::PlacementAttr placement = ta::placementOf(shapeless))
      facts->machine = placement.getMachine().str();
    describeArrays(*facts);
  }
  return *facts;
}

Handle<strata_format> formatOf(strata_session &session, RankedTensorType type) {
  return Handle<strata_format>::adopt(new strata_format(session, factsOf(session, type)));
}

unsigned widthFor(ArrayRef<int64_t> sizes, int64_t entries) {
  return llvm::all_of(sizes, [](int64_t size) { return size <= INT32_MAX; }) && entries <= INT32_MAX
             ? 32
             : 64;
}

} // namespace strata::api

strata_error *strata_format_parse(strata_session *session, const char *text, int32_t order,
                                  strata_type type, strata_format **format) {
  Turn turn(session->turn);
  if (strata_type_bytes(type) == 0)
    return makeError(STRATA_ERROR_TYPE, Refusal::Argument,
                     llvm::formatv("{0} is no element type", int(type)).str());
  Type elements = compilerType(&session->context, type);
  frontend::ElementType element = *frontend::findElementType(elementTypeWord(elements));
  if (order < 0 || order > 32)
    return makeError(STRATA_ERROR_SHAPE, runtime::Error::Size,
                     "a tensor has from 0 to 32 dimensions");
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "<format>"),
                                           llvm::SMLoc());
  frontend::Diagnostics diagnostics(sources);
  std::optional<frontend::ast::Format> tree = frontend::parseFormat(id, diagnostics);
  if (!tree || !frontend::checkFormat(*tree, unsigned(order), element, "the tensor",
                                      frontend::TaFormats(&session->context), diagnostics))
    return makeError(STRATA_ERROR_FORMAT, diagnostics);
  if (tree->placement &&
      !frontend::checkPlacement(*tree, unsigned(order), "the tensor", {},
                                frontend::TaFormats(&session->context), diagnostics))
    return makeError(STRATA_ERROR_FORMAT, diagnostics);
  std::string why;
  Attribute attribute =
      frontend::emitFormat(&session->context, *tree, unsigned(order), element, why);
  if (!attribute)
    return makeError(STRATA_ERROR_FORMAT, Refusal::Format, why);
  auto plain = RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic), elements);
  RankedTensorType made = ta::withFormat(plain, attribute);
  if (ta::PlacementAttr placement = frontend::emitPlacement(&session->context, *tree))
    made = ta::withPlacement(made, placement);
  *format = formatOf(*session, made).release();
  return nullptr;
}

strata_error *strata_format_with_widths(const strata_format *format, int32_t positions,
                                        int32_t coordinates, strata_format **result) {
  strata_session &session = *format->session;
  Turn turn(session.turn);
  for (int32_t width : {positions, coordinates})
    if (!llvm::is_contained({0, 8, 16, 32, 64}, width))
      return makeError(STRATA_ERROR_WIDTH, Refusal::Argument,
                       llvm::formatv("{0} is no width of indices", width).str(),
                       "8, 16, 32 or 64 bits, or 0 to leave it open");
  RankedTensorType type =
      ta::withOpenWidths(format->type(), unsigned(positions), unsigned(coordinates));
  *result = formatOf(session, type).release();
  return nullptr;
}

strata_error *strata_format_with_type(const strata_format *format, strata_type type,
                                      strata_format **result) {
  return strata_format_parse(format->session.get(), format->facts->text.c_str(),
                             int32_t(format->type().getRank()), type, result);
}

strata_format *strata_format_retain(strata_format *format) {
  format->retain();
  return format;
}

void strata_format_release(strata_format *format) {
  if (format)
    format->release();
}

int32_t strata_format_order(const strata_format *format) {
  return int32_t(format->type().getRank());
}

strata_type strata_format_type(const strata_format *format) {
  return *runtimeType(format->type().getElementType());
}

const char *strata_format_name(const strata_format *format) { return format->facts->name.c_str(); }
const char *strata_format_text(const strata_format *format) { return format->facts->text.c_str(); }

const char *strata_format_machine(const strata_format *format) {
  const std::string &machine = format->facts->machine;
  return machine.empty() ? nullptr : machine.c_str();
}

int32_t strata_format_equal(const strata_format *one, const strata_format *other) {
  return one->type().getRank() == other->type().getRank() && one->facts->text == other->facts->text;
}

int32_t strata_format_fill(const strata_format *format, double fill[2]) {
  RankedTensorType type = format->type();
  std::complex<double> number = numberOf(type.getElementType(), ta::fillOf(type));
  fill[0] = number.real();
  fill[1] = number.imag();
  return hasFill(type);
}

int32_t strata_format_is_full(const strata_format *format) {
  return !ta::sumOf(format->type()) && ta::formatOf(format->type()).isFull();
}

int32_t strata_format_level_count(const strata_format *format) {
  return int32_t(format->facts->levels.size());
}

const char *strata_format_level(const strata_format *format, int32_t level) {
  return level >= 0 && level < int32_t(format->facts->levels.size())
             ? format->facts->levels[size_t(level)].c_str()
             : nullptr;
}

int32_t strata_format_array_count(const strata_format *format) {
  return int32_t(format->facts->arrays.size());
}

strata_array_role strata_format_array(const strata_format *format, int32_t index) {
  return index >= 0 && index < int32_t(format->facts->arrays.size())
             ? format->facts->arrays[size_t(index)]
             : strata_array_role{"", -1, -1};
}
