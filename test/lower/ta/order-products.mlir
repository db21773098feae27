// Products of several dense tensors are multiplied two at a time, in the order of the fewest operations.
// RUN: strata-opt %s --ta-order-products | FileCheck %s
// RUN: strata-opt %s --ta-forbid-resolutions=what=grouping --ta-order-products | FileCheck %s --check-prefix=WRITTEN
// RUN: strata-opt %s --ta-forbid-resolutions=what=split --ta-order-products | FileCheck %s --check-prefix=WHOLE

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A matrix of 100 x 2, one of 2 x 100 and a vector: the last two first.
// CHECK-LABEL: func @chain
// CHECK: %[[P:.*]] = ta.compute [%[[J:.*]] = %c2] ins(%arg1, %arg2
// CHECK-SAME: names = ["j"], reason = "A * (B * x) takes 400 multiplications, from left to right 30000, all at once 40000"
// CHECK:   ta.reduce add [%[[K:.*]] = %c100] attributes {names = ["k"]}
// CHECK:     ta.access %arg1[%[[J]], %[[K]]]
// CHECK:     ta.access %arg2[%[[K]]]
// CHECK: ta.compute [%[[I:.*]] = %c100] ins(%arg0, %[[P]]
// CHECK:   ta.reduce add [%[[J2:.*]] = %c2] attributes {names = ["j"]}
// CHECK:     ta.access %arg0[%[[I]], %[[J2]]]
// CHECK:     ta.access %[[P]][%[[J2]]]

// WRITTEN-LABEL: func @chain
// WRITTEN: ta.compute [%{{.*}} = %c100, %{{.*}} = %c100] ins(%arg0, %arg1
// WRITTEN-SAME: reason = "(A * B) * x takes 30000 multiplications
// WRITTEN: ta.compute [%{{.*}} = %c100] ins(%arg2

// WHOLE-LABEL: func @chain
// WHOLE-COUNT-1: ta.compute
// WHOLE-NOT: ta.compute
// WHOLE: return
func.func @chain(%A: tensor<100x2xf64> loc("A"), %B: tensor<2x100xf64> loc("B"),
                 %x: tensor<100xf64> loc("x")) -> tensor<100xf64> {
  %c100 = arith.constant 100 : index
  %c2 = arith.constant 2 : index
  %y = ta.compute [%i = %c100] ins(%A, %B, %x : tensor<100x2xf64>, tensor<2x100xf64>, tensor<100xf64>)
      -> tensor<100xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %c2, %k = %c100] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<100x2xf64>
      %b = ta.access %B[%j, %k] : tensor<2x100xf64>
      %ab = arith.mulf %a, %b : f64
      %v = ta.access %x[%k] : tensor<100xf64>
      %abx = arith.mulf %ab, %v : f64
      ta.yield %abx : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<100xf64>
}

// A label that one factor alone has is summed first; a factor without labels stays with the last
// product, which is added to another term. Sizes that are not known count as 64.
// CHECK-LABEL: func @terms
// CHECK: %[[S:.*]] = ta.compute [%[[K:.*]] = %arg4] ins(%arg2
// CHECK-SAME: reason = "(C * B) * A takes {{.*}} with 64 values for labels of unknown size"
// CHECK:   ta.reduce add [%[[L:.*]] = %arg4] attributes {names = ["l"]}
// CHECK-NEXT: ta.access %arg2[%[[K]], %[[L]]]
// CHECK: ta.compute [%{{.*}} = %arg4] ins(
// CHECK-SAME: reason = "a product of two operands"
// CHECK: ta.compute [%[[I:.*]] = %arg4]
// CHECK:   ta.reduce add
// CHECK:     arith.mulf %{{.*}}, %[[HALF:.*]] : f64
// CHECK:   ta.access %arg3[%[[I]]]
// CHECK:   arith.subf
func.func @terms(%A: tensor<?x?xf64> loc("A"), %B: tensor<?x?xf64> loc("B"),
                 %C: tensor<?x?xf64> loc("C"), %v: tensor<?xf64> loc("v"), %n: index)
    -> tensor<?xf64> {
  %y = ta.compute [%i = %n] ins(%A, %B, %C, %v : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>,
      tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %half = arith.constant 0.5 : f64
    %s = ta.reduce add [%j = %n, %k = %n, %l = %n] attributes {names = ["j", "k", "l"]} : f64 {
      %c = ta.access %C[%k, %l] : tensor<?x?xf64>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64>
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      %cb = arith.mulf %c, %b : f64
      %scaled = arith.mulf %half, %cb : f64
      %p = arith.mulf %scaled, %a : f64
      ta.yield %p : f64
    }
    %w = ta.access %v[%i] : tensor<?xf64>
    %d = arith.subf %w, %s : f64
    ta.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// Left alone: a sparse factor, two factors, little to do.
// CHECK-LABEL: func @others
// CHECK-COUNT-3: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @others(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64>, %x: tensor<?xf64>,
                  %D: tensor<4x4xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<4xf64>) {
  %c4 = arith.constant 4 : index
  %y = ta.compute [%i = %n] ins(%A, %B, %x : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %v = ta.access %x[%k] : tensor<?xf64>
      %abx = arith.mulf %ab, %v : f64
      ta.yield %abx : f64
    }
    ta.yield %s : f64
  }
  %z = ta.compute [%i = %n] ins(%B, %x : tensor<?x?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %b = ta.access %B[%i, %j] : tensor<?x?xf64>
      %v = ta.access %x[%j] : tensor<?xf64>
      %bx = arith.mulf %b, %v : f64
      ta.yield %bx : f64
    }
    ta.yield %s : f64
  }
  %w = ta.compute [%i = %c4] ins(%D : tensor<4x4xf64>) -> tensor<4xf64> out [%i]
      attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %c4, %k = %c4, %l = %c4] attributes {names = ["j", "k", "l"]} : f64 {
      %a = ta.access %D[%i, %j] : tensor<4x4xf64>
      %b = ta.access %D[%j, %k] : tensor<4x4xf64>
      %ab = arith.mulf %a, %b : f64
      %c = ta.access %D[%k, %l] : tensor<4x4xf64>
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %y, %z, %w : tensor<?xf64>, tensor<?xf64>, tensor<4xf64>
}
