// Tests of strata.hpp: what statements in C++ mean, when they are computed, and what is told of
// errors.
#include "CppTensors.h"

#include <cmath>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

namespace {

using namespace strata;
using namespace strata::test;
using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class CppTest : public testing::Test {
protected:
  IndexVar i, j, k;
};

//===------------------------------------------------------------------------------------------===//
// Tensors
//===------------------------------------------------------------------------------------------===//

TEST_F(CppTest, InsertedEntriesArePacked) {
  Tensor<double> A = matrix();
  EXPECT_EQ(formatOf(A), "{CSR, pos = 32, crd = 32}");
  EXPECT_EQ(*A.stored(), 4);
  EXPECT_THAT(elementsOf(A), ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 4));
  A.insert(0, 1, 10.0); // is added to what is there
  A.insert(1, 1, 5.0);
  EXPECT_THAT(elementsOf(A), ElementsAre(0, 11, 0, 2, 0, 5, 0, 0, 3, 0, 0, 4));
  EXPECT_EQ(*A.at({2, 3}), 4);
  EXPECT_EQ(A.at({3, 0}).status().kind(), ErrorKind::Shape);
  EXPECT_TRUE(A.validate().ok());
}

TEST_F(CppTest, WrongEntriesAreErrorsOfTheRead) {
  Tensor<double> A({2, 2}, "CSR");
  A.insert(0, 2, 1.0);
  EXPECT_EQ(A.compute().kind(), ErrorKind::Shape);
  Tensor<double> B({2, 2}, "CSR");
  B.insert(0, 1.0);
  EXPECT_EQ(B.stored().status().kind(), ErrorKind::Shape);
  Tensor<double> C({2, 2}, "CSQ");
  EXPECT_EQ(C.compute().kind(), ErrorKind::Format);
  EXPECT_EQ(C.compute().text(), "CSQ");
  Tensor<double> none;
  EXPECT_EQ(none.compute().kind(), ErrorKind::Argument);
}

TEST_F(CppTest, AdoptedArraysStayWhereTheyAre) {
  std::vector<int32_t> pos = {0, 2, 2, 4}, crd = {1, 3, 0, 3};
  Vector values = {1, 2, 3, 4};
  int released = 0;
  {
    Result<Tensor<double>> A =
        Tensor<double>::adopt({3, 4}, "CSR",
                              {array(pos.data(), pos.size()), array(crd.data(), crd.size()),
                               array(values.data(), values.size())},
                              [&] { ++released; });
    ASSERT_TRUE(A.ok()) << A.status().describe();
    EXPECT_EQ(A->values()->data(), values.data());
    EXPECT_EQ(A->storage(0)->data, pos.data());
    values[3] = 5; // values may change, the pattern may not
    Tensor<double> y;
    y(i) = sum(j, (*A)(i, j));
    EXPECT_THAT(elementsOf(y), ElementsAre(3, 0, 8));
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  Result<Tensor<double>> wrong =
      Tensor<double>::adopt({3, 4}, "CSR", {array(pos.data(), pos.size())}, [&] { ++released; });
  EXPECT_EQ(wrong.status().kind(), ErrorKind::Argument);
  EXPECT_EQ(released, 2);
  wrong = Tensor<double>::adopt({3, 4}, "CSQ", {}, [&] { ++released; });
  EXPECT_EQ(wrong.status().kind(), ErrorKind::Format);
  EXPECT_EQ(released, 3);
}

TEST_F(CppTest, AdoptedArraysNeedNoRelease) {
  std::vector<double> values = {1, 2, 3};
  std::vector<strata_array> arrays = {array(values.data(), values.size())};
  void (*function)() = nullptr;
  for (const Result<Tensor<double>> &x :
       {Tensor<double>::adopt({3}, "Dense", arrays),
        Tensor<double>::adopt({3}, "Dense", arrays, nullptr),
        Tensor<double>::adopt({3}, "Dense", arrays, function),
        Tensor<double>::adopt({3}, "Dense", arrays, std::function<void()>())}) {
    ASSERT_TRUE(x.ok()) << x.status().describe();
    EXPECT_EQ(x->values()->data(), values.data());
  }
}

TEST_F(CppTest, CoordinatesConversionsCopies) {
  Result<Tensor<float>> A = Tensor<float>::fromCoordinates<int32_t>(
      {3, 4}, "CSC", {{2, 0, 0, 2}, {3, 1, 3, 3}}, {4, 1, 2, 6});
  ASSERT_TRUE(A.ok()) << A.status().describe();
  EXPECT_THAT(elementsOf(*A), ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 10));
  Result<Tensor<double>> B = A->convert<double>("BCSR:2x2");
  EXPECT_THAT(elementsOf(*B), ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 10));
  EntriesOf<double> entries = *B->entries();
  EXPECT_THAT(entries.values, ElementsAre(1, 2, 10));
  EXPECT_THAT(entries.coordinates, ElementsAre(ElementsAre(0, 0, 2), ElementsAre(1, 3, 3)));
  EXPECT_THAT(elementsOf(*B->copy()), elementsOf(*B));
  EXPECT_NE(B->copy()->values()->data(), B->values()->data());
  EXPECT_EQ(Tensor<float>::fromCoordinates<int32_t>({3}, "Dense", {{1, 1}}, {1, 2},
                                                    STRATA_REFUSE_DUPLICATES)
                .status()
                .kind(),
            ErrorKind::Argument);
  EXPECT_THAT(elementsOf(*A->convert<int32_t>("Dense")),
              ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 10));
}

