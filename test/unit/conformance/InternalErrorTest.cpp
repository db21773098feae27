// What the compiler takes for granted, broken: errors and refusals, and the process goes on.
#include "strata/dialect/ta/EmittedErrors.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/LeastSets.h"

#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

namespace strata::test {
namespace {

/// Says that it can be located, and cannot.
class ContradictoryLevel : public LevelFormat {
public:
  ContradictoryLevel() : LevelFormat(traitsOf()) {}
  static LevelTraits traitsOf() {
    LevelTraits traits = findLevelFormat("dense")->traits;
    traits.name = "contradictory";
    return traits;
  }
  llvm::SmallVector<BufferSpec> buffers() const override { return {}; }
};

TEST(InternalErrorTest, LevelFormatsThatContradictThemselvesAreRefused) {
  EXPECT_FALSE(registerLevelFormat(std::make_unique<ContradictoryLevel>()));
  EXPECT_EQ(findLevelFormat("contradictory"), nullptr);
}

TEST(InternalErrorTest, SearchesOfTooManySetsFail) {
  mlir::MLIRContext context;
  std::string message;
  mlir::ScopedDiagnosticHandler shown(
      &context, [&](mlir::Diagnostic &diagnostic) { message = diagnostic.str(); });
  ta::EmittedErrors errors(&context);
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  auto holds = [](unsigned set) { return (set & 5) == 5; };
  EXPECT_EQ(leastSets(loc, mostSearched, holds), (llvm::SmallVector<unsigned>{5}));
  EXPECT_FALSE(errors.any());
  EXPECT_TRUE(leastSets(loc, mostSearched + 1, holds).empty());
  EXPECT_TRUE(errors.any());
  EXPECT_EQ(message, "internal error: sets of 17 elements are searched, at most 16 can be");
}

} // namespace
} // namespace strata::test
