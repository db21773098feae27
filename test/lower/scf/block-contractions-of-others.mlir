// Contractions of other numbers than real ones, over other semirings, and among other terms.
// RUN: strata-opt %s --strata-find-contractions=vector-bytes=32 --strata-block-contractions=vector-bytes=32 --canonicalize --cse | FileCheck %s

// Of complex numbers the real parts are kept in one vector and the imaginary ones in another: a tile
// of 6 rows and a vector of 4 columns is 12 registers. What is loaded from B is parted on its way into
// a panel; the sums are joined before they are added to what is there.
// CHECK-LABEL: func @complex
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<?xcomplex<f64>> to memref<?xf64>
// CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<?xf64>, vector<8xf64>
// CHECK: vector.shuffle %[[B]], %[[B]] [0, 2, 4, 6] : vector<8xf64>, vector<8xf64>
// CHECK: vector.shuffle %[[B]], %[[B]] [1, 3, 5, 7] : vector<8xf64>, vector<8xf64>
// CHECK: %[[SUMS:.*]]:12 = scf.for
// CHECK-COUNT-2: vector.load {{.*}} : memref<?xf64>, vector<4xf64>
// CHECK:         arith.mulf {{.*}} : vector<4xf64>
// CHECK:         arith.subf {{.*}} : vector<4xf64>
// CHECK:         scf.yield
// CHECK:       vector.interleave %[[SUMS]]#0, %[[SUMS]]#1 : vector<4xf64> -> vector<8xf64>
func.func @complex(%context: !llvm.ptr, %C: memref<?xcomplex<f64>>, %A: memref<?xcomplex<f64>>,
                   %B: memref<?xcomplex<f64>>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %p = %c0 to %n step %c1 {
      %atA = arith.addi %row, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %row, %j : index
        %a = memref.load %A[%atA] : memref<?xcomplex<f64>>
        %b = memref.load %B[%atB] : memref<?xcomplex<f64>>
        %ab = complex.mul %a, %b : complex<f64>
        %c = memref.load %C[%atC] : memref<?xcomplex<f64>>
        %sum = complex.add %c, %ab fastmath<reassoc> : complex<f64>
        memref.store %sum, %C[%atC] : memref<?xcomplex<f64>>
      }
    }
  }
  return
}

// Shortest paths: tiles begin with infinity, to which the result has been set.
// CHECK-LABEL: func @shortest
// CHECK: %[[INFINITY:.*]] = arith.constant dense<0x7F800000> : vector<8xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[INFINITY]],
// CHECK:   arith.addf {{.*}} : vector<8xf32>
// CHECK:   arith.minimumf {{.*}} : vector<8xf32>
// CHECK: vector.load %{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK: arith.minimumf {{.*}} : vector<8xf32>
func.func @shortest(%context: !llvm.ptr, %C: memref<?xf32>, %A: memref<?xf32>, %B: memref<?xf32>,
                    %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %p = %c0 to %n step %c1 {
      %atA = arith.addi %row, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %row, %j : index
        %a = memref.load %A[%atA] : memref<?xf32>
        %b = memref.load %B[%atB] : memref<?xf32>
        %ab = arith.addf %a, %b : f32
        %c = memref.load %C[%atC] : memref<?xf32>
        %least = arith.minimumf %c, %ab : f32
        memref.store %least, %C[%atC] : memref<?xf32>
      }
    }
  }
  return
}

