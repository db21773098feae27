// Columns of several labels are cut where the values of the last one end, so that each tile is stored
// in one piece; those of A are transposed by squares.
// RUN: strata-opt %s --strata-find-contractions="vector-bytes=64" --strata-block-contractions="vector-bytes=64 vector-registers=32 first-cache=32768 second-cache=1048576" --canonicalize --cse | FileCheck %s

// C[a, j, b] = sum(k, A[k, b, a] * B[j, k]). The result is zero before all loops.
// CHECK-LABEL: func @turns
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr, %[[C:[^:]*]]: memref<?xf64>, %[[A:[^:]*]]: memref<?xf64>
// CHECK-NOT: strata.fill_of_all
// CHECK: scf.if
// Panels have one run each where few products are lost by that.
// CHECK: arith.muli %{{.*}}, %c12
// CHECK: %[[INRUNS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}}
// CHECK: arith.select %[[INRUNS]]
// How many columns each panel has comes from a table.
// CHECK: call @strata_allocate_i64
// CHECK: call @strata_allocate_i64
// CHECK: %[[WIDTHS:.*]] = func.call @strata_allocate_i64
// CHECK: %[[WIDE:.*]] = memref.reinterpret_cast %[[WIDTHS]]
// CHECK: memref.store %{{.*}}, %[[WIDE]]

// Eight values of a take turns: lines of A are read as a whole, and transposed.
// CHECK: scf.if %[[INRUNS]] {
// CHECK:   memref.load %[[WIDE]]
// CHECK:   memref.prefetch %[[A]]{{.*}} read, locality<2>
// CHECK-COUNT-8: vector.maskedload %[[A]]
// CHECK:   vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK-COUNT-8: vector.store

// The last vector of a run is stored under a mask; the lines of the result are asked for before.
// CHECK: memref.prefetch %[[C]]
// CHECK: %{{.*}}:24 = scf.for
// CHECK: %[[ONE:.*]] = arith.cmpi sle
// CHECK: scf.if %[[ONE]] {
// CHECK:   vector.create_mask
// CHECK:   vector.store %{{.*}}, %[[C]]
// CHECK:   vector.maskedstore %[[C]]

// Small products do as before.
// CHECK: } else {
// CHECK: } {strata.fill_of_all}
func.func @turns(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>,
                 %a: index, %j: index, %b: index, %k: index, %all: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %at = %c0 to %all step %c1 {
    memref.store %zero, %C[%at] : memref<?xf64>
  } {strata.fill_of_all}
  scf.for %p = %c0 to %k step %c1 {
    %planeA = arith.muli %p, %b : index
    scf.for %q = %c0 to %a step %c1 {
      %planeC = arith.muli %q, %j : index
      scf.for %r = %c0 to %j step %c1 {
        %lineC = arith.addi %planeC, %r : index
        %rowC = arith.muli %lineC, %b : index
        %rowB = arith.muli %r, %k : index
        %atB = arith.addi %rowB, %p : index
        scf.for %s = %c0 to %b step %c1 {
          %lineA = arith.addi %planeA, %s : index
          %rowA = arith.muli %lineA, %a : index
          %atA = arith.addi %rowA, %q : index
          %atC = arith.addi %rowC, %s : index
          %x = memref.load %A[%atA] : memref<?xf64>
          %y = memref.load %B[%atB] : memref<?xf64>
          %xy = arith.mulf %x, %y : f64
          %c = memref.load %C[%atC] : memref<?xf64>
          %sum = arith.addf %c, %xy fastmath<reassoc> : f64
          memref.store %sum, %C[%atC] : memref<?xf64>
        }
      }
    }
  }
  return
}

// C[i, x, j, k] = sum(p, A[j, p, i] * B[p, k, x]) has rows i, j. Where many columns read what is
// packed of A, rows are in the order of the result, j after i, and packed one by one.
// CHECK-LABEL: func @in_order
// CHECK: %[[EACH:.*]] = arith.muli %{{.*}}, %c48
// CHECK: %[[LEAST:.*]] = arith.minsi %[[EACH]], %c1024
// CHECK: %[[MANY:.*]] = arith.cmpi slt, %[[LEAST]], %{{.*}}
// CHECK: %[[SHALLOW:.*]] = arith.cmpi slt, %{{.*}}, %c128
// CHECK: %[[INORDER:.*]] = arith.andi %[[MANY]], %[[SHALLOW]]
// CHECK: scf.if %[[INORDER]] {
func.func @in_order(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>,
                    %i: index, %x: index, %j: index, %k: index, %p: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %q = %c0 to %i step %c1 {
    %planeC = arith.muli %q, %x : index
    scf.for %r = %c0 to %p step %c1 {
      %planeB = arith.muli %r, %k : index
      scf.for %s = %c0 to %j step %c1 {
        %planeA = arith.muli %s, %p : index
        %rowA = arith.addi %planeA, %r : index
        %lineA = arith.muli %rowA, %i : index
        %atA = arith.addi %lineA, %q : index
        scf.for %t = %c0 to %x step %c1 {
          %rowC = arith.addi %planeC, %t : index
          %lineC = arith.muli %rowC, %j : index
          %pointC = arith.addi %lineC, %s : index
          %fiberC = arith.muli %pointC, %k : index
          scf.for %u = %c0 to %k step %c1 {
            %rowB = arith.addi %planeB, %u : index
            %lineB = arith.muli %rowB, %x : index
            %atB = arith.addi %lineB, %t : index
            %atC = arith.addi %fiberC, %u : index
            %a = memref.load %A[%atA] : memref<?xf64>
            %b = memref.load %B[%atB] : memref<?xf64>
            %ab = arith.mulf %a, %b : f64
            %c = memref.load %C[%atC] : memref<?xf64>
            %sum = arith.addf %c, %ab fastmath<reassoc> : f64
            memref.store %sum, %C[%atC] : memref<?xf64>
          }
        }
      }
    }
  }
  return
}
