// Formats as text.
#include "Formats.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"

namespace strata::test {

using Strings = std::vector<std::string>;

static mlir::MLIRContext *contextOfFormats() {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ta::TaDialect>();
  context.loadDialect<mlir::complex::ComplexDialect>();
  return &context;
}

static std::string variable(unsigned dim) { return std::string(1, static_cast<char>('i' + dim)); }

// "#ta.format<(i, j) -> (LEVELS)>"
static std::string formatText(unsigned order, const Strings &levels) {
  std::string text = "#ta.format<(";
  for (unsigned dim = 0; dim < order; ++dim)
    text += (dim ? ", " : "") + variable(dim);
  text += ") -> (";
  for (size_t at = 0; at < levels.size(); ++at)
    text += (at ? ", " : "") + levels[at];
  return text + ")>";
}

// One level per dimension, `dims[l]` at level l.
static std::string inOrder(const std::vector<unsigned> &dims, const Strings &words) {
  Strings levels;
  for (size_t at = 0; at < words.size(); ++at)
    levels.push_back(variable(dims[at]) + " : " + words[at]);
  return formatText(static_cast<unsigned>(dims.size()), levels);
}

static std::vector<unsigned> ascending(unsigned order) {
  std::vector<unsigned> dims(order);
  for (unsigned dim = 0; dim < order; ++dim)
    dims[dim] = dim;
  return dims;
}

static std::vector<unsigned> descending(unsigned order) {
  std::vector<unsigned> dims = ascending(order);
  std::ranges::reverse(dims);
  return dims;
}

std::vector<NamedFormat> namedFormats(unsigned order) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ta::TaDialect>();
  std::vector<NamedFormat> formats;
  for (llvm::StringRef name : ta::shorthandNames()) {
    std::string why, text;
    mlir::Attribute named = ta::namedFormat(&context, name, order, why);
    auto format = llvm::dyn_cast_if_present<ta::FormatAttr>(named);
    // n places in a group of columns do not hold every matrix.
    if (!named || (format && llvm::any_of(format.getLevels(), [](ta::LevelAttr level) {
                     return level.getParameter() != 0;
                   })))
      continue;
    if (!format || !format.isDenseRowMajor())
      llvm::raw_string_ostream(text) << named;
    formats.push_back({name.str(), text});
  }
  return formats;
}

static const std::string dense = "dense", compressed = "compressed", singleton = "singleton",
                         repeating = "compressed(nonunique)", repeatedOne = "singleton(nonunique)";

static Strings listOf(unsigned order, const std::string &last) {
  Strings words(order, repeatedOne);
  words.front() = repeating;
  words.back() = order == 1 ? (last == singleton ? compressed : repeating) : last;
  return words;
}

// "#ta.sum<[PARTS], limits = [LIMITS]>" of parts by name.
static NamedFormat sumOf(unsigned order, const Strings &parts, const std::string &limits) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ta::TaDialect>();
  NamedFormat sum{"", "#ta.sum<["};
  for (const std::string &part : parts) {
    std::string why, between = sum.name.empty() ? "" : ", ";
    sum.name += (sum.name.empty() ? "" : " + ") + part;
    llvm::raw_string_ostream(sum.text) << between << ta::shorthand(&context, part, order, why);
  }
  sum.text += "], limits = [" + limits + "]>";
  return sum;
}

// Sums of which some parts can tell a stored zero from none and others cannot. (The reference knows
// one or the other of an operand, so that they are drawn for no statement.)
static std::vector<NamedFormat> paddedSums(unsigned order) {
  if (order == 2)
    return {sumOf(2, {"DIA", "CSR"}, "30"), sumOf(2, {"BCSR:2x2", "COO"}, "0"),
            sumOf(2, {"DIA", "JDS", "COO-Unordered"}, "40, 2")};
  if (order > 2)
    return {sumOf(order, {"ModeGeneric", "COO"}, "0")};
  return {};
}

