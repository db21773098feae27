// Compares expressions as texts.
#include "strata/lower/analysis/ExpressionParts.h"

#include "strata/lower/analysis/MergeCost.h"

using namespace mlir;

namespace strata {

std::string plainText(StringRef text) {
  std::string plain;
  for (char c : text)
    if (c != ' ')
      plain += c == '[' ? '(' : c == ']' ? ')' : c;
  return plain;
}

// The parts of a text between an operator outside all parentheses.
static SmallVector<std::string> operandsOf(StringRef text, char sign) {
  SmallVector<std::string> operands(1);
  int depth = 0;
  for (char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == sign && depth == 0)
      operands.emplace_back();
    else
      operands.back() += c;
  }
  return operands;
}

using IsLink = bool (*)(Operation *);

// The operands of a chain of one operator, from left to right.
static void flatten(Value value, IsLink isLink, SmallVectorImpl<Value> &operands) {
  Operation *def = value.getDefiningOp();
  if (!def || !isLink(def))
    return operands.push_back(value);
  for (Value operand : def->getOperands())
    flatten(operand, isLink, operands);
}

static void findInChain(Value root, StringRef wanted, IsLink isLink, char sign,
                        llvm::function_ref<std::string(Value)> textOf,
                        SmallVectorImpl<ExpressionPart> &found) {
  SmallVector<Value> operands;
  flatten(root, isLink, operands);
  SmallVector<std::string> texts = llvm::map_to_vector(operands, textOf);
  SmallVector<std::string> parts = operandsOf(wanted, sign);
  auto same = [](const std::string &operand, const std::string &part) {
    return operand == part || "(" + operand + ")" == part;
  };
  auto isChained = [](Operation *user) { return isProduct(user) || isAddition(user); };
  if (parts.size() == operands.size() && llvm::any_of(root.getUsers(), isChained))
    return; // an operand of the chain around it
  ArrayRef<Value> all = operands;
  for (size_t first = 0, count = parts.size(); first + count <= all.size(); ++first)
    if (llvm::equal(ArrayRef(texts).slice(first, count), parts, same))
      found.push_back({root, SmallVector<Value>(all.take_front(first)),
                       SmallVector<Value>(all.slice(first, count)),
                       SmallVector<Value>(all.drop_front(first + count))});
}

SmallVector<ExpressionPart> findParts(Operation *around, StringRef wanted,
                                      llvm::function_ref<std::string(Value)> textOf) {
  SmallVector<ExpressionPart> found;
  around->walk([&](Operation *op) {
    if (op == around || op->getNumResults() != 1)
      return;
    Value value = op->getResult(0);
    for (auto [isLink, sign] : {std::pair<IsLink, char>(isProduct, '*'), {isAddition, '+'}})
      if (isLink(op)) {
        if (llvm::none_of(op->getUsers(), isLink))
          findInChain(value, wanted, isLink, sign, textOf, found);
        return;
      }
    if (textOf(value) == wanted)
      found.push_back({value, {}, {value}, {}});
  });
  return found;
}

Value chained(ArrayRef<Value> operands, Operation *like, OpBuilder &b) {
  Value all = operands.front();
  for (Value operand : operands.drop_front()) {
    Operation *one = b.clone(*like);
    one->setOperands({all, operand});
    all = one->getResult(0);
  }
  return all;
}

} // namespace strata
