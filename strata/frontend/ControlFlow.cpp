// Loops and branches: which tensors they carry, and which have a value afterwards.
//
// A block is walked once. What it reads must have a value before it, or be assigned earlier in the
// block; so every round of a loop finds values, and a tensor's type and format, which belong to its
// declaration, are the same in each. A tensor from outside that the body assigns is carried around
// the loop if it has a value before; else it has one after the loop only if every way out of the
// loop has assigned it.
#include "strata/frontend/Analyzer.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace strata::frontend {

// The safeguard of loops that say no other.
static constexpr int64_t defaultLimit = 1000000;

//===------------------------------------------------------------------------------------------===//
// Blocks
//===------------------------------------------------------------------------------------------===//

// What `walk` adds, in a scope of its own.
std::vector<Operation> Analyzer::block(llvm::function_ref<void()> walk) {
  Scope local(scope);
  Scope *outer = std::exchange(scope, &local);
  std::vector<Operation> around = std::exchange(program.operations, {});
  ++depth;
  ended = false;
  size_t first = states.size();
  walk();
  refuseDeferred();
  // Its own tensors end with it, also as what gives a label its size.
  for (size_t id = first; id < states.size(); ++id)
    states[id].hasValue = false;
  --depth;
  scope = outer;
  return std::exchange(program.operations, std::move(around));
}

std::vector<bool> Analyzer::whichHaveValues(size_t count) const {
  std::vector<bool> values;
  for (size_t id = 0; id < count; ++id)
    values.push_back(states[id].hasValue);
  return values;
}

