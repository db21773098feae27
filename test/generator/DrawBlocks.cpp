// Products and sums of tensors that store the same labels in blocks of one size, between which
// loops can go from block to block: C(i, k) = A(i, j) * B(j, k) of matrices in BCSR.
#include "Drawer.h"

namespace strata::test {

// Here and there a tensor has blocks of another size, or is in any format.
NamedFormat Drawer::drawBlockFormat(unsigned order, bool straight, int64_t usual) {
  if (blocks.chance(8))
    return drawFormat(blocks, order);
  bool turned = blocks.chance(straight ? 4 : 30);
  return blockFormat(blocks, order, blocks.chance(6) ? blocks.between(2, 4) : usual, turned);
}

// Operands of which each has a label of the one before, or all the same two, and perhaps a dense
// one. Gives the labels that they have.
std::vector<bool> Drawer::drawFactors(const std::vector<unsigned> &labels, bool straight,
                                      int64_t usual, unsigned factors) {
  DrawData how = drawHow(false);
  std::vector<bool> used(labels.size());
  const bool alike = blocks.chance(25);
  auto combine = [&](const std::string &op, const Expression &read) {
    Expression both;
    both.kind = Expression::Kind::binary;
    both.op = op;
    both.operands = {c.value, read};
    c.value = std::move(both);
  };
  for (unsigned factor = 0; factor < factors; ++factor) {
    const unsigned first = alike ? 0 : factor;
    std::vector<unsigned> own{labels[first], labels[(first + 1) % labels.size()]};
    if (factor + 1 == factors && blocks.chance(30) && labels.back() != own[0] &&
        labels.back() != own[1])
      own.push_back(labels.back());
    if (blocks.chance(straight ? 5 : 30))
      blocks.shuffle(own);
    for (unsigned variable : own)
      used[variable] = true;
    auto order = static_cast<unsigned>(own.size());
    Expression read = addOperand(blocks, own, drawBlockFormat(order, straight, usual), how);
    if (factor == 0)
      c.value = read;
    else
      combine(blocks.chance(alike ? 30 : 88) ? "*" : "+", read);
  }
  if (blocks.chance(20))
    combine("*", addOperand(blocks, {labels[1]}, {"Dense", ""}, how));
  return used;
}

// The result has some of the labels of two or three factors.
Case Drawer::drawBlocks() {
  c.type = blocks.chance(60) ? STRATA_F64 : allTypes[blocks.below(int64_t(std::size(allTypes)))];
  const int64_t usual = blocks.between(2, 4);
  const bool straight = blocks.chance(60); // the labels as loops can have them: A(i, j) * B(j, k)
  const int64_t count = straight ? blocks.between(3, 4) : blocks.between(2, 4);
  std::vector<unsigned> labels;
  for (int64_t at = 0; at < count; ++at) {
    labels.push_back(freshVariable());
    c.variables.back().extent = blocks.chance(3) ? 0 : blocks.between(1, count < 4 ? 13 : 9);
  }
  if (!straight)
    blocks.shuffle(labels);
  const auto factors =
      static_cast<unsigned>(blocks.between(2, std::min<int64_t>(count - straight, 3)));
  std::vector<bool> used = drawFactors(labels, straight, usual, factors);

  std::vector<unsigned> summed;
  for (unsigned variable : labels)
    if (used[variable] && c.left.size() < 3 &&
        blocks.chance(!straight                              ? 60
                      : variable == 0 || variable == factors ? 90
                                                             : 20))
      c.left.push_back(variable);
    else if (used[variable])
      summed.push_back(variable);
  if (!summed.empty()) {
    Expression sum;
    sum.kind = Expression::Kind::reduction;
    sum.op = blocks.chance(90) || isComplex(c.type) ? "add" : "max";
    sum.reduced = summed;
    sum.operands.push_back(std::move(c.value));
    c.value = std::move(sum);
  }
  for (unsigned variable : c.left) {
    c.out.push_back(Position::of(variable));
    c.resultSlack.push_back(0);
  }
  auto order = static_cast<unsigned>(c.left.size());
  c.resultFormat = order == 0 || blocks.chance(35) ? NamedFormat{order ? "Dense" : "scalar", ""}
                                                   : drawBlockFormat(order, straight, usual);
  c.fitSizes();
  keepFinite();
  countPadding();
  c.phases = !c.resultFormat.text.empty() && blocks.chance(25);
  return std::move(c);
}

} // namespace strata::test
