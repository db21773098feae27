// Statements with too much work to evaluate everything.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"

#include "strata/runtime/storage/Generate.h"

#include <chrono>

namespace {

using namespace strata::reference;
using strata::runtime::generateRandom;
using strata::runtime::generateStencil27;

Tensor taken(strata::runtime::Result<strata::runtime::Coordinates> made) {
  EXPECT_TRUE(made.ok());
  return std::move(*Tensor::fromCoordinates(std::move(*made)));
}

const char *product = R"(
    %n = ta.dim %A, 0 : tensor<?x?xf64, #Sparse2>
    %l = ta.dim %A, 1 : tensor<?x?xf64, #Sparse2>
    %m = ta.dim %B, 1 : tensor<?x?xf64BFORMAT>
    %C = ta.compute [%i = %n, %j = %m]
        ins(%A, %B : tensor<?x?xf64, #Sparse2>, tensor<?x?xf64BFORMAT>) sizes(%n, %m)
        -> tensor<?x?xf64CFORMAT> out [%i, %j] {
      %s = ta.reduce add [%k = %l] : f64 {
        %a = ta.access %A[%i, %k] : tensor<?x?xf64, #Sparse2>
        %b = ta.access %B[%k, %j] : tensor<?x?xf64BFORMAT>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    })";

Program productProgram(const std::string &bFormat, const std::string &cFormat) {
  std::string text = product;
  for (const auto &[word, format] : {std::pair("BFORMAT", bFormat), std::pair("CFORMAT", cFormat)})
    for (size_t at; (at = text.find(word)) != std::string::npos;)
      text.replace(at, 7, format);
  return Program("%A: tensor<?x?xf64, #Sparse2>, %B: tensor<?x?xf64" + bFormat + ">", text);
}

// 1.6 million entries times 32 columns, in a second or so.
TEST(Sample, LargeSparseTimesDense) {
  auto start = std::chrono::steady_clock::now();
  Tensor A = taken(generateStencil27(40));
  EXPECT_GT(A.count(), 1'600'000);
  int64_t n = A.sizes()[0];
  std::vector<double> values(static_cast<size_t>(n) * 32, 1.0);
  Tensor B = filled({n, 32}, values);
  Expected C = productProgram("", "").evaluate({A, B});
  EXPECT_FALSE(C.complete);
  EXPECT_GT(C.entries.size(), 900u);
  EXPECT_LT(C.work, 100'000);
  // Ones: the row sums, 26 minus the neighbours.
  for (size_t entry = 0; entry < C.entries.size(); ++entry) {
    double sum = 0;
    int64_t row = C.coordinate(entry)[0];
    for (int64_t e : A.select(1, std::span(&row, 1)))
      sum += A.value(e).value.real();
    EXPECT_EQ(C.entries[entry].value.value.real(), sum);
  }
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds.count()));
  EXPECT_LT(seconds.count(), 60);
}

// With one column it is little enough to be evaluated as a whole.
TEST(Sample, LargeSparseTimesOneColumn) {
  Tensor A = taken(generateStencil27(40));
  int64_t n = A.sizes()[0];
  Tensor B = filled({n, 1}, std::vector<double>(static_cast<size_t>(n), 1.0));
  Expected C = productProgram("", "").evaluate({A, B});
  EXPECT_TRUE(C.complete);
  EXPECT_EQ(C.entries.size(), static_cast<size_t>(n));
  EXPECT_LT(C.work, 3 * A.count());
}

// Samples lie mostly where entries meet, though next to nothing is stored.
TEST(Sample, FindsStoredCoordinates) {
  Tensor A = taken(generateRandom({.sizes = {100'000, 100'000}, .density = 2e-6, .seed = 3}));
  Tensor B = taken(generateRandom({.sizes = {100'000, 100'000}, .density = 2e-5, .seed = 4}));
  Program program = productProgram(", #Sparse2", ", #Sparse2");
  Expected C = program.evaluate({A, B}, nullptr, {.maxWork = 20'000, .samples = 400});
  ASSERT_FALSE(C.complete);
  size_t stored = 0;
  for (const Expected::Entry &entry : C.entries)
    stored += entry.stored;
  EXPECT_GT(stored, 250u);
  EXPECT_GT(C.entries.size() - stored, 20u);
  // The samples agree with the whole.
  Expected all = program.evaluate({A, B});
  ASSERT_TRUE(all.complete);
  auto whole = all.tensor();
  ASSERT_TRUE(whole.ok());
  auto compared = compare(C, *whole, {.pattern = Pattern::exact});
  ASSERT_TRUE(compared.ok());
  EXPECT_TRUE(compared->equal()) << compared->text();
}

TEST(Sample, SaysWhenNothingCouldBeEvaluated) {
  Program program("%A: tensor<?x?xf64, #Sparse2>", R"(
    %n = ta.dim %A, 0 : tensor<?x?xf64, #Sparse2>
    %m = ta.dim %A, 1 : tensor<?x?xf64, #Sparse2>
    %s = ta.compute [] ins(%A : tensor<?x?xf64, #Sparse2>) -> tensor<f64> out [] {
      %t = ta.reduce add [%i = %n, %j = %m] : f64 {
        %a = ta.access %A[%i, %j] : tensor<?x?xf64, #Sparse2>
        ta.yield %a : f64
      }
      ta.yield %t : f64
    })");
  Tensor A = taken(generateStencil27(8));
  Expected s = program.evaluate({A}, nullptr, {.maxWork = 1000});
  EXPECT_FALSE(s.complete);
  EXPECT_TRUE(s.entries.empty());
  EXPECT_TRUE(program.evaluate({A}).complete);
}

} // namespace
