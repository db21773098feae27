// Loops that are nothing but a dense contraction: C[...] += A[...] * B[...], each over its labels,
// or the same of another semiring.
#ifndef STRATA_LOWER_SCF_CONTRACTIONNEST_H
#define STRATA_LOWER_SCF_CONTRACTIONNEST_H

#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/scf/FillLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

class ContractionNest {
public:
  /// Loops from `root` in; nothing where they do more than contract, or less: a product of a matrix
  /// and a vector has no free loop on one side.
  static std::optional<ContractionNest> match(mlir::scf::ForOp root);

  enum Tensor { left, right, result };
  /// The buffer and the element of it that the innermost body uses.
  struct Access {
    mlir::Value buffer, index;
  };

  mlir::scf::ForOp root;
  /// The loop over pieces of the root's values, where that is all that it does; the root then goes
  /// through `whole` values.
  mlir::scf::ParallelOp pieces;
  mlir::Value whole;
  llvm::SmallVector<mlir::scf::ForOp> loops; ///< from the outside in; their bounds are outside
  llvm::SmallVector<lvl::Role> roles;
  Access accesses[3];
  bool negates = false;         ///< the sums are subtracted
  bool overwrites = false;      ///< the result is the sums, not what was there and the sums
  std::optional<FillLoop> fill; ///< gives the result's places zero before sums are added to them
  std::optional<FillOfAll> fillOfAll; ///< likewise, all of the result, before all loops
  mlir::Type element; ///< a real or complex number, or a whole number of 32 or 64 bits
  /// The operators of the semiring: how products are added up, and elements multiplied.
  std::optional<ta::Combine> sums, products;

  /// The operator of an operation whose result is the same in any order of its operands.
  static std::optional<ta::Combine> operatorOf(mlir::Operation *op);
  /// The operands of a difference; nothing if the operation is none.
  static std::optional<std::pair<mlir::Value, mlir::Value>> differenceOf(mlir::Operation *op);

  /// Where a loop begins and ends.
  mlir::Value lower(mlir::OpBuilder &b, unsigned loop) const;
  mlir::Value upper(unsigned loop) const;
  /// How far a step of a loop moves in a tensor: emits the number; null: it does not.
  mlir::Value stride(mlir::OpBuilder &b, Tensor tensor, unsigned loop) const;
  bool moves(Tensor tensor, unsigned loop) const;
  /// Where all loops begin.
  mlir::Value base(mlir::OpBuilder &b, Tensor tensor) const;
  /// By how many sizes a step of a loop is multiplied: those of the labels inside of it.
  unsigned distance(Tensor tensor, unsigned loop) const;
  /// The factors that are the same everywhere; of sums without terms, which are zero, ones.
  llvm::SmallVector<mlir::Value> factors(mlir::OpBuilder &b) const;
  /// Tells whether a step moves to the next element.
  bool isUnit(Tensor tensor, unsigned loop) const;

private:
  bool collect(mlir::scf::ForOp loop);
  bool takeFill(mlir::scf::ForOp loop);
  void takeFillOfAll();
  bool takeSum(mlir::scf::ForOp loop);
  bool takeLeaf(mlir::Block &body);
  bool takeTerm(mlir::Value term);
  bool takeTarget(mlir::memref::StoreOp store, mlir::Value sum);
  bool takeScaled(mlir::Value value, mlir::Value sum);
  bool isSumOf(mlir::Operation *op);
  bool isProductOf(mlir::Operation *op);
  bool isSemiring() const;
  bool saysWhetherSumsHaveTerms(llvm::ArrayRef<mlir::Value> conditions) const;
  bool decideRoles();
  bool isOutside(mlir::Value value) const;
  bool isLinear(mlir::Value index) const;
  mlir::Value strideOf(mlir::OpBuilder &b, mlir::Value index, mlir::Value variable) const;
  bool dependsOn(mlir::Value index, mlir::Value variable) const;
  mlir::Value atBegin(mlir::OpBuilder &b, mlir::Value index) const;

  llvm::SmallVector<mlir::Value> starts;   ///< with which sums begin
  llvm::SmallVector<mlir::Value> scales;   ///< factors that are the same everywhere
  llvm::SmallVector<mlir::Value> presence; ///< conditions without which a scaled sum is zero
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTIONNEST_H
