// Transposes run in blocks: squares of vectors are transposed in registers, runs of the result stored.
// RUN: strata-opt %s --strata-block-transposes="vector-bytes=32 third-cache=16777216" --canonicalize --cse | FileCheck %s

// Each label must go through its whole dimension, and there must be enough to do. A result of 16 MB is
// stored past the caches.
// CHECK-LABEL: func @matrix
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[B:.*]]: memref<?xf64>, %[[A:.*]]: memref<?xf64>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[ROW:[^:]*]]: index, %[[LINE:[^:]*]]: index)
// CHECK: arith.cmpi sge, %{{.*}}, %c1024
// CHECK: arith.cmpi eq, %[[N]], %[[ROW]]
// CHECK: arith.cmpi eq, %[[M]], %[[LINE]]
// CHECK: arith.cmpi sge, %{{.*}}, %c2097152
// CHECK: scf.if
// CHECK: call @strata_allocate_f64(%[[CTX]]
// CHECK: call @strata_allocate_i64(%[[CTX]]

// Runs of whole lines, of at most 128 elements, or 64 where a block has many rows. Squares of 4 by 4,
// the last ones of which end with the block; the lines of those that follow are asked for.
// CHECK: %[[WIDE:.*]] = arith.select %{{.*}}, %c128, %c64
// CHECK: %[[CHUNKS:.*]] = arith.ceildivui %[[M]], %[[WIDE]]
// CHECK: %[[EVEN:.*]] = arith.ceildivui %[[M]], %[[CHUNKS]]
// CHECK: %[[LINES:.*]] = arith.ceildivui %[[EVEN]], %c8
// CHECK: %[[CHUNK:.*]] = arith.muli %[[LINES]], %c8
// CHECK: scf.for %{{.*}} = %c0 to %[[M]] step %[[CHUNK]]
// CHECK:   scf.while
// CHECK:     scf.for
// CHECK:     memref.store %{{.*}}, %[[PLACES:[^ ]*]][%{{.*}}] : memref<4096xi64, strided<[1]>>
// CHECK:   scf.for %{{.*}} step %c4
// CHECK:     memref.load %[[PLACES]]
// CHECK:     scf.for %{{.*}} step %c4
// CHECK-COUNT-4: memref.prefetch %[[A]]{{.*}} locality<3>
// CHECK-COUNT-4: vector.load %[[A]][%{{.*}}] : memref<?xf64>, vector<4xf64>
// CHECK:       vector.shuffle {{.*}} [0, 4, 2, 6]
// CHECK:       vector.shuffle {{.*}} [0, 1, 4, 5]
// CHECK-COUNT-4: vector.store %{{.*}} : memref<20488xf64, strided<[1]>>, vector<4xf64>

// Fewer rows or columns than a square has are copied one by one.
// CHECK:   } else {
// CHECK:     vector.load %[[A]][%{{.*}}] : memref<?xf64>, vector<1xf64>

// What is read next is asked for while whole lines are stored.
// CHECK:   scf.if
// CHECK:     vector.store %{{.*}}, %[[B]][%{{.*}}] {alignment = 32 : i64, nontemporal = true}
// CHECK:     memref.prefetch %[[A]]{{.*}} locality<2>
// CHECK:   } else {
// CHECK:     vector.store %{{.*}}, %[[B]][%{{[^ ]*}}] : memref<?xf64>, vector<4xf64>
// CHECK: llvm.fence seq_cst

// CHECK: } else {
// CHECK:   scf.for %{{.*}} = %c0 to %[[N]] step %c1 {
// CHECK:     scf.for %{{.*}} = %c0 to %[[M]] step %c1 {
// CHECK:       memref.load %[[A]]
// CHECK:       memref.store %{{.*}}, %[[B]]
func.func @matrix(%context: !llvm.ptr, %B: memref<?xf64>, %A: memref<?xf64>, %m: index, %n: index,
                  %row: index, %line: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %below = arith.muli %j, %line : index
    scf.for %i = %c0 to %m step %c1 {
      %from = arith.muli %i, %row : index
      %source = arith.addi %from, %j : index
      %target = arith.addi %below, %i : index
      %a = memref.load %A[%source] : memref<?xf64>
      memref.store %a, %B[%target] : memref<?xf64>
    }
  }
  return
}