static std::vector<NamedFormat> vectors() {
  return {{"repeating", formatText(1, {"i : compressed(nonunique)"})},
          {"unordered", formatText(1, {"i : compressed(unordered)"})},
          {"repeating, unordered", formatText(1, {"i : compressed(nonunique, unordered)"})},
          {"bitmap", formatText(1, {"i : bitmap"})},
          {"blocked dense", formatText(1, {"i floordiv 3 : dense", "i mod 3 : dense"})},
          {"blocked sparse", formatText(1, {"i floordiv 3 : compressed", "i mod 3 : dense"})},
          {"sparse blocks", formatText(1, {"i floordiv 4 : dense", "i mod 4 : compressed"})},
          {"list, blocked", formatText(1, {"i floordiv 4 : compressed(nonunique)",
                                           "i mod 4 : singleton(nonunique)"})}};
}

static std::vector<NamedFormat> matrices() {
  std::vector<NamedFormat> formats = {
      {"dense rows of entries", inOrder({0, 1}, {compressed, dense})},
      {"dense columns of entries", inOrder({1, 0}, {compressed, dense})},
      {"CSR, unordered", inOrder({0, 1}, {dense, "compressed(unordered)"})},
      {"CSR, repeating", inOrder({0, 1}, {dense, repeating})},
      {"CSR, repeating, unordered", inOrder({0, 1}, {dense, "compressed(nonunique, unordered)"})},
      {"bitmap of rows", inOrder({0, 1}, {"bitmap", compressed})},
      {"rows of bitmaps", inOrder({0, 1}, {compressed, "bitmap"})},
      {"blocks with bitmaps", formatText(2, {"i floordiv 2 : dense", "j floordiv 3 : compressed",
                                             "i mod 2 : dense", "j mod 3 : bitmap"})},
      {"COO, repeating", inOrder({0, 1}, {repeating, "singleton(nonunique)"})},
      {"COO, unordered",
       inOrder({0, 1}, {"compressed(nonunique, unordered)", "singleton(unordered)"})},
      {"COO, repeating, unordered",
       inOrder({0, 1}, {"compressed(nonunique, unordered)", "singleton(nonunique, unordered)"})},
      {"COO by columns, structs, unordered",
       inOrder({1, 0}, {"compressed(nonunique, unordered, aos)", "singleton(unordered)"})},
      {"blocks of structs",
       formatText(2, {"i floordiv 3 : dense", "j floordiv 3 : compressed",
                      "i mod 3 : compressed(nonunique, aos)", "j mod 3 : singleton"})},
      {"tiles", formatText(2, {"i floordiv 2 : dense", "j floordiv 3 : dense", "i mod 2 : dense",
                               "j mod 3 : dense"})},
      {"BCSR 2x3", formatText(2, {"i floordiv 2 : dense", "j floordiv 3 : compressed",
                                  "i mod 2 : dense", "j mod 3 : dense"})},
      {"BCSC 3x2", formatText(2, {"j floordiv 2 : dense", "i floordiv 3 : compressed",
                                  "i mod 3 : dense", "j mod 2 : dense"})},
      {"BCSR, columns in blocks",
       formatText(2, {"i floordiv 3 : dense", "j floordiv 2 : compressed", "j mod 2 : dense",
                      "i mod 3 : dense"})},
      {"blocks doubly compressed",
       formatText(2, {"i floordiv 3 : compressed", "j floordiv 4 : compressed", "i mod 3 : dense",
                      "j mod 4 : dense"})},
      {"blocks of entries", formatText(2, {"i floordiv 3 : dense", "j floordiv 3 : compressed",
                                           "i mod 3 : compressed", "j mod 3 : compressed"})},
      {"COO, blocked",
       formatText(2, {"i floordiv 3 : compressed(nonunique)", "j floordiv 2 : singleton(nonunique)",
                      "i mod 3 : singleton(nonunique)", "j mod 2 : singleton"})},
      {"blocks of columns",
       formatText(2, {"i : dense", "j floordiv 3 : compressed", "j mod 3 : dense"})},
      {"DIA by columns", formatText(2, {"j - i : compressed", "j : range", "i : offset"})},
      {"antidiagonals", formatText(2, {"i + j : compressed", "i : range", "j : offset"})},
      {"SELL, rows sorted",
       "#ta.format<(i sorted(8), j) -> (i floordiv 4 : dense, slot(i) : ragged, i mod 4 : dense, "
       "j : padded)>"},
      {"CSR, rows sorted", "#ta.format<(i sorted, j) -> (i : dense, j : compressed)>"},
      {"DCSC, both sorted",
       "#ta.format<(i sorted(3), j sorted) -> (j : compressed, i : compressed)>"},
      {"rows with room", formatText(2, {"i : dense", "j : loose_compressed"})},
      {"loose in both", formatText(2, {"j : loose_compressed", "i : loose_compressed"})},
      {"all diagonals", formatText(2, {"j - i : dense", "i : range", "j : offset"})},
      sumOf(2, {"ELL", "CSC"}, "1"),
      sumOf(2, {"NM:1x4", "DCSR"}, "0")};
  return formats;
}

