// Rows that a loop adds to are kept in vectors, in tiles.
// RUN: strata-opt %s --strata-keep-rows | FileCheck %s
// RUN: strata-opt %s --strata-keep-rows=little-code | FileCheck %s --check-prefix=LITTLE

// Little code: whole tiles, then one vector at a time, of rows of any length.
// LITTLE-LABEL: func @row
// LITTLE-NOT:  c256
// LITTLE:      scf.for %{{.*}} step %c32
// LITTLE:        scf.for {{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>)
// LITTLE:      scf.for %{{.*}} step %c8
// LITTLE:        vector.create_mask
// LITTLE:        scf.for {{.*}} -> (vector<8xf64>)
// LITTLE-NOT:  scf.for
// LITTLE:      return

// CHECK-LABEL: func @row
// CHECK-SAME: (%[[Y:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[VALS:[^:]*]]: {{[^:]*}}, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %{{[^:]*}}: index, %[[N:[^:]*]]: index)
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[N]], %c256
// CHECK: scf.if %[[FITS]] {
// CHECK:   %[[SOME:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]]
// CHECK:   scf.if %[[SOME]] {

// Four vectors: read, added to in a loop over the entries, and stored.
// CHECK:     scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c32
// CHECK:       vector.load %[[Y]][%{{.*}}] : memref<?xf64>, vector<8xf64>
// CHECK-COUNT-3: vector.load %[[Y]]
// CHECK:       %[[SUMS:.*]]:4 = scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c1 iter_args(%[[T:[^ ]*]] = %{{.*}}) -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>)
// CHECK:         %[[C:.*]] = memref.load %[[CRD]][%[[P]]]
// CHECK:         %[[J:.*]] = arith.index_cast %[[C]]
// CHECK:         %[[R:.*]] = arith.muli %[[J]], %[[N]]
// CHECK:         %[[A:.*]] = memref.load %[[VALS]][%[[P]]]
// CHECK:         %[[AT:.*]] = arith.addi %[[R]],
// CHECK:         %[[B:.*]] = vector.load %[[X]][%[[AT]]]
// CHECK:         %[[W:.*]] = vector.broadcast %[[A]] : f64 to vector<8xf64>
// CHECK:         %[[M:.*]] = arith.mulf %[[W]], %[[B]] : vector<8xf64>
// CHECK:         arith.addf %[[T]], %[[M]] fastmath<reassoc> : vector<8xf64>
// CHECK-NOT:     memref.load %[[VALS]]
// CHECK:         scf.yield
// CHECK:       vector.store %[[SUMS]]#0, %[[Y]]
// CHECK-COUNT-3: vector.store

// Two, one, and a part of one.
// CHECK:     arith.andi %[[N]], %c16
// CHECK:       scf.for {{.*}} -> (vector<8xf64>, vector<8xf64>)
// CHECK:     arith.andi %[[N]], %c8
// CHECK:       scf.for {{.*}} -> (vector<8xf64>)
// CHECK:     %[[REST:.*]] = arith.andi %[[N]], %c7
// CHECK:       %[[MASK:.*]] = vector.create_mask
// CHECK:       vector.maskedload %[[Y]][%{{.*}}], %[[MASK]]
// CHECK:       scf.for {{.*}} -> (vector<8xf64>)
// CHECK:         vector.maskedload %[[X]][%{{.*}}], %[[MASK]]
// CHECK:       vector.maskedstore %[[Y]][%{{.*}}], %[[MASK]]

// Long rows stay as they were.
// CHECK: } else {
// CHECK:   scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK:     scf.for %{{.*}} = %c0 to %[[N]] step %c1 {
func.func @row(%y: memref<?xf64>, %x: memref<?xf64>, %crd: memref<?xi32>, %vals: memref<?xf64>,
               %begin: index, %end: index, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %r = arith.muli %j, %n : index
    scf.for %k = %c0 to %n step %c1 {
      %at = arith.addi %r, %k : index
      %to = arith.addi %row, %k : index
      %a = memref.load %vals[%p] : memref<?xf64>
      %b = memref.load %x[%at] : memref<?xf64>
      %m = arith.mulf %a, %b : f64
      %old = memref.load %y[%to] : memref<?xf64>
      %new = arith.addf %old, %m fastmath<reassoc> : f64
      memref.store %new, %y[%to] : memref<?xf64>
    }
  }
  return
}

