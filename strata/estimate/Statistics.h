// Statistics of tensors, as the costs of kernels depend on them.
#ifndef STRATA_ESTIMATE_STATISTICS_H
#define STRATA_ESTIMATE_STATISTICS_H

#include "strata/cost/Statistics.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// Of a tensor whose parts are one storage. Takes time in proportion to the parents of its levels.
/// Looks at the storage later, too: it must outlive the statistics.
cost::TensorStatistics statisticsOf(const TensorValue &tensor, std::string name);

/// Of a tensor that has so many entries, wherever they lie.
cost::TensorStatistics expectedStatistics(mlir::RankedTensorType type,
                                          llvm::ArrayRef<int64_t> sizes, int64_t entries,
                                          std::string name);

} // namespace strata

#endif // STRATA_ESTIMATE_STATISTICS_H
