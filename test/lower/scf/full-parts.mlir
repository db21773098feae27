// Loops inside each other over parts of labels have a copy for full parts.
// RUN: strata-opt %s --strata-full-parts | FileCheck %s

// CHECK-LABEL: func @two
// CHECK-SAME: (%{{[^:]*}}: {{[^:]*}}, %[[N:[^:]*]]: index, %[[M:[^:]*]]: index)
// CHECK:     %[[I:.*]] = arith.minui %[[N]], %[[C8:.*]] : index
// CHECK:     %[[J:.*]] = arith.minui %[[M]], %{{.*}} : index
// CHECK:     %[[FIRST:.*]] = arith.cmpi uge, %[[N]], %[[C8]] : index
// CHECK:     %[[SECOND:.*]] = arith.cmpi uge, %[[M]], %{{.*}} : index
// CHECK:     %[[FULL:.*]] = arith.andi %[[FIRST]], %[[SECOND]] : i1
// CHECK:     scf.if %[[FULL]] {
// CHECK-DAG:   %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK-DAG:   %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:       scf.for %{{.*}} = %{{.*}} to %[[EIGHT]] step
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[FOUR]] step
// CHECK:     } else {
// CHECK:       scf.for %{{.*}} = %{{.*}} to %[[I]] step
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[J]] step
func.func @two(%x: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %rows = arith.minui %n, %c8 : index
  %columns = arith.minui %m, %c4 : index
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.muli %i, %m : index
    scf.for %j = %c0 to %columns step %c1 {
      %at = arith.addi %row, %j : index
      memref.store %zero, %x[%at] : memref<?xf64>
    }
  }
  return
}

// What the loops give is that of one of the copies; a loop between them may have any number of steps.
// CHECK-LABEL: func @sum
// CHECK:     %[[SUM:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK:       %[[OF_FULL:.*]] = scf.for
// CHECK:       scf.yield %[[OF_FULL]] : f64
// CHECK:     } else {
// CHECK:       %[[OF_OTHERS:.*]] = scf.for
// CHECK:       scf.yield %[[OF_OTHERS]] : f64
// CHECK:     return %[[SUM]] : f64
func.func @sum(%x: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %rows = arith.minui %n, %c8 : index
  %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %zero) -> f64 {
    %inner = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> f64 {
      %v = memref.load %x[%j] : memref<?xf64>
      %u = arith.addf %t, %v : f64
      scf.yield %u : f64
    }
    scf.yield %inner : f64
  }
  return %sum : f64
}

// One loop alone is no nest; what a loop around computes is not known before it.
// CHECK-LABEL: func @others
// CHECK-NOT: scf.if
// CHECK: return
func.func @others(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %values = arith.minui %n, %c8 : index
  scf.for %i = %c0 to %values step %c1 {
    memref.store %zero, %x[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %left = arith.subi %n, %i : index
    %few = arith.minui %left, %c8 : index
    scf.for %j = %c0 to %few step %c1 {
      memref.store %zero, %x[%j] : memref<?xf64>
    }
  }
  return
}

// Where a part begins is added to where the row does, before the loops.
// CHECK-LABEL: func @row
// CHECK-SAME: (%{{[^:]*}}: {{[^:]*}}, %[[ROW:[^:]*]]: index, %[[FIRST:[^:]*]]: index
// CHECK:     %[[BEGIN:.*]] = arith.addi %[[ROW]], %[[FIRST]] : index
// CHECK:     scf.if
// CHECK:       scf.for
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           %[[AT:.*]] = arith.addi %[[BEGIN]], %[[J]] : index
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[AT]]]
func.func @row(%x: memref<?xf64>, %row: index, %first: index, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %rows = arith.minui %n, %c8 : index
  %columns = arith.minui %m, %c8 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      %column = arith.addi %first, %j : index
      %at = arith.addi %row, %column : index
      memref.store %zero, %x[%at] : memref<?xf64>
    }
  }
  return
}
