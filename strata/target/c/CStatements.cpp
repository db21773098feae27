// Loops, choices, stores and assignments.
#include "strata/target/c/CStatements.h"

#include "strata/lower/entry/RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::c {
namespace {

class Statements {
public:
  Statements(const Variables &variables, Expressions &expressions, Names &names)
      : variables(variables), expressions(expressions), names(names) {}

  void write(Block &block) {
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>() && !expressions.failed())
        write(&op);
  }
  std::string text;

private:
  struct Copy {
    Value to, from;
  };

  void line(const std::string &content) { text += std::string(2 * depth, ' ') + content + "\n"; }
  template <typename Inside> void nested(const std::string &head, Inside inside) {
    line(head + " {");
    ++depth;
    inside();
    --depth;
    line("}");
  }

  void write(Operation *op);
  void write(scf::ForOp loop);
  void write(scf::WhileOp loop);
  void write(scf::IfOp choice);
  void write(func::CallOp call);
  void declare(Operation *op, ArrayRef<Value> assigned);
  void assign(Value to, const std::string &value);
  void copy(ValueRange to, ValueRange from);
  std::string update(const std::string &target, Value value, bool computed = false);
  bool reads(Value value, Value variable);

  const Variables &variables;
  Expressions &expressions;
  Names &names;
  unsigned depth = 1;
  llvm::DenseSet<Value> pending; ///< variables to be declared where they are assigned
};

} // namespace

// Variables that this operation assigns at once are declared there; others
// before it.
void Statements::declare(Operation *op, ArrayRef<Value> assigned) {
  for (Value variable : variables.declaredBefore(op)) {
    bool isHere = llvm::any_of(
        assigned, [&](Value value) { return variables.variableOf(value) == variable; });
    if (isHere)
      pending.insert(variable);
    else
      line(expressions.typeOf(variable) + expressions.variable(variable) + ";");
  }
}

void Statements::assign(Value to, const std::string &value) {
  bool isNew = pending.erase(variables.variableOf(to));
  std::string name = expressions.variable(to);
  line((isNew ? expressions.typeOf(to) : "") + name + " = " + value + ";");
}

// "x += y", "x++" or "x = y" for a target and its new value; `computed` if it
// has a variable, which is the target.
std::string Statements::update(const std::string &target, Value value, bool computed) {
  std::string whole = computed ? expressions.written(value) : expressions.text(value);
  Operation *op = computed || variables.isInlined(value) ? value.getDefiningOp() : nullptr;
  bool isProduct = isa_and_nonnull<arith::MulFOp>(op);
  bool isSum = isa_and_nonnull<arith::AddIOp, arith::AddFOp, complex::AddOp>(op);
  // An expression that begins otherwise has casts.
  if ((isSum || isProduct) && expressions.text(op->getOperand(0)) == target &&
      StringRef(whole).starts_with(target + " ")) {
    std::string other = expressions.text(op->getOperand(1));
    return isSum && other == "1" ? target + "++" : target + (isSum ? " += " : " *= ") + other;
  }
  return target + " = " + whole;
}

// Does the expression of a value read a variable?
bool Statements::reads(Value value, Value variable) {
  if (!variables.isInlined(value))
    return variables.variableOf(value) == variable;
  Operation *op = value.getDefiningOp();
  bool found =
      llvm::any_of(op->getOperands(), [&](Value operand) { return reads(operand, variable); });
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      found |= llvm::any_of(inner->getOperands(),
                            [&](Value operand) { return reads(operand, variable); });
    });
  return found;
}

// All at once: what is still to be read is not overwritten.
void Statements::copy(ValueRange to, ValueRange from) {
  SmallVector<Copy> copies;
  for (auto [target, cast] : llvm::zip(to, from)) {
    Value source = isa<MemRefType>(cast.getType()) ? bufferOf(cast) : cast;
    bool same = !variables.isInlined(source) &&
                variables.variableOf(source) == variables.variableOf(target);
    bool known = llvm::any_of(copies, [&, target = target](const Copy &copy) {
      return variables.variableOf(copy.to) == variables.variableOf(target);
    });
    if (!same && !known)
      copies.push_back({target, source});
  }
  llvm::DenseMap<Value, std::string> saved;
  while (!copies.empty()) {
    auto free = llvm::find_if(copies, [&](const Copy &copy) {
      Value variable = variables.variableOf(copy.to);
      return llvm::none_of(copies, [&](const Copy &other) {
        return &other != &copy && !saved.contains(other.to) && reads(other.from, variable);
      });
    });
    if (free == copies.end()) { // each waits for another
      Copy &first =
          *llvm::find_if(copies, [&](const Copy &copy) { return !saved.contains(copy.to); });
      std::string name = names.fresh("next");
      line(expressions.typeOf(first.to) + name + " = " + expressions.text(first.from) + ";");
      saved[first.to] = name;
      continue;
    }
    bool isNew = pending.contains(variables.variableOf(free->to));
    if (auto known = saved.find(free->to); known != saved.end())
      assign(free->to, known->second);
    else if (isNew)
      assign(free->to, expressions.text(free->from));
    else
      line(update(expressions.variable(free->to), free->from) + ";");
    copies.erase(free);
  }
}

void Statements::write(scf::ForOp loop) {
  SmallVector<Value> carried(loop.getRegionIterArgs());
  declare(loop, carried);
  copy(carried, loop.getInitArgs());
  std::string i = expressions.variable(loop.getInductionVar());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::string next = step == 1 ? i + "++" : i + " += " + expressions.text(loop.getStep());
  nested("for (int64_t " + i + " = " + expressions.text(loop.getLowerBound()) + "; " + i + " < " +
             within(expressions.of(loop.getUpperBound()), Binding::Shift) + "; " + next + ")",
         [&] {
           write(*loop.getBody());
           copy(carried, loop.getBody()->getTerminator()->getOperands());
         });
}

