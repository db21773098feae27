// The layout of programs: what changes, what stays, and that a second time nothing changes.
#include "strata/frontend/Layout.h"

#include "Source.h"

#include "strata/frontend/AstPrinter.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace strata::frontend {
namespace {

std::string laidOut(const std::string &text) {
  std::optional<std::string> first = layOut(text);
  if (!first)
    return "nothing";
  EXPECT_EQ(layOut(*first), first) << "of " << text;
  return *first;
}

// The same words, without places.
std::string treeOf(const std::string &text) {
  Source source(text);
  ast::Module module = parseProgram(source.id, source.diagnostics);
  std::string tree;
  llvm::raw_string_ostream os(tree);
  printAst(module, os);
  return source.diagnostics.hasErrors() ? "" : tree;
}

TEST(Layout, indentsBlocks) {
  EXPECT_EQ(
      laidOut("def main(){\nfor t in range(0,3)\nif (t==0) {\nbreak;\n}\nelse { x=1; }\nend\n}"),
      "def main() {\n  for t in range(0, 3)\n    if (t == 0) {\n      break;\n    }\n"
      "    else { x = 1; }\n  end\n}\n");
  EXPECT_EQ(laidOut("def main() {\n    while (a<b) limit 3:\n x=1;\n end\n"
                    "repeat limit n {\nx=2;\n} until(x>1);\n}\n"),
            "def main() {\n  while (a < b) limit 3:\n    x = 1;\n  end\n"
            "  repeat limit n {\n    x = 2;\n  } until (x > 1);\n}\n");
}

TEST(Layout, putsBlanksAroundOperators) {
  EXPECT_EQ(laidOut("C [i,k]+=-A [i,j]*B[ j ,k]-2.*x ;"),
            "C[i, k] += -A[i, j] * B[j, k] - 2 .* x;\n");
  EXPECT_EQ(laidOut("D[i]=A[i,k]@ ( min , + )B[k]@tropical c;"),
            "D[i] = A[i, k] @(min,+) B[k] @tropical c;\n");
  EXPECT_EQ(laidOut("C[i]<!M,structural>=a<b;"), "C[i]<!M, structural>= a < b;\n");
  EXPECT_EQ(laidOut("Tensor < double >A( [i,j] ,{D,CU} );"),
            "Tensor<double> A([i, j], {D, CU});\n");
  EXPECT_EQ(laidOut("IndexLabel[i]=[ 1:9 :2];"), "IndexLabel [i] = [1:9 :2];\n");
  EXPECT_EQ(laidOut("d[i] min=x[i];y = ~ a|b<<1;"), "d[i] min= x[i]; y = ~a | b << 1;\n");
  EXPECT_EQ(laidOut("y=a schedule{reorder(i,j);divide(i,io,ii,M.x)};"),
            "y = a schedule { reorder(i, j); divide(i, io, ii, M.x) };\n");
}

TEST(Layout, keepsCommentsAndLines) {
  EXPECT_EQ(
      laidOut("\n\n# a   b \n\n\n\ndef main() {   # c\n\n   x = 1;   # d\n      # e\n}\n\n\n"),
      "# a   b\n\ndef main() {   # c\n  x = 1;    # d\n  # e\n}\n");
  EXPECT_EQ(laidOut("  y[i] = a[i] +\n         b[i] +\n   c[i];\n"),
            "y[i] = a[i] +\n       b[i] +\n  c[i];\n");
  EXPECT_EQ(laidOut(""), "");
  EXPECT_EQ(laidOut("a\r\nb\rc"), laidOut("a\nb\nc"));
}

TEST(Layout, laysOutNothingThatHasNoWords) {
  EXPECT_EQ(layOut("x = 'a';"), std::nullopt);
  EXPECT_EQ(layOut("x = \"a"), std::nullopt);
}

// Every program of the tests means the same, and is laid out once and for all.
TEST(Layout, keepsWhatProgramsMean) {
  unsigned count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(STRATA_TEST_PROGRAMS)) {
    if (entry.path().extension() != ".ta")
      continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    std::string tree = treeOf(text.str());
    if (tree.empty())
      continue;
    ++count;
    EXPECT_EQ(treeOf(laidOut(text.str())), tree) << entry.path();
    // Without indentation.
    std::string squeezed;
    for (char c : text.str())
      if (c != ' ' || (!squeezed.empty() && squeezed.back() != '\n'))
        squeezed += c;
    EXPECT_EQ(treeOf(laidOut(squeezed)), tree) << entry.path();
  }
  EXPECT_GT(count, 30u);
}

} // namespace
} // namespace strata::frontend
