// The places of entries to come are prefetched, if a chain of loads leads there.
// RUN: strata-opt %s --strata-prefetch | FileCheck %s

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

// A row that a coordinate leads to: where the row of a step far ahead begins, and, for one half as
// far, what stands there; if rows are short.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[CRD:[a-z0-9]+]]: memref<?xi32>, %[[POS:[a-z0-9]+]]: memref<?xi32>, %[[CRD2:[a-z0-9]+]]: memref<?xi32>, %[[VALS:[a-z0-9]+]]: memref<?xf64>
// CHECK:       %[[ROWS:.*]] = memref.dim %[[POS]],
// CHECK:       %[[ENTRIES:.*]] = memref.dim %[[CRD2]],
// CHECK:       %[[MOST:.*]] = arith.muli %[[ROWS]],
// CHECK:       %[[SHORT:.*]] = arith.cmpi ule, %[[ENTRIES]], %[[MOST]]
// CHECK:       %[[MANY:.*]] = arith.cmpi ugt, %[[ENTRIES]], %{{.*}}
// CHECK:       %[[WORTH:.*]] = arith.andi %[[SHORT]], %[[MANY]]
// CHECK:       scf.for %[[P:.*]] =
// CHECK:         scf.if %[[WORTH]] {
// CHECK:           arith.addi %[[P]], %c32
// CHECK:           %[[FAR:.*]] = memref.load %[[CRD]]
// CHECK:           %[[FARROW:.*]] = arith.index_cast %[[FAR]]
// CHECK:           memref.prefetch %[[POS]][%[[FARROW]]], read, locality<3>, data
// CHECK:           arith.addi %[[P]], %c16
// CHECK:           memref.load %[[CRD]]
// CHECK:           %[[NEAR:.*]] = memref.load %[[POS]]
// CHECK:           %[[BEGIN:.*]] = arith.index_castui %[[NEAR]]
// CHECK:           memref.prefetch %[[CRD2]][%[[BEGIN]]], read, locality<3>, data
// CHECK:           memref.prefetch %[[VALS]][%[[BEGIN]]], read, locality<3>, data
// CHECK:         }
// CHECK:         scf.for
// CHECK-NOT:     memref.prefetch
func.func @rows(%crd: memref<?xi32>, %pos2: memref<?xi32>, %crd2: memref<?xi32>,
                %vals2: memref<?xf64>, %out: memref<?xf64>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    %c = memref.load %crd[%p] : memref<?xi32>
    %row = arith.index_cast %c : i32 to index
    %next = arith.addi %row, %c1 : index
    %b = memref.load %pos2[%row] : memref<?xi32>
    %from = arith.index_castui %b : i32 to index
    %e = memref.load %pos2[%next] : memref<?xi32>
    %to = arith.index_castui %e : i32 to index
    scf.for %q = %from to %to step %c1 {
      %k = memref.load %crd2[%q] : memref<?xi32>
      %at = arith.index_cast %k : i32 to index
      %x = memref.load %vals2[%q] : memref<?xf64>
      memref.store %x, %out[%at] : memref<?xf64>
    }
  }
  return
}

// A buffer that is made inside the loop is not there yet when a step before it asks.
// CHECK-LABEL: func @inside
// CHECK-NOT: memref.prefetch
func.func @inside(%crd: memref<?xi32>, %pos: memref<?xi32>, %x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %own = memref.alloc(%n) : memref<?xf64>
    %c = memref.load %crd[%p] : memref<?xi32>
    %row = arith.index_cast %c : i32 to index
    %q = memref.load %pos[%row] : memref<?xi32>
    %at = arith.index_cast %q : i32 to index
    memref.store %x, %own[%at] : memref<?xf64>
    memref.dealloc %own : memref<?xf64>
  }
  return
}
