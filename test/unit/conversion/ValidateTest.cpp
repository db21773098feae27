// Storages that keep their levels' promises, and each way to break one.
#include "strata/tensor/Validate.h"
#include "generator/Workbench.h"

namespace {

using namespace strata;
using namespace strata::test;

TensorValue packed(const NamedFormat &format, const TensorData &data) {
  Workbench &bench = Workbench::instance();
  auto order = static_cast<unsigned>(data.sizes.size());
  auto result = pack(bench.compiler, toCoordinates(data), bench.type(format, order, data.type));
  EXPECT_TRUE(result.ok()) << format.name;
  return result.ok() ? std::move(*result) : TensorValue();
}

// A 4 x 6 matrix: rows 0 (columns 1, 3, 4), 1 (none), 2 (columns 0, 4), 3 (column 5).
TensorData example() {
  TensorData data;
  data.sizes = {4, 6};
  data.type = STRATA_F64;
  for (auto [row, column] : {std::pair(0, 1), {0, 3}, {0, 4}, {2, 0}, {2, 4}, {3, 5}})
    data.entries.push_back({{row, column}, 1.0 + row});
  return data;
}

NamedFormat named(const std::string &name, unsigned order = 2) {
  for (const NamedFormat &format : namedFormats(order))
    if (format.name == name)
      return format;
  ADD_FAILURE() << "no format " << name;
  return {};
}

int64_t get(const strata_buffer &buffer, int64_t at) {
  int64_t value = 0;
  auto bytes = size_t(strata_type_bytes(buffer.type));
  std::memcpy(&value, static_cast<char *>(buffer.data) + size_t(at) * bytes, bytes);
  return value;
}

void set(strata_buffer &buffer, int64_t at, int64_t value) {
  auto bytes = size_t(strata_type_bytes(buffer.type));
  std::memcpy(static_cast<char *>(buffer.data) + size_t(at) * bytes, &value, bytes);
}

std::string faultOf(const TensorValue &tensor) {
  runtime::Status fine = validate(tensor);
  return fine.ok() ? "" : fine.error().text();
}

// What is said of the example in a format, once one element of a buffer has another value.
std::string broken(const std::string &format, int64_t buffer, int64_t at, int64_t value) {
  TensorValue tensor = packed(named(format), example());
  EXPECT_EQ(faultOf(tensor), "") << format;
  set(tensor.storage->buffer(buffer), at, value);
  return faultOf(tensor);
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(ValidateTest, WhatIsPackedIsAsItShouldBe) {
  for (unsigned order : {1u, 2u, 3u}) {
    std::vector<int64_t> sizes = std::vector<int64_t>{9, 14, 5};
    sizes.resize(order);
    for (double density : {0.0, 0.1, 1.0}) {
      Random random(order * 10 + unsigned(10 * density));
      TensorData data = drawData(random, sizes, STRATA_F64,
                                 DrawData{.density = density, .zeros = 20, .duplicates = 20});
      for (const NamedFormat &format : allFormats(order))
        EXPECT_EQ(faultOf(packed(format, data)), "") << format.name;
    }
  }
}

TEST(ValidateTest, Csr) {
  EXPECT_SAYS(broken("CSR", 0, 0, 1), "level 2 (compressed): pos[0] is 1; expected 0");
  EXPECT_SAYS(broken("CSR", 0, 2, 2), "pos[2] is 2; expected from 3 to 6");
  EXPECT_SAYS(broken("CSR", 0, 2, 100), "pos[2] is 100; expected from 3 to 6");
  EXPECT_SAYS(broken("CSR", 0, 4, 5), "pos[4] is 5; expected 6, the number of what it counts");
  EXPECT_SAYS(broken("CSR", 1, 5, 6), "position 5 is 6; expected from 0 to 5");
  EXPECT_SAYS(broken("CSR", 1, 1, 1), "position 1 is 1; expected a coordinate that is not there");
  EXPECT_SAYS(broken("CSR", 1, 2, 2), "position 2 is 2; expected at least 3");
  TensorValue tensor = packed(named("CSR"), example());
  tensor.storage->buffer(0).count = 4;
  EXPECT_SAYS(faultOf(tensor), "pos has 4 elements; expected 5");
  tensor.storage->buffer(0).count = 5;
  tensor.storage->values().count = 5;
  EXPECT_SAYS(faultOf(tensor), "5 values; expected 6");
}

TEST(ValidateTest, Coo) {
  EXPECT_SAYS(broken("COO", 1, 5, 4), "level 1 (compressed): the coordinate at position 5 is 4");
  EXPECT_SAYS(broken("COO", 1, 3, 4), "expected from 0 to 3");
  EXPECT_SAYS(broken("COO", 1, 4, 1), "expected at least 2");
  EXPECT_SAYS(broken("COO", 2, 1, 1), "level 2 (singleton): the coordinate at position 1 is 1");
  EXPECT_SAYS(broken("COO", 2, 2, 0), "expected at least 3");
  EXPECT_SAYS(broken("COO", 0, 1, 5), "pos[1] is 5; expected 6");
}

TEST(ValidateTest, CooOfStructs) {
  EXPECT_SAYS(broken("COO-AoS", 1, 10, 4),
              "level 1 (compressed): the coordinate at position 5 is 4");
  EXPECT_SAYS(broken("COO-AoS", 1, 8, 1), "expected at least 2");
  EXPECT_SAYS(broken("COO-AoS", 1, 3, 1), "level 2 (singleton): the coordinate at position 1 is 1");
  TensorValue tensor = packed(named("COO-AoS"), example());
  EXPECT_EQ(tensor.storage->bufferCount(), 3); // pos, the coordinates, the values
  EXPECT_EQ(tensor.storage->buffer(1).count, 12);
  tensor.storage->buffer(1).count = 11;
  EXPECT_SAYS(faultOf(tensor), "crd has 11 elements; expected a multiple of 2");
  tensor.storage->buffer(1).count = 10;
  EXPECT_SAYS(faultOf(tensor), "pos[1] is 6; expected 5");
}

TEST(ValidateTest, Diagonals) {
  TensorValue tensor = packed(named("DIA"), example());
  EXPECT_EQ(faultOf(tensor), "");
  strata_buffer &diagonals = tensor.storage->buffer(1);
  int64_t second = get(diagonals, 1);
  set(diagonals, 1, get(diagonals, 0));
  EXPECT_SAYS(faultOf(tensor), "a coordinate that is not there already");
  set(diagonals, 1, 100);
  EXPECT_SAYS(faultOf(tensor),
              "level 1 (compressed): the coordinate at position 1 is 100; expected "
              "from -3 to 5");
  set(diagonals, 1, second);
  tensor.storage->values().count -= 1;
  EXPECT_SAYS(faultOf(tensor), "one for each position of the last level");
}

TEST(ValidateTest, Blocks) {
  TensorValue tensor = packed(named("BCSR"), example());
  EXPECT_EQ(faultOf(tensor), "");
  set(tensor.storage->buffer(1), 0, 2);
  EXPECT_SAYS(faultOf(tensor), "expected from 0 to 1");
}

// Returns a storage with these elements in the buffers of its levels, and so many values.
TensorValue stored(llvm::StringRef format, std::vector<int64_t> sizes,
                   llvm::ArrayRef<llvm::SmallVector<int64_t>> levels, int64_t values) {
  NamedFormat named{format.str(), ("#ta.format<" + format + ">").str()};
  TensorValue tensor = packed(named, TensorData{std::move(sizes), STRATA_F64, {}});
  for (auto [at, elements] : llvm::enumerate(levels)) {
    EXPECT_TRUE(tensor.storage->allocate(int64_t(at), int64_t(elements.size())).ok());
    for (auto [number, element] : llvm::enumerate(elements))
      set(tensor.storage->buffer(int64_t(at)), int64_t(number), element);
  }
  EXPECT_TRUE(tensor.storage->allocate(tensor.storage->bufferCount() - 1, values).ok());
  return tensor;
}

TEST(ValidateTest, TheLastOfSeveralCoordinates) {
  const char *runs = "(i, j) -> (i : dense, j : run_length)";
  EXPECT_EQ(faultOf(stored(runs, {1, 4}, {{0, 1}, {1}, {3}}, 1)), "");
  EXPECT_SAYS(faultOf(stored(runs, {1, 4}, {{0, 1}, {1}, {4}}, 1)),
              "level 2 (run_length): the coordinate at position 0 is 4; expected from 0 to 3");
  EXPECT_SAYS(
      faultOf(stored("(i, j) -> (i : dense, j : block_list)", {1, 4}, {{0, 1}, {2}, {0, 3}}, 3)),
      "level 2 (block_list): the coordinate at position 2 is 4; expected from 0 to 3");
}

TEST(ValidateTest, OutsideTheTensor) {
  const char *outside = "expected one that, with the coordinates above it, lies inside the tensor";
  const char *blocks = "(i, j) -> (i : dense, j floordiv 4 : compressed, j mod 4 : compressed)";
  EXPECT_EQ(faultOf(stored(blocks, {1, 6}, {{0, 1}, {1}, {0, 1}, {1}}, 1)), "");
  EXPECT_SAYS(faultOf(stored(blocks, {1, 6}, {{0, 1}, {1}, {0, 1}, {2}}, 1)), outside);
  // Of a diagonal, the rows that it does not reach.
  const char *diagonals = "(i, j) -> (j - i : compressed, i : compressed, j : offset)";
  EXPECT_EQ(faultOf(stored(diagonals, {3, 4}, {{0, 1}, {2}, {0, 1}, {1}}, 1)), "");
  EXPECT_SAYS(faultOf(stored(diagonals, {3, 4}, {{0, 1}, {2}, {0, 1}, {2}}, 1)), outside);
  // A run, of which the end is.
  const char *runs = "(i, j) -> (i : dense, j floordiv 4 : compressed, j mod 4 : run_length)";
  EXPECT_EQ(faultOf(stored(runs, {1, 6}, {{0, 1}, {1}, {0, 1}, {0}, {1}}, 1)), "");
  EXPECT_SAYS(faultOf(stored(runs, {1, 6}, {{0, 1}, {1}, {0, 1}, {0}, {2}}, 1)), outside);
  // What lies below places, in a block that a level above it chose.
  const char *deep = "(i, j) -> (j floordiv 4 : compressed, i : dense, j mod 4 : compressed)";
  EXPECT_EQ(faultOf(stored(deep, {2, 6}, {{0, 2}, {0, 1}, {0, 0, 1, 1, 2}, {3, 1}}, 2)), "");
  EXPECT_SAYS(faultOf(stored(deep, {2, 6}, {{0, 2}, {0, 1}, {0, 0, 1, 1, 2}, {1, 3}}, 2)), outside);
}

TEST(ValidateTest, Slices) {
  TensorValue tensor = packed(named("SELL"), example());
  EXPECT_EQ(faultOf(tensor), "");
  set(tensor.storage->buffer(0), 1, 2);
  EXPECT_SAYS(faultOf(tensor), "level 4 (padded): crd has 96 elements; expected 64");
  set(tensor.storage->buffer(0), 0, 1);
  EXPECT_SAYS(faultOf(tensor), "level 2 (ragged): pos[0] is 1; expected 0");
}

TEST(ValidateTest, SortedRows) {
  NamedFormat format{"CSR, rows sorted",
                     "#ta.format<(i sorted(2), j) -> (i : dense, j : compressed)>"};
  TensorValue tensor = packed(format, example()); // rows of 3, 0, 2 and 1 entries
  EXPECT_EQ(faultOf(tensor), "");
  strata_buffer &order = tensor.storage->buffer(2), &ranks = tensor.storage->buffer(3);
  std::swap(static_cast<int64_t *>(order.data)[1], static_cast<int64_t *>(order.data)[2]);
  EXPECT_SAYS(faultOf(tensor), "the coordinate of rank 1 is 2; expected one of the same window");
  std::swap(static_cast<int64_t *>(order.data)[1], static_cast<int64_t *>(order.data)[2]);
  set(ranks, 3, 7);
  EXPECT_SAYS(faultOf(tensor), "the rank of coordinate 3 is 7; expected 3");
  ranks.count = 3;
  EXPECT_SAYS(faultOf(tensor), "has 4 coordinates and 3 ranks; expected 4");
}

TEST(ValidateTest, Structured) {
  NamedFormat format{
      "2:4", "#ta.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2))>"};
  TensorData data = example();
  TensorValue tensor = packed(format, data);
  EXPECT_EQ(faultOf(tensor), "");
  set(tensor.storage->buffer(0), 1, 1);
  EXPECT_SAYS(faultOf(tensor), "level 3 (structured): the coordinate at position 1 is 1; expected "
                               "a coordinate that is not there already");
  set(tensor.storage->buffer(0), 1, 4);
  EXPECT_SAYS(faultOf(tensor), "position 1 is 4; expected from 0 to 3");
  tensor.storage->buffer(0).count = 15;
  EXPECT_SAYS(faultOf(tensor), "crd has 15 elements; expected 2 for each of 8 positions above");
}

TEST(ValidateTest, Hashed) {
  TensorData data;
  data.sizes = {50};
  data.type = STRATA_F64;
  for (int64_t at : {31, 7, 45})
    data.entries.push_back({{at}, 2.0});
  NamedFormat format{"hashed", "#ta.format<(i) -> (i : hashed)>"};
  TensorValue tensor = packed(format, data);
  EXPECT_EQ(faultOf(tensor), "");
  strata_buffer &crd = tensor.storage->buffer(1), &table = tensor.storage->buffer(2);
  int64_t first = get(crd, 0);
  set(crd, 0, first == 8 ? 9 : 8);
  EXPECT_SAYS(faultOf(tensor), "the table does not lead to crd[0]");
  set(crd, 0, first);
  int64_t slot = 0;
  while (get(table, slot) != 0)
    ++slot;
  set(table, slot, 1);
  EXPECT_SAYS(faultOf(tensor), "the table has 4 ordinals; expected 3");
  set(table, slot, 9);
  EXPECT_SAYS(faultOf(tensor), "is 9; expected from 0 to 3");
}

TEST(ValidateTest, HashedBelowOthers) {
  TensorValue tensor = packed(named("DOK"), example());
  EXPECT_EQ(faultOf(tensor), "");
  strata_buffer &ord = tensor.storage->buffer(10), &up = tensor.storage->buffer(11);
  int64_t listed = get(ord, 1), parent = get(up, 1);
  set(ord, 1, get(ord, 0));
  EXPECT_SAYS(faultOf(tensor), "each once");
  set(ord, 1, listed);
  set(up, 1, parent + 1);
  EXPECT_SAYS(faultOf(tensor), "up[1] is " + std::to_string(parent + 1));
  set(up, 1, parent);
  EXPECT_EQ(faultOf(tensor), "");
}

} // namespace
