// Finds the calls of the runtime's allocator in a kernel's loops.
#include "Allocations.h"

#include "strata/lower/Pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace strata::tool {

// "A1_size * (n + 1)"; "?" where a count comes out of the kernel's work.
static std::string countText(Value value, bool inner = false) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return llvm::toString(constant, 10, /*Signed=*/true);
  Operation *def = value.getDefiningOp();
  if (!def) {
    auto named = dyn_cast<NameLoc>(value.getLoc());
    bool argument = isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
    return named && argument ? named.getName().str() : "?";
  }
  auto binary = [&](StringRef before, StringRef sign, StringRef after) {
    return (before + countText(def->getOperand(0), true) + sign +
            countText(def->getOperand(1), true) + after)
        .str();
  };
  if (isa<arith::AddIOp>(def))
    return inner ? binary("(", " + ", ")") : binary("", " + ", "");
  if (isa<arith::MulIOp>(def))
    return binary("", " * ", "");
  if (isa<arith::MaxSIOp>(def))
    return "max(" + countText(def->getOperand(0)) + ", " + countText(def->getOperand(1)) + ")";
  return "?";
}

std::optional<std::string> allocationsOf(ModuleOp kernel) {
  OwningOpRef<ModuleOp> loops(kernel.clone());
  PassManager passes(kernel.getContext());
  addKernelPasses(passes, Stage::Scf);
  if (failed(passes.run(*loops)))
    return std::nullopt;
  std::string text;
  unsigned allocated = 0, published = 0;
  bool grows = false;
  loops->walk([&](func::CallOp call) {
    StringRef callee = call.getCallee();
    published += callee.starts_with("strata_publish_");
    grows |= callee.starts_with("strata_grow_");
    if (!callee.consume_front("strata_allocate_"))
      return;
    ++allocated;
    text += (callee + " x " + countText(call.getOperand(1)) + "\n").str();
  });
  if (grows)
    text += "more where that is not enough, twice as much each time\n";
  if (allocated == 0)
    return "nothing\n";
  return text + (allocated > published
                     ? std::to_string(allocated - published) + " of these arrays are scratch\n"
                     : "no scratch: all of it is the result's\n");
}

} // namespace strata::tool
