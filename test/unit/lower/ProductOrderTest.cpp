// Orders in which a sparse factor is multiplied as others are, into dense products.
#include "strata/lower/analysis/ProductOrder.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace {

using namespace strata;

// X[0, 1, 2, 3] * A[0, 4] * B[1, 5] * C[2, 6] * D[3, 7], where X is sparse.
LabeledProduct fourMatrices(double size, double density) {
  LabeledProduct product;
  product.factors = {{0, 1, 2, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  product.result = {4, 5, 6, 7};
  product.extents.assign(8, size);
  product.densities[0] = density;
  return product;
}

// Through dense products, in the order of the factors where others cost the same.
std::optional<ProductOrder> throughDense(const LabeledProduct &product) {
  std::vector<unsigned> listed(product.factors.size());
  std::iota(listed.begin(), listed.end(), 0);
  return orderThroughDense(product, listed);
}

TEST(ProductOrder, MultipliesASparseFactorFirst) {
  const double size = 23, entries = 84000, elements = size * size * size * size;
  std::optional<ProductOrder> order = throughDense(fourMatrices(size, entries / elements));
  ASSERT_TRUE(order);
  EXPECT_DOUBLE_EQ(order->operations, entries * size + 3 * elements * size);
  ASSERT_EQ(order->nodes.size(), 9u); // five factors, four products
  for (const ProductOrder::Node &node : order->nodes)
    EXPECT_TRUE(node.operands.empty() || node.operands.size() == 2);
  EXPECT_EQ(order->nodes[2].labels, LabelSet({1, 2, 3, 4}));
  EXPECT_EQ(order->root().labels, LabelSet({4, 5, 6, 7}));
  // The other way round.
  order = orderThroughDense(fourMatrices(size, entries / elements), {0, 4, 3, 2, 1});
  ASSERT_TRUE(order);
  EXPECT_EQ(order->nodes[1].factor, 4u);
  EXPECT_EQ(order->nodes[2].labels, LabelSet({0, 1, 2, 7}));
  // Of few entries, the product of two matrices is wanted at few places.
  EXPECT_LT(throughDense(fourMatrices(size, 2000 / elements))->operations,
            2000 * size + 3 * elements * size);
}

TEST(ProductOrder, LeavesOutTemporariesThatAreTooLarge) {
  LabeledProduct product = fourMatrices(10, 0.5);
  product.mostStored = 3e4; // of three of 10^4 each
  EXPECT_TRUE(throughDense(product));
  product.mostStored = 3e4 - 1;
  EXPECT_FALSE(throughDense(product));
}

TEST(ProductOrder, SumsWhatASparseFactorStores) {
  // X[0, 1] * A[1, 2]: nothing else has 0.
  LabeledProduct product;
  product.factors = {{0, 1}, {1, 2}};
  product.result = {2};
  product.extents = {100, 50, 20};
  product.densities[0] = 0.1;
  std::optional<ProductOrder> order = throughDense(product);
  ASSERT_TRUE(order);
  EXPECT_DOUBLE_EQ(order->operations, 500 + 50 * 20);
}

TEST(ProductOrder, TakesAFullFactorForADenseOne) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    LabeledProduct product;
    const unsigned tensors = 2 + unsigned(random() % 5), labels = tensors + 3;
    product.factors.resize(tensors);
    for (unsigned label = 0; label < labels; ++label) {
      product.extents.push_back(double(2 + random() % 6));
      product.factors[random() % tensors].insert(label);
      product.factors[random() % tensors].insert(label);
      if (random() % 3 == 0)
        product.result.insert(label);
    }
    std::optional<ProductOrder> dense = orderOfLeastOperations(product);
    product.densities[unsigned(random() % tensors)] = 1;
    std::optional<ProductOrder> full = throughDense(product);
    ASSERT_TRUE(dense && full);
    EXPECT_DOUBLE_EQ(full->operations, dense->operations) << "trial " << trial;
    product.densities.begin()->second = 0.01;
    EXPECT_LE(throughDense(product)->operations, dense->operations);
  }
}

TEST(ProductOrder, TakesTwelveFactorsAtMost) {
  LabeledProduct product;
  for (unsigned factor = 0; factor < 12; ++factor) {
    product.factors.push_back({factor, factor + 1});
    product.extents.push_back(2);
  }
  product.extents.push_back(2);
  product.result = {0, 12};
  product.densities[3] = 0.5;
  EXPECT_TRUE(throughDense(product));
  product.factors.push_back({12, 13});
  product.extents.push_back(2);
  EXPECT_FALSE(throughDense(product));
}

} // namespace
