// REQUIRES: mlir-runner
// Element types, scalars and numbers from around a statement, two results, and sizes 0.
//
// RUN: strata-opt %s --sparsifier | %runner | FileCheck %s

// CHECK: ( 2, 0, 6, 8 )
// CHECK: crd[0] : ( 0, 2, 3 )
// CHECK-NEXT: values : ( 10, 36, 52 )
// CHECK: 5.5
// CHECK-NEXT: 2
// CHECK-NEXT: 124
// CHECK-NEXT: 1
// CHECK-NEXT: 13
// CHECK: nse = 0
// CHECK-NEXT: dim = ( 0, 5 )
// CHECK-NEXT: lvl = ( 0, 5 )
// CHECK-NEXT: pos[1] : ( 0 )
// CHECK-NEXT: crd[1] : ( )
// CHECK-NEXT: values : ( )

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
#id = affine_map<(i) -> (i)>
#two = {indexing_maps = [#id, affine_map<(i) -> ()>, #id, #id], iterator_types = ["parallel"]}
func.func @both(%v: tensor<?xf64, #SV>, %s: f64, %k: index) -> (tensor<?xf64>, tensor<?xf64, #SV>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : tensor<?xf64, #SV>
  %d = tensor.empty(%n) : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64, #SV>
  %r:2 = linalg.generic #two ins(%v, %s : tensor<?xf64, #SV>, f64) outs(%d, %e : tensor<?xf64>, tensor<?xf64, #SV>) {
    ^bb0(%a: f64, %t: f64, %o: f64, %p: f64):
      %m = arith.mulf %a, %t : f64
      %i = linalg.index 0 : index
      %ki = arith.addi %i, %k : index
      %ii = arith.index_cast %ki : index to i64
      %f = arith.sitofp %ii : i64 to f64
      %q = arith.mulf %a, %f : f64
      linalg.yield %m, %q : f64, f64
  } -> (tensor<?xf64>, tensor<?xf64, #SV>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64, #SV>
}
#sum = {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
func.func @c32(%v: tensor<4xcomplex<f32>, #SV>, %s: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %r = linalg.generic #sum ins(%v : tensor<4xcomplex<f32>, #SV>) outs(%s : tensor<complex<f32>>) {
    ^bb0(%a: complex<f32>, %c: complex<f32>):
      %0 = complex.add %c, %a : complex<f32>
      linalg.yield %0 : complex<f32>
  } -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}
func.func @i8(%v: tensor<4xi8, #SV>, %s: tensor<i8>) -> tensor<i8> {
  %r = linalg.generic #sum ins(%v : tensor<4xi8, #SV>) outs(%s : tensor<i8>) {
    ^bb0(%a: i8, %c: i8):
      %0 = arith.addi %c, %a : i8
      linalg.yield %0 : i8
  } -> tensor<i8>
  return %r : tensor<i8>
}
func.func @i1(%v: tensor<4xi1, #SV>, %s: tensor<i1>) -> tensor<i1> {
  %r = linalg.generic #sum ins(%v : tensor<4xi1, #SV>) outs(%s : tensor<i1>) {
    ^bb0(%a: i1, %c: i1):
      %0 = arith.ori %c, %a : i1
      linalg.yield %0 : i1
  } -> tensor<i1>
  return %r : tensor<i1>
}
func.func @idx(%v: tensor<4xindex, #SV>, %s: tensor<index>) -> tensor<index> {
  %r = linalg.generic #sum ins(%v : tensor<4xindex, #SV>) outs(%s : tensor<index>) {
    ^bb0(%a: index, %c: index):
      %0 = arith.addi %c, %a : index
      linalg.yield %0 : index
  } -> tensor<index>
  return %r : tensor<index>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f64
  %s = arith.constant 2.0 : f64
  %k = arith.constant 10 : index
  %d = arith.constant dense<[1.0, 0.0, 3.0, 4.0]> : tensor<4xf64>
  %v = sparse_tensor.convert %d : tensor<4xf64> to tensor<4xf64, #SV>
  %vd = tensor.cast %v : tensor<4xf64, #SV> to tensor<?xf64, #SV>
  %r:2 = call @both(%vd, %s, %k) : (tensor<?xf64, #SV>, f64, index) -> (tensor<?xf64>, tensor<?xf64, #SV>)
  %x = vector.transfer_read %r#0[%c0], %z : tensor<?xf64>, vector<4xf64>
  vector.print %x : vector<4xf64>
  sparse_tensor.print %r#1 : tensor<?xf64, #SV>
  %cd = arith.constant dense<[(1.0, 2.0), (0.0, 0.0), (3.0, -1.0), (0.5, 0.0)]> : tensor<4xcomplex<f32>>
  %cv = sparse_tensor.convert %cd : tensor<4xcomplex<f32>> to tensor<4xcomplex<f32>, #SV>
  %c1 = arith.constant dense<(1.0, 1.0)> : tensor<complex<f32>>
  %cs = call @c32(%cv, %c1) : (tensor<4xcomplex<f32>, #SV>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %ce = tensor.extract %cs[] : tensor<complex<f32>>
  %re = complex.re %ce : complex<f32>
  %im = complex.im %ce : complex<f32>
  vector.print %re : f32
  vector.print %im : f32
  %id = arith.constant dense<[100, 0, 20, 3]> : tensor<4xi8>
  %iv = sparse_tensor.convert %id : tensor<4xi8> to tensor<4xi8, #SV>
  %i1 = arith.constant dense<1> : tensor<i8>
  %is = call @i8(%iv, %i1) : (tensor<4xi8, #SV>, tensor<i8>) -> tensor<i8>
  %ie = tensor.extract %is[] : tensor<i8>
  vector.print %ie : i8
  %bd = arith.constant dense<[0, 0, 1, 0]> : tensor<4xi1>
  %bv = sparse_tensor.convert %bd : tensor<4xi1> to tensor<4xi1, #SV>
  %b1 = arith.constant dense<0> : tensor<i1>
  %bs = call @i1(%bv, %b1) : (tensor<4xi1, #SV>, tensor<i1>) -> tensor<i1>
  %be = tensor.extract %bs[] : tensor<i1>
  vector.print %be : i1
  %xd = arith.constant dense<[5, 0, 7, 0]> : tensor<4xindex>
  %xv = sparse_tensor.convert %xd : tensor<4xindex> to tensor<4xindex, #SV>
  %x1 = arith.constant dense<1> : tensor<index>
  %xs = call @idx(%xv, %x1) : (tensor<4xindex, #SV>, tensor<index>) -> tensor<index>
  %xe = tensor.extract %xs[] : tensor<index>
  vector.print %xe : index
  // Nothing is in it.
  %ed = tensor.empty() : tensor<0x5xf64, #CSR>
  %ec = sparse_tensor.convert %ed : tensor<0x5xf64, #CSR> to tensor<0x5xf64>
  %es = sparse_tensor.convert %ec : tensor<0x5xf64> to tensor<0x5xf64, #CSR>
  sparse_tensor.print %es : tensor<0x5xf64, #CSR>
  %ev = arith.constant dense<1.0> : tensor<5xf64>
  %ee = tensor.empty() : tensor<0xf64>
  %er = linalg.matvec ins(%es, %ev : tensor<0x5xf64, #CSR>, tensor<5xf64>) outs(%ee : tensor<0xf64>) -> tensor<0xf64>
  bufferization.dealloc_tensor %er : tensor<0xf64>
  bufferization.dealloc_tensor %es : tensor<0x5xf64, #CSR>
  return
}
