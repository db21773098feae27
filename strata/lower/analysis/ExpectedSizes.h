// The sizes that a program's operands will have, where whoever runs it has them already. They
// decide in which order products are multiplied; what is compiled holds for others as well.
#ifndef STRATA_LOWER_ANALYSIS_EXPECTEDSIZES_H
#define STRATA_LOWER_ANALYSIS_EXPECTEDSIZES_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

/// Tells whether sizes may decide what is made of the program: it has a sum over products of three
/// tensors or more, without a schedule.
bool dependsOnSizes(mlir::ModuleOp module);

/// Says which sizes an argument of the program's function will have.
void expectSizes(mlir::BlockArgument argument, llvm::ArrayRef<int64_t> sizes);

/// The number of values of an index variable, if it is constant or follows from what is expected.
std::optional<int64_t> expectedExtent(mlir::Value extent);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_EXPECTEDSIZES_H
