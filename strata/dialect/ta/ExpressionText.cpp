// Compares expressions as texts.
#include "strata/dialect/ta/ExpressionText.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace strata::ta {

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

SmallVector<ChainPart> partsOfChain(ArrayRef<std::string> operands, StringRef wanted, char sign) {
  SmallVector<std::string> parts = operandsOf(wanted, sign);
  auto same = [](const std::string &operand, const std::string &part) {
    return operand == part || "(" + operand + ")" == part;
  };
  SmallVector<ChainPart> found;
  for (unsigned first = 0; first + parts.size() <= operands.size(); ++first)
    if (llvm::equal(operands.slice(first, parts.size()), parts, same))
      found.push_back({first, unsigned(parts.size())});
  return found;
}

} // namespace strata::ta
