// Products of tensors that store the same labels in blocks of one size, between which loops can go
// from block to block: C(i, k) = A(i, j) * B(j, k) of matrices in BCSR.
#include "Drawer.h"

namespace strata::test {

// Two or three factors, of which each has a label of the one before; the result has some of all
// labels. Here and there a tensor has blocks of another size, or is in any format.
Case Drawer::drawBlocks() {
  c.type = blocks.chance(60) ? STRATA_F64 : allTypes[blocks.below(int64_t(std::size(allTypes)))];
  const int64_t usual = blocks.between(2, 4);
  const bool straight = blocks.chance(60); // the labels as loops can have them: A(i, j) * B(j, k)
  auto formatOf = [&](unsigned order) {
    if (blocks.chance(8))
      return drawFormat(blocks, order);
    bool turned = blocks.chance(straight ? 4 : 30);
    return blockFormat(blocks, order, blocks.chance(6) ? blocks.between(2, 4) : usual, turned);
  };
  const int64_t count = straight ? blocks.between(3, 4) : blocks.between(2, 4);
  for (int64_t at = 0; at < count; ++at) {
    freshVariable();
    c.variables.back().extent = blocks.chance(3) ? 0 : blocks.between(1, count < 4 ? 13 : 9);
  }
  std::vector<unsigned> labels;
  for (unsigned variable = 0; variable < c.variables.size(); ++variable)
    labels.push_back(variable);
  if (!straight)
    blocks.shuffle(labels);

  DrawData how = drawHow(false);
  auto access = [&](const std::vector<unsigned> &of, const NamedFormat &format) {
    Expression read;
    read.kind = Expression::Kind::access;
    read.tensor = static_cast<unsigned>(c.tensors.size());
    std::vector<int64_t> sizes;
    for (unsigned variable : of) {
      read.place.push_back(Position::of(variable));
      sizes.push_back(c.variables[variable].extent);
    }
    c.tensors.push_back({std::string(1, static_cast<char>('A' + read.tensor)), format,
                         drawData(blocks, sizes, c.type, how),
                         std::vector<int64_t>(sizes.size(), 0)});
    return read;
  };
  const auto factors =
      static_cast<unsigned>(blocks.between(2, std::min<int64_t>(count - straight, 3)));
  std::vector<bool> used(labels.size());
  for (unsigned factor = 0; factor < factors; ++factor) {
    std::vector<unsigned> own{labels[factor], labels[(factor + 1) % labels.size()]};
    if (factor + 1 == factors && blocks.chance(30))
      own.push_back(labels.back());
    if (own.size() == 3 && (own[2] == own[0] || own[2] == own[1]))
      own.pop_back();
    if (blocks.chance(straight ? 5 : 30))
      blocks.shuffle(own);
    for (unsigned variable : own)
      used[variable] = true;
    Expression read = access(own, formatOf(static_cast<unsigned>(own.size())));
    if (factor == 0) {
      c.value = read;
      continue;
    }
    Expression both;
    both.kind = Expression::Kind::binary;
    both.op = blocks.chance(88) ? "*" : "+";
    both.operands = {c.value, read};
    c.value = std::move(both);
  }
  if (blocks.chance(20)) { // a dense factor
    Expression scaled;
    scaled.kind = Expression::Kind::binary;
    scaled.op = "*";
    scaled.operands = {c.value, access({labels[1]}, {"Dense", ""})};
    c.value = std::move(scaled);
  }

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
                                                   : formatOf(order);
  c.fitSizes();
  keepFinite();
  countPadding();
  c.phases = !c.resultFormat.text.empty() && blocks.chance(25);
  return std::move(c);
}

} // namespace strata::test
