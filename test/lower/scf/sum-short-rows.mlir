// Short rows are added up block by block, or one by one, as the runtime finds best.
// RUN: strata-opt %s --strata-sum-short-rows | FileCheck %s
// RUN: strata-opt %s --strata-sum-short-rows=masks | FileCheck %s --check-prefix=MASK
// RUN: strata-opt %s --strata-sum-short-rows='gathers masks' | FileCheck %s --check-prefix=GATHER

// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[CTX:[^:]*]]: !llvm.ptr, %[[Y:[^:]*]]: {{[^:]*}}, %[[POS:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[VALS:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: memref<?xf64>, %[[M:[^:]*]]: index)
// CHECK-DAG: memref.alloca() {alignment = 64 : i64} : memref<1024xf64>
// CHECK-NOT: memref<128xf64>
// CHECK: %[[WAY:.*]] = call @strata_short_rows_i32(%[[CTX]]
// CHECK: %[[SINGLE:.*]] = arith.cmpi eq, %[[WAY]], %c1
// CHECK: %[[UNEVEN:.*]] = arith.cmpi eq, %[[WAY]], %c2
// CHECK: %[[PLAIN:.*]] = arith.cmpi eq, %[[WAY]], %c3
// CHECK: %[[STEP:.*]] = arith.select %[[UNEVEN]], %c128
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[M]] step %[[STEP]]
// CHECK:   %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %c1024
// CHECK:   %[[FITS:.*]] = arith.andi %[[UNEVEN]], %[[FEW]]
// CHECK:   scf.if %[[FITS]]
// The terms, by vectors, and the last ones of all one by one.
// CHECK:     %[[END:.*]] = memref.load %[[POS]][%[[M]]]
// CHECK:     %[[ALL:.*]] = arith.index_castui %[[END]]
// CHECK:     %[[MOST:.*]] = arith.subi %[[ALL]], %[[FIRST:.*]] : index
// CHECK:     %[[MORE:.*]] = arith.addi %{{.*}}, %c7
// CHECK:     %[[WANTED:.*]] = arith.minsi %[[MORE]], %[[MOST]]
// CHECK:     %[[WHOLE:.*]] = arith.andi %[[WANTED]], %c-8
// CHECK:     %[[MIDDLE:.*]] = arith.addi %[[FIRST]], %[[WHOLE]]
// CHECK:     scf.for %{{.*}} = %[[FIRST]] to %[[MIDDLE]]
// CHECK-COUNT-8: memref.load %[[X]]
// CHECK:       vector.store
// CHECK:     scf.for %{{.*}} = %[[MIDDLE]] to
// CHECK:       memref.load %[[X]]
// The sums, where they belong.
// CHECK:     %[[SUMS:.*]] = memref.reinterpret_cast %[[Y]]
// CHECK:     call @strata_add_rows_i32(%{{.*}}, %{{.*}}, %[[BEGIN:[^,]*]], %{{.*}}, %c4{{[^,]*}}, %[[SUMS]], %[[BEGIN]])
// CHECK:   } else {
// CHECK:     scf.if %[[SINGLE]]
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:         } {llvm.loop_annotation =
// CHECK:     } else {
// CHECK:       scf.for
// CHECK:         %[[FEW:.*]] = arith.cmpi ult, %{{.*}}, %c24
// CHECK:         %[[APART:.*]] = arith.andi %[[PLAIN]], %[[FEW]]
// CHECK:         %[[SUM:.*]] = scf.if %[[APART]] -> (f64) {
// CHECK:           scf.for
// CHECK:           } {llvm.loop_annotation =
// CHECK:         } else {
// CHECK:           scf.for
// CHECK-NOT:       llvm.loop_annotation
// CHECK:         memref.store %[[SUM]], %[[Y]]
// CHECK:       } {llvm.loop_annotation =

// In one loop by vectors that end under masks.
// MASK-LABEL: func @rows
// MASK: %[[WAY:.*]] = call @strata_short_rows_i32
// MASK: %[[PLAIN:.*]] = arith.cmpi eq, %[[WAY]], %c3
// MASK: call @strata_add_rows_i32
// MASK:         scf.if %[[PLAIN]] -> (f64) {
// MASK:           scf.for {{.*}} -> (vector<8xf64>)
// MASK:             %[[M:.*]] = vector.create_mask
// MASK:             vector.gather {{.*}}, %[[M]]
// MASK:           vector.reduction <add>
// MASK:         } else {
// MASK:           scf.for
// MASK-NOT:       llvm.loop_annotation
// MASK:         memref.store

// Where elements are gathered in any case, all rows will end under masks.
// GATHER-LABEL: func @rows
// GATHER: call @strata_short_rows_i32
// GATHER: call @strata_add_rows_i32
// GATHER:     } else {
// GATHER:     } else {
// GATHER:       scf.for
// GATHER-NEXT:    arith.addi
// GATHER-NOT:   scf.if
// GATHER:         scf.for
// GATHER-NOT:     llvm.loop_annotation
// GATHER:         memref.store
func.func @rows(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xi32>, %crd: memref<?xi32>, %vals: memref<?xf64>,
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

// Sums of which more is made are kept block by block.
// CHECK-LABEL: func @twice
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr, %[[Y:[^:]*]]: memref<?xf64>
// CHECK-DAG: memref.alloca() {alignment = 64 : i64} : memref<1024xf64>
// CHECK-DAG: memref.alloca() {alignment = 64 : i64} : memref<128xf64>
// CHECK:     call @strata_add_rows_i32(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c4{{[^,]*}}, %{{.*}}, %c0
// CHECK:     scf.for
// CHECK:       %[[TWICE:.*]] = arith.addf
// CHECK:       memref.store %[[TWICE]], %[[Y]]
func.func @twice(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xi32>, %crd: memref<?xi32>, %x: memref<?xf64>,
                 %m: index) attributes {strata.kernel} {
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
      %v = memref.load %x[%j] : memref<?xf64>
      %s = arith.addf %t, %v fastmath<reassoc> : f64
      scf.yield %s : f64
    }
    %twice = arith.addf %sum, %sum : f64
    memref.store %twice, %y[%i] : memref<?xf64>
  }
  return
}

// Not where rows are stored that terms read.
// CHECK-LABEL: func @reads_what_it_stores
// CHECK-NOT: short_rows
func.func @reads_what_it_stores(%context: !llvm.ptr, %pos: memref<?xi32>, %crd: memref<?xi32>, %x: memref<?xf64>,
                                %m: index) attributes {strata.kernel} {
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
      %v = memref.load %x[%j] : memref<?xf64>
      %s = arith.addf %t, %v fastmath<reassoc> : f64
      scf.yield %s : f64
    }
    memref.store %sum, %x[%i] : memref<?xf64>
  }
  return
}