static std::vector<NamedFormat> others(unsigned order) {
  std::vector<unsigned> up = ascending(order), turned = up;
  std::ranges::rotate(turned, turned.begin() + 1);
  Strings denseFirst(order, compressed), denseLast(order, compressed), mixed(order, compressed),
      denseOuter(order, dense);
  denseFirst.front() = dense;
  denseLast.back() = dense;
  mixed[1] = dense;
  denseOuter.back() = compressed;
  Strings rows = listOf(order, singleton);
  rows[0] = dense;
  rows[1] = repeating;
  rows.back() = order > 2 ? singleton : compressed;
  Strings structs = rows;
  if (order > 2)
    structs[1] = "compressed(nonunique, aos)";
  return {{"dense, then compressed", inOrder(up, denseFirst)},
          {"compressed, then dense", inOrder(up, denseLast)},
          {"compressed around dense", inOrder(up, mixed)},
          {"dense, then one compressed", inOrder(up, denseOuter)},
          {"rows of COO", inOrder(up, rows)},
          {"rows of structs", inOrder(up, structs)},
          {"COO, repeating", inOrder(up, listOf(order, repeatedOne))},
          {"CSF, turned", inOrder(turned, Strings(order, compressed))},
          {"dense, turned", inOrder(turned, Strings(order, dense))},
          {"mixed, turned", inOrder(turned, mixed)}};
}

std::vector<NamedFormat> otherFormats(unsigned order) {
  if (order == 0)
    return {};
  std::vector<NamedFormat> formats;
  if (order > 1) {
    std::vector<unsigned> down = descending(order);
    formats = {{"Dense, columns first", inOrder(down, Strings(order, dense))},
               {"COO, columns first", inOrder(down, listOf(order, singleton))}};
  }
  if (order > 2)
    formats.push_back({"CSF, reversed", inOrder(descending(order), Strings(order, compressed))});
  for (NamedFormat &format : order == 1 ? vectors() : order == 2 ? matrices() : others(order))
    formats.push_back(std::move(format));
  return formats;
}

std::vector<NamedFormat> allFormats(unsigned order) {
  std::vector<NamedFormat> formats = namedFormats(order);
  for (NamedFormat &format : otherFormats(order))
    formats.push_back(std::move(format));
  for (NamedFormat &format : paddedSums(order))
    formats.push_back(std::move(format));
  return formats;
}

NamedFormat selectorFormat(unsigned order) {
  Strings words(order, dense);
  words.back() = order == 1 ? compressed : singleton;
  if (order > 1)
    words[order - 2] = compressed;
  return {"selector", inOrder(ascending(order), words)};
}

NamedFormat listFormat(unsigned order) {
  return {"list", inOrder(ascending(order), listOf(order, singleton))};
}

NamedFormat levelsFormat(const std::vector<unsigned> &dims, const Strings &words) {
  return {"levels drawn", inOrder(dims, words)};
}

NamedFormat blockFormat(Random &random, unsigned order, int64_t size, bool turned) {
  std::vector<unsigned> dims = ascending(order);
  if (turned)
    random.shuffle(dims);
  Strings levels;
  for (unsigned at = 0; at < order; ++at)
    levels.push_back(variable(dims[at]) + " floordiv " + std::to_string(size) + " : " +
                     (random.chance(at == 0 ? 85 : 12) ? dense : compressed));
  if (random.chance(25))
    random.shuffle(dims);
  for (unsigned dim : dims)
    levels.push_back(variable(dim) + " mod " + std::to_string(size) + " : " + dense);
  return {"dense blocks", formatText(order, levels)};
}

