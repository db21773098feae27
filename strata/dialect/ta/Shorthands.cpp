// The table of named formats. The one place outside strata/level/ that spells level formats.
#include "strata/dialect/ta/Shorthands.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/FormatNames.h"
#include "strata/dialect/ta/ShorthandTable.h"
#include "strata/dialect/ta/Sums.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace strata::ta {
namespace {

struct LevelWord {
  StringRef name;
  bool unique = true, ordered = true;
  int64_t parameter = 0;
  bool aos = false;
};

const LevelWord dense{"dense"}, compressed{"compressed"}, singleton{"singleton"};
const LevelWord padded{"padded"};
const LevelWord nonunique{"compressed", false};

// Makes a format; null, and `why` if it is asked for, where a level cannot be or they do not fit
// together.
FormatAttr make(MLIRContext *context, unsigned order, ArrayRef<AffineExpr> exprs,
                ArrayRef<LevelWord> words, ArrayRef<int64_t> windows = {},
                std::string *why = nullptr) {
  std::optional<ScopedDiagnosticHandler> handler;
  if (why)
    handler.emplace(context, [&](Diagnostic &diagnostic) { *why = diagnostic.str(); });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  SmallVector<LevelAttr> levels;
  for (const LevelWord &word : words) {
    bool ordered = word.ordered && findLevelTraits(word.name)->defaults.ordered;
    if (!why && word.parameter > greatestOfLevel)
      return {};
    levels.push_back(LevelAttr::getChecked(emitError, context, word.name, word.unique, ordered,
                                           word.parameter, word.aos));
    if (!levels.back())
      return {};
  }
  return FormatAttr::getChecked(emitError, context,
                                AffineMap::get(order, symbolsIn(exprs), exprs, context),
                                ArrayRef<LevelAttr>(levels), Attribute(), windows);
}

// Makes a format of levels, the first one outermost.
FormatAttr stacked(MLIRContext *context, unsigned order, ArrayRef<AffineExpr> exprs,
                   ArrayRef<LevelWord> words, std::string *why) {
  // In a chain of singletons only the last can be unique: the others repeat with their parents.
  SmallVector<LevelWord> levels(words);
  for (unsigned lvl = 0; lvl + 1 < levels.size(); ++lvl)
    if (levels[lvl].name == singleton.name && levels[lvl + 1].name == singleton.name)
      levels[lvl].unique = false;
  return make(context, order, exprs, levels, {}, why);
}

// The levels in the order of the dimensions.
FormatAttr inOrder(MLIRContext *context, ArrayRef<LevelWord> words, ArrayRef<unsigned> dims,
                   std::string *why = nullptr) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, context));
  return stacked(context, dims.size(), exprs, words, why);
}

// Words for `order` levels: `first`, then `rest` repeated, then `last`.
SmallVector<LevelWord> levelsOf(unsigned order, LevelWord first, LevelWord rest, LevelWord last) {
  SmallVector<LevelWord> words(order, rest);
  if (order > 0)
    words.back() = last;
  if (order > 1)
    words.front() = first;
  return words;
}

FormatAttr coordinates(MLIRContext *context, unsigned order, bool nonuniqueLeaf, bool aos = false) {
  SmallVector<LevelWord> words(order, LevelWord{"singleton", false});
  if (order > 0)
    words.front() = {.name = compressed.name, .unique = false, .aos = aos};
  if (order > 0 && !nonuniqueLeaf)
    words.back().unique = true;
  SmallVector<unsigned> dims = llvm::to_vector(llvm::seq(order));
  return inOrder(context, words, dims);
}

using Numbers = ArrayRef<int64_t>;

FormatAttr blocked(MLIRContext *context, Numbers size) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {i.floorDiv(size[0]), j.floorDiv(size[1]), i % size[0], j % size[1]},
              {dense, compressed, dense, dense});
}

// Blocks by coordinates.
FormatAttr listedBlocks(MLIRContext *context, Numbers size) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {i.floorDiv(size[0]), j.floorDiv(size[1]), i % size[0], j % size[1]},
              {nonunique, singleton, dense, dense});
}

// A grid of blocks, entries by coordinates in each.
FormatAttr sparseBlocks(MLIRContext *context, int64_t size) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {i.floorDiv(size), j.floorDiv(size), i % size, j % size},
              {dense, dense, nonunique, singleton});
}

// Diagonals: the offset of each dimension from the one before it, the first dimension in a range.
FormatAttr diagonals(MLIRContext *context, unsigned order) {
  SmallVector<AffineExpr> exprs;
  SmallVector<LevelWord> words;
  auto dim = [&](unsigned at) { return getAffineDimExpr(at, context); };
  for (unsigned at = 1; at < order; ++at) {
    exprs.push_back(dim(at) - dim(at - 1));
    words.push_back(compressed);
  }
  exprs.push_back(dim(0));
  words.push_back({"range"});
  for (unsigned at = 1; at < order; ++at) {
    exprs.push_back(dim(at));
    words.push_back({"offset"});
  }
  return make(context, order, exprs, words);
}

