// What a row of blocks adds to stays in scalars while its blocks are walked.
// RUN: strata-opt %s --strata-keep-blocks --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @spmv(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]*]]: index, %[[END:[a-z0-9]*]]: index, %[[ROW:[a-z0-9]*]]: index,
// CHECK-DAG:   %[[A:.*]] = memref.alloca() : memref<f64>
// CHECK-DAG:   %[[B:.*]] = memref.alloca() : memref<f64>
// CHECK:       %[[SOME:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]]
// CHECK:       scf.if %[[SOME]] {
// CHECK:         memref.load %[[Y:.*]][%[[ROW]]]
// CHECK:         %[[NEXT:.*]] = arith.addi %[[ROW]], %c1
// CHECK:         memref.load %[[Y]][%[[NEXT]]]
// CHECK:         scf.for
// CHECK-NOT:       %[[Y]]
// CHECK:           memref.load %{{.*}}[] : memref<f64>
// CHECK:           memref.store %{{.*}}[] : memref<f64>
// CHECK:           memref.load %{{.*}}[] : memref<f64>
// CHECK:           memref.store %{{.*}}[] : memref<f64>
// CHECK:         }
// CHECK-DAG:     memref.store %{{.*}}, %[[Y]][%[[ROW]]]
// CHECK-DAG:     memref.store %{{.*}}, %[[Y]][%[[NEXT]]]
func.func @spmv(%begin: index, %end: index, %row: index, %vals: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %p = %begin to %end step %c1 {
    %first = arith.muli %p, %c2 : index
    scf.for %r = %c0 to %c2 step %c1 {
      %at = arith.addi %first, %r : index
      %i = arith.addi %row, %r : index
      %a = memref.load %vals[%at] : memref<?xf64>
      %old = memref.load %y[%i] : memref<?xf64>
      %new = arith.addf %old, %a : f64
      memref.store %new, %y[%i] : memref<?xf64>
    }
  }
  return
}

// What is known before a loop is asked before it.
// CHECK-LABEL: func.func @asked(
// CHECK-SAME:    %[[WHOLE:.*]]: i1
// CHECK:       scf.if %[[WHOLE]] {
// CHECK-NEXT:    scf.for
// CHECK-NOT:     scf.if
// CHECK:       } else {
// CHECK-NEXT:    scf.for
func.func @asked(%whole: i1, %n: index, %x: f64, %z: f64, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    scf.if %whole {
      memref.store %x, %y[%p] : memref<?xf64>
    } else {
      memref.store %z, %y[%p] : memref<?xf64>
    }
  }
  return
}

// Not every step reaches the place: it may not be there.
// CHECK-LABEL: func.func @seldom(
// CHECK-NOT:     memref.alloca
func.func @seldom(%whole: memref<?xi1>, %n: index, %row: index, %x: f64, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %p = %c0 to %n step %c1 {
    %here = memref.load %whole[%p] : memref<?xi1>
    scf.if %here {
      scf.for %r = %c0 to %c2 step %c1 {
        %i = arith.addi %row, %r : index
        memref.store %x, %y[%i] : memref<?xf64>
      }
    }
  }
  return
}
