// Draws places as characters.
#include "GridPicture.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"

#include <algorithm>

namespace strata::tool {
namespace {

constexpr int64_t mostRows = 48, mostColumns = 96;
constexpr llvm::StringLiteral digits =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// A page of characters, each of which stands for as many rows and columns.
class Page {
public:
  Page(int64_t rows, int64_t columns)
      : step{share(rows, mostRows), share(columns, mostColumns)},
        lines(size_t(share(rows, step[0])), std::string(size_t(share(columns, step[1])), '.')) {}

  void set(int64_t row, int64_t column, char cell) {
    char &at = lines[size_t(row / step[0])][size_t(column / step[1])];
    at = at == '.' || at == cell ? cell : '+';
  }

  void print(llvm::raw_ostream &os) const {
    if (step[0] > 1 || step[1] > 1)
      os << "  a character is " << step[0] << " x " << step[1] << " places\n";
    for (size_t line = 0; line < lines.size(); ++line)
      os << llvm::format("  %8lld  ", (long long)(int64_t(line) * step[0])) << lines[line] << "\n";
  }

private:
  static int64_t share(int64_t places, int64_t parts) {
    return std::max<int64_t>((places + parts - 1) / parts, 1);
  }

  int64_t step[2];
  std::vector<std::string> lines;
};

} // namespace

runtime::Status drawCells(const runtime::Coordinates &list, const runtime::dist::Cut &cut,
                          int64_t cells, llvm::raw_ostream &os) {
  const auto order = int(list.order());
  if (order < 1 || order > 2)
    return runtime::Error{runtime::Error::Order,
                          "vectors and matrices can be drawn, and this tensor has " +
                              std::to_string(order) + " dimensions"};
  const std::vector<int64_t> sizes = list.sizes();
  Page page(order == 2 ? sizes[0] : 1, sizes.back());
  for (int64_t cell = 0; cell < cells; ++cell) {
    if (!cut.isFirst(cell))
      continue;
    runtime::Result<runtime::Coordinates> piece = cut.entriesOf(cell);
    if (!piece)
      return piece.takeStatus();
    const std::vector<int64_t> first = cut.boxOf(cell).lo;
    const char mark = cell < int64_t(digits.size()) ? digits[size_t(cell)] : '#';
    for (int64_t entry = 0; entry < piece->count(); ++entry)
      page.set(order == 2 ? first[0] + piece->coordinate(0, entry) : 0,
               first[size_t(order - 1)] + piece->coordinate(order - 1, entry), mark);
  }
  page.print(os);
  return runtime::Status();
}

} // namespace strata::tool
