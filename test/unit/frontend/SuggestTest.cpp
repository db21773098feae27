// "Did you mean".
#include "strata/frontend/Suggest.h"

#include <gtest/gtest.h>

namespace strata::frontend {
namespace {

TEST(Suggest, findsTheClosestName) {
  llvm::StringRef names[] = {"CSR", "CSC", "COO", "Dense", "ModeGeneric"};
  EXPECT_EQ(closestName("Dens", names), "Dense");
  EXPECT_EQ(closestName("csr", names), "CSR");
  EXPECT_EQ(closestName("CRS", names), "CSR");
  EXPECT_EQ(closestName("ModGenreic", names), "ModeGeneric");
  EXPECT_EQ(closestName("Whatever", names), "");
  EXPECT_EQ(closestName(std::string(1000, 'x'), names), "");
}

TEST(Suggest, saysNothingAboutOtherSingleLetters) {
  llvm::StringRef names[] = {"i", "j"};
  EXPECT_EQ(closestName("k", names), "");
  EXPECT_EQ(closestName("ii", names), "i");
  EXPECT_EQ(didYouMean("jj", names), "did you mean 'j'?");
}

TEST(Suggest, listsNames) {
  EXPECT_EQ(quotedList({}), "");
  EXPECT_EQ(quotedList({"a"}), "'a'");
  EXPECT_EQ(quotedList({"a", "b", "c"}), "'a', 'b' or 'c'");
}

} // namespace
} // namespace strata::frontend
