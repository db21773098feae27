// How large the blocks of a dense contraction are, for the caches that they stay in.
#ifndef STRATA_LOWER_ANALYSIS_CONTRACTIONBLOCK_H
#define STRATA_LOWER_ANALYSIS_CONTRACTIONBLOCK_H

#include <cstdint>

namespace strata {

/// Bytes of the data caches, as far as one thread has them for itself.
struct CacheSizes {
  int64_t first = 32 << 10, second = 512 << 10, third = 16 << 20;
  bool operator==(const CacheSizes &) const = default;
};

/// How many products, and values of labels, a contraction must have for blocks to be worth their
/// buffers; fewer run by the loops as they are.
struct LeastContraction {
  int64_t products = 40000, complexProducts = 1024; ///< of complex numbers loops take long for
  /// Fewer columns would be stored by masks; a vector that has fewer is enough.
  int64_t columns = 8, values = 4;
  /// Inside other loops, for each of their steps: products, and columns or summed values.
  int64_t productsInLoops = 4096, valuesInLoops = 8;
};
inline constexpr LeastContraction leastContraction;

/// The block of a contraction `C[i, j] += A[i, k] * B[k, j]`. The block of one operand,
/// the far one, stays in the third cache, that of the other in the second. A panel of the far one,
/// as wide as a tile, stays in the first, while those of the near one pass by.
struct ContractionBlock {
  int64_t far, near; ///< rows of A or columns of B
  int64_t mostFar;   ///< where packing the near operand again takes longer than a larger far block
  int64_t depth;     ///< contracted values
  int64_t inPlace;   ///< so many numbers stay in the second cache without being packed
  bool farIsRows;
  /// Of fewer contracted values than `depth` a block has as many more rows and columns, up to so
  /// many times.
  static constexpr int64_t mostTimes = 12;

  /// For tiles of so many rows and columns of numbers of so many bytes.
  static ContractionBlock fitting(const CacheSizes &caches, int64_t tileRows, int64_t tileColumns,
                                  int64_t bytes);
};

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_CONTRACTIONBLOCK_H
