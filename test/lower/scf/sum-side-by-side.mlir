// Sums of the same length are made four at a time.
// RUN: strata-opt %s --strata-sum-side-by-side | FileCheck %s

// The row of c is loaded once for four rows of d, whose sums are added across together; what is done
// with each sum follows in order. The steps that are left make one sum each, by vectors.
// CHECK-LABEL: func @sddmm
// CHECK-SAME: (%[[C:[^:]*]]: {{[^:]*}}, %[[D:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[Y:[^:]*]]: {{[^:]*}}, %[[R:[^:]*]]: index, %[[N:[^:]*]]: index, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index)
// CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %c-4
// CHECK: %[[MIDDLE:.*]] = arith.addi %[[BEGIN]], %[[WHOLE]]
// CHECK: %[[AT:.*]] = scf.for %[[P:.*]] = %[[BEGIN]] to %[[MIDDLE]] step %c4{{.*}} iter_args(%[[BEFORE:.*]] = %c0{{.*}}) -> (index) {
// CHECK-COUNT-4: memref.load %[[CRD]]
// CHECK: %[[VECTORS:.*]]:4 = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c8
// CHECK:   vector.load %[[C]]
// CHECK-NOT: vector.load %[[C]]
// CHECK-COUNT-4: vector.load %[[D]]
// CHECK: scf.if %{{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>) {
// CHECK:   %[[MASK:.*]] = vector.create_mask
// CHECK:   vector.maskedload %[[C]]
// CHECK:   arith.select %[[MASK]]
// CHECK: vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK: vector.shuffle {{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
// CHECK: vector.shuffle {{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK: vector.shuffle {{.*}} [2, 3, 10, 11, 6, 7, 14, 15]
// CHECK: %[[FIRST:.*]] = vector.extract %[[ALL:.*]][0]
// CHECK: vector.extract %[[ALL]][3]
// CHECK: memref.store %[[FIRST]], %[[Y]][%[[BEFORE]]]
// CHECK-COUNT-3: memref.store %{{.*}}, %[[Y]]
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to %[[END]] step %c1 iter_args(%{{.*}} = %[[AT]]) -> (index) {
// CHECK:   vector.shuffle
// CHECK:   vector.extract %{{.*}}[0]
// CHECK: } {llvm.loop_annotation =
func.func @sddmm(%c: memref<?xf64>, %d: memref<?xf64>, %crd: memref<?xi32>, %y: memref<?xf64>,
                 %r: index, %n: index, %begin: index, %end: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %count = scf.for %p = %begin to %end step %c1 iter_args(%at = %c0) -> index {
    %j = memref.load %crd[%p] : memref<?xi32>
    %col = arith.index_cast %j : i32 to index
    %s = arith.muli %col, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
      %left = arith.addi %r, %k : index
      %right = arith.addi %s, %k : index
      %u = memref.load %c[%left] : memref<?xf64>
      %v = memref.load %d[%right] : memref<?xf64>
      %m = arith.mulf %u, %v : f64
      %next = arith.addf %t, %m fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    memref.store %sum, %y[%at] : memref<?xf64>
    %after = arith.addi %at, %c1 : index
    scf.yield %after : index
  }
  return %count : index
}

// Not where lengths differ, where a step stores what later terms read, where the order of a sum is
// fixed, and where places follow from the steps before.
// CHECK-LABEL: func @others
// CHECK-NOT: vector
func.func @others(%c: memref<?xf64>, %y: memref<?xf64>, %pos: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %p = %c0 to %n step %c1 {
    %length = memref.load %pos[%p] : memref<?xindex>
    %sum = scf.for %k = %c0 to %length step %c1 iter_args(%t = %zero) -> f64 {
      %v = memref.load %c[%k] : memref<?xf64>
      %next = arith.addf %t, %v fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    memref.store %sum, %y[%p] : memref<?xf64>
  }
  scf.for %p = %c0 to %n step %c1 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
      %v = memref.load %c[%k] : memref<?xf64>
      %next = arith.addf %t, %v fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    memref.store %sum, %c[%p] : memref<?xf64>
  }
  scf.for %p = %c0 to %n step %c1 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
      %v = memref.load %c[%k] : memref<?xf64>
      %next = arith.addf %t, %v : f64
      scf.yield %next : f64
    }
    memref.store %sum, %y[%p] : memref<?xf64>
  }
  %last = scf.for %p = %c0 to %n step %c1 iter_args(%at = %c0) -> index {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
      %from = arith.addi %at, %k : index
      %v = memref.load %c[%from] : memref<?xf64>
      %next = arith.addf %t, %v fastmath<reassoc> : f64
      scf.yield %next : f64
    }
    memref.store %sum, %y[%p] : memref<?xf64>
    %after = memref.load %pos[%at] : memref<?xindex>
    scf.yield %after : index
  }
  return
}
