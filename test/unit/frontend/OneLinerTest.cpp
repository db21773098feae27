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
  options.tensors["A"].sizes = {5, 6};
  options.tensors["x"] = generated();
  EXPECT_EQ(analyzedAlone("y(i) = A(i,j) * x(j)", options),
            R"(random A [i = 5, j = 6]
random x [j = 6]
y[i] = sum(j: A[i, j] * x[j]) where i = 5, j = 6
)");
  options = {};
  options.tensors["b"] = generated();
  options.sizes = {{"i", 3}, {"j", 4}};
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
              HasSubstr("the size of 'i' (dimension 0 of 'A') is not known here"));
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
  options.sizes["q"] = 4;
  EXPECT_THAT(analyzedAlone("y(i) = A(i,j)", options),
              HasSubstr("error: the statement has no index 'q'\nnote: it has 'i' or 'j'"));
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
              HasSubstr("statement:1:12: error: an index cannot multiply labels, nor divide"));
  EXPECT_THAT(analyzedAlone("y(i) = A(i,A)", options),
              HasSubstr("statement:1:8: error: 'A' is a tensor here and an index there"));
  EXPECT_THAT(analyzedAlone("", options), HasSubstr("error: the statement is empty"));
  EXPECT_THAT(analyzedAlone("y(i) = A", options),
              HasSubstr("statement:1:8: error: 'A' is a scalar here"));
}

} // namespace
} // namespace strata::frontend
