// The pieces of a parallel loop as a function, and one that runs them all.
// RUN: strata-opt %s --strata-outline-pieces | FileCheck %s

// CHECK-LABEL: func.func private @kernel.piece0(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[PIECE:.*]]: index, %[[N:.*]]: index, %[[DATA:.*]]: memref<1xi32>, %[[SIZE:.*]]: index)
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[BUFFER:.*]] = memref.reinterpret_cast %[[DATA]] to offset: [0], sizes: [%[[SIZE]]], strides: [1]
// CHECK:         %[[AT:.*]] = arith.addi %[[PIECE]], %[[N]]
// CHECK:         memref.store %[[C1]], %[[BUFFER]][%[[AT]]]
// CHECK:         return
// CHECK:       func.func private @kernel.piece0.all(!llvm.ptr, index, index, memref<1xi32>, index) attributes {strata.pieces = @kernel.piece0}
// CHECK-LABEL: func.func @kernel(
// CHECK-NOT:     scf.parallel
// CHECK:         call @kernel.piece0.all(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
func.func @kernel(%context: !llvm.ptr, %data: memref<?xi32>, %n: index, %pieces: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.parallel (%piece) = (%c0) to (%pieces) step (%c1) {
    %at = arith.addi %piece, %n : index
    memref.store %one, %data[%at] : memref<?xi32>
    scf.reduce
  }
  return
}

// What overlaps nothing else in the kernel overlaps nothing in a piece, unless it is given twice.
// CHECK-LABEL: func.func private @alone.piece0(
// CHECK-SAME:    %{{[^:]*}}: memref<1xi32> {llvm.noalias}, %{{[^:]*}}: index, %{{[^:]*}}: memref<1xi64>, %{{[^:]*}}: index, %{{[^:]*}}: memref<1xi64>, %{{[^:]*}}: index)
func.func @alone(%context: !llvm.ptr, %a: memref<1xi32> {llvm.noalias}, %b: memref<1xi64> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %long = arith.constant 1 : i64
  %view = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<1xi32> to memref<?xi32>
  %part = memref.reinterpret_cast %b to offset: [0], sizes: [%n], strides: [1] : memref<1xi64> to memref<?xi64>
  scf.parallel (%piece) = (%c0) to (%n) step (%c1) {
    memref.store %one, %view[%piece] : memref<?xi32>
    memref.store %long, %part[%piece] : memref<?xi64>
    memref.store %long, %b[%c0] : memref<1xi64>
    scf.reduce
  }
  return
}
