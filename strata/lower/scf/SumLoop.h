// Loops that add up terms with operands that are looked up, of which vectors of terms can be made.
#ifndef STRATA_LOWER_SCF_SUMLOOP_H
#define STRATA_LOWER_SCF_SUMLOOP_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace strata {

/// A loop that adds a term to a sum in each step, in any order.
class SumLoop {
public:
  int64_t lanes = 8; ///< steps whose terms are made at once

  /// `gathers`: what is looked up is gathered by one instruction, where places are computed alike.
  explicit SumLoop(mlir::scf::ForOp loop, bool gathers) : loop(loop), gathers(gathers) {}

  /// Tells whether the terms have an operand that is looked up.
  bool match();
  /// Tells whether the terms have operands that lie next to each other, or are the same in all, and
  /// are not widened.
  bool matchNeighbours();
  /// The terms of as many steps as a vector has lanes, from `first` on. Under a mask nothing else
  /// is read; what the other lanes have is not defined.
  mlir::Value emitTerms(mlir::OpBuilder &b, mlir::Value first, mlir::Value mask = {});
  /// Tells, after match(), whether terms can be made under a mask: all that is looked up is
  /// gathered.
  bool canMask() const { return gathers; }
  /// Replaces the loop by one over vectors of 512 bits, the last of them under a mask. How many
  /// vectors there are changes less often from one loop to the next than how many terms, so that a
  /// processor foresees the end more often: the longer vectors are, the less often.
  void addUpUnderMasks();
  mlir::VectorType vectorType() const { return mlir::VectorType::get({lanes}, element); }
  /// The type of as many terms as they are added up.
  mlir::VectorType sumsType() { return mlir::VectorType::get({lanes}, sum.getType()); }

  mlir::scf::ForOp loop;
  mlir::arith::AddFOp sum;
  mlir::arith::ExtFOp widening; ///< of the term, before it is added; null where nothing is widened
  mlir::Value term;             ///< of one step, before it is widened
  mlir::Type element;           ///< the term's type

  /// Tell whether the operand lies next to that of the step before, or is the same one.
  bool isNext(mlir::memref::LoadOp load);
  bool isSame(mlir::memref::LoadOp load);

private:
  bool isPlain();
  bool findSum();
  bool canGather();
  mlir::Value emitPlaces(mlir::OpBuilder &b, mlir::Operation &op, mlir::Value first,
                         mlir::Value mask);
  mlir::Value emitLoad(mlir::OpBuilder &b, mlir::memref::LoadOp load, mlir::Value at,
                       mlir::Value mask);
  mlir::Value emitGather(mlir::OpBuilder &b, mlir::memref::LoadOp load, mlir::Value mask);
  void emitEach(mlir::OpBuilder &b, mlir::Operation &op,
                llvm::MutableArrayRef<mlir::IRMapping> each);
  mlir::Value asVector(mlir::OpBuilder &b, mlir::Value value);

  bool gathers;
  mlir::IRMapping vectors;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_SUMLOOP_H
