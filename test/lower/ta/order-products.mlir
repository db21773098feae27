// Products of several dense tensors are multiplied two at a time, in the order of the fewest operations,
// and before sparse ones.
// RUN: strata-opt %s --ta-order-products | FileCheck %s
// RUN: strata-opt %s --ta-forbid-resolutions=what=grouping --ta-order-products | FileCheck %s --check-prefix=WRITTEN
// RUN: strata-opt %s --ta-forbid-resolutions=what=split --ta-order-products | FileCheck %s --check-prefix=WHOLE
// RUN: strata-opt %s --ta-order-products=max-memory=12015 | FileCheck %s --check-prefix=SMALL
// RUN: strata-opt %s --ta-order-products=max-memory=12016 | FileCheck %s --check-prefix=ENOUGH

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#Vector = #ta.format<(i) -> (i : compressed)>
#Filled = #ta.format<(i, j) -> (i : dense, j : compressed), fill = 1.0 : f64>

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

// The order that leaves no room for its temporary is not taken: the operands and the result have 12,000
// bytes, and 16 more are wanted.
// SMALL-LABEL: func @memory
// SMALL-COUNT-1: ta.compute
// SMALL-NOT: ta.compute
// SMALL: return
// CHECK-LABEL: func @memory
// CHECK-COUNT-2: ta.compute
// ENOUGH-LABEL: func @memory
// ENOUGH-COUNT-2: ta.compute
// Of labels of unknown size no memory is known.
// SMALL-LABEL: func @layer
// SMALL-COUNT-2: ta.compute
func.func @memory(%A: tensor<100x2xf64> loc("A"), %B: tensor<2x400xf64> loc("B"),
                  %x: tensor<400xf64> loc("x")) -> tensor<100xf64> {
  %c100 = arith.constant 100 : index
  %c400 = arith.constant 400 : index
  %c2 = arith.constant 2 : index
  %y = ta.compute [%i = %c100] ins(%A, %B, %x : tensor<100x2xf64>, tensor<2x400xf64>, tensor<400xf64>)
      -> tensor<100xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %c2, %k = %c400] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<100x2xf64>
      %b = ta.access %B[%j, %k] : tensor<2x400xf64>
      %ab = arith.mulf %a, %b : f64
      %v = ta.access %x[%k] : tensor<400xf64>
      %abx = arith.mulf %ab, %v : f64
      ta.yield %abx : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<100xf64>
}

// A layer of a graph network: the dense factors first, though the sparse one is written before them.
// CHECK-LABEL: func @layer
// CHECK: %[[P:.*]] = ta.compute [%[[J:.*]] = %arg3, %[[L:.*]] = %arg3] ins(%arg1, %arg2
// CHECK-SAME: reason = "A * (B * C) takes 294912 multiplications, all at once 4.2 million, with 64 values for labels of unknown size, with 8 coordinates below each position where only some are stored"
// CHECK:   ta.reduce add [%[[K:.*]] = %arg3] attributes {names = ["k"]}
// CHECK:     ta.access %arg1[%[[J]], %[[K]]]
// CHECK:     ta.access %arg2[%[[K]], %[[L]]]
// CHECK: ta.compute [%[[I:.*]] = %arg3, %[[L2:.*]] = %arg3] ins(%arg0, %[[P]]
// CHECK:   ta.reduce add [%[[J2:.*]] = %arg3] attributes {names = ["j"]}
// CHECK:     ta.access %arg0[%[[I]], %[[J2]]]
// CHECK:     ta.access %[[P]][%[[J2]], %[[L2]]]

