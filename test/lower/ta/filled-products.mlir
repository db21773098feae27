// Products of a sparse tensor with several dense ones: at once, or two at a time through dense temporaries,
// as the run decides, where that may save most of the steps.
// RUN: strata-opt %s --ta-order-products | FileCheck %s
// RUN: strata-opt %s --ta-forbid-resolutions=what=grouping --ta-order-products | FileCheck %s --check-prefix=ONE
// RUN: strata-opt %s --ta-forbid-resolutions=what=split --ta-order-products | FileCheck %s --check-prefix=ONE
// RUN: strata-opt %s --ta-order-products=max-memory=100000 | FileCheck %s --check-prefix=ONE

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#COO3 = #ta.format<(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)>

// The first way is a product of all, the second one of two factors each; a temporary has labels of the
// sparse factor outside.
// CHECK-LABEL: func @tucker
// CHECK: %[[UNKNOWN:.*]] = arith.constant true
// CHECK: ta.if %[[UNKNOWN]]
// CHECK:   %[[ONCE:.*]] = ta.compute [%{{.*}} = %c30, %{{.*}} = %c30, %{{.*}} = %c30] ins(%arg0, %arg1, %arg2, %arg3 :
// CHECK:   ta.next %[[ONCE]]
// CHECK: } else {
// CHECK:   %[[P:.*]] = ta.compute [%[[I:.*]] = %c30, %[[J:.*]] = %c30, %[[C:.*]] = %c30] ins(
// CHECK-SAME: -> tensor<?x?x?xf64> out [%[[I]], %[[J]], %[[C]]]
// CHECK-SAME: names = ["i", "j", "c"], reason = "((X * C) * B) * A takes 2.4 million multiplications, all at once 2.2 billion, if 'X' stores all of its elements"
// CHECK:     ta.reduce add [%{{.*}} = %c30] attributes {names = ["k"]}
// CHECK:   %[[Q:.*]] = ta.compute {{.*}} ins({{.*}}%[[P]]
// CHECK-SAME: names = ["i", "b", "c"], reason = "a product of two operands"
// CHECK:   %[[R:.*]] = ta.compute {{.*}} ins({{.*}}%[[Q]]
// CHECK-SAME: names = ["a", "b", "c"]}
// CHECK:   ta.next %[[R]]
// CHECK: } {strata.few_entries}
// ONE-LABEL: func @tucker
// ONE-COUNT-1: ta.compute
// ONE-NOT: ta.compute
// ONE: return
func.func @tucker(%X: tensor<30x30x30xf64, #COO3> loc("X"), %A: tensor<30x30xf64> loc("A"),
                  %B: tensor<30x30xf64> loc("B"), %C: tensor<30x30xf64> loc("C"))
    -> tensor<30x30x30xf64> {
  %c30 = arith.constant 30 : index
  %y = ta.compute [%a = %c30, %b = %c30, %c = %c30] ins(%X, %A, %B, %C : tensor<30x30x30xf64, #COO3>,
      tensor<30x30xf64>, tensor<30x30xf64>, tensor<30x30xf64>) -> tensor<30x30x30xf64>
      out [%a, %b, %c] attributes {names = ["a", "b", "c"]} {
    %s = ta.reduce add [%i = %c30, %j = %c30, %k = %c30] attributes {names = ["i", "j", "k"]} : f64 {
      %0 = ta.access %A[%i, %a] : tensor<30x30xf64>
      %1 = ta.access %B[%j, %b] : tensor<30x30xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %C[%k, %c] : tensor<30x30xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = ta.access %X[%i, %j, %k] : tensor<30x30x30xf64, #COO3>
      %6 = arith.mulf %4, %5 : f64
      ta.yield %6 : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<30x30x30xf64>
}

// 100,000 steps at once may be saved, 98,000 are left.
// CHECK-LABEL: func @least
// CHECK: ta.compute {{.*}}names = ["i", "b"], reason = "(S * B) * A
func.func @least(%S: tensor<50x50xf64, #CSR> loc("S"), %A: tensor<50x8xf64> loc("A"),
                 %B: tensor<50x5xf64> loc("B")) -> tensor<8x5xf64> {
  %c50 = arith.constant 50 : index
  %c8 = arith.constant 8 : index
  %c5 = arith.constant 5 : index
  %y = ta.compute [%a = %c8, %b = %c5] ins(%S, %A, %B : tensor<50x50xf64, #CSR>, tensor<50x8xf64>,
      tensor<50x5xf64>) -> tensor<8x5xf64> out [%a, %b] attributes {names = ["a", "b"]} {
    %s = ta.reduce add [%i = %c50, %j = %c50] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<50x50xf64, #CSR>
      %1 = ta.access %A[%i, %a] : tensor<50x8xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%j, %b] : tensor<50x5xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<8x5xf64>
}
// CHECK-LABEL: func @fewer
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @fewer(%S: tensor<49x50xf64, #CSR> loc("S"), %A: tensor<49x8xf64> loc("A"),
                 %B: tensor<50x5xf64> loc("B")) -> tensor<8x5xf64> {
  %c49 = arith.constant 49 : index
  %c50 = arith.constant 50 : index
  %c8 = arith.constant 8 : index
  %c5 = arith.constant 5 : index
  %y = ta.compute [%a = %c8, %b = %c5] ins(%S, %A, %B : tensor<49x50xf64, #CSR>, tensor<49x8xf64>,
      tensor<50x5xf64>) -> tensor<8x5xf64> out [%a, %b] attributes {names = ["a", "b"]} {
    %s = ta.reduce add [%i = %c49, %j = %c50] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<49x50xf64, #CSR>
      %1 = ta.access %A[%i, %a] : tensor<49x8xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%j, %b] : tensor<50x5xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<8x5xf64>
}

// Left alone: MTTKRP, whose products of two save nothing; a sum that is divided, where nothing is
// something else than a zero; a sparse result; the greatest of the sum and what is there; an infinite
// factor; and two sparse factors.
// CHECK-LABEL: func @neighbours
// CHECK-COUNT-6: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @neighbours(%X: tensor<99x99x99xf64, #COO3>, %S: tensor<99x99xf64, #CSR>,
                      %A: tensor<99x99xf64>, %B: tensor<99x99xf64>, %C: tensor<99x99xf64>)
    -> (tensor<99x99xf64>, tensor<99x99xf64>, tensor<99x99xf64, #CSR>, tensor<99x99xf64>,
        tensor<99x99xf64>, tensor<99x99xf64>) {
  %n = arith.constant 99 : index
  %m = ta.compute [%i = %n, %r = %n] ins(%X, %A, %B : tensor<99x99x99xf64, #COO3>, tensor<99x99xf64>,
      tensor<99x99xf64>) -> tensor<99x99xf64> out [%i, %r] attributes {names = ["i", "r"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %0 = ta.access %X[%i, %j, %k] : tensor<99x99x99xf64, #COO3>
      %1 = ta.access %A[%j, %r] : tensor<99x99xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%k, %r] : tensor<99x99xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  %d = ta.compute [%a = %n, %b = %n] ins(%S, %A, %B, %C : tensor<99x99xf64, #CSR>, tensor<99x99xf64>,
      tensor<99x99xf64>, tensor<99x99xf64>) -> tensor<99x99xf64> out [%a, %b]
      attributes {names = ["a", "b"]} {
    %s = ta.reduce add [%i = %n, %j = %n] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<99x99xf64, #CSR>
      %1 = ta.access %A[%i, %a] : tensor<99x99xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%j, %b] : tensor<99x99xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    %c = ta.access %C[%a, %b] : tensor<99x99xf64>
    %q = arith.divf %s, %c : f64
    ta.yield %q : f64
  }
  %p = ta.compute [%a = %n, %b = %n] ins(%S, %A, %B : tensor<99x99xf64, #CSR>, tensor<99x99xf64>,
      tensor<99x99xf64>) -> tensor<99x99xf64, #CSR> out [%a, %b] attributes {names = ["a", "b"]} {
    %s = ta.reduce add [%i = %n, %j = %n] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<99x99xf64, #CSR>
      %1 = ta.access %A[%i, %a] : tensor<99x99xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%j, %b] : tensor<99x99xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  %g = ta.compute [%a = %n, %b = %n] ins(%S, %A, %B : tensor<99x99xf64, #CSR>, tensor<99x99xf64>,
      tensor<99x99xf64>) init(%C : tensor<99x99xf64>) combine max -> tensor<99x99xf64> out [%a, %b]
      attributes {names = ["a", "b"]} {
    %s = ta.reduce add [%i = %n, %j = %n] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<99x99xf64, #CSR>
      %1 = ta.access %A[%i, %a] : tensor<99x99xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%j, %b] : tensor<99x99xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  %f = ta.compute [%a = %n, %b = %n] ins(%S, %A, %B : tensor<99x99xf64, #CSR>, tensor<99x99xf64>,
      tensor<99x99xf64>) -> tensor<99x99xf64> out [%a, %b] attributes {names = ["a", "b"]} {
    %inf = arith.constant 0x7FF0000000000000 : f64
    %s = ta.reduce add [%i = %n, %j = %n] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<99x99xf64, #CSR>
      %1 = ta.access %A[%i, %a] : tensor<99x99xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%j, %b] : tensor<99x99xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    %q = arith.mulf %s, %inf : f64
    ta.yield %q : f64
  }
  %t = ta.compute [%i = %n, %b = %n] ins(%S, %B : tensor<99x99xf64, #CSR>, tensor<99x99xf64>)
      -> tensor<99x99xf64> out [%i, %b] attributes {names = ["i", "b"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<99x99xf64, #CSR>
      %1 = ta.access %S[%j, %k] : tensor<99x99xf64, #CSR>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%k, %b] : tensor<99x99xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  return %m, %d, %p, %g, %f, %t : tensor<99x99xf64>, tensor<99x99xf64>, tensor<99x99xf64, #CSR>,
      tensor<99x99xf64>, tensor<99x99xf64>, tensor<99x99xf64>
}
