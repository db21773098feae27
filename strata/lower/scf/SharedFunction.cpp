// Begins and ends functions that kernels share.
#include "strata/lower/scf/SharedFunction.h"

#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/scf/Buffers.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace strata {

// Sizes and strides that happen to be known would make functions that are not shared.
static bool staysConstant(Value value) {
  std::optional<int64_t> number = getConstantIntValue(value);
  return number && (*number == 0 || *number == 1 || value.getType().isInteger(1));
}

static func::FuncOp kernelAround(OpBuilder &b) {
  Operation *op = b.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<func::FuncOp>(op);
  return kernel ? kernel : op->getParentOfType<func::FuncOp>();
}

SharedFunction::SharedFunction(OpBuilder &b, Location loc, StringRef title, ArrayRef<Value *> given)
    : b(b), loc(loc), values(given), place(b.saveInsertionPoint()) {
  func::FuncOp kernel = kernelAround(b);
  auto module = kernel->getParentOfType<ModuleOp>();
  std::string name;
  for (unsigned number = 0; name.empty() || module.lookupSymbol(name); ++number)
    name = (kernel.getName() + ".shared" + Twine(number)).str();
  OpBuilder before(kernel);
  function = func::FuncOp::create(before, loc, name, b.getFunctionType({}, {}));
  function.setPrivate();
  markShared(function, title);
  b.setInsertionPointToStart(function.addEntryBlock());
  for (Value *value : values) {
    outside.push_back(*value);
    if (*value)
      *value = argumentFor(*value);
  }
}

Value SharedFunction::argumentFor(Value value) {
  if (staysConstant(value))
    return b.clone(*value.getDefiningOp())->getResult(0);
  Block &entry = function.front();
  auto buffer = dyn_cast<MemRefType>(value.getType());
  if (!buffer) {
    given.push_back(value);
    return entry.addArgument(value.getType(), loc);
  }
  OpBuilder caller(b.getContext());
  caller.restoreInsertionPoint(place);
  GivenBuffer parts = giveBuffer(caller, loc, value);
  given.append({parts.pointer, parts.size});
  Value pointer = entry.addArgument(parts.pointer.getType(), loc);
  Value size = entry.addArgument(parts.size.getType(), loc);
  return takeBuffer(b, loc, buffer, {pointer, size});
}

// So the function does not depend on what its kernel has besides.
void SharedFunction::dropUnused() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  Block &entry = function.front();
  llvm::BitVector unused(entry.getNumArguments());
  SmallVector<Value> used;
  for (BlockArgument argument : entry.getArguments())
    if (argument.getArgNumber() > 0 && argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      used.push_back(given[argument.getArgNumber()]);
  entry.eraseArguments(unused);
  given = std::move(used);
}

// The function of the module, for another contraction or kernel, that does the same; null if there
// is none.
static func::FuncOp sameAs(func::FuncOp function) {
  for (auto other : function->getParentOfType<ModuleOp>().getOps<func::FuncOp>())
    if (other != function && isShared(other) && !other.isDeclaration() &&
        other.getFunctionType() == function.getFunctionType() &&
        other.getAllArgAttrs() == function.getAllArgAttrs() &&
        OperationEquivalence::isRegionEquivalentTo(&other.getBody(), &function.getBody(),
                                                   OperationEquivalence::IgnoreLocations))
      return other;
  return {};
}

void SharedFunction::end() {
  func::ReturnOp::create(b, loc);
  dropUnused();
  function.setFunctionType(b.getFunctionType(function.front().getArgumentTypes(), {}));
  b.restoreInsertionPoint(place);
  keepAliases(kernelAround(b), function, given);
  if (func::FuncOp same = sameAs(function)) {
    function.erase();
    function = same;
  }
  func::CallOp::create(b, loc, function, given);
  for (auto [value, before] : llvm::zip(values, outside))
    *value = before;
}

} // namespace strata
