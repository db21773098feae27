// Decides what is written where, by the uses of values in structured control
// flow.
#include "strata/target/c/CVariables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata::c {

/// Longer expressions are cut, so that lines stay readable.
static constexpr unsigned longest = 10;

Value bufferOf(Value value) {
  for (;;) {
    if (auto cast = value.getDefiningOp<memref::ReinterpretCastOp>())
      value = cast.getSource();
    else if (auto cast = value.getDefiningOp<memref::CastOp>())
      value = cast.getSource();
    else
      return value;
  }
}

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

/// The operation of `block` that is, or contains, this one; null if none does.
static Operation *inBlock(Operation *op, Block *block) {
  while (op && op->getBlock() != block)
    op = op->getParentOp();
  return op;
}

Variables::Variables(func::FuncOp kernel) : kernel(kernel) {
  findWritten();
  decideInlined(kernel.getBody().front());
  shareCarried();
  placeDeclarations();
}

// Buffers that loops carry count as written, whatever becomes of them.
void Variables::findWritten() {
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      written.insert(bufferOf(store.getMemRef()));
    if (isa<func::CallOp, scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp>(op))
      for (Value operand : op->getOperands())
        if (isa<MemRefType>(operand.getType()))
          written.insert(bufferOf(operand));
    for (Region &region : op->getRegions())
      if (!isa<func::FuncOp>(op))
        for (Value argument : region.getArguments())
          written.insert(argument);
    if (!isa<memref::ReinterpretCastOp, memref::CastOp>(op))
      for (Value result : op->getResults())
        if (isa<MemRefType>(result.getType()))
          written.insert(result);
  });
}

//===------------------------------------------------------------------------------------------===//
// Expressions
//===------------------------------------------------------------------------------------------===//

// Written wherever it is read, however often that is: constants, casts, a
// number beside a variable.
static bool isCheap(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<memref::ReinterpretCastOp, memref::CastOp, memref::DimOp>(op))
    return true;
  auto isConstant = [](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && definition->hasTrait<OpTrait::ConstantLike>();
  };
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return isConstant(op->getOperand(1)) && !op->getOperand(0).getDefiningOp();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return op->getOperand(0).getType().isInteger(64) || op->getResult(0).getType().isInteger(64) ||
           isa<BlockArgument>(op->getOperand(0));
  return false;
}

// A coordinate, by the name of its index variable.
static bool isNamed(Operation *op) {
  return isa<NameLoc>(op->getLoc()) && op->getResult(0).getType().isIndex();
}

static unsigned sizeOf(Value value, const llvm::DenseSet<Value> &inlined) {
  Operation *op = value.getDefiningOp();
  if (!op || !inlined.contains(value) || op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  unsigned size = isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) ? 0 : 1;
  for (Value operand : op->getOperands())
    size += sizeOf(operand, inlined);
  return size;
}

bool Variables::isShortCircuit(Operation *op) const {
  return isa<scf::IfOp>(op) && op->getNumResults() == 1 && isInlined(op->getResult(0));
}

// A choice of truths, of which one side is constant and the other an
// expression.
bool Variables::isSimpleChoice(Operation *op) {
  auto choice = dyn_cast<scf::IfOp>(op);
  if (!choice || choice.getNumResults() != 1 || !choice.getResult(0).getType().isInteger(1))
    return false;
  bool someConstant = false;
  for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
    Value yielded = block->getTerminator()->getOperand(0);
    someConstant |= getConstantIntValue(yielded).has_value();
    for (Operation &inner : block->without_terminator())
      if (!isMemoryEffectFree(&inner) && !isa<memref::LoadOp>(inner) && !isSimpleChoice(&inner))
        return false;
  }
  return someConstant;
}

// No store and no call stands between two operations of one block.
bool Variables::nothingIsWritten(Operation *from, Operation *to) {
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode()) {
    if (isMemoryEffectFree(op) || isa<memref::LoadOp>(op))
      continue;
    bool writes = false;
    op->walk([&](Operation *inner) { writes |= isa<memref::StoreOp, func::CallOp>(inner); });
    if (writes)
      return false;
  }
  return true;
}

