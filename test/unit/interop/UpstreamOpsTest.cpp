// Compares docs/from/MLIR.md, the importer's reasons, and the operations that upstream registers.
#include "strata/interop/UpstreamOps.h"
#include "strata/interop/ImportLinalg.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"

#include "gtest/gtest.h"

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace strata::interop {
namespace {

// The second column of the page's tables by the operations that the first column names.
std::map<std::string, std::string> documented() {
  std::ifstream page(STRATA_SOURCE "/docs/from/MLIR.md");
  std::map<std::string, std::string> found;
  std::regex name("`((?:linalg|sparse_tensor)\\.[a-z0-9_.]+)`");
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `linalg.") && !line.starts_with("| `sparse_tensor."))
      continue;
    size_t end = line.find(" | ", 2);
    std::string first = line.substr(0, end), second = line.substr(std::min(end + 3, line.size()));
    for (std::sregex_iterator at(first.begin(), first.end(), name), last; at != last; ++at) {
      EXPECT_EQ(found.count((*at)[1]), 0U) << (*at)[1] << " stands twice on the page";
      found[(*at)[1]] = second;
    }
  }
  return found;
}

std::vector<std::string> registered() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::vector<std::string> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    llvm::StringRef dialect = name.getDialectNamespace();
    if (dialect == "linalg" || dialect == "sparse_tensor")
      names.push_back(name.getStringRef().str());
  }
  return names;
}

TEST(UpstreamOps, ThePageHasEachOperationOfUpstream) {
  std::map<std::string, std::string> page = documented();
  std::vector<std::string> names = registered();
  EXPECT_GT(names.size(), 100U);
  for (const std::string &name : names) {
    ASSERT_EQ(page.count(name), 1U) << name << " is missing on the page";
    const bool refused = page[name].starts_with("refused");
    EXPECT_EQ(refused, !reasonToRefuse(name).empty())
        << name << ": the page says '" << page[name] << "'";
    page.erase(name);
  }
  for (const auto &[name, text] : page)
    ADD_FAILURE() << name << " stands on the page, but upstream has no such operation";
}

} // namespace
} // namespace strata::interop
