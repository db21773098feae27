// Sums of products with as few factors in them as they need.
#ifndef STRATA_FRONTEND_FACTOREDSUMS_H
#define STRATA_FRONTEND_FACTOREDSUMS_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::frontend {

/// Returns the sum of a value over variables. Of a product each sum goes around the factors that
/// need it: others would be multiplied as often as it has terms.
ElementPtr sumOver(llvm::ArrayRef<unsigned> summed, ElementPtr value);

/// Returns the sum of terms, of which those with the same text become one: those of x(i) * x(i).
ElementPtr sumOfTerms(std::vector<Element::Operand> terms,
                      llvm::function_ref<std::string(const Element &)> textOf);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_FACTOREDSUMS_H
