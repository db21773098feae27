// Copies of elements, in which index variables may be others.
#ifndef STRATA_FRONTEND_CLONES_H
#define STRATA_FRONTEND_CLONES_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/DenseMap.h"

namespace strata::frontend {

/// Index variables, and those that stand in their place.
using Renaming = llvm::DenseMap<unsigned, unsigned>;

/// Returns the same coordinate of other variables.
Index renamed(const Index &index, const Renaming &names);

/// Returns a copy of the element.
ElementPtr cloneOf(const Element &element);

/// Returns a copy in which variables are replaced; those that it binds itself, too.
ElementPtr renamed(const Element &element, const Renaming &names);

/// Returns a copy that binds variables of its own, which are added to `vars`: it may stand beside
/// the element, and within what binds the same variables.
ElementPtr withOwnVars(const Element &element, std::vector<IndexVar> &vars);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_CLONES_H
