// Masked statements, as the table in docs/Language.md says.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"

namespace {

using namespace strata::reference;

// C over four places: A is there at 1 and 3, C at 2 and 3, the mask at 0, 1 (a zero) and 3. With
// `missing` the right side has no value where A stores nothing.
Expected run(const std::string &type, const std::string &combine, const std::string &words,
             bool missing) {
  std::string text = R"(
    %n = arith.constant 4 : index
    %r = ta.compute [%i = %n] ins(%A, %M : tensor<4xf64, #Sparse1>, tensor<4xf64, #Sparse1>)
        init(%C : TYPE) COMBINE mask(%M[%i] : tensor<4xf64, #Sparse1>) -> TYPE out [%i]
        attributes {names = ["i"]WORDS} {
      %a = ta.access %A[%i] {MISSING} : tensor<4xf64, #Sparse1>
      ta.yield %a : f64
    })";
  for (const auto &[word, by] : {std::pair<std::string, std::string>("TYPE", type),
                                 {"COMBINE", combine},
                                 {"WORDS", words},
                                 {"MISSING", missing ? "missing" : ""}})
    for (size_t at; (at = text.find(word)) != std::string::npos;)
      text.replace(at, word.size(), by);
  Program program("%A: tensor<4xf64, #Sparse1>, %M: tensor<4xf64, #Sparse1>, %C: " + type, text);
  Tensor a = sparse({4}, {{{1}, 10}, {{3}, 30}});
  Tensor m = sparse({4}, {{{0}, 1}, {{1}, 0}, {{3}, 1}});
  bool dense = type == "tensor<4xf64>";
  Tensor c = dense ? filled({4}, {1, 2, 3, 4}) : sparse({4}, {{{2}, 3}, {{3}, 4}});
  return program.evaluate({a, m}, &c);
}

const std::string vector = "tensor<4xf64, #Sparse1>", dense = "tensor<4xf64>";
const std::string set = ", empty = 0.0 : f64";

std::vector<Item> entries(const Expected &expected) {
  std::vector<Item> result;
  for (const Coordinate &at : pattern(expected))
    result.push_back({at, valueAt(expected, at)});
  return result;
}

std::vector<double> values(const Expected &expected) {
  std::vector<double> result;
  for (int64_t i = 0; i < 4; ++i)
    result.push_back(valueAt(expected, {i}).real());
  return result;
}

void expectEntries(const Expected &expected, const std::vector<Item> &wanted) {
  std::vector<Item> found = entries(expected);
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t at = 0; at < found.size(); ++at) {
    EXPECT_EQ(found[at].at, wanted[at].at);
    EXPECT_EQ(found[at].value, wanted[at].value);
  }
}

TEST(Masks, Set) {
  expectEntries(run(vector, "", set, false), {{{2}, 3}, {{3}, 30}});
  expectEntries(run(vector, "", set + ", structural", false), {{{1}, 10}, {{2}, 3}, {{3}, 30}});
  expectEntries(run(vector, "", set + ", complement", false), {{{1}, 10}, {{3}, 4}});
  expectEntries(run(vector, "", set + ", complement, structural", false), {{{3}, 4}});
  expectEntries(run(vector, "", set + ", replace", false), {{{3}, 30}});
  expectEntries(run(vector, "", set + ", complement, replace", true), {{{1}, 10}});
  EXPECT_EQ(values(run(dense, "", set, false)), (std::vector<double>{0, 2, 3, 30}));
  EXPECT_EQ(values(run(dense, "", ", empty = 9.0 : f64", true)),
            (std::vector<double>{9, 2, 3, 30}));
  EXPECT_EQ(values(run(dense, "", ", empty = 9.0 : f64, replace", true)),
            (std::vector<double>{9, 9, 9, 30}));
  EXPECT_EQ(values(run(dense, "", "", true)), (std::vector<double>{1, 2, 3, 30})); // as it was
}

TEST(Masks, Update) {
  expectEntries(run(vector, "combine add", "", false), {{{2}, 3}, {{3}, 34}});
  expectEntries(run(vector, "combine add", ", replace", false), {{{3}, 34}});
  expectEntries(run(vector, "combine mul", ", complement", false), {{{3}, 4}});
  expectEntries(run(vector, "combine mul", ", complement, joins", true),
                {{{1}, 10}, {{2}, 3}, {{3}, 4}});
  expectEntries(run(vector, "combine min", ", structural, joins", true),
                {{{1}, 10}, {{2}, 3}, {{3}, 4}});
  EXPECT_EQ(values(run(dense, "combine add", ", replace", false)),
            (std::vector<double>{1, 0, 0, 34}));
  EXPECT_EQ(values(run(dense, "combine min", ", complement, empty = 9.0 : f64, replace", true)),
            (std::vector<double>{9, 2, 3, 9}));
}

} // namespace
