// A plan is searched once for all statements that are alike, again for one that a pass has changed,
// and is the same as a search finds without a memory.
#include "strata/lower/analysis/Plan.h"

#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace mlir;
using namespace strata;

DialectRegistry dialects(bool remembers) {
  DialectRegistry registry;
  registry.insert<ta::TaDialect, func::FuncDialect, arith::ArithDialect>();
  if (remembers)
    registerPlanMemory(registry);
  return registry;
}

struct Workplace {
  explicit Workplace(bool remembers = true) : context(dialects(remembers)) {
    context.loadAllAvailableDialects();
  }

  // y[i] = scale * A[i, j] * x[j], for each of two functions.
  void read(const char *format, const char *scale = "2.0") {
    std::string type = std::string("tensor<?x?xf64, #ta.format<") + format + ">>";
    std::string text;
    for (const char *name : {"one", "other"})
      text +=
          std::string("func.func @") + name + "(%A: " + type +
          ", %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {\n"
          "%y = ta.compute [%i = %n] ins(%A, %x : " +
          type +
          ", tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {names = [\"i\"]} {\n"
          "%s = ta.reduce add [%j = %m] attributes {names = [\"j\"]} : f64 {\n"
          "%a = ta.access %A[%i, %j] : " +
          type +
          "\n%b = ta.access %x[%j] : tensor<?xf64>\n"
          "%c = arith.constant " +
          scale +
          " : f64\n%p = arith.mulf %a, %b : f64\n%q = arith.mulf %p, %c : f64\n"
          "ta.yield %q : f64\n}\nta.yield %s : f64\n}\nreturn %y : tensor<?xf64>\n}\n";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    statements.clear();
    module->walk([&](ta::ComputeOp op) { statements.push_back(op); });
    ASSERT_EQ(statements.size(), 2u);
  }