// Not where each step adds to another row, reads what it adds to, or is asked to run otherwise.
// CHECK-LABEL: func @others
// CHECK-NOT: vector
func.func @others(%y: memref<?xf64>, %x: memref<?xf64>, %rows: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %r = memref.load %rows[%p] : memref<?xindex>
    scf.for %k = %c0 to %n step %c1 {
      %to = arith.addi %r, %k : index
      %b = memref.load %x[%k] : memref<?xf64>
      %old = memref.load %y[%to] : memref<?xf64>
      %new = arith.addf %old, %b : f64
      memref.store %new, %y[%to] : memref<?xf64>
    }
  }
  scf.for %p = %c0 to %n step %c1 {
    %own = memref.load %y[%p] : memref<?xf64>
    scf.for %k = %c0 to %n step %c1 {
      %old = memref.load %y[%k] : memref<?xf64>
      %new = arith.addf %old, %own : f64
      memref.store %new, %y[%k] : memref<?xf64>
    }
  }
  scf.for %p = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %b = memref.load %x[%k] : memref<?xf64>
      %old = memref.load %y[%k] : memref<?xf64>
      %new = arith.addf %old, %b : f64
      memref.store %new, %y[%k] : memref<?xf64>
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <count = 4 : i32>>}
  }
  return
}

// A row that gets the fill just before begins with it, and is stored where there is nothing to add.
// CHECK-LABEL: func @filled
// CHECK-SAME: (%[[Y:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %{{[^:]*}}: index, %[[N:[^:]*]]: index)
// CHECK: %[[FILL:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: vector.load %[[Y]]
// CHECK: vector.broadcast %[[FILL]] : f64 to vector<8xf64>
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1
// CHECK: } else {
// CHECK:   scf.for %{{.*}} = %c0 to %[[N]] step %c1 {
// CHECK:     memref.store %[[FILL]], %[[Y]]
// CHECK:   } {strata.fill}
// CHECK:   scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1 {
func.func @filled(%y: memref<?xf64>, %x: memref<?xf64>, %begin: index, %end: index, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fill = arith.constant 0.0 : f64
  scf.for %k = %c0 to %n step %c1 {
    %to = arith.addi %row, %k : index
    memref.store %fill, %y[%to] : memref<?xf64>
  } {strata.fill}
  scf.for %p = %begin to %end step %c1 {
    %r = arith.muli %p, %n : index
    scf.for %k = %c0 to %n step %c1 {
      %at = arith.addi %r, %k : index
      %to = arith.addi %row, %k : index
      %b = memref.load %x[%at] : memref<?xf64>
      %old = memref.load %y[%to] : memref<?xf64>
      %new = arith.addf %old, %b fastmath<reassoc> : f64
      memref.store %new, %y[%to] : memref<?xf64>
    }
  }
  return
}

// Loops in a loop that add to the same row: the tile goes through both of them, and is stored once.
// CHECK-LABEL: func @fibres
// CHECK-SAME: (%[[Y:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[POS:[^:]*]]: {{[^:]*}}, %[[VALS:[^:]*]]: {{[^:]*}}, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index
// CHECK:       vector.load %[[Y]]
// CHECK:       %[[SUMS:.*]]:4 = scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c1 iter_args(%[[T:[^ ]*]] = %{{.*}}) -> (vector<8xf64>,
// CHECK:         %[[FIRST:.*]] = memref.load %[[POS]][%[[P]]] : memref<?xindex>
// CHECK:         %[[LAST:.*]] = memref.load %[[POS]]
// CHECK:         %[[ONE:.*]]:4 = scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step %c1 iter_args(%{{.*}} = %[[T]],
// CHECK-NOT:       vector.store
// CHECK:         %[[BOTH:.*]]:4 = scf.for %{{.*}} = %[[LAST]] to %[[END]] step %c1 iter_args(%{{.*}} = %[[ONE]]#0,
// CHECK:         scf.yield %[[BOTH]]#0,
// CHECK:       vector.store %[[SUMS]]#0, %[[Y]]
func.func @fibres(%y: memref<?xf64>, %x: memref<?xf64>, %pos: memref<?xindex>,
                  %vals: memref<?xf64>, %begin: index, %end: index, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    %first = memref.load %pos[%p] : memref<?xindex>
    %next = arith.addi %p, %c1 : index
    %last = memref.load %pos[%next] : memref<?xindex>
    scf.for %q = %first to %last step %c1 {
      %r = arith.muli %q, %n : index
      scf.for %k = %c0 to %n step %c1 {
        %at = arith.addi %r, %k : index
        %to = arith.addi %row, %k : index
        %a = memref.load %vals[%q] : memref<?xf64>
        %b = memref.load %x[%at] : memref<?xf64>
        %m = arith.mulf %a, %b : f64
        %old = memref.load %y[%to] : memref<?xf64>
        %new = arith.addf %old, %m fastmath<reassoc> : f64
        memref.store %new, %y[%to] : memref<?xf64>
      }
    }
    scf.for %q = %last to %end step %c1 {
      %r = arith.muli %q, %n : index
      scf.for %k = %c0 to %n step %c1 {
        %at = arith.addi %r, %k : index
        %to = arith.addi %row, %k : index
        %b = memref.load %x[%at] : memref<?xf64>
        %old = memref.load %y[%to] : memref<?xf64>
        %new = arith.addf %old, %b fastmath<reassoc> : f64
        memref.store %new, %y[%to] : memref<?xf64>
      }
    }
  }
  return
}

