// A library is asked to multiply matrices; what it cannot do is left to the operation.
// RUN: strata-opt %s --strata-call-gemm --canonicalize --cse | FileCheck %s

// CHECK: func private @strata_gemm_f64(!llvm.ptr, memref<1xf64>, memref<1xf64>, memref<1xf64>, memref<1xi64>, i64, i64, f64, f64, i64) -> i64

// Where the tensors begin, then for each label its role, size and strides.
// CHECK-LABEL: func @product
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %{{.*}}: memref<?xf64>, %{{.*}}: memref<?xf64>, %{{.*}}: memref<?xf64>, %[[N:[^:]*]]: index, %[[S:.*]]: f64)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[LABELS:.*]] = memref.alloca() : memref<18xi64>
// CHECK: arith.negf
// CHECK-COUNT-18: memref.store %{{.*}}, %[[LABELS]]
// CHECK: %[[DONE:.*]] = call @strata_gemm_f64(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c3_i64, %c5_i64, %{{.*}}, %[[ZERO]], %c1_i64)
// CHECK: %[[LEFT:.*]] = arith.cmpi eq, %[[DONE]], %c0_i64
// CHECK: scf.if %[[LEFT]]
// CHECK-NEXT: lvl.contract
func.func @product(%context: !llvm.ptr, %a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>,
                   %n: index, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lvl.contract %a[%c0] by (%n, %c0, %c1), %b[%c0] by (%c0, %c1, %n) into %c[%c0] by (%n, %c1, %c0)
    over (row %n, column %n, summed %n) pieces %n sums add of mul scaled (%s : f64)
    {negates, nesting = array<i64: 1, 0, 0>, overwrites}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// Other semirings, integers, contractions in other loops and operands of other types have none.
// CHECK-LABEL: func @others
// CHECK-NOT: call
func.func @others(%context: !llvm.ptr, %a: memref<?xf64>, %c: memref<?xf64>, %i: memref<?xi64>,
                  %j: memref<?xi64>, %h: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lvl.contract %a[%c0] by (%n, %c0, %c1), %h[%c0] by (%c0, %c1, %n) into %c[%c0] by (%n, %c1, %c0)
    over (row %n, column %n, summed %n) pieces %n sums add of mul {nesting = array<i64: 1, 0, 0>}
    : memref<?xf64>, memref<?xf32>, memref<?xf64>
  lvl.contract %a[%c0] by (%n, %c0, %c1), %a[%c0] by (%c0, %c1, %n) into %c[%c0] by (%n, %c1, %c0)
    over (row %n, column %n, summed %n) pieces %n sums min of add {nesting = array<i64: 1, 0, 0>}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  lvl.contract %a[%c0] by (%n, %c0, %c1), %a[%c0] by (%c0, %c1, %n) into %c[%c0] by (%n, %c1, %c0)
    over (row %n, column %n, summed %n) sums add of mul {nesting = array<i64: 1, 0, 0>}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  lvl.contract %i[%c0] by (%n, %c0, %c1), %i[%c0] by (%c0, %c1, %n) into %j[%c0] by (%n, %c1, %c0)
    over (row %n, column %n, summed %n) pieces %n sums add of mul {nesting = array<i64: 1, 0, 0>}
    : memref<?xi64>, memref<?xi64>, memref<?xi64>
  return
}
