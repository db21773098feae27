// A sparse tensor that is only allocated had no kernel in a program compiled ahead, which then called none.
// RUN: strata compile %s -o %t && %t | FileCheck %s

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>

func.func @main() {
  // CHECK: pos {{.*}} 0 0 0 0
  %A = tensor.empty() : tensor<3x4xf64, #CSR>
  sparse_tensor.print %A : tensor<3x4xf64, #CSR>
  return
}
