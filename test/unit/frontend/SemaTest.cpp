// Analyzed programs: sizes, slices, views, types, files, functions.
#include "Source.h"

#include <cstdlib>

namespace strata::frontend {
namespace {

using testing::HasSubstr;

TEST(Sema, spmmOfUnknownSizes) {
  EXPECT_EQ(analyzed(R"(def main() {
  IndexLabel [a] = [?];
  IndexLabel [b] = [?];
  IndexLabel [c] = [32];
  Tensor<double> A([a, b], CSR);
  Tensor<double> B([b, c], Dense);
  Tensor<double> C([a, c], {D, D});
  A[a, b] = space_read(filename);
  B[b, c] = 1.0;
  C[a, c] = 0.0;
  C[a, c] = A[a, b] * B[b, c];
})",
                     {{"filename", "m.mtx"}}),
            R"(read A "m.mtx" 1
fill B = 1 [b = A.1, c = 32]
fill C = 0 [a = A.0, c = 32]
C[a, c] = sum(b: A[a, b] * B[b, c]) where a = A.0, c = 32, b = A.1 = B.0
)");
}

TEST(Sema, assignmentOperators) {
  std::string declared = "IndexLabel [i] = [4]; Tensor<double> y[i]; Tensor<double> b[i];\n";
  EXPECT_THAT(analyzed(inMain(declared + "b[i] = 1.0; y[i] = 1.0; y[i] += b[i]; y[i] -= b[i];")),
              HasSubstr("y[i] += b[i] where i = 4\ny[i] -= b[i] where i = 4\n"));
}

TEST(Sema, slicesSelectByTheLabelsRange) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [n, m] = [32]; IndexLabel [s] = [4:12]; IndexLabel [t] = [0:16:2];
  Tensor<double> A[n, m]; Tensor<double> B[s, t];
  A[n, m] = 1.0;
  B[s, t] = A[s, t];
  A[s, t] = 2 * B[s, t];
  A[s, t] = 0;)")),
            R"(fill A = 1 [n = 32, m = 32]
B[s, t] = A[4 + s, 2 * t] where s = 8, t = 8
A[4 + s, 2 * t] = 2 * B[s, t] where s = 8, t = 8
A[4 + s, 2 * t] = 0 where s = 8, t = 8
)");
}

TEST(Sema, labelsOfOneRangeAreOneIndexSpace) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [i, j] = [10]; IndexLabel [a, b, c] = [2:10];
  Tensor<double> T[a, c]; Tensor<double> W[b, c]; Tensor<double> R[a, b]; Tensor<double> F[i, j];
  T[a, c] = 1; W[b, c] = 2; F[i, j] = 3;
  R[a, b] = T[a, c] * W[c, b];
  R[b, a] += T[c, b] * F[a, c];)")),
            R"(fill T = 1 [a = 8, c = 8]
fill W = 2 [b = 8, c = 8]
fill F = 3 [i = 10, j = 10]
R[a, b] = sum(c: T[a, c] * W[c, b]) where a = 8, b = 8, c = 8
R[b, a] += sum(c: T[c, b] * F[2 + a, 2 + c]) where b = 8, a = 8, c = 8
)");
}

TEST(Sema, aLabelThatRepeatsOnTheLeftIsTheDiagonal) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [i, j, k] = [4];
  Tensor<double> A[i, j]; Tensor<double> B[i, j, k]; Tensor<double> D([i, i], CSR);
  A[i, i] = 3;
  A[i, i] += 0.5;
  B[i, i, k] = 1;
  D[i, i] += 5;
  D[x, x] = 2;)")),
            R"(A[i, i] = 3 where i = 4
A[i, i] += 0.5 where i = 4
B[i, i, k] = 1 where i = 4, k = 4
D[i, i] += 5 where i = 4
D[x, x] = 2 where x = 4
)");
}

TEST(Sema, aRangeOverTheWholeDimensionIsNoSlice) {
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i] = [8]; IndexLabel [all] = [0:8];
  Tensor<double> x[i]; x[all] = 3;)")),
              HasSubstr("fill x = 3 [i = 8]"));
}

TEST(Sema, viewsWriteToTheirTensor) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [i, j] = [32]; IndexLabel [s] = [4:12]; IndexLabel [t] = [1:5];
  Tensor<double> A[i, j];
  A[i, j] = 1.0;
  V[j, s] = A[s, j];
  V[j, s] = 2.0;
  V[j, t] += 1.0;
  var x = SUM(V[j, s]);)")),
            R"(fill A = 1 [i = 32, j = 32]
A[4 + s, j] = 2 where j = 32, s = 8
A[5 + t, j] += 1 where j = 32, t = 4
x = sum(j, s: A[4 + s, j]) where j = 32, s = 8
)");
}

