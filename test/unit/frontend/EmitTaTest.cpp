// Programs as ta operations.
#include "Source.h"

#include "strata/frontend/EmitTa.h"

namespace strata::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(EmitTa, spmv) {
  EXPECT_EQ(emitted(R"(def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], CSR);
  Tensor<double> x([j], Dense);
  Tensor<double> y([i], Dense);
  A[i, j] = read("m.mtx");
  x[j] = 1.0;
  y[i] = A[i, j] * x[j];
  print(y);
})"),
            R"(module {
  func.func @main() {
    %0 = ta.read "m.mtx" : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
    %1 = ta.dim %0, 1 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
    %2 = ta.fill 1.000000e+00 : f64(%1) : tensor<?xf64>
    %3 = ta.dim %0, 0 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
    %4 = ta.dim %0, 1 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
    %5 = ta.dim %2, 0 : tensor<?xf64>
    %6 = ta.same_size "j"(%4, %5) ["A", "x"]
    %7 = ta.dim %0, 0 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
    %8 = ta.compute [%arg0 = %3] ins(%0, %2 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>, tensor<?xf64>) sizes(%7) -> tensor<?xf64> out [%arg0] attributes {names = ["i"]} {
      %9 = ta.reduce add [%arg1 = %6] attributes {names = ["j"]} : f64 {
        %10 = ta.access %0[%arg0, %arg1] : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
        %11 = ta.access %2[%arg1] : tensor<?xf64>
        %12 = arith.mulf %10, %11 : f64
        ta.yield %12 : f64
      }
      ta.yield %9 : f64
    }
    ta.print %8 "y" : tensor<?xf64>
    return
  }
}
)");
}

