// What names stand for, and where else they stand.
#include "strata/frontend/NameUses.h"

#include "Source.h"

namespace strata::frontend {
namespace {

// The lines and columns of all uses of the name that stands at the given one.
std::string usesAt(const std::string &text, unsigned line, unsigned column) {
  Source source(text);
  ast::Module module = parseProgram(source.id, source.diagnostics);
  NameUses names = findNameUses(module, source.sources);
  const NameUse *use = names.at(source.sources.FindLocForLineAndColumn(source.id, line, column));
  if (!use)
    return "none";
  std::vector<std::pair<unsigned, unsigned>> places;
  for (const NameUse &other : names.uses)
    if (other.thing == use->thing) {
      Place place = source.diagnostics.placeOf(other.range.Start);
      places.emplace_back(place.line, place.column);
    }
  std::sort(places.begin(), places.end());
  std::string result;
  for (auto [atLine, atColumn] : places)
    result += (result.empty() ? "" : " ") + std::to_string(atLine) + ":" + std::to_string(atColumn);
  return result;
}

TEST(NameUses, keepsFunctionsApart) {
  const std::string text =
      "def f(A[i, j], x) {\n  var s = x;\n  return SUM(A[i, j]) * s;\n}\n"
      "def main() {\n  IndexLabel [i] = [3];\n  var x = 2;\n  var y = f(A, x);\n}\n";
  EXPECT_EQ(usesAt(text, 1, 16), "1:16 2:11");
  EXPECT_EQ(usesAt(text, 7, 7), "7:7 8:16");
  EXPECT_EQ(usesAt(text, 8, 11), "1:5 8:11");
  EXPECT_EQ(usesAt(text, 3, 16), "1:9 3:16");
}

TEST(NameUses, seesBlocksApart) {
  const std::string text = "def main() {\n  for t in range(3) {\n    var a = t;\n  }\n"
                           "  for t in range(3) {\n    var a = t;\n  }\n}\n";
  EXPECT_EQ(usesAt(text, 3, 9), "3:9");
  EXPECT_EQ(usesAt(text, 6, 13), "5:7 6:13");
}

TEST(NameUses, readsSchedules) {
  const std::string text =
      "def main() {\n  IndexLabel [i, j] = [n];\n  y[i] = A[i, j] * x[j] schedule {\n"
      "    split(j, jo, ji, n); reorder(i, jo, ji); convert(A, CSR); precompute(x, {ji}, {jw});\n  "
      "};\n}\n";
  EXPECT_EQ(usesAt(text, 4, 14), "4:14 4:37");
  EXPECT_EQ(usesAt(text, 4, 11), "2:18 3:15 3:22 4:11");
  EXPECT_EQ(usesAt(text, 4, 22), "2:24 4:22");
  EXPECT_EQ(usesAt(text, 4, 57), "none"); // a format
  EXPECT_EQ(usesAt(text, 4, 78), "4:18 4:41 4:78");
}

TEST(NameUses, leavesOutWhatIsNoName) {
  const std::string text = "def main() {\n  IndexLabel [i, j] = [3];\n"
                           "  Tensor<double> A([i, j], {(i, j) -> (j : dense, i : dense)});\n"
                           "  print(A, storage);\n  C[i, j]<A, structural> = A[i, j];\n}\n";
  EXPECT_EQ(usesAt(text, 3, 30), "none");
  EXPECT_EQ(usesAt(text, 4, 12), "none");
  EXPECT_EQ(usesAt(text, 5, 11), "3:18 4:9 5:11 5:28");
}

TEST(NameUses, tellsWhatCanBeAName) {
  EXPECT_TRUE(isNameText("A_1"));
  for (llvm::StringRef text : {"", "1a", "a b", "for", "IndexLabel", "é", "a.b"})
    EXPECT_FALSE(isNameText(text)) << text.str();
}

} // namespace
} // namespace strata::frontend
