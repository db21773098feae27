// The format that an operand is converted to where loops cannot walk it as it is, or would walk it
// again and again.
#ifndef STRATA_LOWER_TA_CONVERTEDFORMAT_H
#define STRATA_LOWER_TA_CONVERTEDFORMAT_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// The format for a sparse operand of the statement, for loops in that order: the same kinds of
/// levels in the order of the loops; where their coordinates come in no order, or that cannot hold
/// what is stored in this one, levels that can. A level that the loops would walk again for each
/// value of a variable which the operand does not have, beside another operand that they walk once,
/// is one in which they look coordinates up: with a place for each, if the program stores as many
/// places in any case, else a table. Unless it `mayLookUp`, all are walked.
struct ConvertedFormat {
  ta::FormatAttr format;
  bool looksUp; ///< some level is such a one
  /// With a place for each coordinate instead of the only table, or of a list where other tensors
  /// have these places, if that is the first level; else null.
  ta::FormatAttr withPlaces;
};
ConvertedFormat convertedFormat(const IndexStatement &statement, ta::AccessOp access,
                                llvm::ArrayRef<unsigned> order, bool mayLookUp = true);

/// Lets tables of the statement's converted operands be places for each coordinate, as those who
/// convert them decide (convertedType), and makes places of lists, if the loops are the same
/// whichever of them are.
void offerPlaces(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_CONVERTEDFORMAT_H
