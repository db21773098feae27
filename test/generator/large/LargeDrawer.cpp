// Labels, operands, and what stands around sums.
#include "LargeDrawer.h"

#include "LargeFormats.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace strata::test {

LargeNode binary(const std::string &word, LargeNode left, LargeNode right) {
  LargeNode node{.kind = LargeNode::Kind::binary, .word = word};
  node.operands = {std::move(left), std::move(right)};
  return node;
}

LargeNode call(const std::string &word, std::vector<LargeNode> operands) {
  return {.kind = LargeNode::Kind::call, .word = word, .operands = std::move(operands)};
}

LargeNode reduction(const std::string &word, std::vector<unsigned> labels, LargeNode value) {
  if (labels.empty())
    return value;
  return {.kind = LargeNode::Kind::reduction,
          .word = word,
          .operands = {std::move(value)},
          .labels = std::move(labels)};
}

LargeNode constant(double value) { return {.value = value}; }

//===------------------------------------------------------------------------------------------===//
// Estimates
//===------------------------------------------------------------------------------------------===//

// Functions that are zero at zero, whatever their other arguments.
static bool keepsZero(const std::string &word) {
  return word != "exp" && word != "cos" && word != "where";
}

double densityOf(const LargeNode &node, const LargeCase &c) {
  switch (node.kind) {
  case LargeNode::Kind::access:
    return c.tensors[node.tensor].density();
  case LargeNode::Kind::constant:
    return 1;
  case LargeNode::Kind::binary: {
    double a = densityOf(node.operands[0], c), b = densityOf(node.operands[1], c);
    bool meets = node.word == "*" || node.word.find(',') != std::string::npos;
    return meets ? a * b : std::min(1.0, a + b);
  }
  case LargeNode::Kind::call: {
    if (!keepsZero(node.word))
      return 1;
    double most = 0;
    for (const LargeNode &operand : node.operands)
      if (operand.kind != LargeNode::Kind::constant)
        most = std::min(1.0, most + densityOf(operand, c));
    return most;
  }
  case LargeNode::Kind::reduction: {
    double terms = densityOf(node.operands[0], c);
    for (unsigned label : node.labels)
      terms *= double(c.labels[label].extent);
    return std::min(1.0, terms);
  }
  }
  return 1;
}

double entriesOf(const LargeNode &node, const LargeCase &c) {
  double entries = densityOf(node, c);
  for (unsigned label : labelsOf(node))
    entries *= double(c.labels[label].extent);
  return entries;
}

//===------------------------------------------------------------------------------------------===//
// Labels and operands
//===------------------------------------------------------------------------------------------===//

void LargeDrawer::drawType() {
  switch (random.weighted({60, 14, 6, 8, 4, 8})) {
  case 0:
    return;
  case 1:
    type = STRATA_F32;
    return;
  case 2:
    type = random.pick({STRATA_F16, STRATA_BF16});
    return;
  case 3:
    type = random.pick({STRATA_I8, STRATA_I32, STRATA_I64, STRATA_U8, STRATA_U32});
    break;
  case 4:
    type = STRATA_I64;
    break;
  default:
    type = random.pick({STRATA_C64, STRATA_C128});
  }
  real = false;
}

unsigned LargeDrawer::label(int64_t extent) {
  static const char *names[] = {"i", "j", "k", "l", "m", "n", "o", "p"};
  auto number = unsigned(c.labels.size());
  c.labels.push_back({names[number], extent});
  return number;
}

int64_t LargeDrawer::drawExtent() {
  return random.pick<int64_t>({1000, 3000, 10000, 30000, 100000, 300000, 1000000});
}

// From 10^5 to 10^6, each magnitude as likely.
int64_t LargeDrawer::drawEntries() {
  return int64_t(std::pow(10.0, 5 + double(random.below(1000)) / 1000));
}

double LargeDrawer::volumeOf(const Labels &labels) const {
  double volume = 1;
  for (unsigned label : labels)
    volume *= double(c.labels[label].extent);
  return volume;
}

LargeNode LargeDrawer::addOperand(const Labels &labels, LargeOperand operand) {
  operand.name = std::string(1, char('A' + c.tensors.size()));
  operand.seed = uint64_t(random.below(int64_t(1) << 62));
  for (unsigned label : labels)
    operand.sizes.push_back(c.labels[label].extent);
  operand.type = type;
  if (operand.full)
    operand.entries = int64_t(volumeOf(labels));
  if (operand.format.empty())
    operand.format = drawLargeFormat(random, operand.sizes, operand.entries, type);
  LargeNode access{.kind = LargeNode::Kind::access};
  access.tensor = unsigned(c.tensors.size());
  access.labels = labels;
  c.tensors.push_back(std::move(operand));
  return access;
}

