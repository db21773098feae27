// Reading a tensor from a file of any known format.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_TENSORFILE_H
#define STRATA_RUNTIME_IO_TENSORFILE_H

#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/MatrixMarket.h"

namespace strata::runtime {

struct TensorFileOptions {
  std::optional<strata_type> valueType = {}; ///< absent: f64, or c128 for complex files
  Progress progress = {};
};

struct TensorFileContent {
  Coordinates list;
  std::optional<MatrixMarketFacts> matrixMarket; ///< if it is a Matrix Market file
};

/// Reads a Matrix Market file (known by its banner, or by the ending `.mtx`) or a FROSTT file.
Result<TensorFileContent> readTensorFile(const std::string &path,
                                         const TensorFileOptions &options = {});

/// Writes by the ending: `.mtx` (coordinates, order 1 or 2) or `.tns`.
Status writeTensorFile(const std::string &path, const Coordinates &list,
                       const Progress &progress = {});

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_TENSORFILE_H