  unsigned searches() { return PlanMemory::of(&context)->searches(); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SmallVector<ta::ComputeOp> statements;
};

constexpr const char *rows = "(i, j) -> (i : dense, j : compressed)",
                     *columns = "(i, j) -> (j : dense, i : compressed)";

SmallVector<unsigned> orderOf(ta::ComputeOp op) {
  std::optional<LoopPlan> plan = planOf(IndexStatement(op));
  return plan ? plan->order : SmallVector<unsigned>();
}

TEST(Plan, isSearchedOnceForStatementsThatAreAlike) {
  Workplace place;
  place.read(rows);
  EXPECT_EQ(orderOf(place.statements[0]), (SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(place.searches(), 1u);
  EXPECT_EQ(orderOf(place.statements[0]), (SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(orderOf(place.statements[1]), (SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(place.searches(), 1u);
}

TEST(Plan, isSearchedAgainForAnotherStatement) {
  Workplace place;
  place.read(rows);
  orderOf(place.statements[0]);
  place.read(columns);
  EXPECT_EQ(orderOf(place.statements[0]), (SmallVector<unsigned>{1, 0}));
  EXPECT_EQ(place.searches(), 2u);
  place.read(columns, "0.0"); // which annihilates
  orderOf(place.statements[0]);
  EXPECT_EQ(place.searches(), 3u);
}

TEST(Plan, followsWhatAStatementIsGiven) {
  Workplace place;
  place.read(rows);
  ta::ComputeOp op = place.statements[0];
  orderOf(op);
  Builder b(&place.context);
  Attribute labels[] = {b.getStringAttr("j"), b.getStringAttr("i")};
  op.setScheduleAttr(ta::ScheduleAttr::get(
      &place.context, ta::CommandAttr::get(&place.context, "reorder", labels)));
  EXPECT_TRUE(orderOf(op).empty()); // the rows of A cannot be walked inside of its columns
  EXPECT_EQ(place.searches(), 2u);
  op.removeScheduleAttr();
  EXPECT_EQ(orderOf(op), (SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(place.searches(), 2u);
  assume(op->getParentOp(), Assumptions::Windowed);
  orderOf(op);
  EXPECT_EQ(place.searches(), 3u);
}

TEST(Plan, saysWhyThereIsNone) {
  Workplace place;
  place.read(rows);
  ta::ComputeOp op = place.statements[0];
  Builder b(&place.context);
  Attribute labels[] = {b.getStringAttr("j"), b.getStringAttr("i")};
  op.setScheduleAttr(ta::ScheduleAttr::get(
      &place.context, ta::CommandAttr::get(&place.context, "reorder", labels)));
  for (int time = 0; time < 2; ++time) {
    std::string why;
    EXPECT_FALSE(planOf(IndexStatement(op), llvm::SmallPtrSet<Operation *, 1>(), why));
    EXPECT_FALSE(why.empty());
  }
}

TEST(Plan, dependsOnWhatWillBeConverted) {
  Workplace place;
  place.read(rows);
  IndexStatement statement(place.statements[0]);
  std::string why;
  llvm::SmallPtrSet<Operation *, 1> none, first{statement.accesses.front().first};
  planOf(statement, none, why);
  planOf(statement, first, why);
  planOf(statement, first, why);
  EXPECT_EQ(place.searches(), 2u);
}

// C[i, k] = A[i, j] * B[j, k] with A in blocks, and as many columns as given: loops go from block
// to block, so that each is a contraction, whoever knows how many columns there are.
TEST(Plan, readsNoSizes) {
  const std::string type =
      "tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 16 : dense, j floordiv 16 : compressed, "
      "i mod 16 : dense, j mod 16 : dense)>>";
  auto product = [&](const std::string &name, const std::string &columns) {
    return "func.func @" + name + "(%A: " + type +
           ", %B: tensor<?x?xf64>, %n: index, %m: index, %l: index) -> tensor<?x?xf64> {\n" +
           "%k = " + columns + "\n%C = ta.compute [%i = %n, %c = %k] ins(%A, %B : " + type +
           ", tensor<?x?xf64>) sizes(%n, %k) -> tensor<?x?xf64> out [%i, %c] {\n"
           "%s = ta.reduce add [%j = %m] : f64 {\n%a = ta.access %A[%i, %j] : " +
           type +
           "\n%b = ta.access %B[%j, %c] : tensor<?x?xf64>\n%p = arith.mulf %a, %b : f64\n"
           "ta.yield %p : f64\n}\nta.yield %s : f64\n}\nreturn %C : tensor<?x?xf64>\n}\n";
  };
  Workplace place;
  place.module = parseSourceString<ModuleOp>(product("few", "arith.constant 2 : index") +
                                                 product("some", "arith.addi %l, %l : index"),
                                             &place.context);
  ASSERT_TRUE(place.module);
  place.module->walk([&](ta::ComputeOp op) {
    std::optional<LoopPlan> plan = planOf(IndexStatement(op));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->parts.size(), 2u);
    EXPECT_EQ(plan->joined, 0u);
  });
  EXPECT_EQ(place.searches(), 1u);
}

// y[i] = A[i, j] * x[j], or y[i] += A[i, j] * x[j], for so many rows.
std::string productOf(const std::string &rows, const std::string &widths, bool updates) {
  const std::string matrix = "tensor<" + rows +
                             "x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)" + widths +
                             ">>",
                    vector = "tensor<" + rows + "xf64>";
  const bool isOpen = rows == "?";
  return "func.func @f" + std::to_string(isOpen) + "(%A: " + matrix +
         ", %x: tensor<?xf64>, %z: " + vector + ", %n: index, %m: index) -> " + vector +
         " {\n%s = arith.constant 40 : index\n%y = ta.compute [%i = " + (isOpen ? "%n" : "%s") +
         "] ins(%A, %x : " + matrix + ", tensor<?xf64>)" + (isOpen ? " sizes(%n)" : "") +
         (updates ? " init(%z : " + vector + ") combine add" : "") + " -> " + vector +
         " out [%i] {\n%t = ta.reduce add [%j = %m] : f64 {\n%a = ta.access %A[%i, %j] : " +
         matrix + "\n%b = ta.access %x[%j] : tensor<?xf64>\n%p = arith.mulf %a, %b : f64\n" +
         "ta.yield %p : f64\n}\nta.yield %t : f64\n}\nreturn %y : " + vector + "\n}\n";
}

// A kernel is compiled for widths and sizes that the program leaves open, or knows.
TEST(Plan, isTheSameForItsKernel) {
  for (bool updates : {false, true}) {
    Workplace place;
    place.module = parseSourceString<ModuleOp>(productOf("40", "", updates) +
                                                   productOf("?", ", pos = 64, crd = 32", updates),
                                               &place.context);
    ASSERT_TRUE(place.module);
    ta::ComputeOp kernel;
    place.module->walk([&](ta::ComputeOp op) { kernel = op; });
    if (!updates)
      markWholeResult(kernel); // as outlining does
    assume(kernel->getParentOp(), Assumptions::Deterministic);
    place.module->walk(
        [&](ta::ComputeOp op) { EXPECT_EQ(orderOf(op), (SmallVector<unsigned>{0, 1})); });
    EXPECT_EQ(place.searches(), 1u);
  }
}

TEST(Plan, isTheSameWithoutAMemory) {
  for (const char *format : {rows, columns}) {
    Workplace place, other(/*remembers=*/false);
    place.read(format);
    other.read(format);
    EXPECT_EQ(PlanMemory::of(&other.context), nullptr);
    for (int time = 0; time < 2; ++time)
      EXPECT_EQ(orderOf(place.statements[0]), orderOf(other.statements[0]));
  }
}

TEST(Plan, isKeptForSeveralThreads) {
  Workplace place;
  place.read(rows);
  orderOf(place.statements[0]);
  std::vector<std::thread> threads;
  std::atomic<unsigned> wrong = 0;
  for (ta::ComputeOp op : place.statements)
    threads.emplace_back([&wrong, op] {
      for (int time = 0; time < 100; ++time)
        wrong += orderOf(op) != SmallVector<unsigned>{0, 1};
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(place.searches(), 1u);
}

} // namespace
