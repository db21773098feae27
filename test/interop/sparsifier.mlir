// REQUIRES: mlir-runner
// Functions on sparse tensors run by upstream's runner: products, sums, reductions, conversions, in
// several formats and widths. Each value was computed by hand; the options change none.
//
// RUN: strata-opt %s --sparsifier | %runner | FileCheck %s
// RUN: strata-opt %s --sparsifier="enable-runtime-library=false" | %runner | FileCheck %s
// RUN: strata-opt %s --sparsifier="enable-runtime-library=false enable-buffer-initialization=true vl=4 reassociate-fp-reductions=true enable-index-optimizations=true parallelization-strategy=any-storage-any-loop" | %runner | FileCheck %s

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
#CSR8 = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 16, crdWidth = 8
}>
#CSC32 = #sparse_tensor.encoding<{
  map = (i, j) -> (j : dense, i : compressed), posWidth = 32, crdWidth = 32
}>
#DCSR = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed, j : compressed)}>
#CDR = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed, j : dense)}>
#COO = #sparse_tensor.encoding<{
  map = (i, j) -> (i : compressed(nonunique), j : singleton)
}>
#SOA = #sparse_tensor.encoding<{
  map = (i, j) -> (i : compressed(nonunique), j : singleton(soa))
}>
#LOOSE = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : loose_compressed)}>
#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)
}>
#ONES = #sparse_tensor.encoding<{
  map = (i, j) -> (i : dense, j : compressed), explicitVal = 1.0 : f64, implicitVal = 0.0 : f64
}>

#product = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
#zip = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                   affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}
#all = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
  iterator_types = ["reduction", "reduction"]
}

