// Dense factors whose product is wanted at the entries of a sparse one alone are multiplied there.
// RUN: strata-opt %s --ta-order-products --split-input-file | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: func @two_products
// CHECK: %[[T:.*]] = ta.compute [%{{.*}}, %{{.*}}] ins(%arg0, %arg1, %arg2 :
// CHECK-SAME: -> tensor<?x?xf64, #{{.*}}> out
// CHECK-SAME: names = ["i", "j"], reason = "a product that is wanted only where an operand stores something"
// CHECK:   ta.access %arg0
// CHECK:   ta.reduce add {{.*}} {names = ["k"]}
// CHECK: ta.compute {{.*}} ins(%arg3, %[[T]]
// CHECK:   ta.reduce add {{.*}} {names = ["j"]}
// CHECK: return
func.func @two_products(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>,
                        %D: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %l = %n] ins(%A, %B, %C, %D : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %l] attributes {names = ["i", "l"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%i, %k] : tensor<?x?xf64>
      %c = ta.access %C[%j, %k] : tensor<?x?xf64>
      %d = ta.access %D[%j, %l] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      %abcd = arith.mulf %abc, %d : f64
      ta.yield %abcd : f64
    }
    ta.yield %s : f64
  }
  return %R : tensor<?x?xf64>
}

// -----
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// The temporary is stored as the sparse factor is.
// CHECK-LABEL: func @by_columns
// CHECK: ta.compute {{.*}}names = ["j", "i"], reason = "a product that is wanted only where
func.func @by_columns(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>,
                      %D: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %l = %n] ins(%A, %B, %C, %D : tensor<?x?xf64, #CSC>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %l] attributes {names = ["i", "l"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %b = ta.access %B[%i, %k] : tensor<?x?xf64>
      %c = ta.access %C[%j, %k] : tensor<?x?xf64>
      %d = ta.access %D[%j, %l] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      %abcd = arith.mulf %abc, %d : f64
      ta.yield %abcd : f64
    }
    ta.yield %s : f64
  }
  return %R : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A vector costs no more than one multiplication at each entry: all at once.
// CHECK-LABEL: func @times_vector
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @times_vector(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>,
                        %x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = ta.compute [%i = %n] ins(%A, %B, %C, %x : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%i, %k] : tensor<?x?xf64>
      %c = ta.access %C[%j, %k] : tensor<?x?xf64>
      %d = ta.access %x[%j] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      %abcd = arith.mulf %abc, %d : f64
      ta.yield %abcd : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