FormatAttr slotsFirst(MLIRContext *context) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {slotOf(i, context), i, j}, {dense, dense, padded});
}

FormatAttr slotsOfBlocks(MLIRContext *context, Numbers size) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  AffineExpr row = i.floorDiv(size[0]), column = j.floorDiv(size[1]);
  return make(context, 2, {slotOf(row, context), row, column, i % size[0], j % size[1]},
              {dense, dense, padded, dense, dense});
}

FormatAttr jagged(MLIRContext *context) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {slotOf(i, context), i, j}, {dense, {"ragged"}, padded},
              {FormatAttr::whole, 0});
}

FormatAttr unorderedCoordinates(MLIRContext *context, unsigned order) {
  SmallVector<LevelWord> words(order, LevelWord{singleton.name, order < 2, false});
  words.front() = {compressed.name, order < 2, false};
  words.back().unique = true;
  return inOrder(context, words, llvm::to_vector(llvm::seq(order)));
}

// Slices of rows, each as wide as its longest row; rows sorted in windows.
FormatAttr sliced(MLIRContext *context, int64_t rows, int64_t window) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {i.floorDiv(rows), slotOf(i, context), i % rows, j},
              {dense, {"ragged"}, dense, padded},
              window > 1 ? ArrayRef<int64_t>({window, 0}) : ArrayRef<int64_t>());
}

// At most n entries in each group of m columns.
FormatAttr structured(MLIRContext *context, int64_t n, int64_t m) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {i, j.floorDiv(m), j % m}, {dense, dense, {"structured", true, true, n}});
}

// All dimensions dense but the last.
FormatAttr denseAround(MLIRContext *context, unsigned order, LevelWord last) {
  return inOrder(context, levelsOf(order, dense, dense, last), llvm::to_vector(llvm::seq(order)));
}

using Context = MLIRContext *;
SmallVector<unsigned> ascending(unsigned order) { return llvm::to_vector(llvm::seq(order)); }

const Shorthand table[] = {
    {"Dense",
     0,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return denseFormat(c, n); },
     "a place for every coordinate, the last dimension innermost"},
    {"CSR",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return inOrder(c, {dense, compressed}, {0, 1}); },
     "compressed rows"},
    {"CSC",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return inOrder(c, {dense, compressed}, {1, 0}); },
     "compressed columns"},
    {"DCSR",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return inOrder(c, {compressed, compressed}, {0, 1}); },
     "compressed rows, those that are not empty"},
    {"DCSC",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return inOrder(c, {compressed, compressed}, {1, 0}); },
     "compressed columns, those that are not empty"},
    {"COO",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return coordinates(c, n, false); },
     "a sorted list of coordinates"},
    {"COO-AoS",
     2,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return coordinates(c, n, false, true); },
     "a sorted list of coordinates, those of an entry side by side"},
    {"COO-Duplicates",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return coordinates(c, n, true); },
     "a sorted list in which coordinates may repeat: their values add up"},
    {"COO-Unordered",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return unorderedCoordinates(c, n); },
     "a list of coordinates in any order"},
    {"CSF",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) {
       return inOrder(c, SmallVector<LevelWord>(n, compressed), ascending(n));
     },
     "compressed fibers: a tree of the coordinates that occur"},
    {"ModeGeneric",
     2,
     99,
     {},
     [](Context c, unsigned n, Numbers) {
       return inOrder(c, levelsOf(n, n > 2 ? nonunique : compressed, singleton, dense),
                      ascending(n));
     },
     "a list of coordinates, the last dimension dense: semi-sparse tensors"},
    {"BCSR",
     2,
     2,
     {4, 4},
     [](Context c, unsigned, Numbers n) { return blocked(c, n); },
     "compressed rows of dense blocks"},
    {"BCOO",
     2,
     2,
     {4, 4},
     [](Context c, unsigned, Numbers n) { return listedBlocks(c, n); },
     "a sorted list of dense blocks"},
    {"BELL",
     2,
     2,
     {4, 4},
     [](Context c, unsigned, Numbers n) { return slotsOfBlocks(c, n); },
     "ELL of dense blocks"},
    {"CSB",
     2,
     2,
     {64},
     [](Context c, unsigned, Numbers n) { return sparseBlocks(c, n[0]); },
     "a grid of blocks, in each a list of coordinates"},
    {"DIA",
     2,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return diagonals(c, n); },
     "the diagonals that occur, each dense"},
    {"ELL",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return slotsFirst(c); },
     "as many places in each row as the longest has entries, the rows' first entries first"},
    {"ELLPACK",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return slotsFirst(c); },
     "ELL, by its other name"},
    {"SELL",
     2,
     2,
     {32, 1},
     [](Context c, unsigned, Numbers n) { return sliced(c, n[0], n[1]); },
     "SELL-C-sigma: ELL in slices of C rows, each as wide as its longest row; rows sorted by "
     "length "
     "in windows of sigma",
     ','},
    {"NM",
     2,
     2,
     {2, 4},
     [](Context c, unsigned, Numbers n) { return structured(c, n[0], n[1]); },
     "n:m sparsity: 2 places in each group of 4 columns of a row"},
    {"JDS",
     2,
     2,
     {},
     [](Context c, unsigned, Numbers) { return jagged(c); },
     "jagged diagonals: all rows' first entries, then the second entries of those that have any; "
     "rows sorted by length"},
    {"Bitmap",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return denseAround(c, n, {"bitmap"}); },
     "a place for every coordinate, and whether it is stored"},
    {"Skyline",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return denseAround(c, n, {"band"}); },
     "in each row all from the first entry to the last: variable bands"},
    {"VBL",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return denseAround(c, n, {"block_list"}); },
     "in each row blocks of neighbouring entries, of variable block length"},
    {"RLE",
     1,
     99,
     {},
     [](Context c, unsigned n, Numbers) { return denseAround(c, n, {"run_length"}); },
     "in each row runs of neighbouring entries of one value, each stored once"},
    {"SparseVector",
     1,
     1,
     {},
     [](Context c, unsigned, Numbers) { return inOrder(c, {compressed}, {0}); },
     "a sorted list of coordinates"},
    {"HashVector",
     1,
     1,
     {},
     [](Context c, unsigned, Numbers) { return inOrder(c, {LevelWord{"hashed"}}, {0}); },
     "a table that finds coordinates at once"},
    {"DOK",
     2,
     99,
     {},
     [](Context c, unsigned n, Numbers) {
       return inOrder(c, SmallVector<LevelWord>(n, LevelWord{"hashed"}), ascending(n));
     },
     "tables that find coordinates at once, one for each dimension"},
};

