// Tensors as a whole: filled, copied, written, and as printed values.
#ifndef STRATA_RUN_OUTPUT_H
#define STRATA_RUN_OUTPUT_H

#include "strata/conversion/Conversion.h"
#include "strata/conversion/Unpacking.h"

#include <complex>
#include <optional>

namespace strata {

/// A tensor with one value everywhere (full formats), or without entries if that is the fill.
runtime::Result<TensorValue> filledTensor(KernelCompiler &compiler, mlir::RankedTensorType type,
                                          std::vector<int64_t> sizes, mlir::TypedAttr value);

/// A copy with a storage of its own.
runtime::Result<TensorValue> cloned(const TensorValue &tensor);

/// By the file's ending; dense tensors in the format's dense form, if it has one. All or nothing.
/// `indexBase` is what the indices of FROSTT files count from.
runtime::Status writeTensor(KernelCompiler &compiler, const TensorValue &tensor,
                            const std::string &file, int64_t indexBase = 1);

/// The values of a tensor that was printed.
struct PrintedTensor {
  std::string name;
  std::vector<int64_t> sizes;
  bool isComplex = false;
  int64_t stored = 0; ///< of which at most `mostPrinted` are here
  /// Of each stored entry; empty where the values are all there are, the last dimension fastest.
  std::vector<std::vector<int64_t>> coordinates = {};
  std::vector<std::complex<double>> values = {};
  std::optional<std::complex<double>> fill = {}; ///< where it is not 0
};
constexpr int64_t mostPrinted = 10000;

runtime::Result<PrintedTensor> printedTensor(KernelCompiler &compiler, const TensorValue &tensor,
                                             llvm::StringRef name);

} // namespace strata

#endif // STRATA_RUN_OUTPUT_H