func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic #product ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>)
                               outs(%y : tensor<?xf64>) {
    ^bb0(%a: f64, %b: f64, %c: f64):
      %0 = arith.mulf %a, %b : f64
      %1 = arith.addf %c, %0 : f64
      linalg.yield %1 : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func @spmv8(%A: tensor<4x6xf64, #CSR8>, %x: tensor<6xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<4xf64>
  %y = linalg.fill ins(%zero : f64) outs(%empty : tensor<4xf64>) -> tensor<4xf64>
  %r = linalg.matvec ins(%A, %x : tensor<4x6xf64, #CSR8>, tensor<6xf64>)
                     outs(%y : tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// C(i, j) = A(i, j) + B(i, j), the program of 001, section 5.1: rows that are stored, or not.
func.func @add(%A: tensor<?x?xf64, #CDR>, %B: tensor<?x?xf64, #CDR>) -> tensor<?x?xf64, #CDR> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf64, #CDR>
  %n = tensor.dim %A, %c1 : tensor<?x?xf64, #CDR>
  %C = tensor.empty(%m, %n) : tensor<?x?xf64, #CDR>
  %r = linalg.generic #zip ins(%A, %B : tensor<?x?xf64, #CDR>, tensor<?x?xf64, #CDR>)
                           outs(%C : tensor<?x?xf64, #CDR>) {
    ^bb0(%a: f64, %b: f64, %c: f64):
      %0 = arith.addf %a, %b : f64
      linalg.yield %0 : f64
  } -> tensor<?x?xf64, #CDR>
  return %r : tensor<?x?xf64, #CDR>
}

func.func @matmul(%A: tensor<4x6xf64, #CSR>, %B: tensor<6x4xf64, #CSC32>) -> tensor<4x4xf64, #DCSR> {
  %C = tensor.empty() : tensor<4x4xf64, #DCSR>
  %r = linalg.matmul ins(%A, %B : tensor<4x6xf64, #CSR>, tensor<6x4xf64, #CSC32>)
                     outs(%C : tensor<4x4xf64, #DCSR>) -> tensor<4x4xf64, #DCSR>
  return %r : tensor<4x4xf64, #DCSR>
}

func.func @sum(%A: tensor<4x6xf64, #ONES>, %s: tensor<f64>) -> tensor<f64> {
  %r = linalg.generic #all ins(%A : tensor<4x6xf64, #ONES>) outs(%s : tensor<f64>) {
    ^bb0(%a: f64, %c: f64):
      %0 = arith.addf %c, %a : f64
      linalg.yield %0 : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}

func.func @print4(%v: tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %read = vector.transfer_read %v[%c0], %zero : tensor<?xf64>, vector<4xf64>
  vector.print %read : vector<4xf64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %M = arith.constant dense<[[1.0, 0.0, 2.0, 0.0, 0.0, 0.0],
                             [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                             [0.0, 3.0, 0.0, 0.0, 0.0, 4.0],
                             [5.0, 0.0, 0.0, 6.0, 0.0, 0.0]]> : tensor<4x6xf64>
  %x = arith.constant dense<[1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0]> : tensor<6xf64>

  %A = sparse_tensor.convert %M : tensor<4x6xf64> to tensor<4x6xf64, #CSR>
  %Ad = tensor.cast %A : tensor<4x6xf64, #CSR> to tensor<?x?xf64, #CSR>
  %xd = tensor.cast %x : tensor<6xf64> to tensor<?xf64>

  // Three times the product, added up in one buffer by a loop.
  // CHECK: ( 603, 0, 1.20009e+06, 18015 )
  %c4 = arith.constant 4 : index
  %empty = tensor.empty(%c4) : tensor<?xf64>
  %y0 = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%y1 = %y0) -> tensor<?xf64> {
    %y2 = func.call @spmv(%Ad, %xd, %y1)
        : (tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y2 : tensor<?xf64>
  }
  call @print4(%y) : (tensor<?xf64>) -> ()

  // Narrow positions and coordinates.
  // CHECK-NEXT: ( 201, 0, 400030, 6005 )
  // CHECK-NEXT: nse = 6
  // CHECK:      pos[1] : ( 0, 2, 2, 4, 6 )
  // CHECK-NEXT: crd[1] : ( 0, 2, 1, 5, 0, 3 )
  // CHECK-NEXT: values : ( 1, 2, 3, 4, 5, 6 )
  %A8 = sparse_tensor.convert %A : tensor<4x6xf64, #CSR> to tensor<4x6xf64, #CSR8>
  %z = call @spmv8(%A8, %x) : (tensor<4x6xf64, #CSR8>, tensor<6xf64>) -> tensor<4xf64>
  %zd = tensor.cast %z : tensor<4xf64> to tensor<?xf64>
  call @print4(%zd) : (tensor<?xf64>) -> ()
  %count = sparse_tensor.number_of_entries %A8 : tensor<4x6xf64, #CSR8>
  vector.print str "nse = "
  vector.print %count : index
  sparse_tensor.print %A8 : tensor<4x6xf64, #CSR8>

  // CHECK:      lvl = ( 4, 6 )
  // CHECK-NEXT: pos[0] : ( 0, 3 )
  // CHECK-NEXT: crd[0] : ( 0, 2, 3 )
  // CHECK-NEXT: values : ( 2, 0, 4, 0, 0, 0, 0, 6, 0, 0, 0, 8, 10, 0, 0, 12, 0, 0 )
  %R = sparse_tensor.convert %A : tensor<4x6xf64, #CSR> to tensor<4x6xf64, #CDR>
  %Rd = tensor.cast %R : tensor<4x6xf64, #CDR> to tensor<?x?xf64, #CDR>
  %S = call @add(%Rd, %Rd)
      : (tensor<?x?xf64, #CDR>, tensor<?x?xf64, #CDR>) -> tensor<?x?xf64, #CDR>
  sparse_tensor.print %S : tensor<?x?xf64, #CDR>

  // The product with the transpose.
  // CHECK:      pos[0] : ( 0, 3 )
  // CHECK-NEXT: crd[0] : ( 0, 2, 3 )
  // CHECK-NEXT: pos[1] : ( 0, 2, 3, 5 )
  // CHECK-NEXT: crd[1] : ( 0, 3, 2, 0, 3 )
  // CHECK-NEXT: values : ( 5, 5, 25, 5, 61 )
  %MT = arith.constant dense<[[1.0, 0.0, 0.0, 5.0], [0.0, 0.0, 3.0, 0.0], [2.0, 0.0, 0.0, 0.0],
                              [0.0, 0.0, 0.0, 6.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0]]>
      : tensor<6x4xf64>
  %T = sparse_tensor.convert %MT : tensor<6x4xf64> to tensor<6x4xf64, #CSC32>
  %P = call @matmul(%A, %T)
      : (tensor<4x6xf64, #CSR>, tensor<6x4xf64, #CSC32>) -> tensor<4x4xf64, #DCSR>
  sparse_tensor.print %P : tensor<4x4xf64, #DCSR>

  // Lists of entries, as structs and as arrays; room between rows; blocks.
  // CHECK:      pos[0] : ( 0, 6 )
  // CHECK-NEXT: crd[0] : ( 0, 0, 0, 2, 2, 1, 2, 5, 3, 0, 3, 3 )
  // CHECK:      crd[0] : ( 0, 0, 2, 2, 3, 3 )
  // CHECK-NEXT: crd[1] : ( 0, 2, 1, 5, 0, 3 )
  // CHECK:      pos[1] : ( 0, 2, 0, 0, 2, 4, 4, 6 )
  // CHECK:      lvl = ( 2, 3, 2, 2 )
  // CHECK-NEXT: pos[1] : ( 0, 2, 5 )
  // CHECK-NEXT: crd[1] : ( 0, 1, 0, 1, 2 )
  // CHECK-NEXT: values : ( 1, 0, 0, 0, 2, 0, 0, 0, 0, 3, 5, 0, 0, 0, 0, 6, 0, 4, 0, 0 )
  %L = sparse_tensor.convert %A : tensor<4x6xf64, #CSR> to tensor<4x6xf64, #COO>
  sparse_tensor.print %L : tensor<4x6xf64, #COO>
  %O = sparse_tensor.convert %L : tensor<4x6xf64, #COO> to tensor<4x6xf64, #SOA>
  sparse_tensor.print %O : tensor<4x6xf64, #SOA>
  %E = sparse_tensor.convert %O : tensor<4x6xf64, #SOA> to tensor<4x6xf64, #LOOSE>
  sparse_tensor.print %E : tensor<4x6xf64, #LOOSE>
  %B = sparse_tensor.convert %E : tensor<4x6xf64, #LOOSE> to tensor<4x6xf64, #BSR>
  sparse_tensor.print %B : tensor<4x6xf64, #BSR>

  // What is stored is 1, whatever the values are.
  // CHECK: 16
  %ones = sparse_tensor.convert %A : tensor<4x6xf64, #CSR> to tensor<4x6xf64, #ONES>
  %ten = arith.constant dense<10.0> : tensor<f64>
  %s = call @sum(%ones, %ten) : (tensor<4x6xf64, #ONES>, tensor<f64>) -> tensor<f64>
  %number = tensor.extract %s[] : tensor<f64>
  vector.print %number : f64

  bufferization.dealloc_tensor %y : tensor<?xf64>
  bufferization.dealloc_tensor %z : tensor<4xf64>
  bufferization.dealloc_tensor %A : tensor<4x6xf64, #CSR>
  bufferization.dealloc_tensor %A8 : tensor<4x6xf64, #CSR8>
  bufferization.dealloc_tensor %R : tensor<4x6xf64, #CDR>
  bufferization.dealloc_tensor %S : tensor<?x?xf64, #CDR>
  bufferization.dealloc_tensor %T : tensor<6x4xf64, #CSC32>
  bufferization.dealloc_tensor %P : tensor<4x4xf64, #DCSR>
  bufferization.dealloc_tensor %L : tensor<4x6xf64, #COO>
  bufferization.dealloc_tensor %O : tensor<4x6xf64, #SOA>
  bufferization.dealloc_tensor %E : tensor<4x6xf64, #LOOSE>
  bufferization.dealloc_tensor %B : tensor<4x6xf64, #BSR>
  bufferization.dealloc_tensor %ones : tensor<4x6xf64, #ONES>
  return
}
