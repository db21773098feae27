// A function for code that is the same in many kernels, so that it is compiled once for all of
// them.
#ifndef STRATA_LOWER_SCF_SHAREDFUNCTION_H
#define STRATA_LOWER_SCF_SHAREDFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace strata {

class SharedFunction {
public:
  /// Begins a function, into which `b` emits until end(). The values, of which the first is the
  /// kernel's context, are its arguments meanwhile; zeros, ones and truth values that are constant
  /// stay so, null is null. `title` tells people what it does.
  SharedFunction(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef title,
                 llvm::ArrayRef<mlir::Value *> values);

  /// Ends the function, and calls it, or one of the module that does the same, where `b` was. The
  /// values are what they were.
  void end();

private:
  mlir::Value argumentFor(mlir::Value value);
  void dropUnused();

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value *> values;
  llvm::SmallVector<mlir::Value> outside; ///< what the values were
  llvm::SmallVector<mlir::Value> given;   ///< to the function, one for each argument
  mlir::OpBuilder::InsertPoint place;
  mlir::func::FuncOp function;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_SHAREDFUNCTION_H
