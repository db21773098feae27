// Which variables of a statement its tensors have a place for every value of.
#ifndef STRATA_LOWER_ANALYSIS_STOREDPLACES_H
#define STRATA_LOWER_ANALYSIS_STOREDPLACES_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// Tells whether an operand, or the result, has a place for each value of the variable. Then one
/// more tensor that does takes no more memory than is in use in any case. A dimension of which only
/// what occurs is stored may be far too long. Places in which nothing may be stored (bitmap) count,
/// too, since they take memory: ta::hasPlacesOnly() asks of one level whether there are no others.
bool hasPlaces(const IndexStatement &statement, unsigned variable);

/// On a conversion to a format that looks coordinates up in a table: the format with a place for
/// each coordinate instead, which it has where these are few for what the tensor stores. Nobody but
/// who knows the tensor can tell.
inline constexpr llvm::StringLiteral placesAttribute = "strata.places";
/// The type that the conversion gives a tensor of these sizes with so many entries.
mlir::RankedTensorType convertedType(ta::ConvertOp convert, llvm::ArrayRef<int64_t> sizes,
                                     double entries);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_STOREDPLACES_H