bool Variables::canInline(Operation *op) {
  if (op->getNumResults() != 1 || isa<func::CallOp, memref::AllocaOp>(op))
    return false;
  bool choice = isSimpleChoice(op);
  if (op->getNumRegions() > 0 && !choice)
    return false;
  if (isCheap(op))
    return true;
  if (isNamed(op))
    return false;
  Points reads = readsOf(op->getResult(0));
  if (reads.size() != 1 || !op->getResult(0).hasOneUse())
    return false;
  Operation *read = reads.front(), *here = inBlock(read, op->getBlock());
  // Not computed again and again by a loop that the value does not depend on;
  // what bounds a loop is an exception, for it is read there by habit.
  for (Operation *around = read->getParentOp(); around != op->getParentOp();
       around = around->getParentOp()) {
    auto counted = dyn_cast<scf::ForOp>(around);
    bool bounds = counted && around == here && read == counted.getBody()->getTerminator();
    if (isLoop(around) && !bounds)
      return false;
  }
  if (choice || isa<memref::LoadOp>(op)) {
    bool readsOnly = false;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      readsOnly = isReadOnly(load.getMemRef());
    return readsOnly || (here == read && nothingIsWritten(op, read));
  }
  return isMemoryEffectFree(op) && sizeOf(op->getResult(0), inlined) <= longest;
}

// From the last operation to the first: whether what reads a value is an
// expression decides where it is read.
void Variables::decideInlined(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    if (canInline(&op))
      inlined.insert(op.getResult(0));
    bool choice = isShortCircuit(&op);
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        if (!choice) {
          decideInlined(inner);
          continue;
        }
        for (Operation &part : inner.without_terminator())
          inlined.insert(part.getResult(0));
        for (Operation &part : inner.without_terminator())
          for (Region &deeper : part.getRegions())
            for (Block &last : deeper)
              decideInlined(last);
      }
  }
}

// Where a value is read: by the statements that the expressions with it are
// part of.
Variables::Points Variables::readsOf(Value value) const {
  Points points;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<memref::ReinterpretCastOp>(user) && use.getOperandNumber() != 0) {
      for (Operation *asked : user->getResult(0).getUsers()) // for the size
        if (isa<memref::DimOp>(asked))
          llvm::append_range(points, readsOf(asked->getResult(0)));
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(user); loop && use.getOperandNumber() < 3) {
      points.push_back(loop.getBody()->getTerminator()); // read at each step
      continue;
    }
    Operation *parent = user->getParentOp();
    Value expression;
    if (isa<scf::YieldOp>(user) && isShortCircuit(parent))
      expression = parent->getResult(0);
    else if (user->getNumResults() == 1 && isInlined(user->getResult(0)))
      expression = user->getResult(0);
    if (expression)
      llvm::append_range(points, readsOf(expression));
    else
      points.push_back(user);
  }
  llvm::sort(points);
  points.erase(llvm::unique(points), points.end());
  return points;
}

//===------------------------------------------------------------------------------------------===//
// Variables
//===------------------------------------------------------------------------------------------===//

// After which operations, or with which, the value's variable is assigned.
Variables::Points Variables::assignmentsTo(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return {loop, loop.getBody()->getTerminator()};
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return argument.getOwner() == loop.getBeforeBody()
                 ? Points{loop, loop.getAfterBody()->getTerminator()}
                 : Points{loop.getConditionOp()};
    return {};
  }
  Operation *op = value.getDefiningOp();
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return {choice.thenBlock()->getTerminator(), choice.elseBlock()->getTerminator()};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp()};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop, loop.getBody()->getTerminator()};
  return {op};
}

// Is the value, if it is there at this point, read later on?
bool Variables::isReadAfter(Value value, Operation *point) const {
  Block *scope = value.getParentBlock();
  Operation *there = inBlock(point, scope);
  if (!there)
    return false;
  if (Operation *definition = value.getDefiningOp())
    if (there == definition || there->isBeforeInBlock(definition))
      return false;
  for (Operation *read : readsOf(value)) {
    Block *common = point->getBlock();
    Operation *at = nullptr;
    while (!(at = inBlock(read, common)))
      common = common->getParentOp()->getBlock();
    Operation *now = inBlock(point, common);
    if (now->isBeforeInBlock(at))
      return true;
    if (now == at && (now == point ? read != point : read != at && isLoop(at)))
      return true;
    // A step of a loop later it may be read again.
    for (Block *block = common; block != scope; block = block->getParentOp()->getBlock())
      if (isLoop(block->getParentOp()))
        return true;
  }
  return false;
}

bool Variables::interfere(Value a, Value b) const {
  Points ofA = assignmentsTo(a), ofB = assignmentsTo(b);
  // What is assigned at once is there at once.
  for (Operation *point : ofA)
    if (llvm::is_contained(ofB, point) && a.getDefiningOp() == b.getDefiningOp() &&
        a.getParentBlock() == b.getParentBlock())
      return true;
  return llvm::any_of(ofB, [&](Operation *point) { return isReadAfter(a, point); }) ||
         llvm::any_of(ofA, [&](Operation *point) { return isReadAfter(b, point); });
}

