// What is asked of the accesses in an element, and of their coordinates.
#ifndef STRATA_FRONTEND_ACCESSQUERIES_H
#define STRATA_FRONTEND_ACCESSQUERIES_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::frontend {

/// Is the coordinate a variable as it is?
bool isVariable(const Index &index);
/// Is it an expression of the variable?
bool isAffine(const Index &index, unsigned var);
/// Calls `body` with each access in an element.
void forEachAccess(const Element &element, llvm::function_ref<void(const Element &)> body);
/// Does an access or a selector in the element have the variable in its coordinates?
bool uses(const Element &element, unsigned var);
/// Are these the same sums of variables?
bool sameIndices(const std::vector<Index> &a, const std::vector<Index> &b);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ACCESSQUERIES_H