// Levels one by one: what may follow what is that a singleton needs a parent that repeats.
static NamedFormat drawLevels(Random &random, unsigned order) {
  std::vector<unsigned> dims = ascending(order);
  if (random.chance(60))
    random.shuffle(dims);
  Strings words;
  bool repeats = false;
  for (unsigned at = 0; at < order; ++at) {
    bool last = at + 1 == order;
    if (repeats) {
      repeats = !last && random.chance(50);
      words.push_back(repeats ? repeatedOne : singleton);
      continue;
    }
    repeats = !last && random.chance(25);
    words.push_back(repeats ? repeating : random.chance(40) ? dense : compressed);
  }
  return levelsFormat(dims, words);
}

//===------------------------------------------------------------------------------------------===//
// Stacks of any levels over any map
//===------------------------------------------------------------------------------------------===//

// What a dimension contributes to a map: itself, or its digits.
static void drawDigits(Random &random, unsigned dim, Strings &coordinates) {
  std::string name = variable(dim);
  switch (random.weighted({50, 35, 15})) {
  case 0:
    coordinates.push_back(name);
    return;
  case 1: {
    std::string size = std::to_string(random.between(2, 4));
    coordinates.push_back(name + " floordiv " + size);
    coordinates.push_back(name + " mod " + size);
    return;
  }
  default: {
    int64_t fine = random.between(2, 3), coarse = random.between(2, 3);
    coordinates.push_back(name + " floordiv " + std::to_string(fine * coarse));
    coordinates.push_back("(" + name + " floordiv " + std::to_string(fine) + ") mod " +
                          std::to_string(coarse));
    coordinates.push_back(name + " mod " + std::to_string(fine));
  }
  }
}

// Coordinates that determine all dimensions, in any order.
static Strings drawMap(Random &random, unsigned order) {
  Strings coordinates;
  for (unsigned dim = 0; dim < order; ++dim)
    drawDigits(random, dim, coordinates);
  // One dimension by its distance from another, or from twice another.
  if (order > 1 && random.chance(30)) {
    unsigned one = random.below(order), other = (one + 1) % order;
    auto plain = std::ranges::find(coordinates, variable(one));
    if (plain != coordinates.end()) {
      std::string factor = random.pick({"", "", "2 * "});
      *plain = variable(one) + random.pick({" - ", " + "}) + factor + variable(other);
      if (random.chance(50)) // the dimension follows from the two
        coordinates.push_back(variable(one));
    }
  }
  random.shuffle(coordinates);
  return coordinates;
}

// A level as the registry has it, with those of its properties given up that can be.
static std::string drawLevel(Random &random) {
  llvm::StringRef name = random.chance(50) ? llvm::StringRef(random.pick({"dense", "compressed"}))
                                           : random.pick(levelNames().vec());
  const LevelTraits &traits = *findLevelTraits(name);
  Strings words;
  if (!traits.parameter.empty())
    words.push_back(std::to_string(random.between(1, 4)));
  if (traits.canBeNonunique && random.chance(25))
    words.push_back("nonunique");
  if (traits.canBeUnordered && traits.defaults.ordered && random.chance(15))
    words.push_back("unordered");
  std::string text = name.str();
  for (size_t at = 0; at < words.size(); ++at)
    text += (at ? ", " : "(") + words[at];
  return text + (words.empty() ? "" : ")");
}

// The stack of levels if they may stand so and hold every tensor.
static std::optional<NamedFormat> drawStack(Random &random, unsigned order) {
  Strings levels, coordinates = drawMap(random, order);
  if (order > 1 && random.chance(15)) { // what is stored with the same coordinate is numbered
    auto at = random.below(static_cast<int64_t>(coordinates.size()));
    std::string counted = random.pick(coordinates);
    coordinates.insert(coordinates.begin() + at, "slot(" + counted + ")");
  }
  for (const std::string &coordinate : coordinates)
    levels.push_back(coordinate + " : " + drawLevel(random));
  NamedFormat format{"stack drawn", formatText(order, levels)};
  mlir::ScopedDiagnosticHandler silent(contextOfFormats(), [](mlir::Diagnostic &) {});
  auto parsed =
      llvm::dyn_cast_or_null<ta::FormatAttr>(parseFormat(contextOfFormats(), format, order));
  if (!parsed || ta::mayLackRoom(parsed))
    return std::nullopt;
  return format;
}

