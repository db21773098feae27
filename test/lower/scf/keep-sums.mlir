// The sum of a place is carried while entries that lead there follow each other, and stored by each.
// RUN: strata-opt %s --strata-keep-sums | FileCheck %s

// CHECK-LABEL: func @list
// CHECK: %[[Y:.*]] = memref.reinterpret_cast
// CHECK: scf.for {{.*}} {
// CHECK:   memref.store %[[FILL:.*]], %[[Y]]
// CHECK: scf.parallel
// CHECK:   scf.for %[[P:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %c-1, %[[SUM:.*]] = %[[FILL]]) -> (index, f64)
// CHECK:     %[[I:.*]] = arith.index_cast %{{.*}} {strata.ascends}
// CHECK:     %[[PRODUCT:.*]] = arith.mulf
// CHECK:     %[[SAME:.*]] = arith.cmpi eq, %[[I]], %[[BEFORE]] : index
// CHECK:     %[[T:.*]] = arith.select %[[SAME]], %[[SUM]], %[[FILL]] : f64
// CHECK:     %[[NEXT:.*]] = arith.addf %[[T]], %[[PRODUCT]]
// CHECK:     memref.store %[[NEXT]], %[[Y]][%[[I]]]
// CHECK:     scf.yield %[[I]], %[[NEXT]] : index, f64
func.func private @strata_allocate_f64(!llvm.ptr, index, index) -> memref<1xf64>
func.func private @strata_publish_f64(!llvm.ptr, memref<1xf64>)
func.func @list(%context: !llvm.ptr, %rows: memref<?xi32>, %columns: memref<?xi32>, %values: memref<?xf64>, %x: memref<?xf64>, %m: index,
                %n: index, %pieces: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %all = func.call @strata_allocate_f64(%context, %m, %c8) : (!llvm.ptr, index, index) -> memref<1xf64>
  %y = memref.reinterpret_cast %all to offset: [0], sizes: [%m], strides: [1] : memref<1xf64> to memref<?xf64>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  scf.parallel (%piece) = (%c0) to (%pieces) step (%c1) {
    scf.for %p = %c0 to %n step %c1 {
      %r = memref.load %rows[%p] : memref<?xi32>
      %i = arith.index_cast %r {strata.ascends} : i32 to index
      %c = memref.load %columns[%p] : memref<?xi32>
      %j = arith.index_cast %c : i32 to index
      %a = memref.load %values[%p] : memref<?xf64>
      %b = memref.load %x[%j] : memref<?xf64>
      %ab = arith.mulf %a, %b : f64
      %old = memref.load %y[%i] : memref<?xf64>
      %new = arith.addf %old, %ab : f64
      memref.store %new, %y[%i] : memref<?xf64>
    }
    scf.reduce
  }
  func.call @strata_publish_f64(%context, %all) : (!llvm.ptr, memref<1xf64>) -> ()
  return
}

// A result that holds something before, or whose coordinates are in any order, is loaded each time.
// CHECK-LABEL: func @added
// CHECK-NOT: iter_args
func.func @added(%context: !llvm.ptr, %rows: memref<?xi32>, %values: memref<?xf64>, %y: memref<?xf64>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %r = memref.load %rows[%p] : memref<?xi32>
    %i = arith.index_cast %r {strata.ascends} : i32 to index
    %a = memref.load %values[%p] : memref<?xf64>
    %old = memref.load %y[%i] : memref<?xf64>
    %new = arith.addf %old, %a : f64
    memref.store %new, %y[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func @any_order
// CHECK-NOT: iter_args
func.func @any_order(%context: !llvm.ptr, %columns: memref<?xi32>, %values: memref<?xf64>, %m: index, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %all = func.call @strata_allocate_f64(%context, %m, %c8) : (!llvm.ptr, index, index) -> memref<1xf64>
  %y = memref.reinterpret_cast %all to offset: [0], sizes: [%m], strides: [1] : memref<1xf64> to memref<?xf64>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  scf.for %p = %c0 to %n step %c1 {
    %c = memref.load %columns[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %a = memref.load %values[%p] : memref<?xf64>
    %old = memref.load %y[%j] : memref<?xf64>
    %new = arith.addf %old, %a : f64
    memref.store %new, %y[%j] : memref<?xf64>
  }
  return
}
