// Orders of networks of tensors: what they cost is what a recount says, and small ones are compared
// with the best of all.
#include "strata/lower/analysis/NetworkOrder.h"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace strata;

// Tensors joined by labels of two, at random; some labels are kept, some are one tensor's own.
LabeledProduct draw(std::mt19937 &random, unsigned tensors, unsigned joins) {
  LabeledProduct product;
  product.factors.resize(tensors);
  auto one = [&](unsigned below) { return unsigned(random() % below); };
  auto label = [&] {
    product.extents.push_back(double(1 + one(5)));
    return unsigned(product.extents.size()) - 1;
  };
  for (unsigned join = 0; join < joins; ++join) {
    unsigned left = one(tensors), right = one(tensors), shared = label();
    product.factors[left].insert(shared);
    product.factors[right].insert(shared);
    if (one(8) == 0)
      product.factors[one(tensors)].insert(shared);
    if (one(10) == 0)
      product.result.insert(shared);
  }
  return product;
}

// Each factor once, operands first, and labels that are kept as long as anything else has them.
double recount(const LabeledProduct &product, const ProductOrder &order) {
  std::vector<std::vector<bool>> inside;
  double operations = 0;
  for (const ProductOrder::Node &node : order.nodes) {
    std::vector<bool> own(product.factors.size(), false);
    LabelSet all;
    if (node.operands.empty()) {
      own[node.factor] = true;
      EXPECT_EQ(node.labels, product.factors[node.factor]);
      inside.push_back(own);
      continue;
    }
    for (int operand : node.operands) {
      EXPECT_LT(size_t(operand), inside.size());
      all |= order.nodes[operand].labels;
      for (size_t factor = 0; factor < own.size(); ++factor) {
        EXPECT_FALSE(own[factor] && inside[operand][factor]);
        own[factor] = own[factor] || inside[operand][factor];
      }
    }
    LabelSet others = product.result, these;
    for (size_t factor = 0; factor < own.size(); ++factor)
      (own[factor] ? these : others) |= product.factors[factor];
    EXPECT_EQ(node.labels, others & these);
    operations += product.sizeOf(all) * double(std::max<size_t>(node.operands.size() - 1, 1));
    inside.push_back(own);
  }
  for (bool taken : inside.back())
    EXPECT_TRUE(taken);
  return operations;
}

TEST(NetworkOrder, CostsWhatItSaysAndIsTheBestOfSmallOnes) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 150; ++trial) {
    unsigned tensors = 2 + unsigned(random() % 8);
    LabeledProduct product = draw(random, tensors, tensors + unsigned(random() % 8));
    ProductOrder order = orderOfNetwork(product);
    EXPECT_DOUBLE_EQ(order.operations, recount(product, order));
    std::optional<ProductOrder> best = orderOfLeastOperations(product);
    ASSERT_TRUE(best);
    EXPECT_DOUBLE_EQ(best->operations, recount(product, *best));
    EXPECT_DOUBLE_EQ(order.operations, best->operations) << "trial " << trial;
  }
}

TEST(NetworkOrder, TakesManyTensors) {
  std::mt19937 random(2);
  for (unsigned tensors : {13u, 60u, 300u}) {
    LabeledProduct product = draw(random, tensors, tensors + tensors / 10);
    ProductOrder order = orderOfNetwork(product);
    EXPECT_DOUBLE_EQ(order.operations, recount(product, order));
    EXPECT_EQ(orderOfNetwork(product).operations, order.operations);
  }
  // A ring is a chain that is closed at last, whatever the order of its tensors.
  LabeledProduct ring;
  ring.factors.resize(500);
  ring.extents.assign(500, 4);
  for (unsigned at = 0; at < 500; ++at) {
    ring.factors[at * 7 % 500].insert(at);
    ring.factors[(at + 1) * 7 % 500].insert(at);
  }
  EXPECT_LE(orderOfNetwork(ring).operations, 500.0 * 64);
}

} // namespace
