// Statements given alone, with their options.
#include "Source.h"

namespace strata::frontend {
namespace {

using testing::HasSubstr;

TensorOptions file(const std::string &name) {
  TensorOptions options;
  options.source = TensorOptions::Source::File;
  options.file = name;
  return options;
}

TensorOptions generated(double density = 1) {
  TensorOptions options;
  options.source = TensorOptions::Source::Random;
  options.density = density;
  return options;
}

TEST(OneLiner, spmv) {
  OneLinerOptions options;
  options.tensors["A"] = file("m.mtx");
  options.tensors["x"] = generated();
  options.tensors["y"].output = "y.mtx";
  EXPECT_EQ(analyzedAlone("y(i) = A(i,j) * x(j)", options),
            R"(read A "m.mtx" 1
random x [j = A.1]
y[i] = sum(j: A[i, j] * x[j]) where i = A.0, j = A.1 = x.0
write y "y.mtx"
)");
}

TEST(OneLiner, accumulatesFromZero) {
  OneLinerOptions options;
  options.tensors["A"] = file("m.mtx");
  EXPECT_EQ(analyzedAlone("y(i) += A(i,j);", options),
            "read A \"m.mtx\" 1\ny[i] += sum(j: A[i, j]) where i = A.0, j = A.1\n");
}

TEST(OneLiner, scalars) {
  OneLinerOptions options;
  options.tensors["A"] = file("m.mtx");
  options.parameters["alpha"] = "2.5";
  EXPECT_THAT(analyzedAlone("s = alpha * A(i,j)", options),
              HasSubstr("s = 2.5 * sum(i, j: A[i, j])"));
  options.parameters.clear();
  options.tensors["alpha"].source = TensorOptions::Source::Value;
  options.tensors["alpha"].value = 3;
  EXPECT_THAT(analyzedAlone("s = alpha * A(i,j)", options),
              HasSubstr("fill alpha = 3 []\ns = alpha * sum(i, j: A[i, j])"));
}

TEST(OneLiner, givenSizes) {
  OneLinerOptions options;
  options.tensors["A"] = generated(0.1);
  options.sizes["A"] = {5, 6};
  options.tensors["x"] = generated();
  EXPECT_EQ(analyzedAlone("y(i) = A(i,j) * x(j)", options),
            R"(random A [i = 5, j = 6]
random x [j = 6]
y[i] = sum(j: A[i, j] * x[j]) where i = 5, j = 6
)");
  options = {};
  options.tensors["b"] = generated();
  options.sizes = {{"i", {3}}, {"j", {4}}};
  EXPECT_EQ(analyzedAlone("C(i,j) = b(i)", options),
            "random b [i = 3]\nC[i, j] = b[i] where i = 3, j = 4\n");
}

TEST(OneLiner, saysWhatIsMissing) {
  OneLinerOptions options;
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j) * x(j)", options),
              HasSubstr("statement:1:8: error: nothing says what 'A' holds"));
  options.tensors["A"] = generated();
  options.tensors["x"] = generated();
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j) * x(j)", options),
              HasSubstr("the size of 'i' (dimension 1 of 'A') is not known here"));
  options.tensors["A"] = file("m.mtx");
  EXPECT_THAT(analyzedAlone("C(i,k) = A(i,j) * x(j)", options),
              HasSubstr("the size of 'k' is not known here\n"));
}

TEST(OneLiner, refusesWhatTheStatementLacks) {
  OneLinerOptions options;
  options.tensors["A"] = file("m.mtx");
  options.tensors["a"] = file("n.mtx");
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j)", options),
              HasSubstr("error: the statement has no tensor 'a'\nnote: did you mean"));
  options.tensors.erase("a");
  options.sizes["q"] = {4};
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j)", options),
              HasSubstr("error: the statement has no index 'q'\nnote: it has 'i' or 'j'"));
}

