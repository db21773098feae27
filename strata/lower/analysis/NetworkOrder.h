// In which order to multiply very many dense factors: a network of tensors.
#ifndef STRATA_LOWER_ANALYSIS_NETWORKORDER_H
#define STRATA_LOWER_ANALYSIS_NETWORKORDER_H

#include "strata/lower/analysis/ProductOrder.h"

namespace strata {

/// An order of few operations for a product of dense factors, by two at a time. Several orders are
/// made greedily, by different weights and with some luck (the same luck for the same product); of
/// the best, parts of a few products each are put in their best order, until nothing changes or a
/// number of steps is used up. (Gray and Kourtis: Hyper-optimized tensor network contraction,
/// 2021.)
ProductOrder orderOfNetwork(const LabeledProduct &product);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_NETWORKORDER_H
