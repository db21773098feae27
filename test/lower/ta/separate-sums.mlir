// Contractions that one sum adds up get sums of their own; vectors and sparse operands share one.
// RUN: strata-opt %s --ta-order-products | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: func @commutator
// CHECK: %[[X:.*]] = ta.reduce add [%[[K:.*]] = %arg2] attributes {names = ["k"]}
// CHECK:   ta.access %arg0[%{{.*}}, %[[K]]]
// CHECK:   ta.access %arg1[%[[K]], %{{.*}}]
// CHECK: %[[Y:.*]] = ta.reduce add [%[[L:.*]] = %arg2] attributes {names = ["k"]}
// CHECK:   ta.access %arg0[%{{.*}}, %[[L]]]
// CHECK:   ta.access %arg1[%[[L]], %{{.*}}]
// CHECK: arith.subf %[[X]], %[[Y]]
func.func @commutator(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %c = ta.access %A[%j, %k] : tensor<?x?xf64>
      %d = ta.access %B[%k, %i] : tensor<?x?xf64>
      %cd = arith.mulf %c, %d : f64
      %e = arith.subf %ab, %cd : f64
      ta.yield %e : f64
    }
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64>
}

// CHECK-LABEL: func @stays
// CHECK-COUNT-2: ta.reduce
// CHECK-NOT: ta.reduce
// CHECK: return
func.func @stays(%A: tensor<?x?xf64>, %S: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?x?xf64>) {
  %y = ta.compute [%i = %n] ins(%A, %S, %x : tensor<?x?xf64>, tensor<?x?xf64, #CSR>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %x[%k] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      %c = ta.access %A[%k, %i] : tensor<?x?xf64>
      %cb = arith.mulf %c, %b : f64
      %d = arith.addf %ab, %cb : f64
      ta.yield %d : f64
    }
    ta.yield %s : f64
  }
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %S : tensor<?x?xf64>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %S[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%k, %j] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %c = ta.access %S[%i, %k] : tensor<?x?xf64, #CSR>
      %d = arith.addf %ab, %c : f64
      ta.yield %d : f64
    }
    ta.yield %s : f64
  }
  return %y, %C : tensor<?xf64>, tensor<?x?xf64>
}
