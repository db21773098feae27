// Statements that become parts of those that read what they make.
#ifndef STRATA_LOWER_TA_FUSESTATEMENTS_H
#define STRATA_LOWER_TA_FUSESTATEMENTS_H

#include "strata/dialect/ta/Ta.h"

#include <string>

namespace strata {

/// Computes what the producer makes where the consumer reads it, whatever that costs, and gives the
/// statement that takes the place of both. Null, and the reason, where it is not possible.
ta::ComputeOp fuseAsAsked(ta::ComputeOp producer, ta::ComputeOp consumer, std::string &why);

} // namespace strata

#endif // STRATA_LOWER_TA_FUSESTATEMENTS_H
