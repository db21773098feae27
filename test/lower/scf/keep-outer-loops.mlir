// Loops around others are not unrolled.
// RUN: strata-opt %s --strata-keep-outer-loops | FileCheck %s

// CHECK: #[[NONE:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEPT:.*]] = #llvm.loop_annotation<unroll = #[[NONE]]>

// CHECK-LABEL: func @rows
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
// CHECK:   scf.for
// CHECK:   }
// CHECK-NOT: #[[KEPT]]
// CHECK:   memref.store
// CHECK: } {llvm.loop_annotation = #[[KEPT]]}
func.func @rows(%y: memref<?xindex>, %pos: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %end = memref.load %pos[%i] : memref<?xindex>
    %sum = scf.for %p = %c0 to %end step %c1 iter_args(%t = %c0) -> index {
      %next = arith.addi %t, %p : index
      scf.yield %next : index
    }
    memref.store %sum, %y[%i] : memref<?xindex>
  }
  return
}

// Not where a block has a known length, inside or outside, or nothing is inside.
// CHECK-LABEL: func @others
// CHECK-NOT: #[[KEPT]]
func.func @others(%y: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %j, %y[%i] : memref<?xindex>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %i, %y[%j] : memref<?xindex>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %i, %y[%i] : memref<?xindex>
  }
  return
}
