// The places of entries to come are prefetched, if a chain of loads leads there.
// RUN: strata-opt %s --strata-prefetch-scatter | FileCheck %s

// CHECK-LABEL: func.func @scatter(
// CHECK-SAME:    %[[CRD:.*]]: memref<?xindex>, %[[NEXT:.*]]: memref<?xindex>, %[[OUT:.*]]: memref<?xf64>
// CHECK:       scf.for %[[P:.*]] =
// CHECK:         %[[FAR:.*]] = arith.addi %[[P]],
// CHECK:         %[[LAST:.*]] = arith.subi %{{.*}}
// CHECK:         %[[P2:.*]] = arith.minui %[[FAR]], %[[LAST]]
// CHECK:         %[[C2:.*]] = memref.load %[[CRD]][%[[P2]]]
// CHECK:         %[[C3:.*]] = arith.minui %[[C2]],
// CHECK:         %[[AT2:.*]] = memref.load %[[NEXT]][%[[C3]]]
// CHECK:         memref.prefetch %[[OUT]][%[[AT2]]], write, locality<3>, data
// CHECK:         %[[C:.*]] = memref.load %[[CRD]][%[[P]]]
// CHECK:         %[[AT:.*]] = memref.load %[[NEXT]][%[[C]]]
// CHECK:         memref.store %{{.*}}, %[[NEXT]][%[[C]]]
// CHECK:         memref.store %{{.*}}, %[[OUT]][%[[AT]]]
func.func @scatter(%crd: memref<?xindex>, %next: memref<?xindex>, %out: memref<?xf64>,
                   %begin: index, %end: index, %x: f64) {
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    %c = memref.load %crd[%p] : memref<?xindex>
    %at = memref.load %next[%c] : memref<?xindex>
    %after = arith.addi %at, %c1 : index
    memref.store %after, %next[%c] : memref<?xindex>
    memref.store %x, %out[%at] : memref<?xf64>
  }
  return
}

// One load only: processors begin such loads ahead by themselves.
// CHECK-LABEL: func.func @scatterByCoordinate(
// CHECK-NOT:     memref.prefetch
func.func @scatterByCoordinate(%crd: memref<?xindex>, %out: memref<?xf64>, %end: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %c = memref.load %crd[%p] : memref<?xindex>
    memref.store %x, %out[%c] : memref<?xf64>
  }
  return
}

// What the loop carries cannot be known ahead.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT:     memref.prefetch
func.func @carried(%crd: memref<?xindex>, %next: memref<?xindex>, %out: memref<?xf64>,
                   %end: index, %x: f64) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %p = %c0 to %end step %c1 iter_args(%at = %c0) -> index {
    %c = memref.load %crd[%at] : memref<?xindex>
    %n = memref.load %next[%c] : memref<?xindex>
    memref.store %x, %out[%n] : memref<?xf64>
    scf.yield %n : index
  }
  return %r : index
}