TEST(OneLiner, masks) {
  OneLinerOptions options;
  options.tensors["A"] = file("m.mtx");
  options.tensors["m"] = generated(0.5);
  for (const char *mask : {"<m>", "<m(i)>", "<m[i]>"})
    EXPECT_THAT(analyzedAlone("y(i)" + std::string(mask) + " = A(i,j)", options),
                HasSubstr("random m [i = A.0]\n"))
        << mask;
}

TEST(OneLiner, reductionsAndFunctions) {
  OneLinerOptions options;
  options.tensors["x"] = generated();
  options.sizes["i"] = {4};
  EXPECT_THAT(analyzedAlone("y = SUM(x(i))", options), HasSubstr("y = sum(i: x[i])"));
  EXPECT_THAT(analyzedAlone("y = SUM(x[i])", options), HasSubstr("y = sum(i: x[i])"));
  EXPECT_THAT(analyzedAlone("y = sum(i, x(i)*x(i))", options), HasSubstr("sum(i: x[i] * x[i])"));
  EXPECT_THAT(analyzedAlone("y(j) = max(i, x(i)) + min(x(j), 2)", options), HasSubstr("max(i: "));
  options.tensors.clear();
  EXPECT_THAT(analyzedAlone("y = sum(i, i*i)", options),
              HasSubstr("sum(i: value[i] * value[i]) where i = 4"));
}

// A name that options speak of is a tensor, even where a function has the same name.
TEST(OneLiner, tensorsAndFunctions) {
  OneLinerOptions options;
  options.sizes["i"] = {4};
  options.tensors["sqrt"] = generated();
  EXPECT_THAT(analyzedAlone("y(i) = sqrt(i)", options), HasSubstr("y[i] = sqrt[i]"));
  options.tensors.clear();
  EXPECT_THAT(analyzedAlone("y(i) = sqrt(i)", options), HasSubstr("y[i] = sqrt(value[i])"));
  options.tensors["b"] = generated();
  EXPECT_THAT(analyzedAlone("y(i) = sqroot(b(i))", options),
              HasSubstr("statement:1:8: error: unknown function 'sqroot'\n"
                        "  y(i) = sqroot(b(i))\n"
                        "         ^~~~~~\n"
                        "note: did you mean 'sqrt'?\n"
                        "note: if 'sqroot' is a tensor, say where it comes from: -i=sqroot:FILE"));
  EXPECT_THAT(analyzedAlone("y(i) = b(i) + heavy(b(i) - 1)", options),
              HasSubstr("statement:1:15: error: unknown function 'heavy'"));
  // Coordinates that are looked up.
  options.tensors["p"] = file("p.mtx");
  options.tensors["p"].type = ElementType::Int64;
  options.tensors["b"] = file("b.mtx");
  options.sizes.clear();
  EXPECT_THAT(analyzedAlone("y(i) = b(p(i))", options), HasSubstr("read p"));
  options.tensors.erase("b");
  EXPECT_THAT(analyzedAlone("y(i) = c(p(i))", options),
              HasSubstr("error: nothing says what 'c' holds"));
}

TEST(OneLiner, labelsAsValues) {
  OneLinerOptions options;
  options.sizes = {{"i", {4}}};
  EXPECT_THAT(analyzedAlone("a(i) = i", options), HasSubstr("a[i] = value[i] where i = 4"));
  options.sizes["j"] = {3};
  options.tensors["b"] = generated();
  EXPECT_THAT(analyzedAlone("a(i,j) = (i*8 + j) * b(i,j)", options),
              HasSubstr("(value[i] * 8 + value[j]) * b[i, j]"));
}

TEST(OneLiner, withoutParentheses) {
  OneLinerOptions options;
  EXPECT_THAT(analyzedAlone("a = 3", options), HasSubstr("a = 3"));
  options.parameters["b"] = "3";
  EXPECT_THAT(analyzedAlone("a = 2 * b", options), HasSubstr("a = 6"));
  EXPECT_THAT(analyzedAlone("a = 2 * c", options), HasSubstr("nothing says what 'c' holds"));
}

