// Places of a dense result get the fill where loops come to them, or none where all are stored.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl=contractions=false --strata-place-fills --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed)>

// Each row is stored whatever A holds.
// CHECK-LABEL: @stored
// CHECK: lvl.build %{{.*}} unfilled
// CHECK-NOT: filling
func.func @stored(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %m: index, %n: index) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %m] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%m)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A row is filled when the loop over rows comes to it.
// CHECK-LABEL: @rows
// CHECK-SAME: %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index
// CHECK: lvl.build %{{.*}} unfilled
// CHECK: lvl.insert %{{.*}}[0] {{.*}} filling %[[K]]
// CHECK: lvl.insert %{{.*}}[1] below %{{[^ ]*}} at %{{[^ ]*$}}
func.func @rows(%A: tensor<?x?xf64, #CSR>, %X: tensor<?x?xf64>, %m: index, %n: index, %k: index) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %m, %k0 = %k] ins(%A, %X : tensor<?x?xf64, #CSR>, tensor<?x?xf64>) sizes(%m, %k)
      -> tensor<?x?xf64> out [%i, %k0] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %X[%j, %k0] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed)>

// Rows of which nothing is stored are not visited.
// CHECK-LABEL: @some_rows
// CHECK: lvl.build
// CHECK-NOT: unfilled
// CHECK-NOT: filling
func.func @some_rows(%A: tensor<?x?xf64, #DCSR>, %x: tensor<?xf64>, %m: index, %n: index) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %m] ins(%A, %x : tensor<?x?xf64, #DCSR>, tensor<?xf64>) sizes(%m)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #DCSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

// Loops over all values come to each place several times: the result stays filled, and is covered.
// CHECK-LABEL: @covered
// CHECK: lvl.build %{{.*}} covered
// CHECK-NOT: filling
func.func @covered(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %m: index, %n: index, %k: index) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %m, %j = %n] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) sizes(%m, %n)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%l = %k] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%l, %i] : tensor<?x?xf64>
      %b = ta.access %B[%l, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}
