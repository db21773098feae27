// Kernels to count, and statistics of their tensors.
#ifndef STRATA_TEST_UNIT_COST_KERNELS_H
#define STRATA_TEST_UNIT_COST_KERNELS_H

#include "strata/cost/CountKernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace strata::test {

/// A kernel in lvl, from its text.
class Kernel {
public:
  explicit Kernel(const std::string &text);
  mlir::func::FuncOp function();

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// y(i) = A(i,j) * x(j), A in CSR, and C(i,k) = A(i,j) * B(j,k), A in CSR, B and C dense.
extern const char *const spmv, *const spmm;

/// y(i) = A(i,j) * x(j), A in CSR, x a list of its entries: both are merged.
extern const char *const spmspv;
/// R(i,k) = C(i,k) + A(i,j) * B(j,k) of dense matrices, and y(i) = x(i) * x(i) in blocks of 1,024.
extern const char *const biasedProduct, *const scaledInBlocks;

/// R(j,k) = A(i,j) * A(i,k), A a list of coordinates, in which one may come again.
extern const char *const gramOfPairs;

/// A matrix in CSR with 32-bit positions and coordinates, with so many entries. `uneven`: the share
/// of rows whose length differs from that of the row before.
cost::TensorStatistics csr(double rows, double columns, double entries, double uneven = 0);
/// Of so many doubles in each dimension.
cost::TensorStatistics dense(std::string name, std::vector<double> sizes);

} // namespace strata::test

#endif // STRATA_TEST_UNIT_COST_KERNELS_H