TEST(OneLiner, subscripts) {
  OneLinerOptions options;
  options.tensors["B"] = file("b.mtx");
  for (const char *text :
       {"A_ij = B_ij", "A_{i,j} = B_{i, j}", "A_ij = B(i,j)", "A(i,j) = B_ij", "A_{i,j} = B_ij"})
    EXPECT_THAT(analyzedAlone(text, options), HasSubstr("A[i, j] = B[i, j] where")) << text;
  options.tensors["x"] = file("x.mtx");
  EXPECT_THAT(analyzedAlone("y_i = sqrt(B_ij * x_j)", options),
              HasSubstr("y[i] = sqrt(sum(j: B[i, j] * x[j]))"));
  // What is no index elsewhere is part of the name, and so are options' names.
  options.tensors.erase("x");
  EXPECT_THAT(analyzedAlone("y_max = B(i,j)", options), HasSubstr("y_max = sum("));
  options.parameters["b_c"] = "3";
  options.tensors.clear();
  EXPECT_THAT(analyzedAlone("a = 2 * b_c", options), HasSubstr("a = 6"));
}

TEST(OneLiner, windows) {
  OneLinerOptions options;
  options.tensors["B"] = file("b.mtx");
  EXPECT_THAT(analyzedAlone("A(i,j) = B(i(2,5), j)", options),
              HasSubstr("A[i, j] = B[2 + i, j] where i = 3"));
  EXPECT_THAT(analyzedAlone("A(i,j) = B(i(0,10,4), j)", options),
              HasSubstr("A[i, j] = B[4 * i, j] where i = 3"));
  EXPECT_THAT(analyzedAlone("A(i,j) = B(i(2,5), j(0,3)) * B(i(1,4), j(3,6))", options),
              HasSubstr("where i = 3, j = 3"));
  EXPECT_THAT(analyzedAlone("A(i,j) = B(i(2,5), j) * B(i(1,5), j)", options),
              HasSubstr("error: this window gives 'i' 4 values, but another gives it 3"));
  EXPECT_THAT(analyzedAlone("A(i,j) = B(i(5,2), j)", options),
              HasSubstr("statement:1:12: error: this is not a window of 'i'"));
  options.sizes["i"] = {4};
  EXPECT_THAT(analyzedAlone("A(i,j) = B(i(2,5), j)", options),
              HasSubstr("error: this window gives 'i' 3 values, but -d gives it 4"));
  // On the left, with the size of what is written into.
  options.sizes = {{"c", {10}}};
  options.tensors = {{"b", generated()}};
  EXPECT_THAT(analyzedAlone("c(i(2,4)) = b(i)", options),
              HasSubstr("random b [i = 2]\nc[2 + i] = b[i] where i = 2"));
  options.sizes.clear();
  EXPECT_THAT(analyzedAlone("c(i(2,4)) = b(i)", options),
              HasSubstr("give the sizes of all its dimensions: -d=c:100"));
}

TEST(OneLiner, mistakesInTheStatement) {
  OneLinerOptions options;
  options.tensors["A"] = file("m.mtx");
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j) * A(i)", options),
              HasSubstr("statement:1:17: error: 'A' has 2 dimensions, but 1 label is given"));
  EXPECT_THAT(
      analyzedAlone("y(i) = A(i,j) *", options),
      HasSubstr("statement:1:16: error: expected a tensor, a number or '(', found the end"));
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j) x(j)", options),
              HasSubstr("statement:1:15: error: expected an operator"));
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j*j)", options),
              HasSubstr("statement:1:12: error: an index cannot multiply labels"));
  EXPECT_THAT(analyzedAlone("y(i) = A(i,A)", options),
              HasSubstr("statement:1:8: error: 'A' is a tensor here and an index there"));
  EXPECT_THAT(analyzedAlone("", options), HasSubstr("error: the statement is empty"));
  OneLinerOptions generated = options;
  generated.tensors["A"].source = TensorOptions::Source::Random;
  EXPECT_THAT(analyzedAlone("y(i) = A", generated),
              HasSubstr("statement:1:8: error: 'A' is a scalar here"));
}

} // namespace
} // namespace strata::frontend
