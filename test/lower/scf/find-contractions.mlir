// Loops that are dense contractions become one operation, where there is much to do.
// RUN: strata-opt %s --strata-find-contractions --canonicalize --cse | FileCheck %s

// A part of the outermost label is a loop around that is not counted: 4,096 products for each of its
// values, and eight columns and summed values at least.
// CHECK-LABEL: func @product
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[C:.*]]: memref<?xf64>, %[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[K:[^:]*]]: index)
// CHECK: arith.cmpi sge, %{{.*}}, %c4096
// CHECK: arith.cmpi sge, %[[N]], %c8
// CHECK: arith.cmpi sge, %[[K]], %c8
// CHECK: scf.if
// CHECK: lvl.contract %[[A]][%c0] by(%[[K]], %c1, %c0), %[[B]][%c0] by(%c0, %[[N]], %c1) into %[[C]][%c0] by(%[[N]], %c0, %c1)
// CHECK-SAME: over (row %[[M]], summed %[[K]], column %[[N]]) sums add of mul {nesting = array<i64: 1, 0, 0>}
// CHECK: else
// CHECK-COUNT-3: scf.for
func.func @product(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>,
                   %m: index, %n: index, %k: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    %rowA = arith.muli %i, %k : index
    %rowC = arith.muli %i, %n : index
    scf.for %p = %c0 to %k step %c1 {
      %atA = arith.addi %rowA, %p : index
      %rowB = arith.muli %p, %n : index
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
  return
}

// The columns are those labels whose values are neighbours in the result, whichever operand has them.
// Sums are subtracted, of products that are the same everywhere but for a factor.
// CHECK-LABEL: func @scaled_difference
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[C:.*]]: memref<?xf32>, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[S:.*]]: f32, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[K:[^:]*]]: index)
// CHECK: lvl.contract %[[B]][%c0] by(%c0, %[[K]], %c1), %[[A]][%c0] by(%[[K]], %c0, %c1) into %[[C]][%c0] by(%c1, %[[M]], %c0)
// CHECK-SAME: over (column %[[M]], row %[[N]], summed %[[K]]) sums add of mul scaled(%[[S]] : f32) {negates, nesting = array<i64: 0, 1, 0>}
func.func @scaled_difference(%context: !llvm.ptr, %C: memref<?xf32>, %A: memref<?xf32>,
                             %B: memref<?xf32>, %s: f32, %m: index, %n: index, %k: index)
    attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    %rowA = arith.muli %i, %k : index
    scf.for %j = %c0 to %n step %c1 {
      %rowB = arith.muli %j, %k : index
      %rowC = arith.muli %j, %m : index
      %atC = arith.addi %rowC, %i : index
      %sum = scf.for %p = %c0 to %k step %c1 iter_args(%before = %zero) -> f32 {
        %atA = arith.addi %rowA, %p : index
        %atB = arith.addi %rowB, %p : index
        %a = memref.load %A[%atA] : memref<?xf32>
        %b = memref.load %B[%atB] : memref<?xf32>
        %ab = arith.mulf %a, %b : f32
        %next = arith.addf %before, %ab fastmath<reassoc> : f32
        scf.yield %next : f32
      }
      %scaled = arith.mulf %s, %sum : f32
      %c = memref.load %C[%atC] : memref<?xf32>
      %difference = arith.subf %c, %scaled : f32
      memref.store %difference, %C[%atC] : memref<?xf32>
    }
  }
  return
}

// A product of a matrix and a vector has no columns, and sums of rounded numbers that keep their order
// are no contraction.
// CHECK-LABEL: func @others
// CHECK-NOT: lvl.contract
func.func @others(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>,
                  %m: index, %n: index, %k: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    %rowA = arith.muli %i, %k : index
    scf.for %p = %c0 to %k step %c1 {
      %atA = arith.addi %rowA, %p : index
      %a = memref.load %A[%atA] : memref<?xf64>
      %b = memref.load %B[%p] : memref<?xf64>
      %ab = arith.mulf %a, %b : f64
      %c = memref.load %C[%i] : memref<?xf64>
      %sum = arith.addf %c, %ab fastmath<reassoc> : f64
      memref.store %sum, %C[%i] : memref<?xf64>
    }
  }
  scf.for %i = %c0 to %m step %c1 {
    %rowA = arith.muli %i, %k : index
    %rowC = arith.muli %i, %n : index
    scf.for %p = %c0 to %k step %c1 {
      %atA = arith.addi %rowA, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %rowC, %j : index
        %a = memref.load %A[%atA] : memref<?xf64>
        %b = memref.load %B[%atB] : memref<?xf64>
        %ab = arith.mulf %a, %b : f64
        %c = memref.load %C[%atC] : memref<?xf64>
        %sum = arith.addf %c, %ab : f64
        memref.store %sum, %C[%atC] : memref<?xf64>
      }
    }
  }
  return
}

// Operands of 16 bits are widened while they are packed.
// CHECK-LABEL: func @halves
// CHECK: lvl.contract {{.*}} : memref<?xbf16>, memref<?xf16>, memref<?xf32>
func.func @halves(%context: !llvm.ptr, %C: memref<?xf32>, %A: memref<?xbf16>, %B: memref<?xf16>,
                  %m: index, %n: index, %k: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    %rowA = arith.muli %i, %k : index
    %rowC = arith.muli %i, %n : index
    scf.for %p = %c0 to %k step %c1 {
      %atA = arith.addi %rowA, %p : index
      %rowB = arith.muli %p, %n : index
      scf.for %j = %c0 to %n step %c1 {
        %atB = arith.addi %rowB, %j : index
        %atC = arith.addi %rowC, %j : index
        %a = memref.load %A[%atA] : memref<?xbf16>
        %wideA = arith.extf %a : bf16 to f32
        %b = memref.load %B[%atB] : memref<?xf16>
        %wideB = arith.extf %b : f16 to f32
        %ab = arith.mulf %wideA, %wideB : f32
        %c = memref.load %C[%atC] : memref<?xf32>
        %sum = arith.addf %c, %ab fastmath<reassoc> : f32
        memref.store %sum, %C[%atC] : memref<?xf32>
      }
    }
  }
  return
}