TEST(EmitTa, updatesAndSlices) {
  std::string text = emitted(inMain(R"(
  IndexLabel [i, j] = [8]; IndexLabel [s] = [1:7:2];
  Tensor<double> A[i, j]; Tensor<double> B[s, s];
  A[i, j] = 1.0;
  A[j, i] -= 2 * A[i, j];
  A[s, j] = A[i, j] + 1;)"));
  EXPECT_THAT(text, HasSubstr("init(%0 : tensor<8x8xf64>) combine add -> tensor<8x8xf64> out "
                              "[%arg0, %arg1]"));
  EXPECT_THAT(text, HasSubstr("arith.negf"));
  EXPECT_THAT(text, HasSubstr("out [%arg0 * 2 + 1, %arg1]"));
}

TEST(EmitTa, schedules) {
  std::string text = emitted(inMain(R"(
  IndexLabel [i, j] = [8]; Tensor<double> A[i, j]; Tensor<double> y[i];
  A[i, j] = random();
  y[i] = A[i, j] schedule { reorder(j, i); f({i, 32}, {}); };
  y[i] = A[j, i];)"));
  std::string schedule = "#ta.schedule<reorder(j, i), f({i, 32}, {})>";
  EXPECT_THAT(text, HasSubstr(schedule));
  EXPECT_EQ(text.find("schedule<"), text.rfind("schedule<"));
  // The statement's text, which is shown with the attribute's, is the one before it.
  EXPECT_THAT(text, testing::Not(HasSubstr("schedule {")));
}

TEST(EmitTa, elementTypesAreConverted) {
  std::string text = emitted(inMain(R"(
  IndexLabel [i] = [8];
  Tensor<int> n[i]; Tensor<int64> m[i]; Tensor<float> f[i]; Tensor<complex> z[i];
  n[i] = 1; m[i] = n[i] + 3000000000; f[i] = n[i] / 2; z[i] = f[i] * z1[i] - n[i];
  )"));
  EXPECT_THAT(text, HasSubstr("'z1' is not declared"));
  text = emitted(inMain(R"(
  IndexLabel [i] = [8];
  Tensor<int> n[i]; Tensor<int64> m[i]; Tensor<float> f[i]; Tensor<complex> z[i];
  n[i] = 1; z[i] = 1; m[i] = n[i] + 3000000000; f[i] = n[i] / 2; z[i] = f[i] * z[i] - n[i];
  var s = SUM(n[i]); n[i] -= s;)"));
  EXPECT_THAT(text, AllOf(HasSubstr("arith.extsi"), HasSubstr("arith.constant 3000000000 : i64"),
                          HasSubstr("arith.sitofp"), HasSubstr("arith.truncf"),
                          HasSubstr("complex.create"), HasSubstr("complex.mul"),
                          HasSubstr("-> tensor<i64>")));
}

TEST(EmitTa, longIntegersAreExact) {
  EXPECT_THAT(emitted(inMain("IndexLabel [i] = [8]; Tensor<int64> m[i];"
                             "m[i] = 1152921504606846977;")),
              HasSubstr("ta.fill 1152921504606846977 : i64"));
  // What no integer can hold makes the statement double.
  EXPECT_THAT(emitted(inMain("IndexLabel [i] = [8]; Tensor<int64> m[i]; m[i] = 1;"
                             "m[i] = m[i] + 9223372036854775807 * 9223372036854775807;")),
              HasSubstr("the value is double, but 'm' holds int64"));
}

TEST(EmitTa, formats) {
  std::string text = emitted(inMain(R"(
  IndexLabel [i, j] = [8]; IndexLabel [k] = [9];
  Tensor<double> A([i, j], {D, CU}); Tensor<double> B([i, j, k], Mode-Generic);
  Tensor<double> C([i, j], {(r, c) -> (r floordiv 2 : dense, c floordiv 4 : compressed,
                                       r mod 2 : dense, c mod 4 : dense), crd = 32, fill = -1});
  Tensor<float> v([i], {CU});
  A[i, j] = 0.0; B[i, j, k] = 0; C[i, j] = -1.0; v[i] = 0; A[i, j] = 2.0;)"));
  EXPECT_THAT(text,
              HasSubstr("tensor<8x8xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>"));
  EXPECT_THAT(text, HasSubstr("(i : compressed(nonunique), j : singleton, k : dense)"));
  EXPECT_THAT(text, HasSubstr("i mod 2 : dense, j mod 4 : dense), crd = 32, fill = -1"));
  EXPECT_THAT(text, HasSubstr("tensor<8xf32, #ta.format<(i) -> (i : compressed)>>"));
  // What a sparse format would have to store everywhere is a broadcast.
  EXPECT_THAT(text, HasSubstr("arith.constant 2.0"));
}

// Word lists of blocked formats are the named ones, and others that have no names.
TEST(EmitTa, formatsInBlocks) {
  auto typesOf = [](const char *first, const char *second) {
    return emitted(
        inMain((llvm::Twine("IndexLabel [i, j] = [8]; Tensor<double> A([i, j], ") + first +
                "); Tensor<double> B([i, j], " + second + "); A[i, j] = 0; B[i, j] = A[i, j];")
                   .str()));
  };
  const std::pair<const char *, const char *> same[] = {
      {"{D, CU, D:4, D:4}", "BCSR"},
      {"{D, CU, D:2, D:3}", "BCSR:2x3"},
      {"{d, s, d:8, d:8, crd = 16}", "{BCSR:8, crd = 16}"},
      {"{CN, S, D:4, D:4}", "BCOO:4x4"},
      {"{D, D, CN:64, S:64}", "CSB"},
      {"{CU, CU, D:2, bitmap:3}",
       "{(i, j) -> (i floordiv 2 : compressed, j floordiv 3 : compressed, "
       "i mod 2 : dense, j mod 3 : bitmap)}"}};
  for (auto [words, other] : same) {
    std::string text = typesOf(words, other);
    // A copy between equal types is the tensor itself.
    EXPECT_THAT(text, Not(HasSubstr("error"))) << words;
    llvm::SmallVector<llvm::StringRef> formats;
    llvm::StringRef(text).split(formats, "#ta.format<");
    for (llvm::StringRef format : llvm::drop_begin(formats))
      EXPECT_EQ(format.split(">>").first, formats[1].split(">>").first) << words << "\n" << text;
    EXPECT_GE(formats.size(), 2u);
  }
  EXPECT_THAT(typesOf("{D, CU, D:2, D}", "CSR"),
              HasSubstr("'D' is inside blocks and needs their size in this dimension"));
  EXPECT_THAT(
      typesOf("{D, CU:2, D:2, D:2}", "CSR"),
      HasSubstr("'CU:2' has a size: sizes stand behind the words of what is inside blocks"));
  EXPECT_THAT(typesOf("{D, CU:2}", "CSR"), HasSubstr("'CU:2' has a size"));
  EXPECT_THAT(typesOf("{D, CU, D:0, D:2}", "CSR"), HasSubstr("'D:0' is inside blocks"));
  EXPECT_THAT(typesOf("{D, CU, D:2x2, D:2}", "CSR"), HasSubstr("'D:2x2' is inside blocks"));
  EXPECT_THAT(typesOf("{D, CU, D, D}", "CSR"),
              AllOf(HasSubstr("this format has 4 levels, but 'A' has 2 dimensions"),
                    HasSubstr("for blocks, the words of what is inside them have sizes: "
                              "{D, CU, D:4, D:4}")));
}

TEST(EmitTa, locationsAreNamesAndLines) {
  Source source(inMain("  var x = 1;\n  print(x);"));
  ast::Module module = parseProgram(source.id, source.diagnostics);
  std::optional<Program> program = analyze(module, {}, source.formats, source.diagnostics);
  ASSERT_TRUE(program) << source.messages();
  mlir::OwningOpRef<mlir::ModuleOp> ta = emitTa(*program, &source.context, source.diagnostics);
  std::string text;
  llvm::raw_string_ostream os(text);
  ta->print(os, mlir::OpPrintingFlags().enableDebugInfo(true, true));
  EXPECT_THAT(text, AllOf(HasSubstr("\"x\"(#loc"), HasSubstr("test.ta:3:3")));
}

} // namespace
} // namespace strata::frontend