// Half of the places are taken at most.
LargeNode LargeDrawer::sparse(const Labels &labels, int64_t entries) {
  LargeOperand operand;
  operand.entries = int64_t(std::min(double(entries), std::max(volumeOf(labels) / 2, 1.0)));
  // A crowded coordinate has room for the entries.
  if (labels.size() > 1 && random.chance(15)) {
    auto dimension = random.below(int64_t(labels.size()));
    double rest = volumeOf(labels) / double(c.labels[labels[size_t(dimension)]].extent);
    if (rest > 2 * double(operand.entries))
      operand.skewed = int(dimension);
  }
  return addOperand(labels, std::move(operand));
}

LargeNode LargeDrawer::dense(const Labels &labels) {
  LargeOperand operand;
  operand.full = true;
  operand.format = random.chance(85) || labels.size() != 2 ? "Dense" : "DenseColumns";
  if (operand.format == "DenseColumns")
    operand.format = "{(i, j) -> (j : dense, i : dense)}";
  return addOperand(labels, std::move(operand));
}

//===------------------------------------------------------------------------------------------===//
// Around factors and sums
//===------------------------------------------------------------------------------------------===//

// A factor as it is, scaled, by a function, or a sum of two.
LargeNode LargeDrawer::prologue(LargeNode factor) {
  if (!random.chance(20))
    return factor;
  const LargeOperand &operand = c.tensors[factor.tensor];
  int64_t entries = operand.entries;
  bool full = operand.full;
  Labels labels = factor.labels;
  switch (random.weighted({25, 25, 30})) {
  case 0:
    return binary("*", constant(2), std::move(factor));
  case 1:
    return isReal() ? call("abs", {std::move(factor)}) : factor;
  default:
    return binary("+", std::move(factor), full ? dense(labels) : sparse(labels, entries));
  }
}

// What people write around a sum: a function, a bias, a factor, something added.
LargeNode LargeDrawer::epilogue(LargeNode value, const Labels &of) {
  if (!random.chance(45))
    return value;
  bool isFull = densityOf(value, c) > 0.1 && volumeOf(of) <= 8e6;
  switch (random.weighted({20, 10, 20, 20, 10, 10})) {
  case 0:
    return isReal() ? call("max", {constant(0), std::move(value)}) : value;
  case 1:
    return isReal() && isFull ? call("exp", {binary("*", constant(0.001), std::move(value))})
                              : value;
  case 2:
    if (of.empty() || volumeOf({of.back()}) > 2e6)
      return value;
    return isFull ? binary("+", std::move(value), dense({of.back()}))
                  : binary("*", std::move(value), dense({of.back()}));
  case 3:
    if (of.empty() || volumeOf({of.front()}) > 2e6)
      return value;
    return binary("*", std::move(value), dense({of.front()}));
  case 4: {
    if (of.empty())
      return value;
    LargeNode other = isFull ? dense(of) : sparse(of, drawEntries() / 4);
    return binary(random.pick({"+", "-"}), std::move(other), std::move(value));
  }
  default:
    return binary("*", constant(3), std::move(value));
  }
}

// The result in a format that can hold it: the plain one, or any.
void LargeDrawer::finish(LargeNode value, Labels left, bool permutes) {
  c.value = std::move(value);
  c.left = std::move(left);
  if (permutes && random.chance(12))
    random.shuffle(c.left);
  double entries = entriesOf(c.value, c);
  std::vector<int64_t> sizes = c.resultSizes();
  double volume = volumeOf(c.left);
  bool isFull = densityOf(c.value, c) > 0.3 && volume <= 3e7;
  if (c.mask) {
    entries = std::min(entries, double(c.tensors[c.mask->tensor].entries));
    isFull &= c.mask->complement;
  }
  if (c.left.size() > 4 || isFull || random.chance(60))
    c.resultFormat = isFull ? "Dense" : plainLargeFormat(sizes, entries);
  else
    c.resultFormat = drawLargeFormat(random, sizes, int64_t(std::min(entries, 1e8)), type);
}

} // namespace strata::test
