// What a tensor stores against the list that it was made from; statements against what was written.
#include "strata/run/Check.h"
#include "generator/Workbench.h"
#include "strata/run/Executor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace {

using namespace strata;
using namespace strata::test;

// A list in which an entry comes twice, and what a tensor made from it holds.
const TensorData given{
    {3, 4}, STRATA_F64, {{{0, 1}, 1}, {{2, 3}, 0.1}, {{2, 3}, 0.2}, {{1, 0}, 5}}};
const TensorData held{{3, 4}, STRATA_F64, {{{0, 1}, 1}, {{1, 0}, 5}, {{2, 3}, 0.1 + 0.2}}};

CheckOutcome outcomeOf(const TensorData &list, const TensorData &actual) {
  Workbench &bench = Workbench::instance();
  auto type = bench.type(namedFormats(2).front(), 2, list.type);
  auto outcome = checkStored(toCoordinates(list), type, toCoordinates(actual));
  EXPECT_TRUE(outcome.ok());
  return outcome.ok() ? *outcome : CheckOutcome();
}

TEST(CheckStored, repetitionsAreAddedUpInAnyOrder) {
  EXPECT_TRUE(outcomeOf(given, held).agrees);
  TensorData rounded = held;
  rounded.entries[2].value = std::nextafter(0.3, 0);
  EXPECT_TRUE(outcomeOf(given, rounded).agrees);
}

TEST(CheckStored, tellsWhatDiffers) {
  TensorData other = held;
  other.entries[0].value = 2;
  CheckOutcome changed = outcomeOf(given, other);
  EXPECT_FALSE(changed.agrees);
  EXPECT_EQ(changed.text, "at (0, 1): expected 1, found 2\n");
  other = held;
  other.entries.pop_back();
  EXPECT_FALSE(outcomeOf(given, other).agrees) << "one that is lost";
  other = held;
  other.entries.push_back({{2, 0}, 7});
  EXPECT_FALSE(outcomeOf(given, other).agrees) << "one that was not given";
}

// Without repetitions nothing is rounded.
TEST(CheckStored, copiesAreExact) {
  TensorData other = held;
  other.entries[2].value = std::nextafter(0.1 + 0.2, 0);
  EXPECT_FALSE(outcomeOf(held, other).agrees);
}

//===------------------------------------------------------------------------------------------===//
// Statements as they were written
//===------------------------------------------------------------------------------------------===//

// y = 2 x, then z = x + y.
constexpr const char *program = R"(
func.func @main() {
  %n = arith.constant 4 : index
  %x = ta.iota from 1 step 1 (%n) : tensor<?xi64>
  %y = ta.compute [%i = %n] ins(%x : tensor<?xi64>) sizes(%n) -> tensor<?xi64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xi64>
    %two = arith.constant 2 : i64
    %p = arith.muli %a, %two : i64
    ta.yield %p : i64
  }
  %z = ta.compute [%i = %n] ins(%x, %y : tensor<?xi64>, tensor<?xi64>) sizes(%n) -> tensor<?xi64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xi64>
    %b = ta.access %y[%i] : tensor<?xi64>
    %s = arith.addi %a, %b : i64
    ta.yield %s : i64
  }
  return
}
)";

struct Checked {
  bool ok = false;
  std::string errors;
  std::vector<CheckReport> checks;
};

// Runs what `rewrite` makes of the program, as a pass would, checked against what it was before.
Checked checkAfter(llvm::function_ref<void(mlir::ModuleOp)> rewrite) {
  Workbench &bench = Workbench::instance();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &bench.context);
  Checked result;
  if (!module) {
    ADD_FAILURE() << "does not parse";
    return result;
  }
  WrittenProgram written(*module);
  rewrite(*module);
  mlir::ScopedDiagnosticHandler handler(&bench.context, [&](mlir::Diagnostic &diagnostic) {
    result.errors += diagnostic.str() + "\n";
    return mlir::success();
  });
  Executor executor(bench.compiler, RunOptions{.written = &written}, llvm::nulls());
  result.ok = succeeded(executor.run(module->lookupSymbol<mlir::func::FuncOp>("main")));
  result.checks = executor.checks();
  return result;
}

std::vector<ta::ComputeOp> statementsOf(mlir::ModuleOp module) {
  std::vector<ta::ComputeOp> statements;
  module.walk([&](ta::ComputeOp op) { statements.push_back(op); });
  return statements;
}

TEST(WrittenProgram, everyStatementIsChecked) {
  Checked plain = checkAfter([](mlir::ModuleOp) {});
  EXPECT_TRUE(plain.ok) << plain.errors;
  ASSERT_EQ(plain.checks.size(), 2u);
  EXPECT_EQ(plain.checks[0].compared, "4 values compared, all of them, they agree");
}

// A pass that makes another statement of one is found out, though the other is computed right.
TEST(WrittenProgram, mistakesOfPassesAreFound) {
  Checked wrong = checkAfter([](mlir::ModuleOp module) {
    statementsOf(module)[1].walk([](mlir::arith::AddIOp add) {
      mlir::OpBuilder b(add);
      auto product = mlir::arith::MulIOp::create(b, add.getLoc(), add.getLhs(), add.getRhs());
      add.getResult().replaceAllUsesWith(product.getResult());
      add.erase();
    });
  });
  EXPECT_FALSE(wrong.ok);
  EXPECT_NE(wrong.errors.find("at (0): expected 3, found 2"), std::string::npos) << wrong.errors;
}

// What is computed where it is read is evaluated from its own definition.
TEST(WrittenProgram, whatIsNotStoredIsEvaluated) {
  Checked fused = checkAfter([](mlir::ModuleOp module) {
    // z = x + 2 x
    ta::ComputeOp y = statementsOf(module)[0], z = statementsOf(module)[1];
    z.walk([&](ta::AccessOp access) {
      if (access.getTensor() != y.getResult())
        return;
      mlir::OpBuilder b(access);
      auto x = ta::AccessOp::create(b, access.getLoc(), access.getType(), y.getInputs().front(),
                                    access.getIndices(), access.getMap(), false);
      auto two = mlir::arith::ConstantOp::create(b, access.getLoc(), b.getI64IntegerAttr(2));
      auto product = mlir::arith::MulIOp::create(b, access.getLoc(), x, two);
      access.getResult().replaceAllUsesWith(product.getResult());
      access.erase();
    });
    z.getInputsMutable().assign(y.getInputs());
    for (mlir::Operation *user : llvm::make_early_inc_range(y->getUsers()))
      user->erase(); // its checkpoint
    y.erase();
  });
  EXPECT_TRUE(fused.ok) << fused.errors;
  ASSERT_EQ(fused.checks.size(), 1u);
  EXPECT_EQ(fused.checks[0].compared, "4 values compared, all of them, they agree");
}

} // namespace
