// What the tensors of a program take: each storage once, with what views keep, and halos.
#include "strata/host/State.h"

#include "strata/host/View.h"
#include "strata/runtime/storage/Halo.h"

#include <gtest/gtest.h>

using namespace strata::host;
using strata::runtime::HaloMaker;
using strata::runtime::Storage;

namespace {

constexpr int64_t elements = 100, bytes = 8 * elements;

std::shared_ptr<Storage> vectorIn(strata_allocator allocator) {
  const strata_type type = STRATA_F64;
  auto storage = std::make_shared<Storage>(std::vector<int64_t>{elements},
                                           std::span<const strata_type>(&type, 1), allocator);
  EXPECT_TRUE(storage->allocate(0, elements).ok());
  return storage;
}

std::shared_ptr<Storage> viewOf(std::vector<std::shared_ptr<Storage>> kept) {
  const strata_type type = STRATA_F64;
  Storage view({elements}, {&type, 1});
  view.adopt(0, kept.front()->values().data, elements, STRATA_F64);
  return keeping(std::move(view), std::move(kept));
}

State stateOf(const std::vector<std::shared_ptr<Storage>> &storages) {
  Program program;
  program.tensors = int64_t(storages.size());
  State state(program);
  for (size_t at = 0; at < storages.size(); ++at)
    state.define(TensorId(at), Tensor{.type = 0, .storage = storages[at]});
  return state;
}

TEST(StateTest, CountsSharedStoragesOnce) {
  const std::shared_ptr<Storage> one = vectorIn(strata_default_allocator()),
                                 other = vectorIn(strata_default_allocator());
  EXPECT_EQ(stateOf({one, other, one}).heldBytes(), 2 * bytes);
}

TEST(StateTest, CountsWhatViewsKeep) {
  const std::shared_ptr<Storage> one = vectorIn(strata_default_allocator()),
                                 other = vectorIn(strata_default_allocator());
  EXPECT_EQ(stateOf({viewOf({one})}).heldBytes(), bytes);
  EXPECT_EQ(stateOf({viewOf({one, other})}).heldBytes(), 2 * bytes);
  EXPECT_EQ(stateOf({viewOf({viewOf({one}), other}), one}).heldBytes(), 2 * bytes);
}

TEST(StateTest, CountsHalos) {
  HaloMaker *maker = HaloMaker::make(bytes, {64, 320});
  const std::shared_ptr<Storage> storage = vectorIn(maker->allocator());
  EXPECT_EQ(stateOf({viewOf({storage}), storage}).heldBytes(), bytes + 64 + 64 + 320);
  EXPECT_EQ(stateOf({vectorIn(HaloMaker::make(bytes)->allocator())}).heldBytes(), bytes);
}

} // namespace
