// What is asked of the accesses in an element, and of their coordinates.
#ifndef STRATA_FRONTEND_ACCESSQUERIES_H
#define STRATA_FRONTEND_ACCESSQUERIES_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::frontend {

/// Tells whether the coordinate is a variable as it is.
bool isVariable(const Index &index);
/// Tells whether it is an expression of the variable.
bool isAffine(const Index &index, unsigned var);
/// Calls `body` with each access in an element.
void forEachAccess(const Element &element, llvm::function_ref<void(const Element &)> body);
/// Tells whether an access or a selector in the element has the variable in its coordinates.
bool uses(const Element &element, unsigned var);
/// Tells whether these are the same sums of variables.
bool sameIndices(const std::vector<Index> &a, const std::vector<Index> &b);
/// Adds the variables that stand for coordinates which are looked up in the element.
void findLookups(const Element &element, llvm::DenseSet<unsigned> &lookedUp);
/// Tells whether the coordinates are variables that differ, none of them looked up.
bool arePlain(const std::vector<Index> &indices, const llvm::DenseSet<unsigned> &lookedUp);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ACCESSQUERIES_H