NamedFormat drawAnyStack(Random &random, unsigned order) {
  for (int tries = 0; tries < 200; ++tries)
    if (std::optional<NamedFormat> stack = drawStack(random, order))
      return *stack;
  return drawLevels(random, order);
}

NamedFormat drawFormat(Random &random, unsigned order) {
  static std::vector<std::vector<NamedFormat>> named, other;
  for (auto upTo = static_cast<unsigned>(named.size()); upTo <= order; ++upTo) {
    named.push_back(namedFormats(upTo));
    other.push_back(otherFormats(upTo));
  }
  if (order == 0)
    return {"scalar", ""};
  if (random.chance(10))
    return drawAnyStack(random, order);
  NamedFormat format = random.chance(55)                 ? random.pick(named[order])
                       : random.chance(70) || order == 1 ? random.pick(other[order])
                                                         : drawLevels(random, order);
  if (!format.text.empty() && random.chance(15))
    return withWidths(format, random.pick({0u, 32u, 64u}), random.pick({0u, 32u, 64u}));
  return format;
}

NamedFormat withWidths(const NamedFormat &format, unsigned pos, unsigned crd) {
  if (format.text.empty())
    return format;
  NamedFormat result = format;
  result.text.pop_back();
  if (pos)
    result.text += ", pos = " + std::to_string(pos);
  if (crd)
    result.text += ", crd = " + std::to_string(crd);
  result.text += ">";
  return result;
}

mlir::Attribute parseFormat(mlir::MLIRContext *context, const NamedFormat &format, unsigned order) {
  if (format.text.empty())
    return ta::denseFormat(context, order);
  mlir::Attribute parsed = mlir::parseAttribute(format.text, context);
  return llvm::isa_and_present<ta::FormatAttr, ta::SumAttr>(parsed) ? parsed : mlir::Attribute();
}

NamedFormat withFill(const NamedFormat &format, unsigned order, const std::string &fill) {
  mlir::MLIRContext *context = contextOfFormats();
  mlir::Attribute parsed = parseFormat(context, format, order),
                  value = mlir::parseAttribute(fill, context);
  NamedFormat result{format.name, ""};
  llvm::raw_string_ostream text(result.text);
  if (auto sum = llvm::dyn_cast<ta::SumAttr>(parsed))
    text << sum.withFill(value);
  else
    text << llvm::cast<ta::FormatAttr>(parsed).withFill(value);
  return result;
}

bool hasPadding(const NamedFormat &format, unsigned order) {
  mlir::Attribute parsed = parseFormat(contextOfFormats(), format, order);
  if (auto sum = llvm::dyn_cast_or_null<ta::SumAttr>(parsed))
    return sum.hasPadding();
  auto one = llvm::dyn_cast_or_null<ta::FormatAttr>(parsed);
  return one && !one.isFull() && one.hasPadding();
}

// The last level that is not computed: it says what the values are of.
static const LevelTraits *leafOf(ta::FormatAttr format) {
  for (unsigned lvl = format.getLvlRank(); lvl-- > 0;) {
    const LevelTraits *traits = findLevelTraits(format.getLevels()[lvl].getName());
    if (!traits->computed)
      return traits;
  }
  return nullptr;
}

// All parts of a sum, or the one format.
static llvm::SmallVector<ta::FormatAttr> partsOf(mlir::RankedTensorType type) {
  if (ta::SumAttr sum = ta::sumOf(type))
    return llvm::to_vector(sum.getParts());
  return {ta::formatOf(type)};
}

static bool keepsZeros(ta::FormatAttr format) {
  const LevelTraits *leaf = leafOf(format);
  return leaf && leaf->keepsCoordinates();
}

static bool storesEntriesOnly(ta::FormatAttr format) {
  return keepsZeros(format) && !leafOf(format)->places && !leafOf(format)->sharesValues &&
         llvm::none_of(format.getLevels(),
                       [](ta::LevelAttr level) { return findLevelTraits(level.getName())->pads; });
}

bool keepsZeros(mlir::RankedTensorType type) {
  return llvm::all_of(partsOf(type), [](ta::FormatAttr part) { return keepsZeros(part); });
}

bool storesEntriesOnly(mlir::RankedTensorType type) {
  return llvm::all_of(partsOf(type), [](ta::FormatAttr part) { return storesEntriesOnly(part); });
}

} // namespace strata::test
