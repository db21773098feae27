#include "LargeRules.h"

namespace strata::test {

namespace {

struct Rule {
  llvm::StringRef message; ///< a part of it
  llvm::StringRef page;
};

} // namespace

static constexpr Rule rules[] = {
    {"as much as a list of them", "docs/Language.md#conversion"},
    {"far larger than a list", "docs/Language.md#conversion"},
    {"a format that stores only what occurs", "docs/Language.md#conversion"},
};

llvm::StringRef ruleOf(llvm::StringRef message) {
  for (const Rule &rule : rules)
    if (message.contains(rule.message))
      return rule.page;
  return "";
}

} // namespace strata::test
