// Finds the calls of the runtime's allocator in a kernel's loops.
#include "strata/explain/Allocations.h"

#include "strata/lower/LowerKernels.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Counted.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;

namespace strata {

// "(size of A1 + 1) * n"; holds "?" where a count comes out of the kernel's work. `result` is what
// the storage that the kernel calls out is called outside.
static std::string countText(Value value, StringRef result, bool inner = false) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return llvm::toString(constant, 10, /*Signed=*/true);
  Operation *def = value.getDefiningOp();
  if (!def) {
    auto named = dyn_cast<NameLoc>(value.getLoc());
    bool argument = isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
    if (!named || !argument)
      return "?";
    StringRef name = named.getName();
    if (!name.consume_back("_size"))
      return name.str();
    bool isResult = name.consume_front("out");
    return ("size of " + (isResult ? result : "") + name).str();
  }
  auto binary = [&](StringRef before, StringRef sign, StringRef after) {
    return (before + countText(def->getOperand(0), result, true) + sign +
            countText(def->getOperand(1), result, true) + after)
        .str();
  };
  if (isa<arith::AddIOp>(def))
    return inner ? binary("(", " + ", ")") : binary("", " + ", "");
  if (isa<arith::MulIOp>(def))
    return binary("", " * ", "");
  if (isa<arith::MaxSIOp>(def))
    return "max(" + countText(def->getOperand(0), result) + ", " +
           countText(def->getOperand(1), result) + ")";
  return "?";
}

// "positions of C2" for the buffer C2_pos, "values of C" for C_vals.
static std::string bufferText(StringRef buffer) {
  auto [storage, word] = buffer.rsplit('_');
  StringRef what = llvm::StringSwitch<StringRef>(word)
                       .Case("pos", "positions")
                       .Case("crd", "coordinates")
                       .Case("vals", "values")
                       .Default(word);
  return (what + " of " + storage).str();
}

// Is the block given back before the kernel ends?
static bool isReleased(func::CallOp allocate) {
  return llvm::any_of(allocate.getResult(0).getUsers(), [](Operation *user) {
    auto call = dyn_cast<func::CallOp>(user);
    return call && call.getCallee().starts_with("strata_release_");
  });
}

std::string allocationText(const Allocation &allocation) {
  std::string bytes = counted(allocation.elementBytes, "byte");
  std::string text = allocation.what + ": ";
  if (allocation.count.empty())
    text += bytes + (allocation.ofResult ? " for each that is stored" : " for each element");
  else if (StringRef(allocation.count).contains(' '))
    text += "(" + allocation.count + ") x " + bytes;
  else
    text += allocation.count + " x " + bytes;
  return text + (allocation.perThread ? ", for each thread" : "");
}

std::optional<std::vector<Allocation>> allocationsOf(ModuleOp kernel, const std::string &result,
                                                     RankedTensorType type) {
  OwningOpRef<ModuleOp> loops(kernel.clone());
  if (failed(lowerKernels(*loops, Stage::Scf)))
    return std::nullopt;
  SmallVector<std::string> buffers = bufferNames(ta::formatOf(type), result);
  std::map<int64_t, Allocation> published;
  std::vector<Allocation> scratch;
  loops->walk([&](func::CallOp call) {
    auto count = [&](unsigned operand) {
      std::string text = countText(call.getOperand(operand), result);
      return StringRef(text).contains('?') ? std::string() : text;
    };
    APInt bytes(64, 0), buffer(64, 0);
    matchPattern(call.getOperands().back(), m_ConstantInt(&bytes));
    if (call.getCallee().starts_with("strata_publish_")) {
      matchPattern(call.getOperand(2), m_ConstantInt(&buffer));
      int64_t number = buffer.getSExtValue();
      published.try_emplace(number, Allocation{bufferText(buffers[size_t(number)]), count(4),
                                               bytes.getSExtValue(), true, false});
    } else if (call.getCallee().starts_with("strata_allocate_") && isReleased(call) &&
               !matchPattern(call.getOperand(1), m_Zero())) {
      bool perThread = call->getParentOfType<scf::ParallelOp>() != nullptr;
      scratch.push_back({"workspace", count(1), bytes.getSExtValue(), false, perThread});
    }
  });
  std::vector<Allocation> all;
  for (const auto &[number, allocation] : published)
    all.push_back(allocation);
  llvm::append_range(all, scratch);
  return all;
}

} // namespace strata
