// REQUIRES: mlir-runner
// A tensor that is read and written by one statement; one that a statement would update, and others
// read afterwards.
//
// RUN: strata-opt %s --sparsifier | %runner | FileCheck %s

// CHECK: ( 202, 11, 530 )
// CHECK-NEXT: ( 1464, 213, 2683 )
// CHECK: values : ( 2, 4, 2, 6, 8 )
// CHECK: values : ( 1, 2, 1, 3, 4 )

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @f(%A: tensor<3x3xf64, #CSR>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %r = linalg.matvec ins(%A, %y : tensor<3x3xf64, #CSR>, tensor<3xf64>) outs(%y : tensor<3xf64>) -> tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @g(%A: tensor<3x3xf64, #CSR>) -> tensor<3x3xf64, #CSR> {
  %r = linalg.add ins(%A, %A : tensor<3x3xf64, #CSR>, tensor<3x3xf64, #CSR>) outs(%A : tensor<3x3xf64, #CSR>) -> tensor<3x3xf64, #CSR>
  return %r : tensor<3x3xf64, #CSR>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %d = arith.constant dense<[[1.0, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0, 3.0, 4.0]]> : tensor<3x3xf64>
  %s = sparse_tensor.convert %d : tensor<3x3xf64> to tensor<3x3xf64, #CSR>
  %y = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %r = call @f(%s, %y) : (tensor<3x3xf64, #CSR>, tensor<3xf64>) -> tensor<3xf64>
  %v = vector.transfer_read %r[%c0], %z : tensor<3xf64>, vector<3xf64>
  vector.print %v : vector<3xf64>
  %q = call @f(%s, %r) : (tensor<3x3xf64, #CSR>, tensor<3xf64>) -> tensor<3xf64>
  %w = vector.transfer_read %q[%c0], %z : tensor<3xf64>, vector<3xf64>
  vector.print %w : vector<3xf64>
  %t = call @g(%s) : (tensor<3x3xf64, #CSR>) -> tensor<3x3xf64, #CSR>
  sparse_tensor.print %t : tensor<3x3xf64, #CSR>
  sparse_tensor.print %s : tensor<3x3xf64, #CSR>
  return
}