// C = D - 2 * A * B: D first, and then the sums, of which the left operand takes the factor and the
// sign. Whether blocks are worthwhile is asked once: else the loops run as they were.
// CHECK-LABEL: func @difference
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr, %[[C:[^:]*]]: memref<?xi64>, %[[D:[^:]*]]: memref<?xi64>
// CHECK-COUNT-1: scf.if
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK-NEXT:  arith.addi
// CHECK-NEXT:  %[[OTHER:.*]] = memref.load %[[D]]
// CHECK-NEXT:  memref.store %[[OTHER]], %[[C]]
// CHECK:   arith.muli {{.*}}, %c2_i64
// CHECK:   arith.subi %c0_i64
// CHECK:   scf.for {{.*}} iter_args
// CHECK:     arith.muli {{.*}} : vector<4xi64>
// CHECK:     arith.addi {{.*}} : vector<4xi64>
// CHECK:   vector.load %[[C]]
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       scf.for {{.*}} iter_args
func.func @difference(%context: !llvm.ptr, %C: memref<?xi64>, %D: memref<?xi64>,
                      %A: memref<?xi64>, %B: memref<?xi64>, %n: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %j = %c0 to %n step %c1 {
      %at = arith.addi %row, %j : index
      %sum = scf.for %p = %c0 to %n step %c1 iter_args(%before = %zero) -> (i64) {
        %atA = arith.addi %row, %p : index
        %rowB = arith.muli %p, %n : index
        %atB = arith.addi %rowB, %j : index
        %a = memref.load %A[%atA] : memref<?xi64>
        %b = memref.load %B[%atB] : memref<?xi64>
        %ab = arith.muli %a, %b : i64
        %next = arith.addi %before, %ab : i64
        scf.yield %next : i64
      }
      %scaled = arith.muli %sum, %two : i64
      %d = memref.load %D[%at] : memref<?xi64>
      %c = arith.subi %d, %scaled : i64
      memref.store %c, %C[%at] : memref<?xi64>
    }
  }
  return
}

// Left alone: sums of complex numbers in their order, a factor of a least sum, sums that begin with
// something else, small numbers.
// CHECK-LABEL: func @others
// CHECK-NOT: vector
// CHECK: return
func.func @others(%context: !llvm.ptr, %C: memref<?xcomplex<f64>>, %A: memref<?xcomplex<f64>>,
                  %B: memref<?xcomplex<f64>>, %D: memref<?xi32>, %E: memref<?xi32>,
                  %F: memref<?xi32>, %G: memref<?xi8>, %H: memref<?xi8>, %I: memref<?xi8>,
                  %n: index, %more: i32) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %p = %c0 to %n step %c1 {
      %atA = arith.addi %row, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %row, %j : index
        %a = memref.load %A[%atA] : memref<?xcomplex<f64>>
        %b = memref.load %B[%atB] : memref<?xcomplex<f64>>
        %ab = complex.mul %a, %b : complex<f64>
        %c = memref.load %C[%atC] : memref<?xcomplex<f64>>
        %sum = complex.add %c, %ab : complex<f64>
        memref.store %sum, %C[%atC] : memref<?xcomplex<f64>>
      }
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %p = %c0 to %n step %c1 {
      %atA = arith.addi %row, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %row, %j : index
        %a = memref.load %D[%atA] : memref<?xi32>
        %b = memref.load %E[%atB] : memref<?xi32>
        %ab = arith.addi %a, %b : i32
        %abc = arith.addi %ab, %more : i32
        %c = memref.load %F[%atC] : memref<?xi32>
        %least = arith.minsi %c, %abc : i32
        memref.store %least, %F[%atC] : memref<?xi32>
      }
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %j = %c0 to %n step %c1 {
      %at = arith.addi %row, %j : index
      %sum = scf.for %p = %c0 to %n step %c1 iter_args(%before = %one) -> (i32) {
        %atA = arith.addi %row, %p : index
        %rowB = arith.muli %p, %n : index
        %atB = arith.addi %rowB, %j : index
        %a = memref.load %D[%atA] : memref<?xi32>
        %b = memref.load %E[%atB] : memref<?xi32>
        %ab = arith.muli %a, %b : i32
        %next = arith.addi %before, %ab : i32
        scf.yield %next : i32
      }
      memref.store %sum, %F[%at] : memref<?xi32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %n : index
    scf.for %p = %c0 to %n step %c1 {
      %atA = arith.addi %row, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %row, %j : index
        %a = memref.load %G[%atA] : memref<?xi8>
        %b = memref.load %H[%atB] : memref<?xi8>
        %ab = arith.muli %a, %b : i8
        %c = memref.load %I[%atC] : memref<?xi8>
        %sum = arith.addi %c, %ab : i8
        memref.store %sum, %I[%atC] : memref<?xi8>
      }
    }
  }
  return
}
