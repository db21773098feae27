#include "LargeParts.h"

#include "LargeDrawer.h"
#include "LargeFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::test {

LargePart asWhole(const LargeCase &c) { return {c.text(), "R", c.resultFormat}; }

namespace {

using Labels = std::vector<unsigned>;

class Splitter {
public:
  Splitter(const LargeCase &c, bool plain) : whole(c), c(c), plain(plain) {}
  std::vector<LargePart> split();

private:
  /// Tells whether it reads an operand that does not store every place.
  bool isSparse(const LargeNode &node) const {
    return node.kind == LargeNode::Kind::access && !whole.tensors[node.tensor].full;
  }
  /// A value that is stored: an operand, or what a part has computed.
  LargeNode stored(const LargeNode &node);
  /// Stores a value of stored ones by a part of its own.
  LargeNode store(const LargeNode &value);
  LargeNode storedSum(const LargeNode &sum);
  LargeNode sumOwnLabels(LargeNode factor, Labels &summed, const std::vector<LargeNode> &others);
  LargeNode combine(LargeNode a, LargeNode b, Labels &summed, const std::vector<LargeNode> &others);

  const LargeCase &whole;
  LargeCase c; ///< its tensors, and those that parts compute
  bool plain;
  struct Made {
    LargeNode value;
    Labels labels;
    std::string name;
  };
  std::vector<Made> made;
};

} // namespace

static bool isStored(const LargeNode &node) {
  return node.kind == LargeNode::Kind::access || node.kind == LargeNode::Kind::constant;
}

// Products of semirings are over the entries that both have: a dense copy would add some.
static bool meetsEntries(const LargeNode &node) {
  return node.kind == LargeNode::Kind::binary && llvm::StringRef(node.word).starts_with("@");
}

LargeNode Splitter::store(const LargeNode &value) {
  Labels labels = labelsOf(value);
  LargeOperand operand;
  operand.name = "T" + std::to_string(made.size());
  for (unsigned label : labels)
    operand.sizes.push_back(c.labels[label].extent);
  double entries = entriesOf(value, c);
  operand.entries = int64_t(std::min(entries, 1e18));
  operand.format = plainLargeFormat(operand.sizes, entries);
  operand.full = operand.format == "Dense";
  made.push_back({value, labels, operand.name});
  LargeNode access{.kind = LargeNode::Kind::access};
  access.tensor = unsigned(c.tensors.size());
  access.labels = labels;
  c.tensors.push_back(std::move(operand));
  return access;
}

static void factorsOf(const LargeNode &node, std::vector<LargeNode> &factors) {
  if (!node.isProduct()) {
    factors.push_back(node);
    return;
  }
  for (const LargeNode &operand : node.operands)
    factorsOf(operand, factors);
}

// Of the labels to sum, those that no other factor has.
static Labels ownLabels(const LargeNode &value, const Labels &summed,
                        const std::vector<LargeNode> &others) {
  Labels own;
  for (unsigned label : labelsOf(value))
    if (llvm::is_contained(summed, label) && llvm::none_of(others, [&](const LargeNode &other) {
          return llvm::is_contained(labelsOf(other), label);
        }))
      own.push_back(label);
  return own;
}

LargeNode Splitter::sumOwnLabels(LargeNode factor, Labels &summed,
                                 const std::vector<LargeNode> &others) {
  Labels own = ownLabels(factor, summed, others);
  llvm::erase_if(summed, [&](unsigned label) { return llvm::is_contained(own, label); });
  return own.empty() ? factor : store(reduction("sum", own, std::move(factor)));
}

LargeNode Splitter::combine(LargeNode a, LargeNode b, Labels &summed,
                            const std::vector<LargeNode> &others) {
  LargeNode value = binary("*", std::move(a), std::move(b));
  Labels own = ownLabels(value, summed, others);
  llvm::erase_if(summed, [&](unsigned label) { return llvm::is_contained(own, label); });
  return store(reduction("sum", own, std::move(value)));
}

// The labels of one factor alone first, then two by two.
LargeNode Splitter::storedSum(const LargeNode &sum) {
  Labels summed = sum.isSum() ? sum.labels : Labels();
  std::vector<LargeNode> given, factors;
  factorsOf(sum.isSum() ? sum.operands[0] : sum, given);
  for (const LargeNode &factor : given)
    factors.push_back(stored(factor));
  for (size_t at = 0; at < factors.size(); ++at) {
    std::vector<LargeNode> others = factors;
    others.erase(others.begin() + int64_t(at));
    factors[at] = sumOwnLabels(factors[at], summed, others);
  }
  while (factors.size() > 1) {
    size_t first = 0, second = 1;
    double least = -1;
    for (size_t a = 0; a < factors.size(); ++a)
      for (size_t b = a + 1; b < factors.size(); ++b) {
        double terms = entriesOf(binary("*", factors[a], factors[b]), c);
        if (least < 0 || terms < least) {
          least = terms;
          first = a;
          second = b;
        }
      }
    LargeNode a = factors[first], b = factors[second];
    factors.erase(factors.begin() + int64_t(second));
    factors.erase(factors.begin() + int64_t(first));
    factors.push_back(combine(std::move(a), std::move(b), summed, factors));
  }
  return factors.front();
}

LargeNode Splitter::stored(const LargeNode &node) {
  if (isStored(node)) {
    bool isCopied = plain && node.kind == LargeNode::Kind::access;
    const LargeOperand *operand = isCopied ? &c.tensors[node.tensor] : nullptr;
    if (!isCopied || operand->format == plainLargeFormat(operand->sizes, double(operand->entries)))
      return node;
    // One copy serves all reads with the same labels.
    for (size_t number = 0; number < made.size(); ++number)
      if (const LargeNode &known = made[number].value; known.kind == LargeNode::Kind::access &&
                                                       known.tensor == node.tensor &&
                                                       known.labels == node.labels) {
        LargeNode access = node;
        access.tensor = unsigned(whole.tensors.size() + number);
        access.labels = made[number].labels;
        return access;
      }
    return store(node);
  }
  if (node.isSum() || node.isProduct())
    return storedSum(node);
  LargeNode own = node;
  for (LargeNode &operand : own.operands)
    if (!meetsEntries(node) || !isSparse(operand))
      operand = stored(operand);
  return store(own);
}

// The last part has the result's name, labels and format, unless a mask follows.
std::vector<LargePart> Splitter::split() {
  LargeNode value = stored(whole.value);
  if (c.mask || made.empty())
    made.push_back({value, whole.left, "R"});
  made.back().name = "R";
  made.back().labels = whole.left;
  std::vector<LargePart> parts;
  for (const auto &[number, part] : llvm::enumerate(made)) {
    bool isLast = number + 1 == made.size();
    std::string format =
        isLast ? whole.resultFormat : c.tensors[whole.tensors.size() + number].format;
    parts.push_back({accessText(part.name, part.labels, c) + (isLast ? maskText(whole) : "") +
                         " = " + valueText(part.value, c),
                     part.name, std::move(format)});
  }
  return parts;
}

std::vector<LargePart> partsOf(const LargeCase &c, bool plain) {
  return Splitter(c, plain).split();
}

} // namespace strata::test
