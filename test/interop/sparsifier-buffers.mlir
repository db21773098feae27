// REQUIRES: mlir-runner
// Programs that look at buffers, write entries one by one, read files, and cut slices, around
// statements that kernels compute.
//
// RUN: split-file %s %t
// RUN: strata-opt %t/m.mlir --sparsifier | env TENSOR0=%t/a.mtx %runner | FileCheck %t/m.mlir
// RUN: strata-opt %t/m.mlir --sparsifier="enable-runtime-library=false create-sparse-deallocs=false" | env TENSOR0=%t/a.mtx %runner | FileCheck %t/m.mlir

//--- a.mtx
%%MatrixMarket matrix coordinate real general
3 4 4
3 1 4.0
1 2 1.0
2 4 3.0
1 3 2.0

//--- m.mlir
#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
#CSC = #sparse_tensor.encoding<{map = (i, j) -> (j : dense, i : compressed)}>
#Part = #sparse_tensor.encoding<{
  map = (i : #sparse_tensor<slice(1, 2, 1)>, j : #sparse_tensor<slice(0, 3, 1)>)
        -> (i : dense, j : compressed)
}>
#Open = #sparse_tensor.encoding<{
  map = (i : #sparse_tensor<slice(?, 2, ?)>, j : #sparse_tensor<slice(?, 3, ?)>)
        -> (i : dense, j : compressed)
}>
#square = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
  iterator_types = ["parallel", "parallel"]
}

func.func private @getTensorFilename(index) -> !llvm.ptr

func.func @squares(%A: tensor<3x4xf64, #CSC>) -> tensor<3x4xf64, #CSR> {
  %empty = tensor.empty() : tensor<3x4xf64, #CSR>
  %r = linalg.generic #square ins(%A : tensor<3x4xf64, #CSC>) outs(%empty : tensor<3x4xf64, #CSR>) {
    ^bb0(%a: f64, %c: f64):
      %0 = arith.mulf %a, %a : f64
      linalg.yield %0 : f64
  } -> tensor<3x4xf64, #CSR>
  return %r : tensor<3x4xf64, #CSR>
}

// Of whichever slice it is given.
func.func @rows(%A: tensor<2x3xf64, #Open>) -> tensor<2xf64> {
  %zero = arith.constant 0.0 : f64
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %empty = tensor.empty() : tensor<2xf64>
  %y = linalg.fill ins(%zero : f64) outs(%empty : tensor<2xf64>) -> tensor<2xf64>
  %r = linalg.matvec ins(%A, %ones : tensor<2x3xf64, #Open>, tensor<3xf64>)
                     outs(%y : tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

func.func @print2(%v: tensor<2xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %read = vector.transfer_read %v[%c0], %zero : tensor<2xf64>, vector<2xf64>
  vector.print %read : vector<2xf64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64

  // A file, whose entries are in no order.
  // CHECK: pos[1] : ( 0, 1, 2, 3, 4 )
  // CHECK-NEXT: crd[1] : ( 2, 0, 0, 1 )
  // CHECK-NEXT: values : ( 4, 1, 2, 3 )
  %name = call @getTensorFilename(%c0) : (index) -> !llvm.ptr
  %F = sparse_tensor.new %name : !llvm.ptr to tensor<3x4xf64, #CSC>
  sparse_tensor.print %F : tensor<3x4xf64, #CSC>

  // Its squares, seen as buffers.
  // CHECK: ( 1, 4, 9, 16 )
  %S = call @squares(%F) : (tensor<3x4xf64, #CSC>) -> tensor<3x4xf64, #CSR>
  %values = sparse_tensor.values %S : tensor<3x4xf64, #CSR> to memref<?xf64>
  %four = vector.transfer_read %values[%c0], %zero : memref<?xf64>, vector<4xf64>
  vector.print %four : vector<4xf64>

  // Their sum, entry by entry.
  // CHECK-NEXT: 30
  %sum = sparse_tensor.foreach in %S init(%zero) : tensor<3x4xf64, #CSR>, f64 -> f64 do {
    ^bb0(%i: index, %j: index, %value: f64, %before: f64):
      %more = arith.addf %before, %value : f64
      sparse_tensor.yield %more : f64
  }
  vector.print %sum : f64

  // A tensor that is assembled from buffers, and one that is written to.
  // CHECK-NEXT: ( 1, 0 )
  // CHECK: crd[1] : ( 1, 0, 3 )
  // CHECK-NEXT: values : ( 25, 49, 64 )
  %pos = arith.constant dense<[0, 1, 3, 3]> : tensor<4xindex>
  %crd = arith.constant dense<[1, 0, 3]> : tensor<3xindex>
  %val = arith.constant dense<[5.0, 7.0, 8.0]> : tensor<3xf64>
  %G = sparse_tensor.assemble (%pos, %crd), %val
      : (tensor<4xindex>, tensor<3xindex>), tensor<3xf64> to tensor<3x4xf64, #CSR>
  %H = sparse_tensor.convert %G : tensor<3x4xf64, #CSR> to tensor<3x4xf64, #CSC>
  %E = tensor.empty() : tensor<3x4xf64, #CSR>
  %E1 = tensor.insert %sum into %E[%c1, %c2] : tensor<3x4xf64, #CSR>
  %written = sparse_tensor.load %E1 hasInserts : tensor<3x4xf64, #CSR>
  %part = tensor.extract_slice %written[1, 0] [2, 3] [1, 1]
      : tensor<3x4xf64, #CSR> to tensor<2x3xf64, #Part>
  %dense = sparse_tensor.convert %part : tensor<2x3xf64, #Part> to tensor<2x3xf64>
  %thirty = tensor.extract %dense[%c0, %c2] : tensor<2x3xf64>
  %one = arith.divf %thirty, %sum : f64
  %two = tensor.from_elements %one, %zero : tensor<2xf64>
  call @print2(%two) : (tensor<2xf64>) -> ()
  %Q = call @squares(%H) : (tensor<3x4xf64, #CSC>) -> tensor<3x4xf64, #CSR>
  sparse_tensor.print %Q : tensor<3x4xf64, #CSR>

  // Slices whose places are known when they are cut alone.
  // CHECK: ( 25, 49 )
  // CHECK-NEXT: ( 49, 0 )
  %upper = tensor.extract_slice %Q[%c0, %c0] [2, 3] [%c1, %c1]
      : tensor<3x4xf64, #CSR> to tensor<2x3xf64, #Open>
  %a = call @rows(%upper) : (tensor<2x3xf64, #Open>) -> tensor<2xf64>
  call @print2(%a) : (tensor<2xf64>) -> ()
  %lower = tensor.extract_slice %Q[%c1, %c0] [2, 3] [%c1, %c1]
      : tensor<3x4xf64, #CSR> to tensor<2x3xf64, #Open>
  %b = call @rows(%lower) : (tensor<2x3xf64, #Open>) -> tensor<2xf64>
  call @print2(%b) : (tensor<2xf64>) -> ()
  return
}
