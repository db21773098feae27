// Results that have the pattern of an operand's first levels: A(i, j) = B(i, j, k) * C(k).
#include "Drawer.h"

namespace strata::test {

Expression Drawer::addOperand(Random &from, const std::vector<unsigned> &variables,
                              const NamedFormat &format, const DrawData &how) {
  Expression access;
  access.kind = Expression::Kind::access;
  access.tensor = static_cast<unsigned>(c.tensors.size());
  std::vector<int64_t> sizes;
  for (unsigned variable : variables) {
    access.place.push_back(Position::of(variable));
    sizes.push_back(c.variables[variable].extent);
  }
  c.tensors.push_back({std::string(1, static_cast<char>('A' + access.tensor)), format,
                       drawData(from, sizes, c.type, how), std::vector<int64_t>(sizes.size(), 0)});
  return access;
}

// Labels are drawn in the order of the operand's levels; each tensor has its dimensions in another
// order.
Case Drawer::drawPattern() {
  c.type =
      patterns.chance(60) ? STRATA_F64 : allTypes[patterns.below(int64_t(std::size(allTypes)))];
  auto order = static_cast<unsigned>(1 + patterns.weighted({15, 35, 35, 15}));
  auto shared = static_cast<unsigned>(patterns.between(1, order));
  std::vector<std::string> words;
  std::vector<unsigned> labels;
  for (unsigned level = 0; level < order; ++level) {
    words.push_back(patterns.chance(level + 1 == shared ? 5 : 35) ? "dense" : "compressed");
    labels.push_back(freshVariable());
    c.variables.back().extent = patterns.chance(3) ? 0 : patterns.between(1, 9);
  }
  std::vector<unsigned> kept(labels.begin(), labels.begin() + shared);
  std::vector<unsigned> summed(labels.begin() + shared, labels.end());
  std::vector<std::string> resultWords(words.begin(), words.begin() + shared);
  std::vector<unsigned> factor = summed;
  if (patterns.chance(35)) { // a matrix in place of a vector
    kept.push_back(freshVariable());
    factor.push_back(kept.back());
    resultWords.push_back("dense");
  }

  // The dimension of each level.
  auto dimsOf = [&](size_t count) {
    std::vector<unsigned> dims(count);
    for (unsigned dim = 0; dim < count; ++dim)
      dims[dim] = dim;
    if (patterns.chance(30))
      patterns.shuffle(dims);
    return dims;
  };
  std::vector<unsigned> dims = dimsOf(order), resultDims = dimsOf(kept.size());
  Expression access;
  access.kind = Expression::Kind::access;
  access.tensor = 0;
  access.place.resize(order);
  std::vector<int64_t> sizes(order);
  for (unsigned level = 0; level < order; ++level) {
    access.place[dims[level]] = Position::of(labels[level]);
    sizes[dims[level]] = c.variables[labels[level]].extent;
  }
  DrawData how = drawHow(false);
  c.tensors.push_back({"A", levelsFormat(dims, words), drawData(patterns, sizes, c.type, how),
                       std::vector<int64_t>(order, 0)});
  c.left.resize(kept.size());
  for (size_t level = 0; level < kept.size(); ++level)
    c.left[resultDims[level]] = kept[level];
  for (unsigned variable : c.left) {
    c.out.push_back(Position::of(variable));
    c.resultSlack.push_back(0);
  }
  c.resultFormat = levelsFormat(resultDims, resultWords);

  how.density = 1;
  if (!patterns.chance(70) && !factor.empty())
    factor.push_back(patterns.pick(kept)); // a label of the pattern occurs elsewhere
  Expression product;
  product.kind = Expression::Kind::binary;
  product.op = "*";
  NamedFormat dense{factor.empty() ? "scalar" : "Dense", ""};
  product.operands = {access, addOperand(patterns, factor, dense, how)};
  if (patterns.chance(30))
    std::swap(product.operands[0], product.operands[1]);
  c.value = std::move(product);
  if (!summed.empty()) {
    Expression sum;
    sum.kind = Expression::Kind::reduction;
    sum.op = "add";
    sum.reduced = summed;
    sum.operands.push_back(std::move(c.value));
    c.value = std::move(sum);
  }
  c.fitSizes();
  keepFinite();
  c.phases = patterns.chance(40);
  return std::move(c);
}

} // namespace strata::test
