// What passes share that write loops over arrays anew: arithmetic on indices, loops, buffers.
#ifndef STRATA_LOWER_SCF_LOOPEMITTER_H
#define STRATA_LOWER_SCF_LOOPEMITTER_H

#include "strata/level/Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

class LoopEmitter {
protected:
  /// Emits before `place`; `context` is the kernel's.
  LoopEmitter(mlir::Operation *place, mlir::Location loc, mlir::Value context)
      : context(context), loc(loc), b(place) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value divide(mlir::Value x, mlir::Value y);   ///< of what is not negative
  mlir::Value divideUp(mlir::Value x, mlir::Value y); ///< likewise
  mlir::Value minimum(mlir::Value x, mlir::Value y);
  mlir::Value maximum(mlir::Value x, mlir::Value y);
  mlir::Value isLess(mlir::Value x, mlir::Value y);
  mlir::Value isAtLeast(mlir::Value x, int64_t least);
  mlir::Value isSame(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y);
  mlir::Value roundUp(mlir::Value x, int64_t unit);
  emit::Growing allocate(mlir::Value count, mlir::Type element);
  void release(const emit::Growing &buffer);

  using LoopBody = llvm::function_ref<void(mlir::Value at)>;
  /// for at in begin, begin + step, ... below end
  mlir::scf::ForOp loop(mlir::Value begin, mlir::Value end, mlir::Value step, LoopBody body);
  mlir::scf::ForOp loop(mlir::Value begin, mlir::Value end, int64_t step, LoopBody body) {
    return loop(begin, end, constant(step), body);
  }
  void loop(mlir::Value end, LoopBody body) { loop(constant(0), end, 1, body); }
  /// One in which little is done: LLVM neither unrolls it nor makes vectors of it.
  void coldLoop(mlir::Value end, LoopBody body);
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);

  mlir::Value context;
  mlir::Location loc;
  mlir::OpBuilder b;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_LOOPEMITTER_H
