// Statements over sums of storages become statements over the parts.
// RUN: strata-opt %s --ta-expand-sums | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
#HYB = #ta.sum<[#ELL, #COO]>
#filled = #ta.sum<[#ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded), fill = 1.0 : f64>,
                   #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), fill = 1.0 : f64>]>

// Linear, and the result is dense: one statement for each part. What does not depend on the matrix
// stays in the first.
// CHECK-LABEL: @residual
// CHECK-DAG: %[[P:.*]] = ta.component %arg0, 0
// CHECK-DAG: %[[Q:.*]] = ta.component %arg0, 1
// CHECK: %[[Y:.*]] = ta.compute {{.*}} ins(%arg1, %arg2, %[[P]] :
// CHECK: arith.subf
// CHECK: %[[Z:.*]] = ta.compute {{.*}} ins(%arg2, %[[Q]] : {{.*}} init(%[[Y]] : tensor<?xf64>) combine add
// CHECK: ta.reduce add
// CHECK: ta.access %[[Q]]
// CHECK: arith.mulf
// CHECK: arith.subf %cst
// CHECK: return %[[Z]]
func.func @residual(%A: tensor<?x?xf64, #HYB>, %b: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #HYB>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #HYB>
  %y = ta.compute [%i = %n] ins(%A, %b, %x : tensor<?x?xf64, #HYB>, tensor<?xf64>, tensor<?xf64>)
                  sizes(%n) -> tensor<?xf64> out [%i] {
    %v = ta.access %b[%i] : tensor<?xf64>
    %s = ta.reduce add [%j = %m] : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #HYB>
      %c = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %c : f64
      ta.yield %p : f64
    }
    %r = arith.subf %v, %s : f64
    ta.yield %r : f64
  }
  return %y : tensor<?xf64>
}

// A maximum is no sum: the parts are added where they are read.
// CHECK-LABEL: @longest
// CHECK: ta.compute {{.*}} ins(%[[P:[0-9]+]], %[[Q:[0-9]+]] :
// CHECK: ta.reduce max
// CHECK: %[[A:.*]] = ta.access %[[P]]
// CHECK: %[[B:.*]] = ta.access %[[Q]]
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: ta.yield %[[S]]
func.func @longest(%A: tensor<?x?xf64, #HYB>) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #HYB>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #HYB>
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #HYB>) sizes(%n) -> tensor<?xf64> out [%i] {
    %s = ta.reduce max [%j = %m] : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #HYB>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// Another fill: what is stored in neither part is worth it. A result that is a sum is one storage
// first.
// CHECK-LABEL: @fills
// CHECK: %[[C:.*]] = ta.compute {{.*}} -> tensor<?x?xf64, #{{.*}}>
// CHECK: ta.access {{.*}} {missing}
// CHECK: ta.access {{.*}} {missing}
// CHECK: %[[S:.*]] = ta.union
// CHECK: %[[F:.*]] = ta.union %[[S]], %cst, %[[S]]
// CHECK: arith.mulf %[[F]], %[[F]]
// CHECK: ta.convert %[[C]] {reason = "which part an entry belongs to follows from all of them"}
func.func @fills(%A: tensor<?x?xf64, #filled>) -> tensor<?x?xf64, #filled> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #filled>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #filled>
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #filled>) sizes(%n, %m)
                  -> tensor<?x?xf64, #filled> out [%i, %j] {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #filled>
    %b = arith.mulf %a, %a : f64
    ta.yield %b : f64
  }
  return %y : tensor<?x?xf64, #filled>
}

// A copy of all of it is a conversion; of a part of it, a statement.
// CHECK-LABEL: @copies
// CHECK-NOT: ta.component
// CHECK: ta.compute
// CHECK: ta.component
// CHECK: ta.compute
func.func @copies(%A: tensor<?x?xf64, #HYB>, %B: tensor<?x?xf64, #HYB>, %k: index)
    -> (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #HYB>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #HYB>
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #HYB>) sizes(%n, %m)
                  -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #HYB>
    ta.yield %a : f64
  }
  %C = ta.convert %B : tensor<?x?xf64, #HYB> to tensor<?x?xf64, #HYB>
  %z = ta.compute [%i = %k, %j = %m] ins(%C : tensor<?x?xf64, #HYB>) sizes(%k, %m)
                  -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %a = ta.access %C[%i, %j] : tensor<?x?xf64, #HYB>
    ta.yield %a : f64
  }
  return %y, %z : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>
}

// A multiple of a sum, in its format, has a multiple of each part; what is no multiple is computed
// as one storage.
// CHECK-LABEL: @multiple
// CHECK-DAG: %[[P:.*]] = ta.values %arg0, 0
// CHECK-DAG: %[[Q:.*]] = ta.values %arg0, 1
// CHECK-DAG: %[[V:.*]] = ta.compute [%{{.*}} = %{{.*}}] ins(%[[P]], %arg1 :
// CHECK-DAG: %[[W:.*]] = ta.compute [%{{.*}} = %{{.*}}] ins(%[[Q]], %arg1 :
// CHECK: ta.with_values %arg0(%[[V]], %[[W]])
// CHECK-NOT: ta.values
// CHECK: ta.convert
// CHECK: return
func.func @multiple(%A: tensor<?x?xf64, #HYB>, %s: tensor<f64>)
    -> (tensor<?x?xf64, #HYB>, tensor<?x?xf64, #HYB>) {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #HYB>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #HYB>
  %B = ta.compute [%i = %n, %j = %m] ins(%s : tensor<f64>) sizes(%n, %m) init(%A : tensor<?x?xf64, #HYB>)
      combine mul -> tensor<?x?xf64, #HYB> out [%i, %j] {
    %c = ta.access %s[] : tensor<f64>
    ta.yield %c : f64
  }
  %C = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #HYB>) sizes(%n, %m)
      -> tensor<?x?xf64, #HYB> out [%i, %j] {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #HYB>
    %b = math.sqrt %a : f64
    ta.yield %b : f64
  }
  return %B, %C : tensor<?x?xf64, #HYB>, tensor<?x?xf64, #HYB>
}
