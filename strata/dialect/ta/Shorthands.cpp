// The table of named formats. The one place outside strata/level/ that spells level formats.
#include "strata/dialect/ta/Shorthands.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::ta {
namespace {

struct LevelWord {
  StringRef name;
  bool unique = true, ordered = true;
};

const LevelWord dense{"dense"}, compressed{"compressed"}, singleton{"singleton"};
const LevelWord nonunique{"compressed", false};

FormatAttr make(MLIRContext *context, unsigned order, ArrayRef<AffineExpr> exprs,
                ArrayRef<LevelWord> words) {
  SmallVector<LevelAttr> levels;
  for (const LevelWord &word : words) {
    bool ordered = word.ordered && findLevelTraits(word.name)->defaults.ordered;
    levels.push_back(LevelAttr::get(context, word.name, word.unique, ordered));
  }
  return FormatAttr::get(context, AffineMap::get(order, 0, exprs, context), levels, 0, 0,
                         Attribute());
}

FormatAttr inOrder(MLIRContext *context, ArrayRef<LevelWord> words, ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, context));
  // In a chain of singletons only the last can be unique: the others repeat with their parents.
  SmallVector<LevelWord> levels(words);
  for (unsigned lvl = 0; lvl + 1 < levels.size(); ++lvl)
    if (levels[lvl].name == singleton.name && levels[lvl + 1].name == singleton.name)
      levels[lvl].unique = false;
  return make(context, dims.size(), exprs, levels);
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

FormatAttr coordinates(MLIRContext *context, unsigned order, bool nonuniqueLeaf) {
  SmallVector<LevelWord> words(order, LevelWord{"singleton", false});
  if (order > 0)
    words.front() = nonunique;
  if (order > 0 && !nonuniqueLeaf)
    words.back().unique = true;
  SmallVector<unsigned> dims = llvm::to_vector(llvm::seq(order));
  return inOrder(context, words, dims);
}

FormatAttr blocked(MLIRContext *context, int64_t size) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {i.floorDiv(size), j.floorDiv(size), i % size, j % size},
              {dense, compressed, dense, dense});
}

FormatAttr diagonal(MLIRContext *context) {
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  return make(context, 2, {j - i, i, j}, {compressed, {"range"}, {"offset"}});
}

struct Entry {
  StringRef name;
  unsigned minOrder, maxOrder;
  FormatAttr (*make)(MLIRContext *, unsigned order);
};

using Context = MLIRContext *;
SmallVector<unsigned> ascending(unsigned order) { return llvm::to_vector(llvm::seq(order)); }

const Entry table[] = {
    {"Dense", 0, 99, [](Context c, unsigned n) { return denseFormat(c, n); }},
    {"CSR", 2, 2, [](Context c, unsigned) { return inOrder(c, {dense, compressed}, {0, 1}); }},
    {"CSC", 2, 2, [](Context c, unsigned) { return inOrder(c, {dense, compressed}, {1, 0}); }},
    {"DCSR", 2, 2,
     [](Context c, unsigned) { return inOrder(c, {compressed, compressed}, {0, 1}); }},
    {"DCSC", 2, 2,
     [](Context c, unsigned) { return inOrder(c, {compressed, compressed}, {1, 0}); }},
    {"COO", 1, 99, [](Context c, unsigned n) { return coordinates(c, n, false); }},
    {"CSF", 1, 99,
     [](Context c, unsigned n) {
       return inOrder(c, SmallVector<LevelWord>(n, compressed), ascending(n));
     }},
    {"ModeGeneric", 2, 99,
     [](Context c, unsigned n) {
       return inOrder(c, levelsOf(n, n > 2 ? nonunique : compressed, singleton, dense),
                      ascending(n));
     }},
    {"BCSR", 2, 2, [](Context c, unsigned) { return blocked(c, 4); }},
    {"DIA", 2, 2, [](Context c, unsigned) { return diagonal(c); }},
    {"SparseVector", 1, 1, [](Context c, unsigned) { return inOrder(c, {compressed}, {0}); }},
    {"HashVector", 1, 1,
     [](Context c, unsigned) { return inOrder(c, {LevelWord{"hashed"}}, {0}); }},
};

std::string plain(StringRef name) {
  std::string text = name.lower();
  llvm::erase_if(text, [](char c) { return c == '-' || c == '_'; });
  return text;
}

} // namespace

ArrayRef<StringRef> shorthandNames() {
  static const SmallVector<StringRef> names =
      llvm::map_to_vector(table, [](const Entry &entry) { return entry.name; });
  return names;
}

FormatAttr shorthand(MLIRContext *context, StringRef name, unsigned order, std::string &why) {
  for (const Entry &entry : table) {
    if (plain(entry.name) != plain(name))
      continue;
    if (order >= entry.minOrder && order <= entry.maxOrder)
      return entry.make(context, order);
    why = (entry.name + " is a format for tensors of order " + llvm::utostr(entry.minOrder) +
           (entry.maxOrder == entry.minOrder ? "" : " or more") + ", this one has order " +
           llvm::utostr(order))
              .str();
    return {};
  }
  why = "unknown format '" + name.str() + "'; there are " + llvm::join(shorthandNames(), ", ");
  return {};
}

FormatAttr fromLevelWords(MLIRContext *context, ArrayRef<StringRef> words, ArrayRef<unsigned> dims,
                          std::string &why) {
  SmallVector<LevelWord> levels;
  for (StringRef word : words) {
    std::string lower = word.lower();
    if (lower == "d")
      levels.push_back(dense);
    else if (lower == "cu" || lower == "c" || (lower == "s" && word == "s"))
      levels.push_back(compressed);
    else if (lower == "cn" || lower == "u")
      levels.push_back(nonunique);
    else if (word == "S" || lower == "q")
      levels.push_back(singleton);
    else if (const LevelTraits *traits = findLevelTraits(lower))
      levels.push_back({traits->name});
    else {
      why = "unknown level '" + word.str() +
            "'; a level is d (dense), s or c (compressed), u (compressed, not unique), "
            "q (singleton), or one of " +
            llvm::join(levelNames(), ", ");
      return {};
    }
  }
  if (!levels.empty() && levels.front().name == singleton.name) {
    why = "the first level cannot be singleton: it has no level above it";
    return {};
  }
  return inOrder(context, levels, dims);
}

std::string formatName(FormatAttr format) {
  FormatAttr plainFormat = format.withWidths(0, 0);
  unsigned order = format.getDimRank();
  const Entry *found = nullptr; // a name for this order alone says more than one for any order
  for (const Entry &entry : table)
    if (order >= entry.minOrder && order <= entry.maxOrder &&
        (!found || entry.maxOrder < found->maxOrder) &&
        entry.make(format.getContext(), order) == plainFormat)
      found = &entry;
  if (found)
    return found->name.str();
  std::string text;
  llvm::raw_string_ostream(text) << plainFormat;
  StringRef inner = text;
  inner.consume_front("#ta.format<");
  inner.consume_back(">");
  return inner.str();
}

FormatAttr coordinateFormat(MLIRContext *context, unsigned order, bool nonuniqueLeaf) {
  return coordinates(context, order, nonuniqueLeaf);
}

FormatAttr listFormat(MLIRContext *context, ArrayRef<unsigned> dims) {
  SmallVector<LevelWord> words(dims.size(), LevelWord{singleton.name, false, false});
  if (!words.empty())
    words.front() = {compressed.name, false, false};
  return inOrder(context, words, dims);
}

} // namespace strata::ta
