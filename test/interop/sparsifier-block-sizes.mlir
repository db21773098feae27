// REQUIRES: mlir-runner
// A matrix whose rows are no multiple of its blocks: its size is that of its type, or, where this leaves it open, that of whole
// blocks, which the buffers have.
//
// RUN: strata-opt %s --sparsifier | %runner | FileCheck %s
// RUN: sed 's/tensor<3x3xf64, #BSR>/tensor<?x3xf64, #BSR>/; s/convert %dense : tensor<3x3xf64>/convert %open : tensor<?x3xf64>/; s/^  %A =/  %open = tensor.cast %dense : tensor<3x3xf64> to tensor<?x3xf64>\n  %A =/' %s > %t.mlir
// RUN: strata-opt %t.mlir --sparsifier | not %runner 2>&1 | FileCheck %s --check-prefix=OPEN

#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)
}>
#product = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @spmv(%A: tensor<3x3xf64, #BSR>, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  // OPEN: error: 'i' has two sizes: 3, 4 from operand 1
  %r = linalg.generic #product ins(%A, %x : tensor<3x3xf64, #BSR>, tensor<3xf64>)
                               outs(%y : tensor<3xf64>) {
    ^bb0(%a: f64, %b: f64, %c: f64):
      %0 = arith.mulf %a, %b : f64
      %1 = arith.addf %c, %0 : f64
      linalg.yield %1 : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}

func.func @main() {
  %dense = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [4.0, 0.0, 5.0]]> : tensor<3x3xf64>
  %A = sparse_tensor.convert %dense : tensor<3x3xf64> to tensor<3x3xf64, #BSR>
  %x = arith.constant dense<1.0> : tensor<3xf64>
  %y = bufferization.alloc_tensor() copy(%x) : tensor<3xf64>
  %r = call @spmv(%A, %x, %y) : (tensor<3x3xf64, #BSR>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %last = arith.constant 2 : index
  %v = tensor.extract %r[%last] : tensor<3xf64>
  // CHECK: 10
  vector.print %v : f64
  return
}
