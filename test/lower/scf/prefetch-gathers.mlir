// Loops ask for what they will read at coordinates, if the runtime says that this pays.
// RUN: strata-opt %s --strata-prefetch-gathers --canonicalize --cse | FileCheck %s
// RUN: strata-opt %s --strata-prefetch-gathers --strata-keep-rows --strata-vectorize-loops --canonicalize --cse | FileCheck %s --check-prefix=VECTORS

// A sum ends where the next begins: it looks ahead, or does not.
// CHECK-LABEL: func @sums
// CHECK-SAME: (%[[CTX:[^:]*]]: !llvm.ptr, %{{[^:]*}}: {{[^:]*}}, %[[POS:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[VALS:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: memref<?xf64>
// CHECK-DAG: %[[COUNT:.*]] = memref.dim %[[CRD]]
// CHECK-DAG: %[[SIZE:.*]] = memref.dim %[[X]]
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[SIZE]], %c8
// CHECK: %[[AHEAD:.*]] = call @strata_lookahead_i32(%[[CTX]], %{{.*}}, %[[COUNT]], %c4, %c8, %[[BYTES]])
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[AHEAD]], %c0
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %[[AHEAD]]
// CHECK: %[[LIMIT:.*]] = arith.select %[[SOME]], %[[LAST]], %c-1
// CHECK: scf.for %{{.*}} = %c0
// CHECK:   %[[FITS:.*]] = arith.cmpi sle, %{{.*}}, %[[LIMIT]]
// CHECK:   scf.if %[[FITS]]
// CHECK:     scf.for %[[P:.*]] = %{{.*}} to %{{.*}} step %c1 iter_args
// CHECK:       %[[Q:.*]] = arith.addi %[[P]], %[[AHEAD]]
// CHECK:       %[[C:.*]] = memref.load %[[CRD]][%[[Q]]]
// CHECK:       %[[J:.*]] = arith.index_cast %[[C]]
// CHECK:       memref.prefetch %[[X]][%[[J]]]
// CHECK:   } else {
// CHECK-NOT: prefetch
// CHECK:   memref.store

// Eight lines are asked for where eight elements are read.
// VECTORS-LABEL: func @sums
// VECTORS: scf.for {{.*}} -> (vector<8xf64>)
// VECTORS-COUNT-8: memref.prefetch
// VECTORS: scf.yield
func.func @sums(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xi32>, %crd: memref<?xi32>, %vals: memref<?xf64>,
                %x: memref<?xf64>, %m: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %m step %c1 {
    %next = arith.addi %i, %c1 : index
    %b = memref.load %pos[%i] : memref<?xi32>
    %begin = arith.index_castui %b : i32 to index
    %e = memref.load %pos[%next] : memref<?xi32>
    %end = arith.index_castui %e : i32 to index
    %sum = scf.for %p = %begin to %end step %c1 iter_args(%t = %zero) -> (f64) {
      %c = memref.load %crd[%p] : memref<?xi32>
      %j = arith.index_cast %c : i32 to index
      %a = memref.load %vals[%p] : memref<?xf64>
      %v = memref.load %x[%j] : memref<?xf64>
      %av = arith.mulf %a, %v : f64
      %s = arith.addf %t, %av fastmath<reassoc> : f64
      scf.yield %s : f64
    }
    memref.store %sum, %y[%i] : memref<?xf64>
  }
  return
}

// What only stores looks ahead until the end is near. Of rows four lines are asked for; where they are
// kept in registers, those of a tile.
// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[CTX:[^:]*]]: !llvm.ptr, %[[Y:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: memref<?xf64>, %[[N:[^:]*]]: index
// CHECK: %[[STRIDE:.*]] = arith.muli %[[N]], %c8
// CHECK: %[[AHEAD:.*]] = call @strata_lookahead_i32(%[[CTX]], %{{.*}}, %{{.*}}, %c4, %[[STRIDE]], %{{.*}})
// CHECK: scf.for %{{.*}} = %[[BEGIN:.*]] to %[[MIDDLE:.*]] step
// CHECK-COUNT-4: memref.prefetch %[[X]]
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to
// CHECK-NOT: prefetch
// VECTORS-LABEL: func @rows
// VECTORS: scf.for {{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>)
// VECTORS-COUNT-4: memref.prefetch
// VECTORS-NOT: memref.prefetch
// VECTORS: scf.yield
func.func @rows(%context: !llvm.ptr, %y: memref<?xf64>, %crd: memref<?xi32>, %x: memref<?xf64>, %n: index,
                %begin: index, %end: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %row = arith.muli %j, %n : index
    scf.for %k = %c0 to %n step %c1 {
      %at = arith.addi %row, %k : index
      %v = memref.load %x[%at] : memref<?xf64>
      %old = memref.load %y[%k] : memref<?xf64>
      %new = arith.addf %old, %v fastmath<reassoc> : f64
      memref.store %new, %y[%k] : memref<?xf64>
    }
  }
  return
}

// Coordinates that the loop does not list one by one are not known ahead.
// CHECK-LABEL: func @other
// CHECK-NOT: prefetch
func.func @other(%context: !llvm.ptr, %y: memref<?xf64>, %crd: memref<?xi32>, %x: memref<?xf64>, %n: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %twice = arith.muli %p, %n : index
    %c = memref.load %crd[%twice] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %y[%p] : memref<?xf64>
  }
  return
}