Value Variables::variableOf(Value value) const {
  value = bufferOf(value);
  auto found = leader.find(value);
  return found == leader.end() ? value : found->second;
}

ArrayRef<Value> Variables::sharing(Value variable) const {
  auto found = members.find(variable);
  return found == members.end() ? ArrayRef<Value>() : ArrayRef<Value>(found->second);
}

void Variables::share(Value a, Value b, bool always) {
  a = bufferOf(a);
  b = bufferOf(b);
  auto canChange = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return !isInlined(value);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return !isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
           !(loop && value == loop.getInductionVar());
  };
  if (!canChange(a) || !canChange(b))
    return;
  Value first = variableOf(a), second = variableOf(b);
  if (first == second)
    return;
  auto membersOf = [&](Value variable) {
    auto &list = members[variable];
    if (list.empty())
      list.push_back(variable);
    return list;
  };
  auto ofFirst = membersOf(first), ofSecond = membersOf(second);
  if (!always)
    for (Value one : ofFirst)
      for (Value other : ofSecond)
        if (interfere(one, other))
          return;
  for (Value other : ofSecond) {
    leader[other] = first;
    members[first].push_back(other);
  }
  leader[first] = first;
  members.erase(second);
}

// First what must share, then what may.
void Variables::shareCarried() {
  kernel.walk([&](scf::ForOp loop) {
    for (auto [argument, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      share(argument, result, /*always=*/true);
  });
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto yielded = loop.getBody()->getTerminator()->getOperands();
      for (auto [argument, init, next] :
           llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), yielded)) {
        share(argument, init);
        share(argument, next);
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      auto yielded = loop.getAfterBody()->getTerminator()->getOperands();
      for (auto [argument, init, next] :
           llvm::zip(loop.getBeforeArguments(), loop.getInits(), yielded)) {
        share(argument, init);
        share(argument, next);
      }
      for (auto [argument, result, passed] : llvm::zip(loop.getAfterArguments(), loop.getResults(),
                                                       loop.getConditionOp().getArgs())) {
        share(passed, argument);
        share(passed, result);
      }
    } else if (auto choice = dyn_cast<scf::IfOp>(op); choice && !isShortCircuit(op)) {
      for (auto [at, result] : llvm::enumerate(choice.getResults())) {
        share(choice.elseBlock()->getTerminator()->getOperand(at), result);
        share(choice.thenBlock()->getTerminator()->getOperand(at), result);
      }
    }
  });
}

void Variables::placeDeclarations() {
  llvm::DenseSet<Value> placed;
  auto place = [&](Value value) {
    if (isInlined(value))
      return;
    Value variable = variableOf(value);
    if (variable != bufferOf(variable) || bufferOf(value) != value ||
        !placed.insert(variable).second)
      return;
    Points points;
    ArrayRef<Value> all = sharing(variable);
    if (variable.use_empty() && llvm::all_of(all, [](Value one) { return one.use_empty(); }))
      return;
    for (Value member : all.empty() ? ArrayRef<Value>(variable) : all) {
      llvm::append_range(points, assignmentsTo(member));
      if (auto loop = member.getDefiningOp<scf::WhileOp>())
        points.push_back(loop); // which it outlives
    }
    if (points.empty())
      return;
    Block *scope = points.front()->getBlock();
    auto holdsAll = [&](Block *block) {
      return llvm::all_of(points, [&](Operation *point) { return inBlock(point, block); });
    };
    while (!holdsAll(scope))
      scope = scope->getParentOp()->getBlock();
    Operation *first = inBlock(points.front(), scope);
    for (Operation *point : points)
      if (Operation *at = inBlock(point, scope); at->isBeforeInBlock(first))
        first = at;
    declarations[first].push_back(variable);
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::for_each(loop.getRegionIterArgs(), place);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      llvm::for_each(loop.getBeforeArguments(), place);
      llvm::for_each(loop.getAfterArguments(), place);
    }
    if (!isShortCircuit(op))
      llvm::for_each(op->getResults(), place);
  });
}

ArrayRef<Value> Variables::declaredBefore(Operation *op) const {
  auto found = declarations.find(op);
  return found == declarations.end() ? ArrayRef<Value>() : ArrayRef<Value>(found->second);
}

} // namespace strata::c