TEST(Sema, viewsOfViewsCompose) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [i, j] = [32]; IndexLabel [s] = [4:20:2]; IndexLabel [t] = [1:5];
  Tensor<double> A[i, j];
  A[i, j] = 1.0;
  V[j, s] = A[s, j];
  V[j, s] = 2.0;
  U[t, j] = V[j, t];
  U[t, j] += 1.0;)")),
            R"(fill A = 1 [i = 32, j = 32]
A[4 + 2 * s, j] = 2 where j = 32, s = 8
A[6 + 2 * t, j] += 1 where t = 4, j = 32
)");
}

TEST(Sema, labelsThatAreNotDeclaredNameDimensionsOfFillsAndReads) {
  std::string text = analyzed(inMain(R"(
  IndexLabel [i] = [4];
  Tensor<double> A[i, i];
  A[x, y] = 1.0;
  A[i, i] = 2.0;
  A[i] = 2.0;)"));
  EXPECT_THAT(text, HasSubstr("warning: label 'x' is not declared"));
  EXPECT_THAT(text, HasSubstr("error: 'A' has 2 dimensions, but 1 label is given"));
}

TEST(Sema, elementTypes) {
  std::string declared = R"(
  IndexLabel [i] = [4]; Tensor<int> n[i]; Tensor<float> f[i]; Tensor<complex> z[i];
  Tensor<double> d[i]; n[i] = 1; f[i] = 1; z[i] = 1; d[i] = 1; )";
  EXPECT_THAT(analyzed(inMain(declared + "n[i] = n[i] + 1;")), HasSubstr("n[i] = n[i] + 1"));
  EXPECT_THAT(analyzed(inMain(declared + "f[i] = d[i] * n[i];")), HasSubstr("f[i] = d[i] * n[i]"));
  EXPECT_THAT(analyzed(inMain(declared + "z[i] = d[i] * n[i];")), HasSubstr("z[i] = d[i] * n[i]"));
  EXPECT_THAT(analyzed(inMain(declared + "n[i] = n[i] / 2;")),
              HasSubstr("the value is double, but 'n' holds int"));
  EXPECT_THAT(analyzed(inMain(declared + "d[i] = z[i];")),
              HasSubstr("the value is complex, but 'd' holds double"));
  EXPECT_THAT(analyzed(inMain(declared + "n[i] = 0.5;")), HasSubstr("cannot represent this value"));
  EXPECT_THAT(analyzed(inMain(declared + "n[i] = 6 / 4 * 2;")),
              HasSubstr("cannot represent this value"));
}

TEST(Sema, scalarsAndTimes) {
  EXPECT_EQ(analyzed(inMain(R"(
  var a = 5 + 1;
  var b = a + 5 + 1;
  b += c;
  var t0 = getTime();
  var t1 = get_time() - t0;
  printElapsedTime(t0, t1);
  print(2 * b);)"),
                     {{"c", "0.5"}}),
            R"(a = 6
b = a + 5 + 1
b += 0.5
time _3
t0 = _3
time _5
t1 = _5 - t0
print_elapsed t0 t1
_6 = 2 * b
print _6
)");
}

TEST(Sema, filesAndParts) {
  std::string declared = R"(
  IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSR); )";
  setenv("SPARSE_FILE_NAME", "plain.mtx", 1);
  setenv("SPARSE_FILE_NAME7", "seven.mtx", 1);
  EXPECT_EQ(analyzed(inMain(declared + "A[i, j] = comet_read(7, 2);")), "read A \"seven.mtx\" 2\n");
  EXPECT_EQ(analyzed(inMain(declared + "A[i, j] = read();")), "read A \"plain.mtx\" 1\n");
  EXPECT_EQ(
      analyzed(inMain(declared + "A = space_read(\"x.mtx\"); write(A, out);"), {{"out", "y.mtx"}}),
      "read A \"x.mtx\" 1\nwrite A \"y.mtx\"\n");
  EXPECT_EQ(
      analyzed(inMain(declared + "A[i, j] = comet_read(8);"), {{"SPARSE_FILE_NAME8", "eight.mtx"}}),
      "read A \"eight.mtx\" 1\n");
}

TEST(Sema, functionsAreInlinedWithTheirOwnNames) {
  EXPECT_EQ(analyzed(R"(
def twice() { f(); f(); }
def f() { IndexLabel [i] = [4]; Tensor<double> x[i]; x[i] = 1; print(x); return; }
def main() { var x = 1; twice(); print(x); }
)"),
            R"(x = 1
fill x = 1 [i = 4]
print x
fill x = 1 [i = 4]
print x
print x
)");
}

TEST(Sema, functionsThatAreNeverCalledAreChecked) {
  EXPECT_THAT(analyzed("def main() { }\ndef f() { print(x); }"),
              HasSubstr("test.ta:2:17: error: 'x' is not declared"));
}

TEST(Sema, transposesByItsLabels) {
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i, j] = [4]; Tensor<double> A[i, j]; Tensor<double> B[j, i]; A[i, j] = 1;
  B[j, i] = transpose(A[i, j], {j, i});)")),
              HasSubstr("B[j, i] = A[i, j] where j = 4, i = 4"));
}