// The tensors among the first `count` that the operations assign.
static void collectAssigned(const std::vector<Operation> &operations, size_t count,
                            std::vector<bool> &assigned) {
  auto take = [&](TensorId id) {
    if (id < count)
      assigned[id] = true;
  };
  for (const Operation &operation : operations) {
    if (const auto *loop = std::get_if<Loop>(&operation.kind)) {
      collectAssigned(loop->body, count, assigned);
    } else if (const auto *branch = std::get_if<Branch>(&operation.kind)) {
      collectAssigned(branch->body, count, assigned);
      collectAssigned(branch->otherwise, count, assigned);
    } else {
      std::visit(
          [&](const auto &op) {
            if constexpr (requires { op.result; })
              take(op.result);
          },
          operation.kind);
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

// A scalar of 64-bit integers.
std::optional<TensorId> Analyzer::bound(const ast::Expr *expr, int64_t otherwise,
                                        llvm::SMRange range) {
  TensorId id = addTemporary();
  program.tensors[id].name = "bound";
  program.tensors[id].type = ElementType::Int64;
  states[id].typeIsOpen = false;
  Notation notation;
  if (expr && !compute({id, {}}, ast::AssignOp::Set, *expr, expr->range, notation))
    return std::nullopt;
  if (expr && !notation.scopes.front().empty()) {
    diagnostics.error(expr->range, "a loop's bound is a scalar, found an expression with labels")
        .note("SUM(...) is the sum of its elements");
    return std::nullopt;
  }
  std::optional<int64_t> constant = expr ? constantOf(id) : otherwise;
  if (!constant)
    return id;
  if (expr)
    program.operations.pop_back();
  add(range, Fill{id, double(*constant), constant, {}});
  setValue(id, false);
  return id;
}

// The value of a scalar that the last operation made, if it is an integer.
std::optional<int64_t> Analyzer::constantOf(TensorId scalar) const {
  if (program.operations.empty())
    return std::nullopt;
  const auto &last = program.operations.back().kind;
  if (const auto *fill = std::get_if<Fill>(&last); fill && fill->result == scalar)
    return fill->integer;
  const auto *compute = std::get_if<Compute>(&last);
  bool constant =
      compute && compute->result == scalar && compute->value->kind == Element::Kind::Constant;
  return constant ? compute->value->integer : std::nullopt;
}

void Analyzer::forLoop(const ast::ForStmt &statement) {
  Loop loop;
  std::optional<TensorId> lo = bound(statement.lo.get(), 0, statement.variable.range);
  std::optional<int64_t> first = lo ? constantOf(*lo) : std::nullopt;
  std::optional<TensorId> hi = bound(statement.hi.get(), 0, statement.variable.range);
  std::optional<int64_t> end = hi ? constantOf(*hi) : std::nullopt;
  std::optional<TensorId> step = bound(statement.step.get(), 1, statement.variable.range);
  std::optional<int64_t> by = step ? constantOf(*step) : std::nullopt;
  if (by == 0)
    diagnostics.error(statement.step->range, "the step of a loop cannot be 0");
  loop.lo = lo.value_or(0);
  loop.hi = hi.value_or(0);
  loop.step = step.value_or(0);
  bool runsOnce = first && end && by && (*by > 0 ? *first < *end : *first > *end);
  std::vector<bool> before = whichHaveValues(states.size());
  loops.push_back({states.size(), {}});
  loop.body = block([&] {
    TensorId counter = addScalar(statement.variable);
    program.tensors[counter].type = ElementType::Int64;
    states[counter].typeIsOpen = false;
    states[counter].isCounter = states[counter].hasValue = true;
    declareName(statement.variable, Symbol::Kind::Tensor, counter);
    loop.variable = counter;
    statements(statement.body);
  });
  closeLoop(std::move(loop), statement.range, {.runsOnce = runsOnce, .endsNormally = !ended},
            before);
}

bool Analyzer::checkCounter(TensorId tensor, llvm::SMRange range) {
  if (!states[tensor].isCounter)
    return true;
  const Tensor &counter = program.tensors[tensor];
  diagnostics.error(range, "'" + counter.name + "' counts the rounds of a loop")
      .note("it cannot be assigned; use a variable of another name", counter.range);
  return false;
}

void Analyzer::loop(const ast::LoopStmt &statement) {
  Loop loop;
  loop.limit = defaultLimit;
  if (statement.limit)
    loop.limit = valueOf(*statement.limit).value_or(1);
  if (loop.limit < 1)
    diagnostics.error(statement.limit->range, "a loop needs at least one round");
  std::vector<bool> before = whichHaveValues(states.size());
  loops.push_back({states.size(), {}});
  loop.body = block([&] {
    auto ask = [&](bool leavesIfHolds) {
      if (std::optional<Test> asked = test(statement.condition))
        addLeaving(*asked, leavesIfHolds, statement.condition.range);
    };
    if (statement.asksFirst)
      ask(false);
    statements(statement.body);
    if (!statement.asksFirst && !ended)
      ask(true);
  });
  // The only ways out are breaks, that of the condition among them.
  closeLoop(std::move(loop), statement.range, {.runsOnce = true, .endsNormally = false}, before);
}

// Leaves the innermost loop if the test holds, or if it does not.
void Analyzer::addLeaving(const Test &test, bool ifHolds, llvm::SMRange range) {
  loops.back().breaks.push_back(whichHaveValues(loops.back().firstInside));
  Branch branch;
  branch.test = test;
  (ifHolds ? branch.body : branch.otherwise).push_back({range, Break{}});
  add(range, std::move(branch));
}

void Analyzer::breakLoop(llvm::SMRange range) {
  if (loops.empty()) {
    diagnostics.error(range, "'break' leaves a loop, and there is none around it");
    return;
  }
  loops.back().breaks.push_back(whichHaveValues(loops.back().firstInside));
  add(range, Break{});
  ended = true;
}

// Adds a loop whose body has been walked. `before` says which tensors had values.
void Analyzer::closeLoop(Loop loop, llvm::SMRange range, LoopFlow flow,
                         const std::vector<bool> &before) {
  OpenLoop open = std::move(loops.back());
  loops.pop_back();
  ended = false;
  std::vector<bool> assigned(before.size(), false);
  collectAssigned(loop.body, before.size(), assigned);
  bool reachesEnd = loop.variable && (flow.endsNormally || !flow.runsOnce);
  for (TensorId id = 0; id < before.size(); ++id) {
    bool has = !reachesEnd || (flow.runsOnce && states[id].hasValue);
    for (const std::vector<bool> &exit : open.breaks)
      has = has && exit[id];
    states[id].hasValue = before[id] || (has && assigned[id]);
    if (!assigned[id])
      continue;
    if (before[id])
      loop.carried.push_back(id);
    else if (has)
      loop.made.push_back(id);
  }
  add(range, std::move(loop));
  addDeferred();
}

//===------------------------------------------------------------------------------------------===//
// Branches
//===------------------------------------------------------------------------------------------===//

void Analyzer::branch(const ast::IfStmt &statement) {
  Branch branch;
  if (std::optional<Test> asked = test(statement.condition))
    branch.test = *asked;
  size_t count = states.size();
  std::vector<bool> before = whichHaveValues(count);
  branch.body = block([&] { statements(statement.body); });
  bool bodyEnds = std::exchange(ended, false);
  std::vector<bool> afterBody = whichHaveValues(count);
  for (size_t id = 0; id < count; ++id)
    states[id].hasValue = before[id];
  branch.otherwise = block([&] { statements(statement.otherwise); });
  bool otherwiseEnds = std::exchange(ended, false);
  std::vector<bool> assigned(count, false);
  if (!bodyEnds)
    collectAssigned(branch.body, count, assigned);
  if (!otherwiseEnds)
    collectAssigned(branch.otherwise, count, assigned);
  for (TensorId id = 0; id < count; ++id) {
    bool has = (bodyEnds || afterBody[id]) && (otherwiseEnds || states[id].hasValue);
    states[id].hasValue = has;
    if (has && assigned[id])
      branch.results.push_back(id);
  }
  add(statement.range, std::move(branch));
  ended = bodyEnds && otherwiseEnds;
  addDeferred();
}

//===------------------------------------------------------------------------------------------===//
// Conditions
//===------------------------------------------------------------------------------------------===//

// The scalar that an expression gives; what consists of numbers needs no statement.
std::optional<TensorId> Analyzer::compared(const ast::Expr &expr) {
  std::optional<TensorId> id = scalarArgument(expr);
  if (!id || program.operations.empty())
    return id;
  const auto *last = std::get_if<Compute>(&program.operations.back().kind);
  if (last && last->result == *id && last->value->kind == Element::Kind::Constant) {
    Fill fill{*id, last->value->value, last->value->integer, {}};
    program.operations.back().kind = std::move(fill);
  }
  return id;
}

std::optional<Test> Analyzer::test(const ast::Condition &condition) {
  Test result;
  result.kind = condition.kind;
  for (const ast::Condition &part : condition.parts) {
    std::optional<Test> inner = test(part);
    if (!inner)
      return std::nullopt;
    result.parts.push_back(std::move(*inner));
  }
  if (!condition.lhs)
    return result;
  std::optional<TensorId> lhs = compared(*condition.lhs), rhs = compared(*condition.rhs);
  if (!lhs || !rhs)
    return std::nullopt;
  using Kind = ast::Condition::Kind;
  bool ordered = condition.kind != Kind::Equal && condition.kind != Kind::NotEqual;
  for (TensorId id : {*lhs, *rhs})
    if (ordered && isComplex(program.tensors[id].type)) {
      diagnostics.error(condition.range, "complex numbers have no order")
          .note("they can be compared with '==' and '!='");
      return std::nullopt;
    }
  result.lhs = *lhs;
  result.rhs = *rhs;
  return result;
}

} // namespace strata::frontend
