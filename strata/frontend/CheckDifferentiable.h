// What has a gradient, and what is refused with a message at its place.
#ifndef STRATA_FRONTEND_CHECKDIFFERENTIABLE_H
#define STRATA_FRONTEND_CHECKDIFFERENTIABLE_H

#include "strata/frontend/Adjoints.h"

namespace strata::frontend {

/// Returns the value of what the tensor does not store.
std::complex<double> fillValueOf(const Tensor &tensor);

/// Finds the one statement of a program; null after an error, if it is none of index notation.
const Compute *statementToDifferentiate(const Program &program, Diagnostics &diagnostics);

/// Tells whether the statement has a gradient by tensors of these names, but for what its right
/// side holds; `lookedUp` are the variables that stand for coordinates looked up.
bool checkDifferentiable(const Compute &compute, const std::vector<Tensor> &tensors,
                         llvm::ArrayRef<std::string> by, const llvm::DenseSet<unsigned> &lookedUp,
                         Diagnostics &diagnostics);

/// Tells whether the variables of a contribution run as far in the gradient as in the statement.
bool checkRanges(const Contribution &contribution, const Compute &compute,
                 const std::vector<Tensor> &tensors, const std::vector<IndexVar> &vars,
                 const llvm::DenseSet<unsigned> &lookedUp, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_CHECKDIFFERENTIABLE_H
