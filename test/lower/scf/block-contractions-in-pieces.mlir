// Threads share the matrices of a batch where there are at least four for each of them; else the rows or
// the columns of each.
// RUN: strata-opt %s --strata-find-contractions=vector-bytes=32 --strata-block-contractions=vector-bytes=32 --canonicalize --cse | FileCheck %s

// What a thread does is a function that other kernels may have, too: sizes, strides, and which values it
// takes are given. Panels are allocated once for all matrices of a thread.
// CHECK-LABEL: func private @batch.shared0
// CHECK-SAME: %[[BEGIN:[^:,]*]]: index, %[[END:[^:,]*]]: index)
// CHECK-SAME: strata.shared = "blocks of a dense contraction of f64"
// CHECK-COUNT-2: call @strata_allocate_f64
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1
// CHECK-NOT: strata_allocate
// CHECK-COUNT-2: call @strata_release_f64

// CHECK-LABEL: func @batch
// CHECK-SAME: %[[X:[^:,]*]]: index, %[[M:[^:,]*]]: index, %[[N:[^:,]*]]: index, %[[K:[^:,]*]]: index, %[[PIECES:[^:,]*]]: index)

// Whether blocks are worthwhile depends on the products of all matrices.
// CHECK: %[[XM:.*]] = arith.muli %[[X]], %[[M]]
// CHECK: %[[XMK:.*]] = arith.muli %[[XM]], %[[K]]
// CHECK: %[[XMKN:.*]] = arith.muli %[[XMK]], %[[N]]
// CHECK: arith.cmpi sge, %[[XMKN]], %c40000

// There are eight pieces for each thread.
// CHECK: %[[THREADS:.*]] = arith.ceildivui %[[PIECES]], %c8
// CHECK: scf.parallel (%[[THREAD:.*]]) = (%c0) to (%[[THREADS]])
// CHECK:   %[[LEAST:.*]] = arith.muli %[[THREADS]], %c4
// CHECK:   %[[FEW:.*]] = arith.cmpi slt, %[[X]], %[[LEAST]]
// CHECK:   %[[ENOUGH:.*]] = arith.cmpi eq, %[[FEW]], %false
// CHECK:   arith.muli %[[X]], %[[THREAD]]
// CHECK:   %[[FIRST:.*]] = arith.select %[[ENOUGH]], %{{.*}}, %c0
// CHECK:   %[[LAST:.*]] = arith.select %[[ENOUGH]], %{{.*}}, %[[X]]
// CHECK:   arith.andi %{{.*}}, %[[FEW]]
// CHECK:   call @batch.shared0(%{{.*}}, %[[FIRST]], %[[LAST]])
func.func @batch(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>,
                 %x: index, %m: index, %n: index, %k: index, %pieces: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sizeA = arith.muli %m, %k : index
  %sizeB = arith.muli %k, %n : index
  %sizeC = arith.muli %m, %n : index
  scf.parallel (%piece) = (%c0) to (%pieces) step (%c1) {
    %first = arith.muli %x, %piece : index
    %begin = arith.divui %first, %pieces : index
    %next = arith.addi %piece, %c1 : index
    %last = arith.muli %x, %next : index
    %end = arith.divui %last, %pieces : index
    scf.for %z = %begin to %end step %c1 {
      %planeA = arith.muli %z, %sizeA : index
      %planeB = arith.muli %z, %sizeB : index
      %planeC = arith.muli %z, %sizeC : index
      scf.for %i = %c0 to %m step %c1 {
        %lineA = arith.muli %i, %k : index
        %rowA = arith.addi %planeA, %lineA : index
        %lineC = arith.muli %i, %n : index
        %rowC = arith.addi %planeC, %lineC : index
        scf.for %p = %c0 to %k step %c1 {
          %atA = arith.addi %rowA, %p : index
          %lineB = arith.muli %p, %n : index
          %rowB = arith.addi %planeB, %lineB : index
          scf.for %j = %c0 to %n step %c1 {
            %atB = arith.addi %rowB, %j : index
            %atC = arith.addi %rowC, %j : index
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
    scf.reduce
  }
  return
}

// Another kernel calls the same function.
// CHECK-NOT: again.shared
// CHECK-LABEL: func @again
// CHECK: call @batch.shared0
func.func @again(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>,
                 %x: index, %m: index, %n: index, %k: index, %pieces: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sizeA = arith.muli %m, %k : index
  %sizeB = arith.muli %k, %n : index
  %sizeC = arith.muli %m, %n : index
  scf.parallel (%piece) = (%c0) to (%pieces) step (%c1) {
    %first = arith.muli %x, %piece : index
    %begin = arith.divui %first, %pieces : index
    %next = arith.addi %piece, %c1 : index
    %last = arith.muli %x, %next : index
    %end = arith.divui %last, %pieces : index
    scf.for %z = %begin to %end step %c1 {
      %planeA = arith.muli %z, %sizeA : index
      %planeB = arith.muli %z, %sizeB : index
      %planeC = arith.muli %z, %sizeC : index
      scf.for %i = %c0 to %m step %c1 {
        %lineA = arith.muli %i, %k : index
        %rowA = arith.addi %planeA, %lineA : index
        %lineC = arith.muli %i, %n : index
        %rowC = arith.addi %planeC, %lineC : index
        scf.for %p = %c0 to %k step %c1 {
          %atA = arith.addi %rowA, %p : index
          %lineB = arith.muli %p, %n : index
          %rowB = arith.addi %planeB, %lineB : index
          scf.for %j = %c0 to %n step %c1 {
            %atB = arith.addi %rowB, %j : index
            %atC = arith.addi %rowC, %j : index
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
    scf.reduce
  }
  return
}
