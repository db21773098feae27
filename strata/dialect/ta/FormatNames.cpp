// Finds the shorthand that makes a format.
#include "strata/dialect/ta/FormatNames.h"

#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/ShorthandTable.h"
#include "strata/dialect/ta/Shorthands.h"

using namespace mlir;

namespace strata::ta {

// Returns the numbers with which a shorthand might have made a format: those of its levels, then
// the sizes of its blocks.
static SmallVector<int64_t> numbersIn(FormatAttr format) {
  SmallVector<int64_t> numbers;
  for (LevelAttr level : format.getLevels())
    if (level.getParameter())
      numbers.push_back(level.getParameter());
  for (AffineExpr expr : format.getDimToLvl().getResults())
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
        binary && expr.getKind() == AffineExprKind::Mod)
      if (auto size = dyn_cast<AffineConstantExpr>(binary.getRHS()))
        numbers.push_back(size.getValue());
  SmallVector<unsigned> sorted = format.sortedDims();
  numbers.push_back(sorted.empty() ? 1 : format.getWindows()[sorted.front()]);
  return numbers;
}

// Writes the numbers behind a name: all of them, or those that it does not imply.
static std::string numbersText(const Shorthand &entry, ArrayRef<int64_t> own, bool all) {
  if (!all) {
    if (own == ArrayRef<int64_t>(entry.defaults))
      return "";
    while (entry.between != 'x' && own.back() == entry.defaults.begin()[own.size() - 1])
      own = own.drop_back();
  }
  std::string text;
  for (int64_t number : own)
    text += (text.empty() ? ':' : entry.between) + std::to_string(number);
  return text;
}

static std::string nameOf(FormatAttr format, bool allNumbers) {
  if (format.getFill()) {
    std::string name = nameOf(format.withFill({}), allNumbers);
    return "{" + name + ", fill = " + fillText(format.getFill()) + "}";
  }
  FormatAttr plainFormat = format.withWidths(0, 0);
  unsigned order = format.getDimRank();
  SmallVector<int64_t> numbers = numbersIn(format);
  std::string found;
  unsigned orders = ~0u; // a name for this order alone says more than one for any order
  for (const Shorthand &entry : shorthands()) {
    size_t count = entry.defaults.size();
    if (order < entry.minOrder || order > entry.maxOrder || numbers.size() < count ||
        entry.maxOrder >= orders)
      continue;
    ArrayRef<int64_t> own = ArrayRef(numbers).take_front(count);
    if (entry.make(format.getContext(), order, own) != plainFormat)
      continue;
    found = entry.name.str() + numbersText(entry, own, allNumbers);
    orders = entry.maxOrder;
  }
  if (!found.empty())
    return found;
  std::string text;
  llvm::raw_string_ostream(text) << plainFormat;
  StringRef inner = text;
  inner.consume_front("#ta.format<");
  inner.consume_back(">");
  return inner.str();
}

std::string formatName(FormatAttr format) { return nameOf(format, /*allNumbers=*/false); }

std::string numberedName(FormatAttr format) { return nameOf(format, /*allNumbers=*/true); }

} // namespace strata::ta
