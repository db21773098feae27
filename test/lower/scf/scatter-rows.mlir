// Rows to which entries lead are added to in tiles of vectors.
// RUN: strata-opt %s --strata-scatter-rows | FileCheck %s

// A list of entries: a row is stored where another one begins.
// CHECK-LABEL: func @list
// CHECK-SAME: (%[[Y:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[ROWS:[^:]*]]: {{[^:]*}}, %[[COLUMNS:[^:]*]]: {{[^:]*}}, %[[VALS:[^:]*]]: {{[^:]*}}, %[[END:[^:]*]]: index, %[[N:[^:]*]]: index)
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[N]], %c256
// CHECK: scf.if %[[FITS]] {
// CHECK:   %[[SOME:.*]] = arith.cmpi slt, %c0, %[[END]]
// CHECK:   scf.if %[[SOME]] {
// CHECK:     scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c32
// CHECK:       memref.load %[[ROWS]][%c0]
// CHECK:       %[[FIRST:.*]] = arith.muli
// CHECK-COUNT-4: vector.load %[[Y]]
// CHECK:       %[[LAST:.*]]:5 = scf.for %[[P:.*]] = %c0 to %[[END]] step %c1 iter_args(%[[R:[^ ]*]] = %[[FIRST]], %[[T:[^ ]*]] = %{{.*}}) -> (index, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>)
// CHECK:         memref.load %[[ROWS]][%[[P]]]
// CHECK:         %[[ROW:.*]] = arith.muli
// CHECK:         %[[OTHER:.*]] = arith.cmpi ne, %[[ROW]], %[[R]]
// CHECK:         %[[OWN:.*]]:4 = scf.if %[[OTHER]]
// CHECK:           %[[AT:.*]] = arith.addi %[[R]],
// CHECK:           vector.store %[[T]], %[[Y]][%[[AT]]]
// CHECK-COUNT-3:   vector.store
// CHECK:           %[[AT:.*]] = arith.addi %[[ROW]],
// CHECK:           vector.load %[[Y]][%[[AT]]]
// CHECK-COUNT-3:   vector.load %[[Y]]
// CHECK:         } else {
// CHECK:           scf.yield %[[T]],
// CHECK:         memref.load %[[VALS]][%[[P]]]
// CHECK:         vector.load %[[X]]
// CHECK:         arith.addf %[[OWN]]#0
// CHECK-NOT:     memref.load
// CHECK:         scf.yield %[[ROW]],
// CHECK:       } {llvm.loop_annotation =
// CHECK:       %[[AT:.*]] = arith.addi %[[LAST]]#0,
// CHECK:       vector.store %[[LAST]]#1, %[[Y]][%[[AT]]]
// CHECK-COUNT-3: vector.store

// Two vectors, one, and a part of one.
// CHECK:     arith.andi %[[N]], %c16
// CHECK:       scf.for {{.*}} -> (index, vector<8xf64>, vector<8xf64>)
// CHECK:     arith.andi %[[N]], %c8
// CHECK:       scf.for {{.*}} -> (index, vector<8xf64>)
// CHECK:     arith.andi %[[N]], %c7
// CHECK:       %[[MASK:.*]] = vector.create_mask
// CHECK:       scf.for {{.*}} -> (index, vector<8xf64>)
// CHECK:         vector.maskedload %[[X]][%{{.*}}], %[[MASK]]
// CHECK:       vector.maskedstore %[[Y]][%{{.*}}], %[[MASK]]

// Long rows stay as they were.
// CHECK: } else {
// CHECK:   scf.for %{{.*}} = %c0 to %[[END]] step %c1 {
// CHECK:     scf.for %{{.*}} = %c0 to %[[N]] step %c1 {
func.func @list(%y: memref<?xf64>, %x: memref<?xf64>, %rows: memref<?xi32>, %columns: memref<?xi32>,
                %vals: memref<?xf64>, %end: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %r = memref.load %rows[%p] : memref<?xi32>
    %i = arith.index_cast %r : i32 to index
    %to = arith.muli %i, %n : index
    %c = memref.load %columns[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %from = arith.muli %j, %n : index
    scf.for %k = %c0 to %n step %c1 {
      %at = arith.addi %from, %k : index
      %there = arith.addi %to, %k : index
      %a = memref.load %vals[%p] : memref<?xf64>
      %b = memref.load %x[%at] : memref<?xf64>
      %m = arith.mulf %a, %b : f64
      %old = memref.load %y[%there] : memref<?xf64>
      %new = arith.addf %old, %m fastmath<reassoc> : f64
      memref.store %new, %y[%there] : memref<?xf64>
    }
  }
  return
}

