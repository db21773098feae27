// The program and the files it reads, for split-file to take apart.
#include "Regression.h"

namespace strata::test {

std::string regressionText(const Case &c, const std::string &remark) {
  std::string text = "// " + notation(c) + "\n";
  if (!remark.empty())
    text += "// " + remark + "\n";
  text += "// RUN: split-file %s %t && cd %t && strata run --check " +
          std::string(c.phases ? "--phases --repeat=2 " : "") + "program.mlir\n";
  for (const Operand &operand : c.tensors)
    if (!operand.data.sizes.empty()) {
      auto [name, content] = fileOf(operand);
      text += "//--- " + name + "\n" + content;
    }
  return text + "//--- program.mlir\n" + programText(c);
}

} // namespace strata::test
