// What a function of sparse tensors becomes: its buffers of positions, coordinates and values, each
// as upstream's memref, and the struct of their sizes. The kernel and the program around it lie in
// the same module; nothing is copied on the way to it.
//
// RUN: strata-opt %s --sparsifier | FileCheck %s
// RUN: strata-opt %s --sparsifier | mlir-translate --mlir-to-llvmir -o /dev/null
// RUN: strata-opt %s --sparsifier="test-bufferization-analysis-only" | FileCheck %s --check-prefix=INPLACE
// RUN: not strata-opt %s --sparsifier="parallelization-strategy=some" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not strata-opt %s --sparsifier="gpu-triple=nvptx64-nvidia-cuda" 2>&1 | FileCheck %s --check-prefix=GPU

#CSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16
}>

// CHECK-DAG: llvm.func @strata_statement_call(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func internal @strata_statement_0_kernel0(
// CHECK-DAG: llvm.mlir.global internal constant @strata_statement_0_program(
// CHECK-DAG: llvm.func @spmv(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, {{.*}}%{{.*}}: !llvm.struct<(array<2 x i64>, array<3 x i64>)>, {{.*}}) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NOT: memref.
// CHECK-NOT: unrealized_conversion_cast

// INPLACE: call @strata_statement_0({{.*}}) {__inplace_operands_attr__ = ["true", "true", "true"]}
// GPU: error: kernels run on processors alone: leave the options of GPUs out
// OPTION: for the --parallelization-strategy option: Cannot find option named 'some'!

func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.matvec ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>)
                     outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
