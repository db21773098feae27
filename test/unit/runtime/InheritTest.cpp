// Results that have the pattern of an operand: what is copied, and when a kernel does all itself.
#include "strata/runtime/assembly.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

// A plan with its levels and places, as it lies in a kernel.
struct Plan {
  strata_inheritance head;
  strata_inherited_level levels[2];
  int64_t place;
};

// Which body ran, and with what.
struct Calls {
  int general = 0, values = 0;
  std::vector<int64_t> rowSizes, resultSizes, extents;
} calls;

void general(strata_context *, strata_storage *const *, const int64_t *) { ++calls.general; }

// Twice the values of the operand, in each of the result's places.
void values(strata_context *, strata_storage *const *storages, const int64_t *extents) {
  ++calls.values;
  const strata_storage &to = *storages[0], &from = *storages[1];
  calls.rowSizes.assign(from.sizes, from.sizes + from.order);
  calls.resultSizes.assign(to.sizes, to.sizes + to.order);
  calls.extents.assign(extents, extents + 3);
  const auto *in = static_cast<const double *>(from.buffers[0].data);
  auto *out = static_cast<double *>(to.buffers[0].data);
  const int64_t places = to.order > 1 ? to.sizes[1] : 1;
  for (int64_t at = 0; at < to.buffers[0].count; ++at)
    out[at] = 2 * in[at / places];
}

// A matrix of 3 x 5 in DCSR, or with a dense first level in CSR, whose positions have 4 bytes and
// those of its result 2; coordinates have 4 and 1.
class Inherit : public testing::Test {
protected:
  std::vector<int32_t> rowEnds{0, 2}, rows{0, 2}, ends{0, 1, 3}, columns{4, 0, 3};
  std::vector<double> numbers{1, 2, 3};
  int64_t sizes[3] = {3, 5, 2}, extents[2] = {3, 5};
  std::vector<strata_buffer> buffers, results{5};
  strata_storage operand{}, result{};
  strata_context context{};
  Plan plan{};
  bool csr = false;

  void SetUp() override {
    calls = {};
    strata_context_initialize(&context);
  }
  void TearDown() override {
    for (const strata_buffer &buffer : results)
      if (buffer.owned)
        context.allocator.reallocate(context.allocator.state, buffer.data,
                                     size_t(buffer.capacity * strata_type_bytes(buffer.type)), 0);
    EXPECT_EQ(context.bytes_now, 0);
  }

  template <typename Element>
  static strata_buffer view(std::vector<Element> &array, strata_type type) {
    const auto count = static_cast<int64_t>(array.size());
    return {array.data(), count, count, type, 0};
  }

  int32_t run(int64_t phase, int64_t places = 0) {
    buffers.clear();
    if (!csr)
      buffers = {view(rowEnds, STRATA_I32), view(rows, STRATA_I32)};
    buffers.push_back(view(ends, STRATA_I32));
    buffers.push_back(view(columns, STRATA_I32));
    buffers.push_back(view(numbers, STRATA_F64));
    const int32_t types[] = {STRATA_I16, STRATA_I8, STRATA_I16, STRATA_I8, STRATA_F64};
    results.resize(buffers.size());
    for (size_t at = 0; at < results.size(); ++at)
      results[at].type = types[at + 5 - results.size()];
    operand = {2, int32_t(buffers.size()), sizes, buffers.data()};
    result = {int32_t(2 + places), int32_t(results.size()), sizes, results.data()};
    plan.head = {phase, 1, 2, 2, 2, 2, places, 8};
    plan.levels[0] =
        csr ? strata_inherited_level{} : strata_inherited_level{0, 0, 1, 4, 4, 0, 2, 1};
    plan.levels[1] = {1, 1, 1, 4, 4, 1, 2, 1};
    plan.place = 2;
    static const Plan *current;
    current = &plan;
    strata_storage *storages[] = {&result, &operand};
    return strata_invoke(&context, storages, extents,
                         [](strata_context *c, strata_storage *const *s, const int64_t *e) {
                           strata_kernel_inherit(c, s, e, &current->head, general, values);
                         });
  }

  template <typename Element> std::vector<Element> resultArray(size_t at) {
    const auto *data = static_cast<const Element *>(results[at].data);
    return {data, data + results[at].count};
  }
};

TEST_F(Inherit, copiesLevelsAndComputesValues) {
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.values, 1);
  EXPECT_EQ(calls.general, 0);
  EXPECT_EQ(calls.rowSizes, std::vector<int64_t>{3});
  EXPECT_EQ(calls.extents, (std::vector<int64_t>{3, 5, 3}));
  EXPECT_EQ(resultArray<int16_t>(0), (std::vector<int16_t>{0, 2}));
  EXPECT_EQ(resultArray<int8_t>(1), (std::vector<int8_t>{0, 2}));
  EXPECT_EQ(resultArray<int16_t>(2), (std::vector<int16_t>{0, 1, 3}));
  EXPECT_EQ(resultArray<int8_t>(3), (std::vector<int8_t>{4, 0, 3}));
  EXPECT_EQ(resultArray<double>(4), (std::vector<double>{2, 4, 6}));
}

TEST_F(Inherit, hasPlacesBehindTheSharedLevels) {
  ASSERT_EQ(run(STRATA_PHASE_ALL, 1), STRATA_OK);
  EXPECT_EQ(calls.resultSizes, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(resultArray<double>(4), (std::vector<double>{2, 2, 4, 4, 6, 6}));
}

TEST_F(Inherit, rowsWithAPlaceMayBeEmpty) {
  csr = true;
  ends = {0, 1, 1, 3};
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.values, 1);
  EXPECT_EQ(resultArray<int16_t>(0), (std::vector<int16_t>{0, 1, 1, 3}));
}

TEST_F(Inherit, leavesEmptyRowsThatAreStoredToTheKernel) {
  ends = {0, 3, 3};
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.general, 1);
  EXPECT_EQ(calls.values, 0);
}

TEST_F(Inherit, leavesOtherSizesToTheKernel) {
  extents[1] = 4;
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.general, 1);
}

TEST_F(Inherit, leavesWhatDoesNotFitToTheKernel) {
  sizes[1] = extents[1] = 257;
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.general, 1);
  sizes[1] = extents[1] = 256;
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.values, 1);
}

TEST_F(Inherit, leavesNothingToTheKernel) {
  rowEnds = {0, 0};
  ASSERT_EQ(run(STRATA_PHASE_ALL), STRATA_OK);
  EXPECT_EQ(calls.general, 1);
}

TEST_F(Inherit, computesValuesOfThePatternThatItAssembled) {
  ASSERT_EQ(run(STRATA_PHASE_ASSEMBLE), STRATA_OK);
  EXPECT_EQ(calls.values, 0);
  EXPECT_EQ(resultArray<double>(4), (std::vector<double>{0, 0, 0}));
  ASSERT_EQ(run(STRATA_PHASE_COMPUTE), STRATA_OK);
  EXPECT_EQ(calls.values, 1);
  EXPECT_EQ(resultArray<double>(4), (std::vector<double>{2, 4, 6}));
  // Of another pattern the kernel computes the values.
  columns[0] = 1;
  ASSERT_EQ(run(STRATA_PHASE_COMPUTE), STRATA_OK);
  EXPECT_EQ(calls.general, 1);
}

TEST_F(Inherit, leavesAPatternThatIsNotThereToTheKernel) {
  ASSERT_EQ(run(STRATA_PHASE_COMPUTE), STRATA_OK);
  EXPECT_EQ(calls.general, 1);
}

} // namespace
