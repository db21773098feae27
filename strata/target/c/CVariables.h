// Which values of a kernel become expressions in C, and which share a variable.
//
// A value that is cheap, or read once, is written where it is read. Others have
// variables; those that follow one another (what a loop carries: its beginning,
// what each step yields, its result) share one, as long as none of them is read
// after another one is there.
#ifndef STRATA_TARGET_C_CVARIABLES_H
#define STRATA_TARGET_C_CVARIABLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace strata::c {

/// The buffer that a chain of casts is of.
mlir::Value bufferOf(mlir::Value value);

class Variables {
public:
  explicit Variables(mlir::func::FuncOp kernel);

  /// Is the value written where it is read?
  bool isInlined(mlir::Value value) const { return inlined.contains(value); }
  /// Is it a choice of which one side is constant, so that && or || say it?
  bool isShortCircuit(mlir::Operation *op) const;
  /// The value that stands for all that share the variable of this one.
  mlir::Value variableOf(mlir::Value value) const;
  /// Those values; none if there is no other.
  llvm::ArrayRef<mlir::Value> sharing(mlir::Value variable) const;
  /// The variables that must be declared before an operation: in the block
  /// where all that is assigned to them lies.
  llvm::ArrayRef<mlir::Value> declaredBefore(mlir::Operation *op) const;
  /// Does the kernel never store to the buffer?
  bool isReadOnly(mlir::Value buffer) const { return !written.contains(bufferOf(buffer)); }

private:
  using Points = llvm::SmallVector<mlir::Operation *, 4>;
  void findWritten();
  void decideInlined(mlir::Block &block);
  bool canInline(mlir::Operation *op);
  bool isSimpleChoice(mlir::Operation *op);
  bool nothingIsWritten(mlir::Operation *from, mlir::Operation *to);
  Points readsOf(mlir::Value value) const;
  Points assignmentsTo(mlir::Value value) const;
  bool isReadAfter(mlir::Value value, mlir::Operation *point) const;
  bool interfere(mlir::Value a, mlir::Value b) const;
  void share(mlir::Value a, mlir::Value b, bool always = false);
  void shareCarried();
  void placeDeclarations();

  mlir::func::FuncOp kernel;
  llvm::DenseSet<mlir::Value> inlined, written;
  llvm::DenseMap<mlir::Value, mlir::Value> leader; ///< of those that share a variable
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> members;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> declarations;
};

} // namespace strata::c

#endif // STRATA_TARGET_C_CVARIABLES_H
