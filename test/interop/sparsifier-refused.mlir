// What no kernel computes is refused at its place, and the module stays unlowered.
//
// RUN: not strata-opt %s --sparsifier --split-input-file 2>&1 | FileCheck %s

#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
#sum = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]
}

func.func @bits(%v: tensor<?xi32, #SV>, %s: tensor<i32>) -> tensor<i32> {
  // CHECK: sparsifier-refused.mlir:[[#@LINE+1]]:8: error: 'linalg.generic' cannot be imported: a reduction combines what was there with terms by +, *, min, max, or by and, or, xor of i1
  %r = linalg.generic #sum ins(%v : tensor<?xi32, #SV>) outs(%s : tensor<i32>) {
    ^bb0(%a: i32, %c: i32):
      %0 = arith.ori %c, %a : i32
      linalg.yield %0 : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

// -----

#Batch = #sparse_tensor.encoding<{map = (b, i) -> (b : batch, i : compressed)}>
#SM = #sparse_tensor.encoding<{map = (b, i) -> (b : dense, i : compressed)}>

func.func @batch(%A: tensor<2x8xf64, #Batch>) -> tensor<2x8xf64, #SM> {
  // CHECK: sparsifier-refused.mlir:[[#@LINE+1]]:8: error: 'sparse_tensor.convert' op has no kernel: batches of sparse tensors have none
  %r = sparse_tensor.convert %A : tensor<2x8xf64, #Batch> to tensor<2x8xf64, #SM>
  return %r : tensor<2x8xf64, #SM>
}

// -----

#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
#same = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
}

func.func @half(%v: tensor<?xf64, #SV>, %r: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic #same ins(%v : tensor<?xf64, #SV>) outs(%r : tensor<?xf64>) {
    ^bb0(%a: f64, %c: f64):
      // CHECK: sparsifier-refused.mlir:[[#@LINE+1]]:12: error: 'math.roundeven' cannot be imported: ta has no such element operation
      %1 = math.roundeven %a : f64
      linalg.yield %1 : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