TEST(Sema, schedulesStayAsTheyAreWritten) {
  std::string declared = "IndexLabel [i, j] = [4]; Tensor<double> A[i, j]; Tensor<double> B[i, j]; "
                         "B[i, j] = 1; ";
  EXPECT_THAT(analyzed(inMain(declared + "A[i, j] = B[j, i] schedule { no(such, {1}); };")),
              HasSubstr("A[i, j] = B[j, i] where i = 4, j = 4 schedule { no(such, {1}); }\n"));
  // A whole tensor that is copied has loops; what a call returns is copied for its format.
  EXPECT_THAT(analyzed(inMain(declared + "A[i, j] = B[i, j] schedule { reorder(j, i); };")),
              HasSubstr("A[i, j] = B[i, j] where i = 4, j = 4 schedule { reorder(j, i); }\n"));
  EXPECT_THAT(analyzed("def f(x[i]) { return x; }\n" +
                       inMain("IndexLabel [i] = [4]; Tensor<double> x[i]; x[i] = 1; "
                              "Tensor<double> y([i], {CU}); y[i] = f(x) schedule { no(i); };")),
              HasSubstr("where i = 4 schedule { no(i); }"));
}

TEST(Sema, broadcastsTakeTheSizeFromTheLeft) {
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSR); Tensor<double> C[i, j];
  Tensor<double> b[i];
  A[i, j] = read("a.mtx"); b[i] = random();
  C[i, j] = b[i];)")),
              HasSubstr("random b [i = A.0]\nC[i, j] = b[i] where i = b.0, j = A.1\n"));
}

TEST(Sema, printsSlicesAsCopies) {
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i] = [8]; IndexLabel [s] = [0:4];
  Tensor<double> x[i]; x[i] = 1; print(x[i]); print(x[s]); print(x(s));)")),
              HasSubstr("print x\n_1[s] = x[s] where s = 4\nprint _1\n_2[s] = x[s] where s = 4\n"
                        "print _2\n"));
}

TEST(Sema, parametersReplaceNames) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [i] = [N]; Tensor<double> x[i]; x[i] = alpha; )"),
                     {{"N", "7"}, {"alpha", "-2.5"}}),
            "fill x = -2.5 [i = 7]\n");
  EXPECT_THAT(
      analyzed(inMain("IndexLabel [i] = [4]; Tensor<type> n[i]; n[i] = 0.5;"), {{"type", "int"}}),
      HasSubstr("'n' holds int, which cannot represent this value"));
}

TEST(Sema, fillsWaitForTheirSizes) {
  EXPECT_EQ(analyzed(inMain(R"(
  IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSR); Tensor<double> x[j];
  Tensor<double> z[j]; Tensor<double> y[i];
  x[j] = 1.7; z[j] = 1; z[j] = random(); y[i] = 0.0;
  A[i, j] = read("a.mtx");
  y[i] += A[i, j] * x[j] * z[j];)")),
            R"(read A "a.mtx" 1
fill x = 1.7 [j = A.1]
random z [j = A.1]
fill y = 0 [i = A.0]
y[i] += sum(j: A[i, j] * x[j] * z[j]) where i = A.0 = y.0, j = A.1 = x.0 = z.0
)");
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i] = [?]; Tensor<double> x([i], Dense);
  x[i] = 1.7;
  print(x);)")),
              HasSubstr("test.ta:5:9: error: the size of 'i' (dimension 1 of 'x') is not known"));
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i] = [?]; Tensor<double> x([i], Dense);
  x[i] = 1.7;
  x[i] += 2;)")),
              HasSubstr("test.ta:5:3: error: the size of 'i' (dimension 1 of 'x') is not known"));
}

TEST(Sema, valuesThatFollowFromNothingStartFromZero) {
  std::string text = analyzed(inMain(R"(
  IndexLabel [i] = [8]; IndexLabel [s] = [0:4];
  Tensor<double> x[i]; Tensor<double> y[i];
  x[s] = 1; y[i] += x[i];)"));
  EXPECT_THAT(text, HasSubstr("x[s] = 1 where s = 4\n"));
  EXPECT_THAT(text, HasSubstr("y[i] += x[i] where i = 8\n"));
}

TEST(Sema, diagonals) {
  EXPECT_THAT(analyzed(inMain(R"(
  IndexLabel [i, j] = [8]; Tensor<double> A[i, j]; Tensor<double> d[i];
  A[i, j] = 1; d[i] = A[i, i]; A[i, i] += d[i]; var trace = A[i, i];)")),
              HasSubstr("d[i] = A[i, i] where i = 8\nA[i, i] += d[i] where i = 8\n"
                        "trace = sum(i: A[i, i]) where i = 8\n"));
}

} // namespace
} // namespace strata::frontend
