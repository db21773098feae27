// Loads and stores masked vectors of 16-bit floats as integers of their size: LLVM takes those of
// floats apart, and rounds each bfloat16 by a call.
#include "strata/lower/Passes.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_MASKHALVES
#include "strata/lower/Passes.h.inc"

namespace {

// The vector of integers for one of 16-bit floats; nothing for another type.
VectorType integersFor(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !isa<Float16Type, BFloat16Type>(vector.getElementType()))
    return {};
  return cast<VectorType>(
      vector.cloneWith(std::nullopt, IntegerType::get(type.getContext(), /*width=*/16)));
}

void giveIntegers(OpOperand &value) {
  OpBuilder b(value.getOwner());
  value.set(LLVM::BitcastOp::create(b, value.getOwner()->getLoc(),
                                    integersFor(value.get().getType()), value.get()));
}

// Lets the operation read integers, which become floats behind it; `otherwise`: what stands where
// the mask leaves elements out.
void readIntegers(Operation *op, MutableOperandRange otherwise) {
  OpResult read = op->getResult(0);
  const Type floats = read.getType();
  if (!integersFor(floats))
    return;
  for (OpOperand &value : otherwise)
    giveIntegers(value);
  read.setType(integersFor(floats));
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto converted = LLVM::BitcastOp::create(b, op->getLoc(), floats, read);
  read.replaceAllUsesExcept(converted, converted);
}

struct MaskHalves : impl::MaskHalvesBase<MaskHalves> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Machine, getArgument())))
      return signalPassFailure();
    getOperation().walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<LLVM::MaskedLoadOp, LLVM::masked_gather>(
              [](auto read) { readIntegers(read, read.getPassThruMutable()); })
          .Case<LLVM::MaskedStoreOp, LLVM::masked_scatter>([](auto store) {
            if (integersFor(store.getValue().getType()))
              giveIntegers(store.getValueMutable());
          });
    });
  }
};

} // namespace
} // namespace strata