void Statements::write(scf::WhileOp loop) {
  SmallVector<Value> first(loop.getBeforeArguments()), then(loop.getAfterArguments()),
      results(loop.getResults());
  declare(loop, first);
  copy(first, loop.getInits());
  scf::ConditionOp condition = loop.getConditionOp();
  auto passesOn = [&](ValueRange to) { // nothing is to be copied
    return llvm::all_of(llvm::zip(to, condition.getArgs()), [&](auto pair) {
      auto [target, cast] = pair;
      Value source = isa<MemRefType>(cast.getType()) ? bufferOf(cast) : cast;
      return target.use_empty() || (!variables.isInlined(source) &&
                                    variables.variableOf(source) == variables.variableOf(target));
    });
  };
  bool isExpression = llvm::all_of(*loop.getBeforeBody(), [&](Operation &op) {
    return op.hasTrait<OpTrait::IsTerminator>() ||
           (op.getNumResults() == 1 && variables.isInlined(op.getResult(0)));
  });
  auto body = [&] {
    write(*loop.getAfterBody());
    copy(first, loop.getAfterBody()->getTerminator()->getOperands());
  };
  if (isExpression && passesOn(then) && passesOn(results))
    return nested("while (" + expressions.text(condition.getCondition()) + ")", body);
  nested("for (;;)", [&] {
    write(*loop.getBeforeBody());
    SmallVector<Value> to, from;
    for (ValueRange targets : {ValueRange(then), ValueRange(results)})
      for (auto [target, source] : llvm::zip(targets, condition.getArgs()))
        if (!target.use_empty()) {
          to.push_back(target);
          from.push_back(source);
        }
    declare(condition, to);
    // What ends the loop is found before what it reads is overwritten.
    std::string ends = expressions.text(condition.getCondition());
    bool isRead = llvm::any_of(to, [&](Value target) {
      return reads(condition.getCondition(), variables.variableOf(target));
    });
    if (isRead && variables.isInlined(condition.getCondition())) {
      std::string name = names.fresh("goes_on");
      line("bool " + name + " = " + ends + ";");
      ends = name;
    }
    copy(to, from);
    line("if (!" +
         (llvm::all_of(ends, [](char c) { return llvm::isAlnum(c) || c == '_'; })
              ? ends
              : "(" + ends + ")") +
         ")");
    line("  break;");
    body();
  });
}

void Statements::write(scf::IfOp choice) {
  declare(choice, {});
  SmallVector<Value> results;
  SmallVector<unsigned> which;
  for (auto [at, result] : llvm::enumerate(choice.getResults()))
    if (!result.use_empty()) {
      results.push_back(result);
      which.push_back(at);
    }
  auto branch = [&](Block *block) {
    std::string before = std::move(text);
    text.clear();
    ++depth;
    if (block) {
      write(*block);
      SmallVector<Value> yielded;
      for (unsigned at : which)
        yielded.push_back(block->getTerminator()->getOperand(at));
      copy(results, yielded);
    }
    --depth;
    std::swap(before, text);
    return before;
  };
  std::string yes = branch(choice.thenBlock()), no = branch(choice.elseBlock());
  Text condition = expressions.of(choice.getCondition());
  if (yes.empty() && no.empty())
    return;
  if (yes.empty())
    line("if (!" + within(condition, Binding::Prefix) + ") {");
  else
    line("if (" + condition.text + ") {");
  text += yes.empty() ? no : yes;
  if (!yes.empty() && !no.empty()) {
    line("} else {");
    text += no;
  }
  line("}");
}

// All of the runtime's functions count elements in int64_t.
void Statements::write(func::CallOp call) {
  std::string content = runtimeFunction(call.getCallee()) + "(";
  for (auto [at, operand] : llvm::enumerate(call.getOperands()))
    content += (at ? ", " : "") + expressions.text(operand);
  content += ")";
  if (call.getNumResults() == 0 || call.getResult(0).use_empty())
    return line(content + ";");
  declare(call, call.getResult(0));
  assign(call.getResult(0), content);
}

void Statements::write(Operation *op) {
  if (op->getNumResults() == 1 && variables.isInlined(op->getResult(0)))
    return;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return write(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return write(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return write(choice);
  if (auto call = dyn_cast<func::CallOp>(op))
    return write(call);
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    std::string element = expressions.element(store.getMemRef(), store.getIndices());
    return line(update(element, store.getValue()) + ";");
  }
  if (isa<memref::AllocaOp>(op)) // a scalar
    return declare(op, {});
  if (op->getNumResults() != 1 || op->getNumRegions() > 0)
    return expressions.fail(op, "it has no words for '" + op->getName().getStringRef() + "'");
  Value value = op->getResult(0);
  declare(op, value);
  if (pending.contains(variables.variableOf(value)))
    assign(value, expressions.written(value));
  else
    line(update(expressions.variable(value), value, /*computed=*/true) + ";");
}

std::optional<std::string> statementsOf(func::FuncOp kernel, const Variables &variables,
                                        Expressions &expressions, Names &names) {
  Statements statements(variables, expressions, names);
  statements.write(kernel.getBody().front());
  if (expressions.failed())
    return std::nullopt;
  return statements.text;
}

} // namespace strata::c