// Two loops that add to different rows stay.
// CHECK-LABEL: func @two_rows
// CHECK-NOT:   vector
func.func @two_rows(%y: memref<?xf64>, %x: memref<?xf64>, %begin: index, %end: index, %row: index,
                    %other: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %begin to %end step %c1 {
    scf.for %q = %begin to %end step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %to = arith.addi %row, %k : index
        %b = memref.load %x[%k] : memref<?xf64>
        %old = memref.load %y[%to] : memref<?xf64>
        %new = arith.addf %old, %b fastmath<reassoc> : f64
        memref.store %new, %y[%to] : memref<?xf64>
      }
      scf.for %k = %c0 to %n step %c1 {
        %to = arith.addi %other, %k : index
        %b = memref.load %x[%k] : memref<?xf64>
        %old = memref.load %y[%to] : memref<?xf64>
        %new = arith.addf %old, %b fastmath<reassoc> : f64
        memref.store %new, %y[%to] : memref<?xf64>
      }
    }
  }
  return
}

// A question whether there is anything to add is asked for each tile, with the sums as its results.
// CHECK-LABEL: func @questions
// CHECK:         %[[VALUE:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<?xf64>
// CHECK:         %[[SOME:.*]] = arith.cmpf une, %[[VALUE]]
// CHECK:         scf.if %[[SOME]] -> (vector<8xf64>
// CHECK:           vector.load
// CHECK:         } else {
// CHECK-NEXT:      scf.yield
func.func @questions(%y: memref<?xf64>, %a: memref<?xf64>, %x: memref<?xf64>, %begin: index,
                     %end: index, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %p = %begin to %end step %c1 {
    %v = memref.load %a[%p] : memref<?xf64>
    %some = arith.cmpf une, %v, %zero : f64
    scf.if %some {
      %from = arith.muli %p, %n : index
      scf.for %k = %c0 to %n step %c1 {
        %at = arith.addi %from, %k : index
        %to = arith.addi %row, %k : index
        %b = memref.load %x[%at] : memref<?xf64>
        %t = arith.mulf %v, %b : f64
        %old = memref.load %y[%to] : memref<?xf64>
        %new = arith.addf %old, %t fastmath<reassoc> : f64
        memref.store %new, %y[%to] : memref<?xf64>
      }
    }
  }
  return
}

// A question of constants alone has the same answer for all elements.
// CHECK-LABEL: func @constant_question
// CHECK: scf.for {{.*}} -> (vector<8xf64>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf64>
func.func @constant_question(%y: memref<?xf64>, %a: memref<?xf64>, %x: memref<?xf64>, %begin: index,
                             %end: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  scf.for %p = %begin to %end step %c1 {
    %v = memref.load %a[%p] : memref<?xf64>
    scf.for %k = %c0 to %n step %c1 {
      %b = memref.load %x[%k] : memref<?xf64>
      scf.if %true {
        %old = memref.load %y[%k] : memref<?xf64>
        %m = arith.mulf %v, %b : f64
        %new = arith.addf %old, %m : f64
        memref.store %new, %y[%k] : memref<?xf64>
      }
    }
  }
  return
}
