// Diagonals are walked block by block of the result, if nothing else depends on their order.
// RUN: strata-opt %s --strata-tile-diagonals | FileCheck %s

// CHECK-LABEL: func.func @spmv(
// CHECK-SAME:    %[[ROWS:[a-z0-9]*]]: index, %[[COLUMNS:[a-z0-9]*]]: index
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[SIZE:.*]] = arith.constant 2048 : index
// CHECK:       scf.for %[[BLOCK:.*]] = %[[ZERO]] to %[[ROWS]] step %[[SIZE]] {
// CHECK:         %[[END:.*]] = arith.addi %[[BLOCK]], %[[SIZE]]
// CHECK:         scf.for
// CHECK:           %[[LO:.*]] = arith.maxsi %{{.*}}, %[[ZERO]]
// CHECK:           %[[HI:.*]] = arith.minsi %[[ROWS]], %{{.*}}
// CHECK:           %[[FROM:.*]] = arith.maxsi %[[LO]], %[[BLOCK]]
// CHECK:           %[[TO:.*]] = arith.minsi %[[HI]], %[[END]]
// CHECK:           scf.for %{{.*}} = %[[FROM]] to %[[TO]]
func.func @spmv(%rows: index, %columns: index, %count: index, %crd: memref<?xindex>,
                %vals: memref<?xf64> {llvm.noalias}, %x: memref<?xf64> {llvm.noalias},
                %y: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %d = %c0 to %count step %c1 {
    %offset = memref.load %crd[%d] : memref<?xindex>
    %first = arith.subi %c0, %offset : index
    %last = arith.subi %columns, %offset : index
    %lo = arith.maxsi %first, %c0 : index
    %hi = arith.minsi %rows, %last : index
    %begin = arith.muli %d, %rows : index
    scf.for %i = %lo to %hi step %c1 {
      %p = arith.addi %begin, %i : index
      %j = arith.addi %offset, %i : index
      %a = memref.load %vals[%p] : memref<?xf64>
      %b = memref.load %x[%j] : memref<?xf64>
      %term = arith.mulf %a, %b : f64
      %old = memref.load %y[%i] : memref<?xf64>
      %new = arith.addf %old, %term : f64
      memref.store %new, %y[%i] : memref<?xf64>
    }
  }
  return
}

// One diagonal reads what another changes: their order matters.
// CHECK-LABEL: func.func @smoothed(
// CHECK-NOT:     2048
func.func @smoothed(%rows: index, %count: index, %crd: memref<?xindex>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %d = %c0 to %count step %c1 {
    %offset = memref.load %crd[%d] : memref<?xindex>
    %first = arith.subi %c0, %offset : index
    %last = arith.subi %rows, %offset : index
    %lo = arith.maxsi %first, %c0 : index
    %hi = arith.minsi %rows, %last : index
    scf.for %i = %lo to %hi step %c1 {
      %j = arith.addi %offset, %i : index
      %b = memref.load %y[%j] : memref<?xf64>
      memref.store %b, %y[%i] : memref<?xf64>
    }
  }
  return
}

// The bounds are the same for all: nothing is gained.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     2048
func.func @rows(%rows: index, %count: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %d = %c0 to %count step %c1 {
    scf.for %i = %c0 to %rows step %c1 {
      %b = memref.load %x[%i] : memref<?xf64>
      memref.store %b, %y[%i] : memref<?xf64>
    }
  }
  return
}
