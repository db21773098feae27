// Contractions of other numbers than real ones, over other semirings, and among other terms.
// RUN: strata-opt %s --strata-block-contractions=vector-bytes=32 --canonicalize --cse | FileCheck %s

// Of complex numbers the real parts are kept in one vector and the imaginary ones in another: a tile
// of 6 rows and a vector of 4 columns is 12 registers. What is loaded from B is parted on its way into
// a panel; the sums are joined before they are added to what is there.
// CHECK-LABEL: func @complex
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<?xcomplex<f64>> to memref<?xf64>
// CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<?xf64>, vector<8xf64>
// CHECK: vector.shuffle %[[B]], %[[B]] [0, 2, 4, 6] : vector<8xf64>, vector<8xf64>
// CHECK: vector.shuffle %[[B]], %[[B]] [1, 3, 5, 7] : vector<8xf64>, vector<8xf64>
// CHECK: %[[SUMS:.*]]:12 = scf.for
// CHECK-COUNT-2: vector.load {{.*}} : memref<?xf64>, vector<4xf64>
// CHECK:         arith.mulf {{.*}} : vector<4xf64>
// CHECK:         arith.subf {{.*}} : vector<4xf64>
// CHECK:         scf.yield
// CHECK:       vector.interleave %[[SUMS]]#0, %[[SUMS]]#1 : vector<4xf64> -> vector<8xf64>
func.func @complex(%context: !llvm.ptr, %C: memref<?xcomplex<f64>>, %A: memref<?xcomplex<f64>>, %B: memref<?xcomplex<f64>>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lvl.contract %A[%c0] by(%n, %c1, %c0), %B[%c0] by(%c0, %n, %c1) into %C[%c0] by(%n, %c0, %c1) over (row %n, summed %n, column %n) sums add of mul {nesting = array<i64: 1, 0, 0>} : memref<?xcomplex<f64>>, memref<?xcomplex<f64>>, memref<?xcomplex<f64>>
  return
}

// Shortest paths: tiles begin with infinity, to which the result has been set.
// CHECK-LABEL: func @shortest
// CHECK: %[[INFINITY:.*]] = arith.constant dense<0x7F800000> : vector<8xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[INFINITY]],
// CHECK:   arith.addf {{.*}} : vector<8xf32>
// CHECK:   arith.minimumf {{.*}} : vector<8xf32>
// CHECK: vector.load %{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK: arith.minimumf {{.*}} : vector<8xf32>
func.func @shortest(%context: !llvm.ptr, %C: memref<?xf32>, %A: memref<?xf32>, %B: memref<?xf32>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lvl.contract %A[%c0] by(%n, %c1, %c0), %B[%c0] by(%c0, %n, %c1) into %C[%c0] by(%n, %c0, %c1) over (row %n, summed %n, column %n) sums min of add {nesting = array<i64: 1, 0, 0>} : memref<?xf32>, memref<?xf32>, memref<?xf32>
  return
}

// The left operand takes the factor and the sign of sums that are subtracted.
// CHECK-LABEL: func @difference
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr, %[[C:[^:]*]]: memref<?xi64>, %[[D:[^:]*]]: memref<?xi64>
// CHECK:   arith.muli {{.*}}, %c2_i64
// CHECK:   arith.subi %c0_i64
// CHECK:   scf.for {{.*}} iter_args
// CHECK:     arith.muli {{.*}} : vector<4xi64>
// CHECK:     arith.addi {{.*}} : vector<4xi64>
// CHECK:   vector.load %[[C]]
func.func @difference(%context: !llvm.ptr, %C: memref<?xi64>, %D: memref<?xi64>, %A: memref<?xi64>, %B: memref<?xi64>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2_i64 = arith.constant 2 : i64
  lvl.contract %A[%c0] by(%n, %c0, %c1), %B[%c0] by(%c0, %c1, %n) into %C[%c0] by(%n, %c1, %c0) over (row %n, column %n, summed %n) sums add of mul scaled(%c2_i64 : i64) {negates, nesting = array<i64: 1, 0, 0>} : memref<?xi64>, memref<?xi64>, memref<?xi64>
  return
}
