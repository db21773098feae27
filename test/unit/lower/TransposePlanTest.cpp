// The transposes of a contraction against a search through all permutations of all three tensors,
// which knows of groups only what the definition says.
#include "strata/lower/analysis/TransposePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace strata;

enum Kind { batch, row, column, contracted };

struct Drawn {
  PairContraction contraction;
  std::vector<Kind> kinds; ///< of each label
};

LabelOrder ofKinds(const std::vector<Kind> &kinds, std::initializer_list<Kind> wanted) {
  LabelOrder labels;
  for (unsigned label = 0; label < kinds.size(); ++label)
    if (llvm::is_contained(wanted, kinds[label]))
      labels.push_back(label);
  return labels;
}

// At most four labels in a tensor, so that all permutations can be tried.
Drawn draw(std::mt19937 &random) {
  Drawn drawn;
  auto number = [&](unsigned least, unsigned most) {
    return std::uniform_int_distribution<unsigned>(least, most)(random);
  };
  drawn.kinds.assign(number(0, 1), batch);
  drawn.kinds.insert(drawn.kinds.end(), number(0, 2), row);
  drawn.kinds.insert(drawn.kinds.end(), number(0, 1), column);
  drawn.kinds.insert(drawn.kinds.end(), number(1, 2), contracted);
  std::ranges::shuffle(drawn.kinds, random);
  PairContraction &contraction = drawn.contraction;
  contraction.left = ofKinds(drawn.kinds, {batch, row, contracted});
  contraction.right = ofKinds(drawn.kinds, {batch, column, contracted});
  contraction.result = ofKinds(drawn.kinds, {batch, row, column});
  for (LabelOrder *labels : {&contraction.left, &contraction.right, &contraction.result})
    std::ranges::shuffle(*labels, random);
  for (size_t label = 0; label < drawn.kinds.size(); ++label)
    contraction.extents.push_back(number(2, 9));
  return drawn;
}

LabelOrder only(const LabelOrder &labels, const std::vector<Kind> &kinds, Kind kind) {
  LabelOrder some;
  llvm::copy_if(labels, std::back_inserter(some),
                [&](unsigned label) { return kinds[label] == kind; });
  return some;
}

// Do the labels stand in groups, those of the batch first?
bool isGrouped(const LabelOrder &labels, const std::vector<Kind> &kinds) {
  std::vector<Kind> groups;
  for (unsigned label : labels)
    if (groups.empty() || groups.back() != kinds[label])
      groups.push_back(kinds[label]);
  for (size_t at = 0; at < groups.size(); ++at)
    if (std::count(groups.begin(), groups.end(), groups[at]) > 1 || (groups[at] == batch && at > 0))
      return false;
  return true;
}

// Is that a product of matrices?
bool multiplies(const TransposePlan &plan, const std::vector<Kind> &kinds) {
  auto alike = [&](const LabelOrder &x, const LabelOrder &y, Kind kind) {
    return only(x, kinds, kind) == only(y, kinds, kind);
  };
  return isGrouped(plan.left, kinds) && isGrouped(plan.right, kinds) &&
         isGrouped(plan.result, kinds) && alike(plan.left, plan.right, batch) &&
         alike(plan.left, plan.result, batch) && alike(plan.left, plan.result, row) &&
         alike(plan.right, plan.result, column) && alike(plan.left, plan.right, contracted);
}

void charge(TransposePlan &plan, const PairContraction &contraction) {
  for (auto [stored, wanted] : {std::pair(&contraction.left, &plan.left),
                                {&contraction.right, &plan.right},
                                {&contraction.result, &plan.result}})
    if (*stored != *wanted) {
      plan.moved += contraction.sizeOf(*stored);
      plan.scattered += stored->back() == wanted->back() ? 0 : contraction.sizeOf(*stored);
    }
}

template <typename Body> void forEachOrder(LabelOrder labels, Body body) {
  std::ranges::sort(labels);
  do
    body(labels);
  while (std::ranges::next_permutation(labels).found);
}

TransposePlan searched(const Drawn &drawn) {
  std::optional<TransposePlan> best;
  const PairContraction &contraction = drawn.contraction;
  forEachOrder(contraction.left, [&](const LabelOrder &left) {
    if (!isGrouped(left, drawn.kinds))
      return;
    forEachOrder(contraction.right, [&](const LabelOrder &right) {
      forEachOrder(contraction.result, [&](const LabelOrder &result) {
        TransposePlan plan{left, right, result};
        if (!multiplies(plan, drawn.kinds))
          return;
        charge(plan, contraction);
        if (!best || plan.isCheaperThan(*best))
          best = plan;
      });
    });
  });
  return *best;
}

TEST(TransposePlan, NoPermutationIsCheaper) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    Drawn drawn = draw(random);
    std::optional<TransposePlan> found = transposesOfLeastCost(drawn.contraction);
    ASSERT_TRUE(found);
    EXPECT_TRUE(multiplies(*found, drawn.kinds));
    TransposePlan charged{found->left, found->right, found->result};
    charge(charged, drawn.contraction);
    TransposePlan best = searched(drawn);
    EXPECT_EQ(found->moved, best.moved);
    EXPECT_EQ(found->scattered, best.scattered);
    EXPECT_EQ(found->moved, charged.moved);
    EXPECT_EQ(found->scattered, charged.scattered);
  }
}

TEST(TransposePlan, AsWrittenIsAProductOfMatricesToo) {
  std::mt19937 random(2);
  int costlier = 0;
  for (int round = 0; round < 400; ++round) {
    Drawn drawn = draw(random);
    std::optional<TransposePlan> written = transposesAsWritten(drawn.contraction);
    ASSERT_TRUE(written);
    EXPECT_TRUE(multiplies(*written, drawn.kinds));
    TransposePlan best = *transposesOfLeastCost(drawn.contraction);
    EXPECT_FALSE(written->isCheaperThan(best));
    costlier += best.isCheaperThan(*written);
  }
  EXPECT_GT(costlier, 100);
}

// C[i, j] = A[k, i] * B[k, j]: matrices stored by columns are no reason to transpose.
TEST(TransposePlan, MatricesAreNotTransposed) {
  std::optional<TransposePlan> plan = transposesOfLeastCost({{2, 0}, {2, 1}, {0, 1}, {10, 20, 30}});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->moved, 0);
  EXPECT_FALSE(plan->swapped);
  // C[j, i] instead: the right operand has the rows.
  plan = transposesOfLeastCost({{2, 0}, {2, 1}, {1, 0}, {10, 20, 30}});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->moved, 0);
  EXPECT_TRUE(plan->swapped);
  EXPECT_EQ(transposesAsWritten({{2, 0}, {2, 1}, {1, 0}, {10, 20, 30}})->moved, 300 + 200);
}

TEST(TransposePlan, OtherProductsHaveNone) {
  EXPECT_FALSE(transposesOfLeastCost({{0, 1}, {2}, {0, 2}, {2, 3, 4}})); // 1 is summed alone
  EXPECT_FALSE(transposesOfLeastCost({{0}, {1}, {0, 1}, {2, 3}}));       // nothing is summed
  EXPECT_FALSE(transposesOfLeastCost({{0, 0}, {0, 1}, {1}, {2, 3}}));    // a diagonal
  EXPECT_FALSE(transposesAsWritten({{0, 1}, {1}, {0, 2}, {2, 3, 4}}));   // 2 has no operand
}

} // namespace
