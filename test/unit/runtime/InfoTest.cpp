// The facts of matrices and tensors.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Info.h"
#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/MatrixMarket.h"
#include "strata/runtime/storage/Generate.h"

#include <gtest/gtest.h>

namespace {

using namespace strata::runtime;

TensorInfo infoOf(const std::string &field, const std::string &text) {
  Result<InputFile> file =
      InputFile::fromText("t", "%%MatrixMarket matrix coordinate " + field + " general\n" + text);
  Result<MatrixMarketContent> content = readMatrixMarket(*file);
  EXPECT_TRUE(content.ok()) << content.error().text();
  Result<TensorInfo> info = describe(content->list);
  EXPECT_TRUE(info.ok());
  return std::move(*info);
}

TEST(InfoTest, CountsEntries) {
  const TensorInfo info = infoOf("real", "4 5 6\n1 2 1\n3 5 0\n3 5 2\n3 1 7\n3 3 1\n4 4 -1\n");
  EXPECT_EQ(info.stored, 6);
  EXPECT_EQ(info.duplicates, 1);
  EXPECT_EQ(info.explicitZeros, 1);
  EXPECT_DOUBLE_EQ(info.density, 0.25);
  EXPECT_EQ(info.slices.least, 0);
  EXPECT_EQ(info.slices.greatest, 3);
  EXPECT_EQ(info.slices.empty, 1);
  EXPECT_DOUBLE_EQ(info.slices.mean, 1.25);
  ASSERT_TRUE(info.matrix.has_value());
  EXPECT_EQ(info.matrix->lowerBandwidth, 2);
  EXPECT_EQ(info.matrix->upperBandwidth, 2);
  EXPECT_EQ(info.matrix->bandwidth, 2);
  EXPECT_EQ(info.matrix->diagonals, 4); // 1, 2, -2, 0
  EXPECT_EQ(info.matrix->onDiagonal, 2);
  EXPECT_EQ(info.matrix->patternSymmetry, 0);
  EXPECT_EQ(info.matrix->columns.least, 1);
  EXPECT_EQ(info.matrix->columns.greatest, 1);
  EXPECT_EQ(info.matrix->columns.empty, 0);
  EXPECT_DOUBLE_EQ(info.matrix->columns.mean, 1);
  EXPECT_EQ(info.matrix->blockSize, 1);
}

TEST(InfoTest, Blocks) {
  std::string text = "7 6 18\n";
  for (int first : {1, 4})
    for (int i = 0; i < 9; ++i)
      text += std::to_string(first + i / 3) + " " + std::to_string(first + i % 3) + " 1\n";
  const TensorInfo info = infoOf("real", text);
  EXPECT_EQ(info.matrix->blockSize, 3);
  EXPECT_EQ(info.matrix->blockFill, 1);
}

TEST(InfoTest, Grid) {
  Result<InputFile> file = InputFile::fromText(
      "t", "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 1\n2 2 1\n4 3 1\n");
  Result<MatrixMarketContent> content = readMatrixMarket(*file);
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(countInGrid(content->list, 2, 2), (std::vector<int64_t>{2, 0, 0, 1}));
  EXPECT_EQ(countInGrid(content->list, 1, 4), (std::vector<int64_t>{1, 1, 1, 0}));
}

TEST(InfoTest, Symmetries) {
  auto of = [](const std::string &field, const std::string &text) {
    return *infoOf(field, text).matrix;
  };
  MatrixInfo half = of("real", "3 3 5\n1 1 9\n1 2 1\n2 1 1\n1 3 2\n3 1 4\n");
  EXPECT_EQ(half.patternSymmetry, 1);
  EXPECT_EQ(half.numericSymmetry, 0.5);
  EXPECT_FALSE(half.skewSymmetric);
  MatrixInfo skew = of("real", "3 3 4\n1 1 0\n3 2 5\n1 2 1\n2 1 -1\n");
  EXPECT_DOUBLE_EQ(skew.patternSymmetry, 2.0 / 3);
  EXPECT_FALSE(skew.skewSymmetric);
  EXPECT_TRUE(of("integer", "3 3 3\n1 1 0\n1 2 1\n2 1 -1\n").skewSymmetric);
  EXPECT_TRUE(of("complex", "2 2 3\n1 1 4 0\n1 2 1 2\n2 1 1 -2\n").hermitian);
  EXPECT_FALSE(of("complex", "2 2 3\n1 1 4 1\n1 2 1 2\n2 1 1 -2\n").hermitian);
  EXPECT_TRUE(of("real", "2 2 1\n2 2 5\n").hermitian);
  EXPECT_EQ(of("real", "2 2 0\n").numericSymmetry, 1);
  EXPECT_EQ(of("real", "2 2 0\n").diagonals, 0);
}

TEST(InfoTest, HugeAndEmptySizes) {
  const TensorInfo info =
      infoOf("real", "9000000000000000000 9000000000000000000 2\n1 9000000000000000000 1\n7 7 1\n");
  EXPECT_EQ(info.slices.empty, 9000000000000000000 - 2);
  EXPECT_EQ(info.matrix->bandwidth, 9000000000000000000 - 1);
  EXPECT_EQ(info.matrix->diagonals, 2);
  const TensorInfo empty = infoOf("real", "0 3 0\n");
  EXPECT_EQ(empty.slices.mean, 0);
  EXPECT_EQ(empty.density, 0);
  Result<Coordinates> scalar = Coordinates::create({}, STRATA_F64, 1);
  scalar->values().as<double>()[0] = 2;
  EXPECT_TRUE(describe(*scalar).ok());
}

TEST(InfoTest, TheStencil) {
  Result<Coordinates> list = generateStencil27(6);
  Result<TensorInfo> info = describe(*list);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->slices.least, 8);
  EXPECT_EQ(info->slices.greatest, 27);
  EXPECT_EQ(info->matrix->diagonals, 27);
  EXPECT_EQ(info->matrix->bandwidth, 36 + 6 + 1);
  EXPECT_EQ(info->matrix->numericSymmetry, 1);
}

} // namespace
