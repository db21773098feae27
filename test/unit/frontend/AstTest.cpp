// Trees of programs, as `strata emit --stage=ast` prints them.
#include "Source.h"

#include "strata/frontend/AstPrinter.h"

namespace strata::frontend {
namespace {

std::string tree(const std::string &text) {
  Source source(text);
  ast::Module module = parseProgram(source.id, source.diagnostics);
  std::string result = source.messages();
  llvm::raw_string_ostream os(result);
  printAst(module, os);
  return result;
}

TEST(Ast, ofDeclarations) {
  EXPECT_EQ(tree(R"(def main() {
  IndexLabel [a, b] = [?];
  IndexLabel c = [32];
  IndexLabel [d] = [2:N];
  IndexLabel [e] = [0:10:2];
  Tensor<double> A([a, b], {CSR});
  Tensor<float> B([a, b], {D, CU});
  Tensor <int> C[c, 4];
  Tensor<double> F([a, b], {(i, j) -> (i floordiv 4 : dense, j - i : compressed(nonunique)), pos = 64});
  Tensor<double> G([a, b, c], Mode-generic);
})"),
            R"(function main
  labels a, b = [?]
  labels c = [32]
  labels d = [2:N:1]
  labels e = [0:10:2]
  tensor A : double [a, b] CSR
  tensor B : float [a, b] {D, CU}
  tensor C : int [c, 4]
  tensor F : double [a, b] {(i, j) -> (i floordiv 4 : dense, j - i : compressed(nonunique)), pos = 64}
  tensor G : double [a, b, c] Mode-generic
)");
}

TEST(Ast, ofExpressions) {
  EXPECT_EQ(tree(R"(def main() {
  C[a, c] = 2 * A[a, b] * -B[b, c] + (x - 1.5) / y;;
  C[a, c] -= A[a, b] .* B[a, b];
  var s = SUM(transpose(A[i,j],{j,i}));
  print(C);
  return;
})"),
            R"(function main
  assign C[a, c] =
    sum + +
      product * * *
        number 2
        access A[a, b]
        negate
          access B[b, c]
      product * /
        sum + -
          name x
          number 1.5
        name y
  assign C[a, c] -=
    product * .*
      access A[a, b]
      access B[a, b]
  scalar s =
    call SUM
      call transpose
        access A[i, j]
        labels j, i
  call print
    name C
  return
)");
}

TEST(Ast, ofSeveralFunctionsWithStraySemicolons) {
  EXPECT_EQ(tree(";def f() {;;} ; def main() { f(); };"), "function f\nfunction main\n  call f\n");
}

TEST(Ast, recoversAfterEachMistake) {
  std::string text = tree(R"(def main() {
  IndexLabel [a = [4];
  Tensor<double> A([a], {D;
  A[a] = 1.0
  A[a] = * 2;
  print(A);
}
def f() { x = ); }
)");
  EXPECT_THAT(text, testing::HasSubstr("test.ta:2:17: error: expected ']'"));
  EXPECT_THAT(text, testing::HasSubstr("test.ta:3:27: error: expected '}'"));
  EXPECT_THAT(text, testing::HasSubstr("test.ta:4:13: error: expected ';'"));
  EXPECT_THAT(text, testing::HasSubstr("test.ta:5:10: error: expected a tensor"));
  EXPECT_THAT(text, testing::HasSubstr("test.ta:8:15: error: expected a tensor"));
  EXPECT_THAT(text, testing::HasSubstr("  call print\n    name A\n"));
}

TEST(Ast, ofAStatementAlone) {
  Source source("y(i) += alpha * A(i,j) * x(j)");
  std::unique_ptr<ast::AssignStmt> statement = parseOneLiner(source.id, source.diagnostics);
  ASSERT_TRUE(statement) << source.messages();
  std::string text;
  llvm::raw_string_ostream os(text);
  printAst(*statement, os);
  EXPECT_EQ(text, R"(assign y[i] +=
  product * * *
    name alpha
    call A
      name i
      name j
    call x
      name j
)");
}

TEST(Ast, ofSchedules) {
  EXPECT_EQ(tree(R"(def main() {
  schedule[i] = A[i, j] schedule { reorder(i, j); precompute(t, {k, {l}}, 32), f({}); };
  s = x[i]
    schedule  # behind the statement
    { g() }
  ;
  y[i] = schedule[i]
  schedule[i] = y[i] schedule {};
})"),
            R"(test.ta:7:21: error: expected ';' after the statement
    y[i] = schedule[i]
                      ^
function main
  assign schedule[i] =
    access A[i, j]
    schedule { reorder(i, j); precompute(t, {k, {l}}, 32); f({}); }
  assign s =
    access x[i]
    schedule { g(); }
  assign y[i] =
    access schedule[i]
  assign schedule[i] =
    access y[i]
    schedule { }
)");
}