TEST_F(CppTest, ListsOfEveryOrder) {
  EXPECT_THAT(Tensor<double>::scalar(2.5).entries()->values, ElementsAre(2.5));
  EXPECT_THAT(vector({0, 2, 3}).entries()->coordinates, ElementsAre(ElementsAre(1, 2)));
  Tensor<int64_t> cube({2, 2, 2}, "CSF");
  cube.insert(1, 0, 1, int64_t(7));
  EntriesOf<int64_t> entries = *cube.entries();
  EXPECT_THAT(entries.coordinates, ElementsAre(ElementsAre(1), ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(entries.values, ElementsAre(7));
}

/// What is not stored is the fill, and stays so.
TEST_F(CppTest, ListsBesideAFill) {
  Tensor<double> A({1000, 1000}, "{CSR, fill = 2.5}");
  A.insert(0, 0, 1.0);
  ASSERT_TRUE(A.compute().ok());
  EXPECT_THAT(A.entries()->values, ElementsAre(1));
  EXPECT_THAT(A.entries()->coordinates, ElementsAre(ElementsAre(0), ElementsAre(0)));
  A.insert(1, 1, 3.0);
  A.insert(0, 0, 0.25);
  EXPECT_THAT(A.entries()->values, ElementsAre(1.25, 3));
  EXPECT_EQ(*A.at({1, 1}), 3);
  EXPECT_EQ(*A.at({1, 0}), 2.5);
  for (const char *fill : {"0.1", "-inf", "1e-30"}) {
    Tensor<float> x({9}, std::string("{(i) -> (i : compressed), fill = ") + fill + "}");
    x.insert(4, 7.0F);
    ASSERT_TRUE(x.compute().ok()) << x.compute().describe();
    x.insert(2, 5.0F);
    EXPECT_THAT(x.entries()->values, ElementsAre(5, 7)) << fill;
    EXPECT_THAT(x.entries()->coordinates, ElementsAre(ElementsAre(2, 4))) << fill;
  }
  Tensor<double> none({9}, "{(i) -> (i : compressed), fill = nan}");
  none.insert(4, 7.0);
  none.insert(5, std::nan(""));
  EXPECT_THAT(none.entries()->values.front(), 7);
  EXPECT_TRUE(std::isnan(*none.at({1})));
  Tensor<std::complex<double>> complex({9}, "{(i) -> (i : compressed), fill = 1 - 2i}");
  complex.insert(4, std::complex<double>(7, 1));
  EXPECT_THAT(complex.entries()->values, ElementsAre(std::complex<double>(7, 1)));
  EXPECT_EQ(*complex.at({1}), std::complex<double>(1, -2));
  Tensor<int64_t> cube({2, 2, 2}, "{CSF, fill = -3}");
  cube.insert(1, 0, 1, int64_t(7));
  EXPECT_THAT(cube.entries()->values, ElementsAre(7));
  EXPECT_THAT(*cube.toVector(), ElementsAre(-3, -3, -3, -3, -3, 7, -3, -3));
}

TEST_F(CppTest, FilesAreWrittenAndRead) {
  std::string file = testing::TempDir() + "strata-cpp-test.mtx";
  ASSERT_TRUE(matrix().write(file).ok());
  EXPECT_THAT(Tensor<double>::read(file, "CSR")->values().value(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(formatOf(*Tensor<double>::read(file)), HasSubstr("COO"));
  std::remove(file.c_str());
  EXPECT_EQ(Tensor<double>::read(file).status().kind(), ErrorKind::File);
}

TEST_F(CppTest, StoragesOfTaco) {
  int32_t dimensions[] = {3, 4}, ordering[] = {0, 1}, columns[] = {1, 0};
  TacoMode modes[] = {TacoDense, TacoSparse};
  int32_t rows = 3, pos[] = {0, 2, 2, 4}, crd[] = {1, 3, 0, 3};
  double values[] = {1, 2, 3, 4};
  uint8_t *dense[] = {reinterpret_cast<uint8_t *>(&rows)};
  uint8_t *sparse[] = {reinterpret_cast<uint8_t *>(pos), reinterpret_cast<uint8_t *>(crd)};
  uint8_t **indices[] = {dense, sparse};
  TacoTensor given = {
      2, dimensions, 64, ordering, modes, indices, reinterpret_cast<uint8_t *>(values), nullptr, 4};
  Result<Tensor<double>> A = adoptTaco<double>(given);
  ASSERT_TRUE(A.ok()) << A.status().describe();
  EXPECT_EQ(A->values()->data(), values);
  EXPECT_EQ(formatOf(*A), "{CSR, pos = 32, crd = 32}");
  EXPECT_THAT(elementsOf(*A), elementsOf(matrix()));

  // The same arrays as columns of a matrix of 4 x 3, with a fill.
  int32_t turned[] = {4, 3};
  double fill = std::numeric_limits<double>::infinity();
  given.dimensions = turned, given.mode_ordering = columns;
  given.fill_value = reinterpret_cast<uint8_t *>(&fill);
  Result<Tensor<double>> B = adoptTaco<double>(given);
  ASSERT_TRUE(B.ok()) << B.status().describe();
  EXPECT_EQ(formatOf(*B), "{CSC, pos = 32, crd = 32, fill = inf}");
  EXPECT_EQ(*B->at({3, 2}), 4);
  EXPECT_EQ(*B->at({0, 0}), fill);

  int released = 0;
  EXPECT_EQ(adoptTaco<float>(given, [&] { ++released; }).status().kind(), ErrorKind::Type);
  EXPECT_EQ(released, 1);
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

TEST_F(CppTest, StatementsAreComputedAtTheFirstRead) {
  Tensor<double> A = matrix(), x = vector({1, 1, 1, 2}), y({3});
  y(i) = A(i, j) * x(j);
  EXPECT_THAT(elementsOf(y), ElementsAre(5, 0, 11));
  y(i) += A(i, j) * x(j);
  EXPECT_THAT(elementsOf(y), ElementsAre(10, 0, 22));
  y(i) = A(i, j) * x(j) - y(i); // the old y
  EXPECT_THAT(elementsOf(y), ElementsAre(-5, 0, -11));
}

TEST_F(CppTest, FormatsAreGivenOrChosen) {
  Tensor<double> A = matrix(), B = matrix("CSC"), dense({3, 4}), chosen({3, 4}, ""), sum;
  dense(i, j) = A(i, j) + B(i, j);
  chosen(i, j) = A(i, j) + B(i, j);
  sum(i, j) = A(i, j) + B(i, j);
  EXPECT_EQ(formatOf(dense), "Dense");
  EXPECT_EQ(formatOf(chosen), "{CSR, pos = 32, crd = 32}");
  EXPECT_EQ(formatOf(sum), "{CSR, pos = 32, crd = 32}");
  EXPECT_THAT(elementsOf(sum), ElementsAre(0, 2, 0, 4, 0, 0, 0, 0, 6, 0, 0, 8));
  Tensor<float> narrow; // another type than the expression's
  narrow(i, j) = A(i, j) + B(i, j);
  EXPECT_EQ(formatOf(narrow), "{CSR, pos = 32, crd = 32}");
  EXPECT_THAT(elementsOf(narrow), ElementsAre(0, 2, 0, 4, 0, 0, 0, 0, 6, 0, 0, 8));
}

TEST_F(CppTest, NothingIsASurprise) {
  Tensor<double> A = matrix(), x = vector({1, 1, 1, 1}), y({3}), z({3});
  y(i) = A(i, j) * x(j);
  A.insert(1, 1, 100.0); // y has read the old A
  z(i) = A(i, j) * x(j);
  x(j) = 2 * x(j); // and z the old x
  EXPECT_THAT(elementsOf(y), ElementsAre(3, 0, 7));
  EXPECT_THAT(elementsOf(z), ElementsAre(3, 100, 7));
  EXPECT_THAT(elementsOf(x), Each(2));
  for (int round = 0; round < 10; ++round)
    x(j) = 2 * x(j);
  EXPECT_THAT(elementsOf(x), Each(2048));
}

TEST_F(CppTest, HandlesShareTheirTensor) {
  Tensor<double> x = vector({1, 2, 3}), same = x, other = *x.copy();
  x(i) = x(i) + 1;
  EXPECT_THAT(elementsOf(same), ElementsAre(2, 3, 4));
  EXPECT_THAT(elementsOf(other), ElementsAre(1, 2, 3));
  Tensor<double> moved = std::move(same);
  EXPECT_THAT(elementsOf(moved), ElementsAre(2, 3, 4));
}

TEST_F(CppTest, NumbersAndParametersAreArguments) {
  Tensor<double> A = matrix(), B({3, 4}, "CSR");
  Param<double> alpha;
  int64_t compiled = -1;
  for (double value = 1; value <= 50; ++value) {
    alpha = value;
    B(i, j) = alpha * A(i, j);
    alpha = -1; // after the statement: it is too late
    ASSERT_THAT(B.values().value(), ElementsAre(value, 2 * value, 3 * value, 4 * value));
    B(i, j) = A(i, j) / value;
    ASSERT_THAT(B.values().value(), ElementsAre(1 / value, 2 / value, 3 / value, 4 / value));
    if (compiled < 0)
      compiled = strata_session_compiled(session());
  }
  EXPECT_EQ(strata_session_compiled(session()), compiled);
  B(i, j) = std::numeric_limits<double>::infinity() * A(i, j);
  EXPECT_EQ(B.values().value()[0], std::numeric_limits<double>::infinity());
}

TEST_F(CppTest, NumbersHaveTheTypeOfTheTensors) {
  Tensor<float> x({2}), y;
  x.insert(1, 3.0f);
  y(i) = 0.1 * x(i);
  EXPECT_EQ(*y.at({1}), 0.1f * 3.0f);
  Tensor<int8_t> n({2}), m;
  n.insert(0, int8_t(100));
  m(i) = 2 * n(i) - n(i);
  EXPECT_THAT(elementsOf(m), ElementsAre(100, 0));
  m(i) = 0.5 * n(i);
  EXPECT_FALSE(m.compute().ok()); // would drop a fraction
  Tensor<std::complex<double>> c({2}), d;
  c.insert(0, std::complex<double>(1, 1));
  d(i) = std::complex<double>(0, 1) * c(i);
  EXPECT_EQ(*d.at({0}), std::complex<double>(-1, 1));
  Tensor<bool> positive;
  positive(i) = n(i) > 0;
  EXPECT_TRUE(*positive.at({0}));
}

TEST_F(CppTest, FunctionsAndReductions) {
  Tensor<double> A = matrix(), x = vector({-4, 9, 1, 0}), B({3, 4}, ""), y;
  B(i, j) = max(A(i, j) - 2 * A(i, j), -2.5); // what is not stored stays absent
  EXPECT_EQ(formatOf(B), "{CSR, pos = 32, crd = 32}");
  EXPECT_THAT(B.values().value(), ElementsAre(-1, -2, -2.5, -2.5));
  y(i) = where(i > 1, sqrt(abs(x(i))), pow(x(i), 2));
  EXPECT_THAT(elementsOf(y), ElementsAre(16, 81, 1, 0));
  Tensor<double> rows, total;
  rows(i) = max(j, A(i, j));
  EXPECT_THAT(elementsOf(rows), ElementsAre(2, 0, 4));
  total() = sum(i, j, A(i, j));
  EXPECT_THAT(elementsOf(total), ElementsAre(10));
  y(i) = total * x(i);
  EXPECT_THAT(elementsOf(y), ElementsAre(-40, 90, 10, 0));
  y(i) = -(x(i) + 1) * (x(i) - (1 - x(i)));
  EXPECT_THAT(elementsOf(y), ElementsAre(-27, -170, -2, 1));
  Tensor<int32_t> rounded;
  rounded(i) = cast<int32_t>(x(i) / 2);
  EXPECT_THAT(elementsOf(rounded), ElementsAre(-2, 4, 0, 0));
  Tensor<double> shortest;
  shortest(i) = combine("min,+", A(i, j), x(j));
  EXPECT_THAT(elementsOf(shortest)[2], -1);
}

TEST_F(CppTest, IndicesAreExpressions) {
  Tensor<double> A = matrix(), x = vector({1, 2, 3, 4}), y({4}), row, d;
  y(i) = x(i);
  y(i + 1) = x(i); // the rest stays
  EXPECT_THAT(elementsOf(y), ElementsAre(1, 1, 2, 3));
  row(j) = A(2, j);
  EXPECT_THAT(elementsOf(row), ElementsAre(3, 0, 0, 4));
  d(i) = x(i + 1) - x(i);
  EXPECT_THAT(elementsOf(d), ElementsAre(1, 1, 1));
  y(i) = x(~(i - 1)) + x(i);
  EXPECT_THAT(elementsOf(y), ElementsAre(1, 3, 5, 7));
  d(i) = x(i(1, 3));
  EXPECT_THAT(elementsOf(d), ElementsAre(2, 3));
  d(j) = A(0, j);
  EXPECT_EQ(*d.sizes(), std::vector<int64_t>{4}); // those of what was assigned last
  y(i) = x(floordiv(i, 2) % 2);
  EXPECT_THAT(elementsOf(y), ElementsAre(1, 1, 2, 2));
  Tensor<int64_t> p({4}), c({4});
  c(i) = 3 - i;
  p(i) = c(i);
  y(i) = x(p(i));
  EXPECT_THAT(elementsOf(y), ElementsAre(4, 3, 2, 1));
  y(i) = 7.0;
  EXPECT_THAT(elementsOf(y), Each(7));
  A(0, j) = x(j);
  EXPECT_THAT(elementsOf(A), ElementsAre(1, 2, 3, 4, 0, 0, 0, 0, 3, 0, 0, 4));
}

TEST_F(CppTest, Masks) {
  Tensor<double> A = matrix(), C({3, 4}), x = vector({1, 2, 3, 4});
  C(i, j).mask(A(i, j)) = x(j);
  EXPECT_THAT(elementsOf(C), ElementsAre(0, 2, 0, 4, 0, 0, 0, 0, 1, 0, 0, 4));
  C(i, j).mask(!A(i, j), "structural") = C(i, j) + 9;
  EXPECT_THAT(elementsOf(C), ElementsAre(9, 2, 9, 4, 9, 9, 9, 9, 1, 9, 9, 4));
  Tensor<double> y = vector({3, 0, 5, 1});
  y(i).assign("min=", x(i));
  EXPECT_THAT(elementsOf(y), ElementsAre(1, 0, 3, 1));
}

TEST_F(CppTest, Schedules) {
  Tensor<double> A = matrix(), x = vector({1, 1, 1, 2}), y({3});
  y(i) = A(i, j) * x(j);
  EXPECT_TRUE(y.schedule("split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)").ok());
  EXPECT_THAT(*y.explain("loops"), HasSubstr("i0"));
  EXPECT_THAT(elementsOf(y), ElementsAre(5, 0, 11));
  EXPECT_THAT(*y.explain("c"), HasSubstr("A2_pos")); // also afterwards
  EXPECT_EQ(y.schedule("unroll(i, 2)").kind(), ErrorKind::Schedule);

  IndexVar outer("outer"), inner, p;
  y(i) = A(i, j) * x(j);
  EXPECT_TRUE(
      y.schedule(Schedule().split(i, outer, inner, 2).pos(j, p, A).parallelize(outer)).ok());
  EXPECT_THAT(*y.explain(), HasSubstr("outer"));
  EXPECT_THAT(elementsOf(y), ElementsAre(5, 0, 11));
  y(i) = A(i, j) * x(j);
  EXPECT_TRUE(y.schedule("splt(i,i0,i1,32)").ok()); // is looked at when it is compiled
  EXPECT_EQ(y.compute().kind(), ErrorKind::Schedule);
}

TEST_F(CppTest, ContractionsAreScheduled) {
  auto A = *Tensor<double>::dense({2, 3}, {1, 2, 3, 4, 5, 6});
  auto B = *Tensor<double>::dense({3, 2}, {1, 0, 0, 1, 1, 1});
  Tensor<double> C({2, 2}, "Dense"), D({2, 2}, "Dense");
  C(i, j) = A(i, k) * B(k, j);
  EXPECT_TRUE(C.schedule(Schedule().reorder(k, i, j).contract(k, i, j)).ok());
  EXPECT_EQ(elementsOf(C), (Vector{4, 5, 10, 11}));
  D(i, j) = A(i, k) * B(k, j);
  EXPECT_TRUE(D.schedule().contract(i, k).status().ok());
  EXPECT_EQ(D.compute().kind(), ErrorKind::Schedule) << "the loop over j belongs to it";
}

TEST_F(CppTest, KernelsAreThoseOfTheTextAsItIsWritten) {
  Tensor<double> A = matrix(), x = vector({1, 1, 1, 2}), y({3});
  y(i) = A(i, j) * x(j);
  strata_tensor *matrix = *A.share(), *vector = *x.share();
  strata_operand operands[] = {{"A", strata_tensor_format(matrix)},
                               {"x", strata_tensor_format(vector)}};
  strata_statement *statement = nullptr;
  ASSERT_EQ(
      strata_statement_create(session(), "y(i) = A(i,j) * x(j)", operands, 2, nullptr, &statement),
      nullptr);
  for (const char *stage : {"ta", "c", "llvm"}) {
    char *text = nullptr;
    ASSERT_EQ(strata_statement_show(statement, stage, &text), nullptr);
    EXPECT_EQ(*y.explain(stage), text) << stage;
    strata_text_free(text);
  }
  strata_statement_release(statement);
  strata_tensor_release(matrix);
  strata_tensor_release(vector);
}

TEST_F(CppTest, NamesOfUsersAreKept) {
  Tensor<double> A = matrix(), x = vector({1, 1, 1, 2}), y({3});
  IndexVar row("row"), alsoRow("row");
  A.setName("K"), x.setName("K"), y.setName("force");
  y(row) = A(row, alsoRow) * x(alsoRow);
  EXPECT_THAT(*y.explain("loops"), testing::AllOf(HasSubstr("row"), HasSubstr("force")));
  EXPECT_THAT(elementsOf(y), ElementsAre(5, 0, 11));
}

//===------------------------------------------------------------------------------------------===//
// Errors
//===------------------------------------------------------------------------------------------===//

TEST_F(CppTest, ErrorsTellTheStatementAndThePlace) {
  Tensor<double> A = matrix(), x = vector({1, 2, 3}), y({3});
  y(i) = A(i, j) * x(j);
  Status status = y.compute();
  EXPECT_EQ(status.kind(), ErrorKind::Shape);
  EXPECT_EQ(status.message(), "'j' has two sizes: 4 from A, 3 from x");
  EXPECT_EQ(status.text(), "y(i) = A(i,j) * x(j)");
  EXPECT_EQ(y.toVector().status().kind(), ErrorKind::Shape);
  Tensor<double> z;
  z(i) = 2 * y(i); // reads what was not computed
  EXPECT_EQ(z.compute().message(), status.message());
  y(i) = x(i); // and is forgotten
  EXPECT_THAT(elementsOf(y), ElementsAre(1, 2, 3));
  y(i) = A(i, j) * x(i, j);
  status = y.compute();
  EXPECT_EQ(status.kind(), ErrorKind::Expression);
  EXPECT_EQ(status.message(), "'x' has 1 dimension, and is read with 2 indices");
  EXPECT_EQ(status.column(), 17);
  EXPECT_THAT(status.describe(), HasSubstr("\n  y(i) = A(i,j) * x(i,j)\n"));
  EXPECT_THAT(status.describe(), HasSubstr("  ^"));
  Tensor<double> four({4});
  four(i) = x(i);
  EXPECT_EQ(four.compute().kind(), ErrorKind::Shape);
  Tensor<double> square({3, 3}, "");
  square(i) = x(i);
  EXPECT_FALSE(square.compute().ok());
}

TEST_F(CppTest, ErrorsAreThrownWhereThereAreExceptions) {
  Tensor<double> x = vector({1, 2, 3}), y({4});
  y(i) = x(i);
  try {
    (void)*y.values();
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.status().kind(), ErrorKind::Shape);
    EXPECT_EQ(error.mistake(), "SE0302");
    EXPECT_THAT(error.what(), HasSubstr("y(i) = x(i)"));
  }
  EXPECT_THROW(y.compute().orThrow(), std::runtime_error);
}

TEST_F(CppTest, ManyThreadsShareATensor) {
  Tensor<double> A = matrix(), x = vector({1, 1, 1, 1});
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&] {
      IndexVar i, j;
      Tensor<double> y;
      for (int round = 0; round < 50; ++round) {
        y(i) = 5 * A(i, j) * x(j);
        right += elementsOf(y) == Vector{15, 0, 35};
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 400);
}

TEST_F(CppTest, ThreadsOfAPoolCompute) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  usePool(
      [&](std::function<void()> task) {
        std::lock_guard<std::mutex> lock(mutex);
        threads.emplace_back(std::move(task));
      },
      3);
  EXPECT_EQ(strata_threads(), 3);
  constexpr int32_t size = 100000;
  std::vector<int32_t> reversed(size);
  for (int32_t at = 0; at < size; ++at)
    reversed[size_t(at)] = size - 1 - at;
  auto A = Tensor<double>::fromCoordinates<int32_t>({size, size}, "CSR", {reversed, reversed},
                                                    Vector(size, 1)); // are sorted
  EXPECT_EQ(*A.value().stored(), size);
  useLibraryThreads();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(threads.empty());
}

//===------------------------------------------------------------------------------------------===//
// Machines
//===------------------------------------------------------------------------------------------===//

TEST(Machine, TensorsInPieces) {
  strata::Machine M{strata::Grid(2)};
  EXPECT_EQ(M.name(), "M");
  EXPECT_EQ(M.rank(), 0);
  EXPECT_EQ(M.size(), 1);
  EXPECT_TRUE(M.status().ok());
  Tensor<double> A({4, 3}, Format("CSR on M(i)", M)), x({3}), y({4}, Format("Dense on M(i)", M));
  A.insert(0, 1, 2.0);
  A.insert(3, 2, 5.0);
  x.insert(1, 10.0);
  x.insert(2, 100.0);
  IndexVar i, j;
  y(i) = A(i, j) * x(j);
  EXPECT_THAT(*y.toVector(), ElementsAre(20, 0, 0, 500));
  EXPECT_EQ(*y.format(), "Dense on M(i)");
  EXPECT_EQ(*y.pieceCount(), 2);
  auto pieces = *y.pieces();
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[1].cell, 1);
  EXPECT_EQ(pieces[1].first[0], 2);
  EXPECT_EQ(pieces[1].end[0], 4);
  EXPECT_THAT(*pieces[1].tensor.toVector(), ElementsAre(0, 500));
  EXPECT_EQ(*y.gather()->format(), "Dense");
  EXPECT_EQ(*x.pieceCount(), 0);
  A.insert(1, 0, 7.0); // into what is in pieces
  EXPECT_EQ(A.entries()->values.size(), 3U);
  EXPECT_EQ(*A.convert(Format("CSC on M(~(i, j))", M))->format(), "CSC on M(~(i, j))");
  EXPECT_EQ(*A.copy()->pieceCount(), 2);
  EXPECT_TRUE(A.validate().ok());
}

TEST(Machine, ResultsLieAsOperandsDo) {
  strata::Machine M{strata::Grid(3)};
  Tensor<double> A({6, 6}, Format("CSR on M(i)", M)), x({6}), y({6}, "");
  A.insert(2, 3, 1.5);
  x.insert(3, 2.0);
  IndexVar i, j;
  y(i) = A(i, j) * x(j);
  EXPECT_EQ(*y.format(), "Dense on M(i)");
  EXPECT_THAT(*y.toVector(), ElementsAre(0, 0, 3, 0, 0, 0));
}

TEST(Machine, DistributionsAreTexts) {
  strata::Machine M{strata::Grid(2), "P"}, N(strata::Grid(2, 2), "N");
  strata::DistVar x, y, z;
  EXPECT_EQ(strata::Distribution({x, y}, M, {x}).text(), "P(i)");
  EXPECT_EQ(strata::Distribution({x, y}, M, {y}).text(), "P(j)");
  EXPECT_EQ(strata::Distribution({x, y}, M, {z}).text(), "P(*)");
  EXPECT_EQ(strata::Distribution({x, y}, N, {y, x}).text(), "N(j, i)");
  EXPECT_EQ(strata::Distribution({x, y}, M, {~x}).text(), "P(~i)");
  EXPECT_EQ(strata::Distribution({x, y}, M, {~fuse(x, y)}).text(), "P(~(i, j))");
  EXPECT_EQ(strata::Distribution({x, y, z}, N, {fuse(x, y), z}).text(), "N((i, j), k)");
  Format csr({strata::Dense, strata::Compressed}, strata::Distribution({x, y}, M, {~fuse(x, y)}));
  EXPECT_EQ(csr.text(), "{D, CU} on P(~(i, j))");
  EXPECT_EQ(Format({strata::Compressed, strata::Singleton}).text(), "{CU, S}");
}

TEST(Machine, PiecesOfTheProgram) {
  strata::Machine M{strata::Grid(2)};
  Tensor<double> own({2, 3}, "CSR");
  own.insert(1, 2, 4.0);
  strata::Result<Tensor<double>> whole =
      Tensor<double>::fromPiece(own, Format("CSC on M(j)", M), {5, 4}, {3, 1});
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  auto entries = *whole->entries();
  EXPECT_THAT(entries.values, ElementsAre(4));
  EXPECT_EQ(entries.coordinates[0][0], 4);
  EXPECT_EQ(entries.coordinates[1][0], 3);
  EXPECT_EQ(
      Tensor<double>::fromPiece(own, Format("CSC on M(j)", M), {5, 4}, {4, 1}).status().kind(),
      strata::ErrorKind::Shape);
  EXPECT_EQ(Tensor<double>::fromPiece(own, "CSC", {5, 4}, {3, 1}).status().kind(),
            strata::ErrorKind::Format);
}

TEST(Machine, MistakesAreTold) {
  strata::Machine wrong{strata::Grid(-1)};
  EXPECT_EQ(wrong.status().kind(), strata::ErrorKind::Argument);
  Tensor<double> x({3}, Format("Dense on M(i)", wrong));
  EXPECT_EQ(x.compute().kind(), strata::ErrorKind::Argument);
  strata::Machine M{strata::Grid(2)};
  Tensor<double> A({3, 3}, Format("CSR on N(i)", M));
  EXPECT_EQ(A.compute().kind(), strata::ErrorKind::Argument);
  Tensor<double> y({3}), B({3, 3}, Format("CSR on M(i)", M));
  IndexVar i, j, io, ii;
  y(i) = B(i, j);
  EXPECT_TRUE(y.schedule().divide(i, io, ii, M.y).distribute(io).status().ok());
  EXPECT_EQ(y.compute().kind(), strata::ErrorKind::Schedule);
}

} // namespace
