// Statements as text.
#include "LargeCase.h"

#include "strata/runtime/storage/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace strata::test {

void forEachNode(LargeNode &node, llvm::function_ref<void(LargeNode &)> body) {
  for (LargeNode &operand : node.operands)
    forEachNode(operand, body);
  body(node);
}

void forEachNode(const LargeNode &node, llvm::function_ref<void(const LargeNode &)> body) {
  for (const LargeNode &operand : node.operands)
    forEachNode(operand, body);
  body(node);
}

std::vector<unsigned> labelsOf(const LargeNode &node) {
  std::vector<unsigned> labels;
  auto add = [&](unsigned label) {
    if (!llvm::is_contained(labels, label))
      labels.push_back(label);
  };
  if (node.kind == LargeNode::Kind::access)
    llvm::for_each(node.labels, add);
  for (const LargeNode &operand : node.operands)
    llvm::for_each(labelsOf(operand), add);
  if (node.kind == LargeNode::Kind::reduction)
    llvm::erase_if(labels, [&](unsigned label) { return llvm::is_contained(node.labels, label); });
  return labels;
}

static std::string listed(const std::vector<unsigned> &labels, const LargeCase &c) {
  std::string text;
  for (unsigned label : labels)
    text += (text.empty() ? "" : ",") + c.labels[label].name;
  return text;
}

std::string accessText(const std::string &name, const std::vector<unsigned> &labels,
                       const LargeCase &c) {
  return labels.empty() ? name : name + "(" + listed(labels, c) + ")";
}

std::string valueText(const LargeNode &node, const LargeCase &c) {
  switch (node.kind) {
  case LargeNode::Kind::access:
    return accessText(c.tensors[node.tensor].name, node.labels, c);
  case LargeNode::Kind::constant: {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", node.value);
    return text;
  }
  case LargeNode::Kind::binary: {
    std::string texts[2];
    for (size_t at = 0; at < 2; ++at) {
      const LargeNode &operand = node.operands[at];
      texts[at] = valueText(operand, c);
      // Products of products from the left need no parentheses.
      bool chained = at == 0 && operand.isProduct() && node.isProduct();
      if (operand.kind == LargeNode::Kind::binary && !chained)
        texts[at] = "(" + texts[at] + ")";
    }
    return texts[0] + " " + node.word + " " + texts[1];
  }
  case LargeNode::Kind::call: {
    std::string text;
    for (const LargeNode &operand : node.operands)
      text += (text.empty() ? "" : ", ") + valueText(operand, c);
    return node.word + "(" + text + ")";
  }
  case LargeNode::Kind::reduction:
    return node.word + "(" + listed(node.labels, c) + ", " + valueText(node.operands[0], c) + ")";
  }
  return "";
}

std::string maskText(const LargeCase &c) {
  if (!c.mask)
    return "";
  return "<" + std::string(c.mask->complement ? "!" : "") +
         accessText(c.tensors[c.mask->tensor].name, c.mask->labels, c) + ", structural>";
}

std::string LargeCase::text() const {
  return accessText("R", left, *this) + maskText(*this) + " = " + valueText(value, *this);
}

double LargeOperand::density() const {
  if (full)
    return 1;
  double volume = 1;
  for (int64_t size : sizes)
    volume *= double(size);
  return std::min(1.0, double(entries) / volume);
}

std::vector<int64_t> LargeCase::resultSizes() const {
  std::vector<int64_t> sizes;
  for (unsigned label : left)
    sizes.push_back(labels[label].extent);
  return sizes;
}

std::string LargeCase::description() const {
  std::string text = this->text() + "\n";
  auto add = [&](const std::string &name, const std::vector<int64_t> &sizes) {
    text += "  " + name + ": ";
    for (size_t d = 0; d < sizes.size(); ++d)
      text += (d ? " x " : "") + std::to_string(sizes[d]);
  };
  for (const LargeOperand &operand : tensors) {
    add(operand.name, operand.sizes);
    text += ", " + operand.format + ", " + runtime::typeName(operand.type) +
            (operand.full ? ", full" : ", " + std::to_string(operand.entries) + " entries") +
            (operand.skewed >= 0 ? ", nine tenths at one coordinate of dimension " +
                                       std::to_string(operand.skewed + 1)
                                 : "") +
            "\n";
  }
  add("R", resultSizes());
  return text + ", " + resultFormat + "\n";
}

void LargeCase::dropUnused() {
  std::vector<unsigned> renamed(tensors.size(), 0);
  std::vector<bool> used(tensors.size());
  forEachNode(value, [&](LargeNode &node) {
    if (node.kind == LargeNode::Kind::access)
      used[node.tensor] = true;
  });
  if (mask)
    used[mask->tensor] = true;
  std::vector<LargeOperand> kept;
  for (size_t at = 0; at < tensors.size(); ++at) {
    renamed[at] = unsigned(kept.size());
    if (used[at])
      kept.push_back(std::move(tensors[at]));
  }
  tensors = std::move(kept);
  forEachNode(value, [&](LargeNode &node) {
    if (node.kind == LargeNode::Kind::access)
      node.tensor = renamed[node.tensor];
  });
  if (mask)
    mask->tensor = renamed[mask->tensor];
}

} // namespace strata::test
