// A program as it was written, beside the one that passes make of it.
#ifndef STRATA_RUN_WRITTENPROGRAM_H
#define STRATA_RUN_WRITTENPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata {

/// What the results of a program are checked against: its statements before any pass has touched
/// them, so that a check also finds mistakes of passes that split, fuse or expand statements.
class WrittenProgram {
public:
  /// Keeps a copy of the program, and inserts a `ta.checkpoint` behind everything in `module` that
  /// gives a tensor a value. To be called before the passes on whole programs.
  explicit WrittenProgram(mlir::ModuleOp module);

  /// The tensor of the copy that `ta.checkpoint` calls by this number.
  mlir::Value tensor(int64_t number) const { return tensors[number]; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  std::vector<mlir::Value> tensors;
};

} // namespace strata

#endif // STRATA_RUN_WRITTENPROGRAM_H
