// The time and energy of a product of matrices on an accelerator, with all that the host does for
// it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_OFFLOAD_H
#define STRATA_ACCELERATOR_OFFLOAD_H

#include "strata/accelerator/Design.h"
#include "strata/machine/Machine.h"

namespace strata::accelerator {

/// `batch` times, a matrix of rows x depth times one of depth x columns.
struct Product {
  double batch = 1, rows = 1, columns = 1, depth = 1;
  double elementBytes = 8; ///< of the program's tensors
};

/// The machine that packs tiles and holds them.
struct Host {
  /// Whose memory is read; null: every level gives `assumedBandwidth`.
  const machine::Machine *machine = nullptr;
  bool allThreads = false;

  static constexpr double assumedBandwidth = 10e9; ///< bytes a second
  /// Bytes a second, of so many bytes that are read over and over.
  double bandwidth(double bytes) const;
};

/// A product on an accelerator, in parts.
///
/// The matrices are cut into tiles as large as the micro-kernel, and for each pair of tiles with
/// the same contracted values it runs once; at the edges, tiles are filled up with zeros, which
/// takes as long. A tile of the result stays in its scratchpad while the contracted values go by.
struct Offload {
  double microKernels = 0;
  double computeSeconds = 0;
  /// For all tiles: each of A for each tile of columns, each of B for each tile of rows, the result
  /// read and written once, at the lower one of two rates: that of the host's cache or memory that
  /// holds the packed matrices, and that of the accelerators' connection.
  double transferSeconds = 0, transferBytes = 0;
  /// For packing by the host: each operand read and written once, the result read, converted and
  /// written, at the rate of the cache or memory that holds them.
  double packingSeconds = 0;
  double seconds = 0; ///< of all; with two copies of the scratchpads, transfers overlap
  double joules = 0;  ///< of the accelerators: micro-kernels, filling scratchpads, leakage
  /// Products and sums that the result needs, by those that the array can make in computeSeconds.
  double utilization = 0;

  bool waitsForMemory() const { return transferSeconds > computeSeconds; }
};

Offload offload(const Design &design, const Product &product, const Host &host);

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_OFFLOAD_H
