// Two loops through a dense block are one; small copies are vectors.
// RUN: strata-opt %s --strata-flatten-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func @scaled
// CHECK-SAME: (%[[X:[^:]*]]: {{[^:]*}}, %[[Y:[^:]*]]: {{[^:]*}}, %[[FROM:[^:]*]]: index, %[[TO:[^:]*]]: index)
// CHECK-DAG:  %[[ALL:.*]] = arith.constant 32 : index
// CHECK-DAG:  %[[BEGIN:.*]] = arith.muli %[[FROM]], %{{.*}} : index
// CHECK-DAG:  %[[END:.*]] = arith.muli %[[TO]], %{{.*}} : index
// CHECK:      scf.for %[[P:.*]] = %{{.*}} to %[[ALL]] step
// CHECK-DAG:    %[[LOADED:.*]] = arith.addi %[[BEGIN]], %[[P]] : index
// CHECK-DAG:    %[[STORED:.*]] = arith.addi %[[END]], %[[P]] : index
// CHECK:        memref.load %[[X]][%[[LOADED]]]
// CHECK:        memref.store %{{.*}}, %[[Y]][%[[STORED]]]
// CHECK-NOT:  scf.for
func.func @scaled(%x: memref<?xf64>, %y: memref<?xf64>, %from: index, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %r = arith.addi %from, %i : index
    %row = arith.muli %r, %c8 : index
    %s = arith.addi %i, %to : index
    %line = arith.muli %c8, %s : index
    scf.for %j = %c0 to %c8 step %c1 {
      %p = arith.addi %row, %j : index
      %q = arith.addi %j, %line : index
      %value = memref.load %x[%p] : memref<?xf64>
      %twice = arith.mulf %value, %two : f64
      memref.store %twice, %y[%q] : memref<?xf64>
    }
  }
  return
}

// So are three.
// CHECK-LABEL: func @cube
// CHECK-DAG:  %[[ALL:.*]] = arith.constant 64 : index
// CHECK:      scf.for %{{.*}} = %{{.*}} to %[[ALL]] step
// CHECK-NOT:  scf.for
func.func @cube(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %plane = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %r = arith.addi %plane, %j : index
      %row = arith.muli %r, %c4 : index
      scf.for %k = %c0 to %c4 step %c1 {
        %p = arith.addi %row, %k : index
        memref.store %zero, %x[%p] : memref<?xf64>
      }
    }
  }
  return
}

// A small copy is vectors, one after the other.
// CHECK-LABEL: func @copied
// CHECK-SAME: (%[[X:[^:]*]]: {{[^:]*}}, %[[Y:[^:]*]]: {{[^:]*}}, %[[FROM:[^:]*]]: index)
// CHECK-DAG:  %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK-DAG:  %[[BEGIN:.*]] = arith.muli %[[FROM]], %{{.*}} : index
// CHECK:      %[[FIRST:.*]] = vector.load %[[X]][%[[BEGIN]]] : memref<?xf64>, vector<8xf64>
// CHECK:      vector.store %[[FIRST]], %[[Y]][%{{.*}}] : memref<?xf64>, vector<8xf64>
// CHECK:      %[[NEXT:.*]] = arith.addi %[[BEGIN]], %[[EIGHT]] : index
// CHECK:      vector.load %[[X]][%[[NEXT]]] : memref<?xf64>, vector<8xf64>
// CHECK-NOT:  scf.for
func.func @copied(%x: memref<?xf64>, %y: memref<?xf64>, %from: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %r = arith.addi %from, %i : index
    %row = arith.muli %r, %c4 : index
    %line = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.addi %row, %j : index
      %q = arith.addi %line, %j : index
      %value = memref.load %x[%p] : memref<?xf64>
      memref.store %value, %y[%q] : memref<?xf64>
    }
  }
  return
}

// Not where rows have another length, one of the indices is used otherwise, or a loop is marked.
// CHECK-LABEL: func @window
// CHECK-COUNT-2: scf.for
// CHECK-LABEL: func @transposed
// CHECK-COUNT-2: scf.for
// CHECK-LABEL: func @marked
// CHECK-COUNT-2: scf.for
func.func @window(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c8 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.addi %row, %j : index
      memref.store %zero, %x[%p] : memref<?xf64>
    }
  }
  return
}
func.func @transposed(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.addi %row, %j : index
      %column = arith.muli %j, %c4 : index
      %q = arith.addi %column, %i : index
      %value = memref.load %x[%p] : memref<?xf64>
      memref.store %value, %y[%q] : memref<?xf64>
    }
  }
  return
}
func.func @marked(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.addi %row, %j : index
      memref.store %zero, %x[%p] : memref<?xf64>
    } {loop_annotation = #llvm.loop_annotation<unroll = <count = 2 : i32>>}
  }
  return
}