TEST(Ast, ofSchedulesAlone) {
  auto schedule = [](const std::string &text) {
    Source source(text);
    std::optional<ast::Schedule> parsed = parseSchedule(source.id, source.diagnostics);
    return parsed ? scheduleText(*parsed) : source.messages();
  };
  EXPECT_EQ(schedule("split(i,i0,i1,32),reorder(i0,j)"),
            "schedule { split(i, i0, i1, 32); reorder(i0, j); }");
  EXPECT_EQ(schedule("# how\nreorder(i, j);\ncollapse(i, j);\n"),
            "schedule { reorder(i, j); collapse(i, j); }");
  EXPECT_EQ(schedule("reorder(\"i\", \"p[i]\")"), "schedule { reorder(i, \"p[i]\"); }");
  EXPECT_EQ(schedule(""), "schedule { }");
  EXPECT_EQ(schedule("  # the naive loops\n"), "schedule { }");
  EXPECT_THAT(schedule("reorder(i, j) collapse(i, j)"),
              testing::HasSubstr("test.ta:1:15: error: expected ';' between commands"));
  EXPECT_THAT(schedule("reorder(i,j)}"), testing::HasSubstr("test.ta:1:13: error: expected"));
  EXPECT_THAT(schedule("reorder(i,j"), testing::HasSubstr("test.ta:1:12: error: expected ')'"));
}

TEST(Ast, ofFormatsAlone) {
  auto format = [](const std::string &text) {
    Source source(text);
    std::optional<ast::Format> parsed = parseFormat(source.id, source.diagnostics);
    return parsed ? formatText(*parsed) : source.messages();
  };
  EXPECT_EQ(format("CSR"), "CSR");
  EXPECT_EQ(format("ds"), "{d, s}");
  EXPECT_EQ(format("(i,j) -> (j : dense, i : compressed)"),
            "{(i, j) -> (j : dense, i : compressed)}");
  EXPECT_EQ(format("ELL:3+COO"), "ELL:3 + COO");
  EXPECT_EQ(format("{{BCSR:4x4:60, crd = 32} + {D, CU}, fill = 1}"),
            "{{BCSR:4x4:60, crd = 32} + {D, CU}, fill = 1}");
  for (const char *fill : {"nan", "-inf", "1 + 2i", "0.1 - 1e-30i", "nan + nani", "-inf - infi"}) {
    const std::string text = std::string("{CSR, fill = ") + fill + "}";
    EXPECT_EQ(format(text), text);
  }
  EXPECT_EQ(format("{CSR, fill = -nan}"), "{CSR, fill = nan}");
  EXPECT_EQ(format("{CSR, fill = -2i}"), "{CSR, fill = 0 - 2i}");
  EXPECT_EQ(format("(i) -> (i : compressed), fill = 1 + infi + COO"),
            "{(i) -> (i : compressed), fill = 1 + infi} + COO");
  EXPECT_EQ(format("{CSR, fill = 1 + {D, CU}}"), format("{{CSR, fill = 1} + {D, CU}}"));
  EXPECT_THAT(format("{CSR, fill = 1 + 2}"),
              testing::HasSubstr("expected the imaginary part of a number, found '2'"));
  EXPECT_THAT(format("{CSR, fill = one}"), testing::HasSubstr("expected a number, inf or nan"));
  EXPECT_THAT(format("{CSR, fill = 1e999i}"), testing::HasSubstr("too large for a double"));
  EXPECT_EQ(format("{(i, j) -> (j - i : compressed, i : range, j : offset)}:40 + CSR"),
            "{(i, j) -> (j - i : compressed, i : range, j : offset)}:40 + CSR");
  EXPECT_THAT(format("{{ELL}}"), testing::HasSubstr("expected '+' and another part of a sum"));
  EXPECT_THAT(format("ELL +"), testing::HasSubstr("expected a storage format"));
  EXPECT_THAT(format("{D, CU}:x + COO"), testing::HasSubstr("the limit of a part of a sum"));
  EXPECT_THAT(format("(i,j) -> i"), testing::HasSubstr("expected '(' before the levels"));
  Source source("ds:1,0");
  EXPECT_THAT(parseFormat(source.id, source.diagnostics)->order, testing::ElementsAre(1, 0));
}

} // namespace
} // namespace strata::frontend
