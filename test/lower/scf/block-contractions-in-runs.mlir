// Columns of several labels are cut where the values of the last one end, so that each tile is stored
// in one piece; those of A are transposed by squares.
// RUN: strata-opt %s --strata-block-contractions="vector-bytes=64 vector-registers=32 first-cache=32768 second-cache=1048576" --canonicalize --cse | FileCheck %s

// C[a, j, b] = sum(k, A[k, b, a] * B[j, k]).
// CHECK-LABEL: func @turns
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr, %[[C:[^:]*]]: memref<?xf64>, %[[A:[^:]*]]: memref<?xf64>
// Panels have one run each where few products are lost by that.
// CHECK: arith.muli %{{.*}}, %c12
// CHECK: %[[INRUNS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}}
// CHECK: arith.select %[[INRUNS]]
// How many columns each panel has comes from a table.
// CHECK: call @strata_allocate_i64
// CHECK: call @strata_allocate_i64
// CHECK: %[[WIDTHS:.*]] = {{(func\.)?}}call @strata_allocate_i64
// CHECK: %[[WIDE:.*]] = memref.reinterpret_cast %[[WIDTHS]]
// CHECK: memref.store %{{.*}}, %[[WIDE]]

// Eight values of a take turns: lines of A are read as a whole, and transposed.
// CHECK: scf.if %[[INRUNS]] {
// CHECK:   memref.load %[[WIDE]]
// CHECK:   memref.prefetch %[[A]]{{.*}} read, locality<2>
// CHECK-COUNT-8: vector.maskedload %[[A]]
// CHECK:   vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK-COUNT-8: vector.store

// The last vector of a run is stored under a mask; the lines of the result are asked for before.
// CHECK: memref.prefetch %[[C]]
// CHECK: %{{.*}}:24 = scf.for
// CHECK: %[[ONE:.*]] = arith.cmpi sle
// CHECK: scf.if %[[ONE]] {
// CHECK:   vector.create_mask
// CHECK:   vector.store %{{.*}}, %[[C]]
// CHECK:   vector.maskedstore %[[C]]
func.func @turns(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>, %a: index, %j: index, %b: index, %k: index, %all: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %a, %b : index
  %1 = arith.muli %j, %b : index
  lvl.contract %B[%c0] by(%c1, %c0, %k, %c0), %A[%c0] by(%0, %c1, %c0, %a) into %C[%c0] by(%c0, %1, %b, %c1) over (summed %k, column %a, row %j, column %b) sums add of mul {nesting = array<i64: 0, 2, 1, 0>, overwrites} : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// C[i, x, j, k] = sum(p, A[j, p, i] * B[p, k, x]) has rows i, j. Where many columns read what is
// packed of A, rows are in the order of the result, j after i, and packed one by one.
// CHECK-LABEL: func @in_order
// CHECK: %[[EACH:.*]] = arith.muli %{{.*}}, %c48
// CHECK: %[[LEAST:.*]] = arith.minsi %[[EACH]], %c1024
// CHECK: %[[MANY:.*]] = arith.cmpi slt, %[[LEAST]], %{{.*}}
// CHECK: %[[SHALLOW:.*]] = arith.cmpi slt, %{{.*}}, %c128
// CHECK: %[[INORDER:.*]] = arith.andi %[[MANY]], %[[SHALLOW]]
// CHECK: scf.if %[[INORDER]] {
func.func @in_order(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>, %i: index, %x: index, %j: index, %k: index, %p: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %x, %k : index
  %1 = arith.muli %x, %j : index
  %2 = arith.muli %1, %k : index
  %3 = arith.muli %p, %i : index
  %4 = arith.muli %j, %k : index
  lvl.contract %A[%c0] by(%c1, %i, %3, %c0, %c0), %B[%c0] by(%c0, %0, %c0, %c1, %x) into %C[%c0] by(%2, %c0, %k, %4, %c1) over (row %i, summed %p, row %j, column %x, column %k) sums add of mul {nesting = array<i64: 3, 0, 1, 2, 0>} : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}