// B[c, a, b, d] = A[a, b, c, d]: runs of d are copied as they lie, those of (a, b) one behind the
// other, for each c. The other operand is read where B is written, and B is added to.
// CHECK-LABEL: func @runs
// CHECK-SAME: %[[B:[^:, ]*]]: memref<?xf32>, %[[A:[^:, ]*]]: memref<?xf32>, %[[N:[^:, ]*]]: index
// CHECK: scf.if
// CHECK: memref.store %{{.*}} : memref<8192xi64, strided<[1]>>
// CHECK: scf.if
// CHECK:   vector.load %[[A]][%{{.*}}] : memref<?xf32>, vector<8xf32>
// CHECK:   vector.load %[[B]][%{{.*}}] : memref<?xf32>, vector<8xf32>
// CHECK:   arith.addf %{{.*}} : vector<8xf32>
func.func @runs(%context: !llvm.ptr, %B: memref<?xf32>, %A: memref<?xf32>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %c = %c0 to %n step %c1 {
    %1 = arith.muli %c, %n : index
    scf.for %a = %c0 to %n step %c1 {
      %2 = arith.addi %1, %a : index
      %3 = arith.muli %2, %n : index
      %4 = arith.muli %a, %n : index
      scf.for %b = %c0 to %n step %c1 {
        %5 = arith.addi %3, %b : index
        %6 = arith.muli %5, %n : index
        %7 = arith.addi %4, %b : index
        %8 = arith.muli %7, %n : index
        %9 = arith.addi %8, %c : index
        %10 = arith.muli %9, %n : index
        scf.for %d = %c0 to %n step %c1 {
          %target = arith.addi %6, %d : index
          %source = arith.addi %10, %d : index
          %x = memref.load %A[%source] : memref<?xf32>
          %y = memref.load %B[%target] : memref<?xf32>
          %z = arith.addf %y, %x : f32
          memref.store %z, %B[%target] : memref<?xf32>
        }
      }
    }
  }
  return
}

// Complex numbers are pairs, which shuffles keep together.
// CHECK-LABEL: func @complex
// CHECK-SAME: %[[B:[^:, ]*]]: memref<?xcomplex<f64>>, %[[A:[^:, ]*]]: memref<?xcomplex<f64>>
// CHECK: %[[PARTS:.*]] = builtin.unrealized_conversion_cast %[[A]] : memref<?xcomplex<f64>> to memref<?xf64>
// CHECK-COUNT-2: vector.load %[[PARTS]][%{{.*}}] : memref<?xf64>, vector<4xf64>
// CHECK: vector.shuffle {{.*}} [0, 1, 4, 5]
// CHECK: vector.shuffle {{.*}} [2, 3, 6, 7]
func.func @complex(%context: !llvm.ptr, %B: memref<?xcomplex<f64>>, %A: memref<?xcomplex<f64>>, %n: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %below = arith.muli %j, %n : index
    scf.for %i = %c0 to %n step %c1 {
      %from = arith.muli %i, %n : index
      %source = arith.addi %from, %j : index
      %target = arith.addi %below, %i : index
      %a = memref.load %A[%source] : memref<?xcomplex<f64>>
      memref.store %a, %B[%target] : memref<?xcomplex<f64>>
    }
  }
  return
}

// Left alone: a copy, what is forbidden, and a transpose of a part of a label.
// CHECK-LABEL: func @copy
// CHECK-NOT: vector
// CHECK-LABEL: func @forbidden
// CHECK-NOT: vector
func.func @copy(%context: !llvm.ptr, %B: memref<?xf64>, %A: memref<?xf64>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %below = arith.muli %j, %n : index
    scf.for %i = %c0 to %n step %c1 {
      %at = arith.addi %below, %i : index
      %a = memref.load %A[%at] : memref<?xf64>
      memref.store %a, %B[%at] : memref<?xf64>
    }
  }
  return
}

func.func @forbidden(%context: !llvm.ptr, %B: memref<?xf64>, %A: memref<?xf64>, %n: index)
    attributes {strata.kernel, strata.forbidden = ["transposes"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %below = arith.muli %j, %n : index
    scf.for %i = %c0 to %n step %c1 {
      %from = arith.muli %i, %n : index
      %source = arith.addi %from, %j : index
      %target = arith.addi %below, %i : index
      %a = memref.load %A[%source] : memref<?xf64>
      memref.store %a, %B[%target] : memref<?xf64>
    }
  }
  return
}