// "BCSR:2x3" is BCSR and 2, 3.
struct Name {
  std::string plain;
  SmallVector<int64_t> numbers;
  bool ok = true;

  explicit Name(StringRef text) {
    auto [word, rest] = text.split(':');
    plain = word.lower();
    llvm::erase_if(plain, [](char c) { return c == '-' || c == '_'; });
    while (!rest.empty()) {
      size_t end = rest.find_first_of("x:,");
      int64_t &number = numbers.emplace_back();
      ok &= !rest.take_front(end).getAsInteger(10, number) && number > 0 && number <= 1 << 20;
      rest = rest.drop_front(end == StringRef::npos ? rest.size() : end + 1);
    }
    ok &= numbers.empty() ? !text.contains(':') : llvm::isDigit(text.back());
  }
};

} // namespace

ArrayRef<Shorthand> shorthands() { return table; }

ArrayRef<StringRef> shorthandNames() {
  static const SmallVector<StringRef> names = [] {
    auto names = llvm::map_to_vector(table, [](const Shorthand &entry) { return entry.name; });
    llvm::append_range(names, sumNames());
    return names;
  }();
  return names;
}

std::string formatHelp() {
  std::string text;
  llvm::raw_string_ostream os(text);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<TaDialect>();
  for (const Shorthand &entry : table) {
    std::string name = entry.name.str();
    for (int64_t number : entry.defaults)
      name += (name == entry.name ? ':' : entry.between) + std::to_string(number);
    os << "  " << llvm::left_justify(name, 16) << entry.what << "\n";
    unsigned order = std::max(entry.minOrder, std::min(entry.maxOrder, 2u));
    FormatAttr format = entry.make(&context, order, entry.defaults);
    std::string levels;
    llvm::raw_string_ostream(levels) << format;
    StringRef inner = levels;
    inner.consume_front("#ta.format<");
    inner.consume_back(">");
    os << std::string(18, ' ') << inner << "\n";
  }
  return text + sumHelp();
}

