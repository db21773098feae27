// Tests of traces and schedules.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Schedule.h"
#include "strata/accelerator/MicroKernel.h"
#include "strata/accelerator/Tracer.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace strata::accelerator;

namespace {

/// Keeps the whole graph.
struct Graph {
  struct Node {
    size_t number = 0; // from 1; 0: none
  };
  enum class Kind { load, multiply, add, store };
  struct Operation {
    Kind kind;
    Matrix matrix;
    uint32_t element;
    std::vector<size_t> operands;
    size_t read;
  };
  std::vector<Operation> operations{{Kind::load, A, 0, {}, 0}};

  Node push(Kind kind, Matrix matrix, uint32_t element, std::vector<size_t> operands, Node read) {
    operations.push_back({kind, matrix, element, std::move(operands), read.number});
    return {operations.size() - 1};
  }
  Node load(Matrix matrix, uint32_t element, Node stored, Node read) {
    return push(Kind::load, matrix, element, {stored.number}, read);
  }
  Node multiply(Node left, Node right, Node read) {
    return push(Kind::multiply, A, 0, {left.number, right.number}, read);
  }
  Node add(Node left, Node right, Node read) {
    return push(Kind::add, A, 0, {left.number, right.number}, read);
  }
  Node store(Matrix matrix, uint32_t element, Node value, Node read) {
    return push(Kind::store, matrix, element, {value.number}, read);
  }
};

int64_t latencyOf(const Accelerator &accelerator, Graph::Kind kind) {
  switch (kind) {
  case Graph::Kind::load:
    return accelerator.loadLatency;
  case Graph::Kind::multiply:
    return accelerator.multiplyLatency;
  case Graph::Kind::add:
    return accelerator.addLatency;
  case Graph::Kind::store:
    return accelerator.storeLatency;
  }
  return 0;
}

/// Lets operations begin cycle by cycle: in each cycle, of those that are ready, as many as there
/// are units, the first of the trace before others. Looks at all operations in each cycle.
int64_t cyclesOneByOne(const Graph &graph, const Accelerator &accelerator) {
  constexpr int64_t never = -1;
  std::vector<int64_t> begin(graph.operations.size(), never);
  begin[0] = -1000; // what is none has ended long ago
  size_t left = graph.operations.size() - 1;
  int64_t last = 0;
  std::vector<size_t> waiting;
  for (size_t at = 1; at <= left; ++at)
    waiting.push_back(at);
  for (int64_t cycle = 0; !waiting.empty(); ++cycle) {
    std::map<std::tuple<Graph::Kind, Matrix, int64_t>, int64_t> taken;
    std::vector<size_t> rest;
    for (const size_t at : waiting) {
      const Graph::Operation &one = graph.operations[at];
      bool ready = one.read == 0 || (begin[one.read] != never && begin[one.read] <= cycle);
      for (const size_t operand : one.operands)
        ready &= operand == 0 ||
                 (begin[operand] != never &&
                  begin[operand] + latencyOf(accelerator, graph.operations[operand].kind) <= cycle);
      const bool moves = one.kind == Graph::Kind::load || one.kind == Graph::Kind::store;
      const int64_t units = moves                               ? accelerator.ports
                            : one.kind == Graph::Kind::multiply ? accelerator.multiplierCount()
                                                                : accelerator.adderCount();
      const int64_t bank = moves ? one.element % accelerator.banks[one.matrix] : 0;
      int64_t &used = taken[{one.kind, moves ? one.matrix : A, bank}];
      if (!ready || used == units) {
        rest.push_back(at);
        continue;
      }
      ++used;
      begin[at] = cycle;
      last = std::max(last, cycle + latencyOf(accelerator, one.kind));
    }
    waiting = std::move(rest);
  }
  return last;
}

Accelerator small(int64_t size, int64_t rows, int64_t columns) {
  Accelerator accelerator;
  accelerator.rows = accelerator.columns = accelerator.depth = size;
  accelerator.arrayRows = rows, accelerator.arrayColumns = columns;
  accelerator.banks = {rows, columns, columns};
  return accelerator;
}

struct Traced {
  llvm::LLVMContext context;
  llvm::Module module{"test", context};
  strata::runtime::Result<TracedFunction> function;
  explicit Traced(const Accelerator &accelerator)
      : function(TracedFunction::decode(*buildMicroKernel(module, accelerator), accelerator)) {}
};

// The operations of C += A * B: all products and sums; an element of A for each tile of columns, of
// B for each tile of rows; C once.
TEST(Trace, OperationsOfAMicroKernel) {
  for (const Type type : types) {
    Accelerator accelerator = small(8, 2, 4);
    accelerator.type = type;
    auto activity = scheduleMicroKernel(accelerator);
    ASSERT_TRUE(activity.ok()) << activity.error().message;
    EXPECT_EQ(activity->multiplications, 8 * 8 * 8);
    EXPECT_EQ(activity->additions, 8 * 8 * 8);
    EXPECT_EQ(activity->loads, (std::array<int64_t, 3>{8 * 8 * 2, 8 * 8 * 4, 8 * 8}));
    EXPECT_EQ(activity->stores, (std::array<int64_t, 3>{0, 0, 8 * 8}));
    EXPECT_EQ(activity->registers, 2 * 2 * 4);
  }
}

// What is stored at an element of C depends on all factors of its row and column, and nothing else.
TEST(Trace, DependencesOfAResult) {
  const Accelerator accelerator = small(4, 2, 2);
  Traced traced(accelerator);
  ASSERT_TRUE(traced.function.ok());
  Graph graph;
  traced.function->trace(graph);
  size_t stores = 0;
  for (size_t at = 1; at < graph.operations.size(); ++at) {
    if (graph.operations[at].kind != Graph::Kind::store)
      continue;
    ++stores;
    std::set<std::pair<Matrix, uint32_t>> read;
    std::vector<size_t> pending{at};
    while (!pending.empty()) {
      const Graph::Operation &one = graph.operations[pending.back()];
      pending.pop_back();
      if (one.kind == Graph::Kind::load)
        read.insert({one.matrix, one.element});
      for (const size_t operand : one.operands)
        if (operand)
          pending.push_back(operand);
    }
    const uint32_t row = graph.operations[at].element / 4,
                   column = graph.operations[at].element % 4;
    std::set<std::pair<Matrix, uint32_t>> expected{{C, graph.operations[at].element}};
    for (uint32_t k = 0; k < 4; ++k) {
      expected.insert({A, k * 4 + row}); // A comes transposed
      expected.insert({B, k * 4 + column});
    }
    EXPECT_EQ(read, expected);
  }
  EXPECT_EQ(stores, 16U);
}

// The schedule that is made while tracing is the one that is found cycle by cycle.
TEST(Schedule, EqualsListScheduling) {
  std::vector<Accelerator> cases{small(4, 2, 2), small(8, 2, 4), small(12, 4, 3), small(16, 4, 8)};
  Accelerator slow = small(8, 4, 4);
  slow.loadLatency = 2, slow.multiplyLatency = 4, slow.addLatency = 3, slow.storeLatency = 2;
  cases.push_back(slow);
  Accelerator few = small(8, 4, 4);
  few.multipliers = 5, few.adders = 3;
  cases.push_back(few);
  Accelerator narrow = small(8, 4, 4);
  narrow.banks = {1, 2, 1};
  cases.push_back(narrow);
  narrow.ports = 2;
  cases.push_back(narrow);
  for (const Accelerator &accelerator : cases) {
    Traced traced(accelerator);
    ASSERT_TRUE(traced.function.ok());
    Graph graph;
    traced.function->trace(graph);
    Schedule schedule(accelerator);
    traced.function->trace(schedule);
    EXPECT_EQ(schedule.result().cycles, cyclesOneByOne(graph, accelerator))
        << accelerator.rows << " by " << accelerator.arrayRows << " x " << accelerator.arrayColumns;
  }
}

// A limit that is halved costs what it must: as many cycles as operations by units, at least.
TEST(Schedule, LimitsHold) {
  Accelerator accelerator = small(16, 4, 8);
  const int64_t full = scheduleMicroKernel(accelerator)->cycles;
  accelerator.multipliers = 16;
  const int64_t halved = scheduleMicroKernel(accelerator)->cycles;
  EXPECT_GE(halved, 16 * 16 * 16 / 16);
  EXPECT_GT(halved, full * 19 / 10);
  accelerator.multipliers = 0;
  accelerator.banks[A] = 2; // of four rows, two at a time
  EXPECT_GE(scheduleMicroKernel(accelerator)->cycles, 16 * 16 * 16 / 32 * 2);
  accelerator.banks[A] = 4;
  accelerator.addLatency = 3; // each sum waits for the one before
  EXPECT_GE(scheduleMicroKernel(accelerator)->cycles, 3 * 16 * 16 * 16 / (2 * 32));
}

TEST(Trace, RefusesOtherInstructions) {
  llvm::LLVMContext context;
  llvm::Module module("test", context);
  llvm::IRBuilder<> b(context);
  llvm::Type *pointer = b.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
      llvm::Function::ExternalLinkage, "f", module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  llvm::Value *one = b.CreateLoad(b.getFloatTy(), function->getArg(1));
  b.CreateStore(b.CreateFDiv(one, one), function->getArg(0));
  b.CreateRetVoid();
  auto traced = TracedFunction::decode(*function, Accelerator());
  ASSERT_FALSE(traced.ok());
  EXPECT_EQ(traced.error().message, "an accelerator's function has the instruction 'fdiv'");
}

} // namespace
