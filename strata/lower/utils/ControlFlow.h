// Loops and choices with carried values: scf operations from functions that emit their bodies.
#ifndef STRATA_LOWER_UTILS_CONTROLFLOW_H
#define STRATA_LOWER_UTILS_CONTROLFLOW_H

#include "mlir/IR/Builders.h"

namespace strata {

using Values = llvm::SmallVector<mlir::Value>;

/// A counted loop with carried values; its induction variable is called `name`.
Values countedLoop(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name, mlir::Value begin,
                   mlir::Value end, Values carried,
                   llvm::function_ref<Values(mlir::Value, Values)> body);

/// A loop while `test` holds of its carried values.
Values whileLoop(mlir::OpBuilder &b, mlir::Location loc, Values carried,
                 llvm::function_ref<mlir::Value(Values)> test,
                 llvm::function_ref<Values(Values)> body);

/// A choice; without `otherwise` the carried values stay. All branches give the same types.
Values choice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition, mlir::TypeRange types,
              llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise);

/// What `values` emits where the condition holds, and zeros elsewhere: indices and integers.
Values valuesWhere(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition,
                   llvm::function_ref<Values()> values);

/// Emits the comparison of two numbers, and the number after another.
mlir::Value less(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y);
mlir::Value increment(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

} // namespace strata

#endif // STRATA_LOWER_UTILS_CONTROLFLOW_H