FormatAttr shorthand(MLIRContext *context, StringRef text, unsigned order, std::string &why) {
  Name name(text);
  for (const Shorthand &entry : table) {
    if (Name(entry.name).plain != name.plain)
      continue;
    if (order < entry.minOrder || order > entry.maxOrder) {
      why = (entry.name + " is a format for tensors of order " + llvm::utostr(entry.minOrder) +
             (entry.maxOrder == entry.minOrder ? "" : " or more") + ", this one has order " +
             llvm::utostr(order))
                .str();
      return {};
    }
    SmallVector<int64_t> numbers(entry.defaults);
    // One number stands for all: BCSR:8 has blocks of 8x8.
    if (name.numbers.size() == 1 && !numbers.empty() && entry.between == 'x')
      numbers.assign(numbers.size(), name.numbers.front());
    else if (name.numbers.size() == numbers.size() || entry.between != 'x')
      llvm::copy(ArrayRef(name.numbers).take_front(numbers.size()), numbers.begin());
    else
      name.ok &= name.numbers.empty();
    name.ok &= name.numbers.size() <= numbers.size();
    if (name.ok) {
      FormatAttr made = entry.make(context, order, numbers);
      if (!made)
        why = (entry.name + ": a level has at most " + llvm::Twine(greatestOfLevel) +
               " places below each parent")
                  .str();
      return made;
    }
    why = numbers.empty()
              ? (entry.name + " takes no numbers").str()
              : (entry.name + " takes " + (numbers.size() == 1 ? "a number" : "numbers") +
                 " from 1 to 2^20, as " + entry.name + ":4" +
                 (numbers.size() > 1 ? llvm::Twine(entry.between) + "4" : llvm::Twine("")))
                    .str();
    return {};
  }
  why = "unknown format '" + text.str() + "'; valid formats are " +
        llvm::join(shorthandNames(), ", ");
  return {};
}

static std::optional<LevelWord> levelOfWord(StringRef word) {
  std::string lower = word.lower();
  if (lower == "d")
    return dense;
  if (lower == "cu" || lower == "c" || word == "s")
    return compressed;
  if (lower == "cn" || lower == "u")
    return nonunique;
  if (word == "S" || lower == "q")
    return singleton;
  if (const LevelTraits *traits = findLevelTraits(lower))
    return LevelWord{traits->name};
  return std::nullopt;
}

FormatAttr fromLevelWords(MLIRContext *context, ArrayRef<StringRef> words, ArrayRef<unsigned> dims,
                          std::string &why) {
  SmallVector<LevelWord> levels;
  SmallVector<AffineExpr> blocks, inside;
  for (auto [at, text] : llvm::enumerate(words)) {
    auto [word, number] = text.split(':');
    std::optional<LevelWord> level = levelOfWord(word);
    if (!level) {
      why = "unknown level '" + word.str() +
            "'; a level is d (dense), s or c (compressed), u (compressed, not unique), "
            "q (singleton), or one of " +
            llvm::join(levelNames(), ", ");
      return {};
    }
    levels.push_back(*level);
    AffineExpr dim = getAffineDimExpr(dims[at % dims.size()], context);
    if (words.size() == dims.size() && number.empty()) {
      blocks.push_back(dim);
      continue;
    }
    bool isInside = words.size() == 2 * dims.size() && at >= dims.size();
    int64_t size = 0;
    if (!isInside && !number.empty()) {
      why = "'" + text.str() +
            "' has a size: sizes stand behind the words of what is inside "
            "blocks, as in {D, CU, D:4, D:4}";
      return {};
    }
    if (!isInside)
      continue;
    if (number.getAsInteger(10, size) || size < 1 || size > 1 << 20) {
      why = "'" + text.str() +
            "' is inside blocks and needs their size in this dimension, from 1 "
            "to 2^20, as in D:4";
      return {};
    }
    blocks.push_back(dim.floorDiv(size));
    inside.push_back(dim % size);
  }
  if (!levels.empty() && levels.front().name == singleton.name) {
    why = "the first level cannot be singleton: it has no level above it";
    return {};
  }
  llvm::append_range(blocks, inside);
  return stacked(context, dims.size(), blocks, levels, &why);
}

FormatAttr coordinateFormat(MLIRContext *context, unsigned order, bool nonuniqueLeaf) {
  return coordinates(context, order, nonuniqueLeaf);
}

FormatAttr sparseFormat(MLIRContext *context, unsigned order) {
  SmallVector<LevelWord> words(order, LevelWord{compressed.name});
  return inOrder(context, words, llvm::to_vector(llvm::seq(order)));
}

FormatAttr rowFormat(MLIRContext *context, ArrayRef<unsigned> dims) {
  SmallVector<LevelWord> words(dims.size(), LevelWord{compressed.name});
  words.front() = LevelWord{dense.name};
  return inOrder(context, words, dims);
}

FormatAttr foundRowFormat(MLIRContext *context, ArrayRef<unsigned> dims) {
  SmallVector<LevelWord> words(dims.size(), LevelWord{compressed.name});
  words.front() = LevelWord{"hashed"};
  return inOrder(context, words, dims);
}

FormatAttr listFormat(MLIRContext *context, unsigned order, Attribute fill) {
  SmallVector<LevelWord> words(order, LevelWord{singleton.name, false, false});
  if (!words.empty())
    words.front() = {compressed.name, false, false};
  FormatAttr list = inOrder(context, words, ascending(order)).withWidths(64, 0);
  return list.withFill(fill);
}

} // namespace strata::ta
