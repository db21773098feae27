// Loops whose steps are taken several at a time, each value of a step in a lane of a vector.
#ifndef STRATA_LOWER_SCF_VECTORLOOP_H
#define STRATA_LOWER_SCF_VECTORLOOP_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

namespace strata {

/// A value that a loop combines with a term in each step, by an operation for which the order of
/// the terms does not matter, or only to rounding.
struct LoopSum {
  mlir::Operation *combine = nullptr;
  mlir::Value term;
  mlir::vector::CombiningKind kind = mlir::vector::CombiningKind::ADD;

  mlir::Type type() const { return term.getType(); }
  /// Tells whether the order of the terms may change: it may not in a sum or product of
  /// floating-point numbers without the flag `reassoc`.
  bool mayReorder() const;
  /// Returns the number that changes nothing where it is combined, and tells whether a value is it.
  mlir::TypedAttr neutral() const;
  bool isNeutral(mlir::Value value) const;
  /// Combines two elements, or vectors of them.
  mlir::Value combined(mlir::OpBuilder &b, mlir::Value left, mlir::Value right) const;
  /// Combines the elements of a vector.
  mlir::Value across(mlir::OpBuilder &b, mlir::Value vector) const;
};

/// A loop, and what is known of the values that its steps compute.
class VectorLoop {
public:
  /// `gathers`: one instruction loads elements from all over a buffer.
  VectorLoop(mlir::scf::ForOp loop, bool gathers) : loop(loop), gathers(gathers) {}

  /// Tells whether vectors can be made of the loop's steps. If not, `why` says what prevents it, as
  /// the end of a sentence.
  bool analyze(std::string &why);

  mlir::scf::ForOp loop;
  llvm::SmallVector<LoopSum, 1> sums;

  /// Of what the steps do, after analyze().
  bool stores() const { return hasStores; }
  bool looksUp() const { return hasLookUps; }    ///< loads elements where others lead
  bool moves() const { return loadsNeighbours; } ///< loads elements next to each other
  /// Tells whether the last steps, fewer than a vector has lanes, can be taken under a mask.
  bool canMask() const;
  /// Tells whether the element is next to that of the step before.
  bool isNext(mlir::memref::LoadOp load) const { return isMoving(load.getIndices()[0]); }

  /// Takes as many steps as there are `lanes`, from `first` on, and returns the terms of the sums.
  /// Under a mask nothing else is read or written; what terms the other lanes have is not defined.
  /// `outer` says what stands for values that the loop finds outside of it.
  llvm::SmallVector<mlir::Value> emitStep(mlir::OpBuilder &b, mlir::Value first, int64_t lanes,
                                          mlir::Value mask = {}, const mlir::IRMapping &outer = {});
  /// Vectors of what changes nothing in each of the sums.
  llvm::SmallVector<mlir::Value> neutrals(mlir::OpBuilder &b, int64_t lanes) const;
  /// Replaces the loop by one over vectors, the last of them under a mask.
  void emitUnderMasks(int64_t lanes);
  /// Puts a loop over whole vectors before the loop, which is left with the steps behind them.
  void emitWhole(int64_t lanes);

private:
  enum class Kind { uniform, moving, varying }; // over the steps: the same, by one more, any
  Kind kindOf(mlir::Value value) const;
  bool isUniform(mlir::Value value) const { return kindOf(value) == Kind::uniform; }
  bool isMoving(mlir::Value value) const { return kindOf(value) == Kind::moving; }

  bool findSums(std::string &why);
  bool takes(mlir::Operation &op, std::string &why);
  bool takesAccess(mlir::Value buffer, mlir::ValueRange indices, std::string &why) const;
  bool isApart(mlir::Value place) const;
  bool storesApart(mlir::memref::StoreOp store, std::string &why) const;
  bool isGathered(mlir::memref::LoadOp load) const;
  void demandVector(mlir::Value value);
  void demandLanes(mlir::Value value);

  struct Step;
  llvm::SmallVector<mlir::Value> emitVectors(mlir::OpBuilder &b, mlir::Value end, int64_t lanes,
                                             bool masked);
  llvm::SmallVector<mlir::Value> addAcross(mlir::OpBuilder &b, mlir::ValueRange vectors) const;

  bool gathers;
  bool hasStores = false, hasLookUps = false, loadsNeighbours = false, prefetches = false;
  bool scatters = false; ///< stores lane by lane
  bool mayTrap = false;  ///< an operation of a step must not run for lanes that are masked
  llvm::DenseMap<mlir::Value, Kind> kinds;         ///< of what the steps compute
  llvm::DenseSet<mlir::Value> fromMemory;          ///< what varies with what the steps load
  llvm::SetVector<mlir::Value> inVectors, inLanes; ///< what is needed as a vector, or lane by lane
};

} // namespace strata

#endif // STRATA_LOWER_SCF_VECTORLOOP_H
