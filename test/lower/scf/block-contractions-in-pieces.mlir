// Threads share the matrices of a batch where there are at least four for each of them; else the rows or
// the columns of each.
// RUN: strata-opt %s --strata-block-contractions=vector-bytes=32 --canonicalize --cse | FileCheck %s

// What a thread does is a function that other kernels may have, too: sizes, strides, and which values it
// takes are given. Panels are allocated once for all matrices of a thread.
// CHECK-LABEL: func private @batch.shared0
// CHECK-SAME: %[[BEGIN:[^:,]*]]: index, %[[END:[^:,]*]]: index)
// CHECK-SAME: strata.shared = "blocks of a dense contraction of f64"
// CHECK-COUNT-2: call @strata_allocate_f64
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1
// CHECK-NOT: strata_allocate
// CHECK-COUNT-2: call @strata_release_f64

// CHECK-LABEL: func @batch
// CHECK-SAME: %[[X:[^:,]*]]: index, %[[M:[^:,]*]]: index, %[[N:[^:,]*]]: index, %[[K:[^:,]*]]: index, %[[PIECES:[^:,]*]]: index)

// There are eight pieces for each thread.
// CHECK: %[[THREADS:.*]] = arith.ceildivui %[[PIECES]], %c8
// CHECK: scf.parallel (%[[THREAD:.*]]) = (%c0) to (%[[THREADS]])
// CHECK:   %[[LEAST:.*]] = arith.muli %[[THREADS]], %c4
// CHECK:   %[[FEW:.*]] = arith.cmpi slt, %[[X]], %[[LEAST]]
// CHECK:   %[[ENOUGH:.*]] = arith.cmpi eq, %[[FEW]], %false
// CHECK:   arith.muli %[[X]], %[[THREAD]]
// CHECK:   %[[FIRST:.*]] = arith.select %[[ENOUGH]], %{{.*}}, %c0
// CHECK:   %[[LAST:.*]] = arith.select %[[ENOUGH]], %{{.*}}, %[[X]]
// CHECK:   arith.andi %{{.*}}, %[[FEW]]
// CHECK:   call @batch.shared0(%{{.*}}, %[[FIRST]], %[[LAST]])
func.func @batch(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>, %x: index, %m: index, %n: index, %k: index, %pieces: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %m, %k : index
  %1 = arith.muli %k, %n : index
  %2 = arith.muli %m, %n : index
  lvl.contract %A[%c0] by(%0, %k, %c1, %c0), %B[%c0] by(%1, %c0, %n, %c1) into %C[%c0] by(%2, %n, %c0, %c1) over (batched %x, row %m, summed %k, column %n) pieces %pieces sums add of mul {nesting = array<i64: 1, 1, 0, 0>} : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// Another kernel calls the same function.
// CHECK-NOT: again.shared
// CHECK-LABEL: func @again
// CHECK: call @batch.shared0
func.func @again(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>, %x: index, %m: index, %n: index, %k: index, %pieces: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %m, %k : index
  %1 = arith.muli %k, %n : index
  %2 = arith.muli %m, %n : index
  lvl.contract %A[%c0] by(%0, %k, %c1, %c0), %B[%c0] by(%1, %c0, %n, %c1) into %C[%c0] by(%2, %n, %c0, %c1) over (batched %x, row %m, summed %k, column %n) pieces %pieces sums add of mul {nesting = array<i64: 1, 1, 0, 0>} : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}
