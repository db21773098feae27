// Loops that store where the entries of rows lead take one step at a time where the runtime says so.
// RUN: strata-opt %s --strata-scatter-singly | FileCheck %s

// CHECK-LABEL: func @columns
// CHECK-SAME: (%[[CTX:[^:]*]]: !llvm.ptr, %[[Y:[^:]*]]: memref<?xf64>, %[[POS:[^:]*]]: memref<?xi32>
// CHECK: %[[SINGLY:.*]] = call @strata_scatters_singly_i32(%[[CTX]]
// CHECK: %[[YES:.*]] = arith.cmpi ne, %[[SINGLY]], %c0
// CHECK: scf.if %[[YES]]
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       memref.store %{{.*}}, %[[Y]]
// CHECK:     } {llvm.loop_annotation = #[[PLAIN:.*]]}
// CHECK:   } {llvm.loop_annotation = #[[PLAIN]]}
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       memref.store %{{.*}}, %[[Y]]
// CHECK-NOT: llvm.loop_annotation
func.func @columns(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xi32>, %crd: memref<?xi32>, %vals: memref<?xf64>,
                   %x: memref<?xf64>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %next = arith.addi %j, %c1 : index
    %b = memref.load %pos[%j] : memref<?xi32>
    %begin = arith.index_castui %b : i32 to index
    %e = memref.load %pos[%next] : memref<?xi32>
    %end = arith.index_castui %e : i32 to index
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %crd[%p] : memref<?xi32>
      %i = arith.index_cast %c : i32 to index
      %a = memref.load %vals[%p] : memref<?xf64>
      %v = memref.load %x[%j] : memref<?xf64>
      %t = arith.mulf %a, %v : f64
      %before = memref.load %y[%i] : memref<?xf64>
      %sum = arith.addf %before, %t : f64
      memref.store %sum, %y[%i] : memref<?xf64>
    }
  }
  return
}

// What is stored to lies one after the other: several steps are one vector.
// CHECK-LABEL: func @scaled
// CHECK-NOT: strata_scatters_singly
func.func @scaled(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xi32>, %vals: memref<?xf64>, %x: memref<?xf64>,
                  %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %next = arith.addi %j, %c1 : index
    %b = memref.load %pos[%j] : memref<?xi32>
    %begin = arith.index_castui %b : i32 to index
    %e = memref.load %pos[%next] : memref<?xi32>
    %end = arith.index_castui %e : i32 to index
    scf.for %p = %begin to %end step %c1 {
      %a = memref.load %vals[%p] : memref<?xf64>
      %v = memref.load %x[%j] : memref<?xf64>
      %t = arith.mulf %a, %v : f64
      memref.store %t, %y[%p] : memref<?xf64>
    }
  }
  return
}

// The loop is left to its schedule.
// CHECK-LABEL: func @scheduled
// CHECK-NOT: strata_scatters_singly
#twice = #llvm.loop_unroll<count = 2 : i32>
#annotation = #llvm.loop_annotation<unroll = #twice>
func.func @scheduled(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xi32>, %crd: memref<?xi32>, %n: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %j = %c0 to %n step %c1 {
    %next = arith.addi %j, %c1 : index
    %b = memref.load %pos[%j] : memref<?xi32>
    %begin = arith.index_castui %b : i32 to index
    %e = memref.load %pos[%next] : memref<?xi32>
    %end = arith.index_castui %e : i32 to index
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %crd[%p] : memref<?xi32>
      %i = arith.index_cast %c : i32 to index
      memref.store %one, %y[%i] : memref<?xf64>
    } {llvm.loop_annotation = #annotation}
  }
  return
}