// A column: the row of x is read before.
// CHECK-LABEL: func @column
// CHECK-SAME: (%[[Y:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[VALS:[^:]*]]: {{[^:]*}}, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %[[FROM:[^:]*]]: index, %[[N:[^:]*]]: index)
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[N]], %c64
// CHECK:     scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c32
// CHECK:       %[[AT:.*]] = arith.addi %[[FROM]],
// CHECK:       %[[B:.*]] = vector.load %[[X]][%[[AT]]]
// CHECK-COUNT-3: vector.load %[[X]]
// CHECK:       scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK:         memref.load %[[CRD]][%[[P]]]
// CHECK-COUNT-4: vector.load %[[Y]]
// CHECK:         arith.mulf %{{.*}}, %[[B]] : vector<8xf64>
// CHECK-NOT:     vector.load
// CHECK-COUNT-4: vector.store
// CHECK:       } {llvm.loop_annotation =
func.func @column(%y: memref<?xf64>, %x: memref<?xf64>, %crd: memref<?xi32>, %vals: memref<?xf64>,
                  %begin: index, %end: index, %from: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    %r = memref.load %crd[%p] : memref<?xi32>
    %i = arith.index_cast %r : i32 to index
    %to = arith.muli %i, %n : index
    scf.for %k = %c0 to %n step %c1 {
      %at = arith.addi %from, %k : index
      %there = arith.addi %to, %k : index
      %a = memref.load %vals[%p] : memref<?xf64>
      %b = memref.load %x[%at] : memref<?xf64>
      %m = arith.mulf %a, %b : f64
      %old = memref.load %y[%there] : memref<?xf64>
      %new = arith.addf %old, %m fastmath<reassoc> : f64
      memref.store %new, %y[%there] : memref<?xf64>
    }
  }
  return
}

// Not where rows may overlap: tile by tile, terms would be added up in another order.
// CHECK-LABEL: func @overlapping
// CHECK-NOT: vector
func.func @overlapping(%y: memref<?xf64>, %x: memref<?xf64>, %crd: memref<?xi32>, %end: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %r = memref.load %crd[%p] : memref<?xi32>
    %to = arith.index_cast %r : i32 to index
    scf.for %k = %c0 to %n step %c1 {
      %there = arith.addi %to, %k : index
      %b = memref.load %x[%k] : memref<?xf64>
      %old = memref.load %y[%there] : memref<?xf64>
      %new = arith.addf %old, %b fastmath<reassoc> : f64
      memref.store %new, %y[%there] : memref<?xf64>
    }
  }
  return
}

// Not where it reads what it stores to in another way, nor where it asks for lines.
// CHECK-LABEL: func @reads_what_it_stores
// CHECK-NOT: vector
// CHECK-LABEL: func @asks
// CHECK-NOT: vector
func.func @reads_what_it_stores(%y: memref<?xf64>, %crd: memref<?xi32>, %end: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %r = memref.load %crd[%p] : memref<?xi32>
    %i = arith.index_cast %r : i32 to index
    %to = arith.muli %i, %n : index
    scf.for %k = %c0 to %n step %c1 {
      %there = arith.addi %to, %k : index
      %b = memref.load %y[%k] : memref<?xf64>
      %old = memref.load %y[%there] : memref<?xf64>
      %new = arith.addf %old, %b fastmath<reassoc> : f64
      memref.store %new, %y[%there] : memref<?xf64>
    }
  }
  return
}
func.func @asks(%y: memref<?xf64>, %x: memref<?xf64>, %crd: memref<?xi32>, %end: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %r = memref.load %crd[%p] : memref<?xi32>
    %i = arith.index_cast %r : i32 to index
    %to = arith.muli %i, %n : index
    memref.prefetch %x[%to], read, locality<3>, data : memref<?xf64>
    scf.for %k = %c0 to %n step %c1 {
      %there = arith.addi %to, %k : index
      %b = memref.load %x[%k] : memref<?xf64>
      %old = memref.load %y[%there] : memref<?xf64>
      %new = arith.addf %old, %b fastmath<reassoc> : f64
      memref.store %new, %y[%there] : memref<?xf64>
    }
  }
  return
}
