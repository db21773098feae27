// REQUIRES: mlir-runner
// A statement that fails when it runs says why, at its place, and ends the process.
//
// RUN: strata-opt %s --sparsifier | not %runner 2>&1 | FileCheck %s

#Narrow = #sparse_tensor.encoding<{map = (i) -> (i : compressed), crdWidth = 8}>

func.func @main() {
  %c299 = arith.constant 299 : index
  %one = arith.constant 1.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<300xf64>
  %d = tensor.insert %one into %zeros[%c299] : tensor<300xf64>
  // CHECK: error: sparsifier-fails.mlir:[[#@LINE+1]]:8: coordinates up to 299 do not fit the 8 bits that the result has for them
  %s = sparse_tensor.convert %d : tensor<300xf64> to tensor<300xf64, #Narrow>
  %n = sparse_tensor.number_of_entries %s : tensor<300xf64, #Narrow>
  // CHECK-NOT: {{^}}1
  vector.print %n : index
  return
}
