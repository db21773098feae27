// What LLVM is told of a loop, on its way from scf.for to the branch back.
#ifndef STRATA_LOWER_UTILS_LOOPHINTS_H
#define STRATA_LOWER_UTILS_LOOPHINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace strata {

/// The attribute of a loop, then of its branches, that holds an LLVM::LoopAnnotationAttr.
inline constexpr llvm::StringLiteral loopAnnotationName = "llvm.loop_annotation";

/// The attribute of a loop that a schedule has marked, which holds the name of its label.
inline constexpr llvm::StringLiteral loopLabelName = "strata.label";

/// Tells LLVM of a loop how it is to become vectors, and be unrolled; null says nothing.
inline void hint(mlir::Operation *loop, mlir::LLVM::LoopVectorizeAttr vectors,
                 mlir::LLVM::LoopUnrollAttr unrolling) {
  loop->setAttr(loopAnnotationName,
                mlir::LLVM::LoopAnnotationAttr::get(loop->getContext(), {}, vectors, {}, unrolling,
                                                    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

/// Says that a loop is to be unrolled so many times; with 0, as often as LLVM chooses.
inline mlir::LLVM::LoopUnrollAttr unrolling(mlir::MLIRContext *context, int64_t times) {
  mlir::IntegerAttr count;
  if (times)
    count = mlir::Builder(context).getI32IntegerAttr(times);
  return mlir::LLVM::LoopUnrollAttr::get(context, {}, count, {}, {}, {}, {}, {});
}

/// Returns how many values a vector is to have, if a schedule asks for vectors of the loop; zero
/// where it leaves the number open.
inline std::optional<int64_t> vectorsAskedFor(mlir::Operation *loop) {
  auto annotation = loop->getAttrOfType<mlir::LLVM::LoopAnnotationAttr>(loopAnnotationName);
  mlir::LLVM::LoopVectorizeAttr vectors =
      annotation ? annotation.getVectorize() : mlir::LLVM::LoopVectorizeAttr();
  if (!vectors || !vectors.getDisable() || vectors.getDisable().getValue())
    return std::nullopt;
  return vectors.getWidth() ? vectors.getWidth().getInt() : 0;
}

/// Tells LLVM to make no vectors of a loop, and not to unroll it.
inline void leaveAsItIs(mlir::Operation *loop) {
  mlir::MLIRContext *context = loop->getContext();
  auto yes = mlir::BoolAttr::get(context, true);
  hint(loop, mlir::LLVM::LoopVectorizeAttr::get(context, /*disable=*/yes, {}, {}, {}, {}, {}, {}),
       mlir::LLVM::LoopUnrollAttr::get(context, /*disable=*/yes, {}, {}, {}, {}, {}, {}));
}

} // namespace strata

#endif // STRATA_LOWER_UTILS_LOOPHINTS_H
