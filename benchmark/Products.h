// Strata's sparse products: packed once, compiled once, called often.
#ifndef STRATA_BENCHMARK_PRODUCTS_H
#define STRATA_BENCHMARK_PRODUCTS_H

#include "strata/conversion/Packing.h"

namespace strata::benchmark {

/// A context with all dialects and a compiler in it.
class Workbench {
public:
  Workbench();

  /// A type of that format, its sizes and widths open.
  runtime::Result<mlir::RankedTensorType> tensorType(llvm::StringRef format, unsigned order = 2);

  mlir::MLIRContext context;
  KernelCompiler compiler;
};

/// `y(i) = A(i,j) * x(j)`, or `Y(i,k) = A(i,j) * X(j,k)` where the width is not 1.
class Product {
public:
  /// `x` is row-major, and copied into a storage.
  static runtime::Result<Product> create(Workbench &bench, const TensorValue &matrix,
                                         const std::vector<double> &x, int64_t width);
  /// One call of the kernel, which allocates its result and drops the one before.
  runtime::Status run();
  const double *result() const { return static_cast<const double *>(y.values().data); }

private:
  Product(Workbench &bench, TensorValue matrix) : bench(&bench), matrix(std::move(matrix)) {}

  Workbench *bench;
  TensorValue matrix;
  CompiledKernel kernel;
  runtime::Storage x, y;
  std::vector<int64_t> extents;
};

} // namespace strata::benchmark

#endif // STRATA_BENCHMARK_PRODUCTS_H
