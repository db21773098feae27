// Products of three operands and more.
#include "LargeDrawer.h"

namespace strata::test {

static LargeNode product(std::vector<LargeNode> factors) {
  LargeNode value = std::move(factors.front());
  for (size_t at = 1; at < factors.size(); ++at)
    value = binary("*", std::move(value), std::move(factors[at]));
  return value;
}

// S(i,j) * P(i,k) * Q(k,j), then perhaps times a dense matrix.
void LargeDrawer::drawSampled() {
  c.family = "sampled product";
  int64_t n = random.pick<int64_t>({1000, 10000, 100000});
  unsigned i = label(n), j = label(n), k = label(random.pick<int64_t>({8, 32}));
  std::vector<LargeNode> factors{sparse({i, j}), dense({i, k}),
                                 dense(random.chance(50) ? Labels{k, j} : Labels{j, k})};
  if (random.chance(40)) {
    unsigned l = label(16);
    factors.push_back(dense({j, l}));
    random.shuffle(factors);
    return finish(reduction("sum", {j, k}, product(std::move(factors))), {i, l});
  }
  random.shuffle(factors);
  LargeNode sum = reduction("sum", {k}, product(std::move(factors)));
  finish(epilogue(std::move(sum), {i, j}), {i, j});
}

// A(i,l) = B(i,j,k) * C(j,l) * D(k,l), of any mode.
void LargeDrawer::drawKhatriRao() {
  c.family = "Khatri-Rao";
  Labels labels;
  for (int at = 0; at < 3; ++at)
    labels.push_back(label(random.pick<int64_t>({100, 1000, 10000, 100000})));
  LargeNode tensor = sparse(labels);
  unsigned l = label(16);
  auto mode = size_t(random.below(3));
  std::vector<LargeNode> factors{std::move(tensor)};
  Labels reduced;
  for (size_t at = 0; at < 3; ++at)
    if (at != mode) {
      factors.push_back(dense({labels[at], l}));
      reduced.push_back(labels[at]);
    }
  finish(reduction("sum", reduced, product(std::move(factors))), {labels[mode], l});
}

// A sparse tensor times matrices or vectors along some of its modes.
void LargeDrawer::drawTensorTimes() {
  c.family = "tensor times matrices";
  Labels labels;
  for (int at = 0; at < 3; ++at)
    labels.push_back(label(random.pick<int64_t>({100, 300, 1000})));
  std::vector<LargeNode> factors{sparse(labels)};
  Labels reduced, left = labels;
  for (int64_t count = random.between(1, 2), at = 0; at < count; ++at) {
    auto mode = size_t(random.below(3));
    if (left[mode] != labels[mode])
      continue;
    unsigned summed = labels[mode];
    reduced.push_back(summed);
    if (random.chance(30)) {
      factors.push_back(dense({summed}));
      left[mode] = ~0U;
      continue;
    }
    left[mode] = label(8);
    factors.push_back(dense({summed, left[mode]}));
  }
  std::erase(left, ~0U);
  finish(reduction("sum", reduced, product(std::move(factors))), left);
}

// A * B * C, the last perhaps a narrow dense matrix or a vector.
void LargeDrawer::drawChain() {
  c.family = "chain";
  int64_t n = random.pick<int64_t>({10000, 100000});
  auto count = random.between(3, 4);
  Labels labels;
  for (int64_t at = 0; at < count; ++at)
    labels.push_back(label(n));
  std::vector<LargeNode> factors;
  for (size_t at = 0; at + 1 < labels.size(); ++at)
    factors.push_back(sparse({labels[at], labels[at + 1]}, 100000));
  Labels reduced(labels.begin() + 1, labels.end());
  Labels left{labels.front()};
  if (random.chance(50)) {
    factors.push_back(dense({labels.back()}));
  } else {
    left.push_back(label(8));
    factors.push_back(dense({labels.back(), left.back()}));
  }
  finish(reduction("sum", reduced, product(std::move(factors))), left);
}

// Scalars: dot products of matrices, quadratic forms, triangles.
void LargeDrawer::drawForm() {
  c.family = "scalar";
  int64_t n = random.pick<int64_t>({3000, 30000, 100000});
  unsigned i = label(n), j = label(n);
  LargeNode a = sparse({i, j});
  switch (random.below(3)) {
  case 0: {
    LargeNode b = random.chance(70) ? sparse({i, j}) : sparse({j, i});
    return finish(reduction("sum", {i, j}, binary("*", std::move(a), std::move(b))), {});
  }
  case 1: {
    LargeNode x = dense({i}), y = x;
    y.labels = {j};
    return finish(reduction("sum", {i, j}, product({std::move(a), std::move(x), std::move(y)})),
                  {});
  }
  default: {
    unsigned k = label(n);
    LargeOperand &operand = c.tensors[a.tensor];
    operand.skewed = -1;
    LargeNode b = a, d = a;
    b.labels = {j, k};
    d.labels = {i, k};
    finish(reduction("sum", {i, j, k}, product({std::move(a), std::move(b), std::move(d)})), {});
  }
  }
}

void LargeDrawer::drawNetwork() {
  switch (random.below(5)) {
  case 0:
    return drawSampled();
  case 1:
    return drawKhatriRao();
  case 2:
    return drawTensorTimes();
  case 3:
    return drawChain();
  default:
    return drawForm();
  }
}

} // namespace strata::test