// From left to right the sparse factor would be in a temporary.
// WRITTEN-LABEL: func @layer
// WRITTEN-COUNT-1: ta.compute
// WRITTEN-NOT: ta.compute
// WRITTEN: return
func.func @layer(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64> loc("B"),
                 %C: tensor<?x?xf64> loc("C"), %n: index) -> tensor<?x?xf64> {
  %y = ta.compute [%i = %n, %l = %n] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64>,
      tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64> out [%i, %l]
      attributes {names = ["i", "l"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %c = ta.access %C[%k, %l] : tensor<?x?xf64>
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// Left alone: what a sparse factor samples (S, and Z, of blocks), one that may be all but empty (C), one with a
// value where nothing is stored (F).
// CHECK-LABEL: func @sampled
// CHECK-COUNT-4: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @sampled(%S: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #COO>,
                   %F: tensor<?x?xf64, #Filled>, %Z: tensor<?x?xf64, #BCSR>, %A: tensor<?x?xf64>,
                   %B: tensor<?x?xf64>, %n: index)
    -> (tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64, #BCSR>) {
  %x = ta.compute [%i = %n, %j = %n] ins(%S, %A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64>,
      tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %0 = ta.access %S[%i, %j] : tensor<?x?xf64, #CSR>
      %1 = ta.access %A[%i, %k] : tensor<?x?xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%k, %j] : tensor<?x?xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  %y = ta.compute [%i = %n, %l = %n] ins(%C, %A, %B : tensor<?x?xf64, #COO>, tensor<?x?xf64>,
      tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64> out [%i, %l]
      attributes {names = ["i", "l"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %0 = ta.access %C[%i, %j] : tensor<?x?xf64, #COO>
      %1 = ta.access %A[%j, %k] : tensor<?x?xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%k, %l] : tensor<?x?xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  %z = ta.compute [%i = %n, %l = %n] ins(%F, %A, %B : tensor<?x?xf64, #Filled>, tensor<?x?xf64>,
      tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64> out [%i, %l]
      attributes {names = ["i", "l"]} {
    %s = ta.reduce add [%j = %n, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %0 = ta.access %F[%i, %j] : tensor<?x?xf64, #Filled>
      %1 = ta.access %A[%j, %k] : tensor<?x?xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%k, %l] : tensor<?x?xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  %w = ta.compute [%i = %n, %j = %n] ins(%Z, %A, %B : tensor<?x?xf64, #BCSR>, tensor<?x?xf64>,
      tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64, #BCSR> out [%i, %j]
      attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %0 = ta.access %Z[%i, %j] : tensor<?x?xf64, #BCSR>
      %1 = ta.access %A[%i, %k] : tensor<?x?xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %B[%k, %j] : tensor<?x?xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  return %x, %y, %z, %w : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>,
      tensor<?x?xf64, #BCSR>
}

// Left alone: a sum that is multiplied by itself, which is no sum over the labels of both.
// CHECK-LABEL: func @square
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @square(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %z: tensor<?xf64>, %n: index)
    -> tensor<?xf64> {
  %y = ta.compute [%i = %n] ins(%A, %x, %z : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      %v = ta.access %x[%j] : tensor<?xf64>
      %av = arith.mulf %a, %v : f64
      ta.yield %av : f64
    }
    %t = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %v = ta.access %z[%k] : tensor<?xf64>
      ta.yield %v : f64
    }
    %q = arith.mulf %s, %s : f64
    %p = arith.mulf %q, %t : f64
    ta.yield %p : f64
  }
  return %y : tensor<?xf64>
}

// Left alone: two factors, little to do. The vector before the sparse factor.
// CHECK-LABEL: func @others
// CHECK: ta.compute
// CHECK-SAME: reason = "? * (? * ?) takes 4608 multiplications
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

// Labels that one of two factors alone has are summed first; of a sparse factor, into a vector of what
// has terms.
// CHECK-LABEL: func @alone
// CHECK: %[[P:.*]] = ta.compute [%[[J:.*]] = %{{.*}}] ins(%arg0
// CHECK-SAME: -> tensor<?xf64> out
// CHECK:   ta.reduce add
// CHECK-NEXT: ta.access %arg0
// CHECK: ta.compute {{.*}} ins(%arg1, %[[P]]
// CHECK: %[[S:.*]] = ta.compute [%[[J:.*]] = %{{.*}}] ins(%arg2
// CHECK-SAME: -> tensor<?xf64, #ta.format<({{.*}}) -> ({{.*}} : bitmap)>> out
// CHECK: ta.compute {{.*}} ins(%arg1, %[[S]]
func.func @alone(%A: tensor<?x?xf64> loc("A"), %B: tensor<?x?xf64> loc("B"),
                 %S: tensor<?x?xf64, #CSR> loc("S"), %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = ta.compute [%k = %n] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) sizes(%n)
      -> tensor<?xf64> out [%k] attributes {names = ["k"]} {
    %s = ta.reduce add [%i = %n, %j = %n] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  }
  %z = ta.compute [%k = %n] ins(%S, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64>) sizes(%n)
      -> tensor<?xf64> out [%k] attributes {names = ["k"]} {
    %s = ta.reduce add [%i = %n, %j = %n] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %S[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  }
  return %y, %z : tensor<?xf64>, tensor<?xf64>
}

// A sparse vector that is added up, beside two dense factors: nothing would keep of a scalar that it has no
// terms, so that it stays in the statement, outside of the other sum.
// CHECK-LABEL: func @scalar
// CHECK: %[[P:.*]] = ta.compute [%[[K:.*]] = %c40] ins(%arg1, %arg2
// CHECK: ta.compute [%{{.*}} = %c40] ins(%arg0, %[[P]]
// CHECK:   %[[SUM:.*]] = ta.reduce add [%[[I:.*]] = %c30]
// CHECK-NEXT:     ta.access %arg0[%[[I]]]
// CHECK-NEXT:     ta.yield
// CHECK-NEXT:   }
// CHECK-NOT: ta.reduce
// CHECK: return
func.func @scalar(%v: tensor<30xf64, #Vector> loc("v"), %B: tensor<40x40xf64> loc("B"),
                  %c: tensor<40xf64> loc("c")) -> tensor<40xf64> {
  %c30 = arith.constant 30 : index
  %c40 = arith.constant 40 : index
  %y = ta.compute [%k = %c40] ins(%v, %B, %c : tensor<30xf64, #Vector>, tensor<40x40xf64>, tensor<40xf64>)
      -> tensor<40xf64> out [%k] attributes {names = ["k"]} {
    %s = ta.reduce add [%i = %c30, %j = %c40] attributes {names = ["i", "j"]} : f64 {
      %0 = ta.access %v[%i] : tensor<30xf64, #Vector>
      %1 = ta.access %B[%j, %k] : tensor<40x40xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = ta.access %c[%j] : tensor<40xf64>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<40xf64>
}
