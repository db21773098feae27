// What keeps products from running as they do alone becomes a statement of its own.
// RUN: strata-opt %s --ta-order-products --ta-split-statements --split-input-file | FileCheck %s

// (A + B) * C: the sum first, so that the product runs in blocks; also of 16 bits.
// CHECK-LABEL: func @factor
// CHECK: %[[T:.*]] = ta.compute [%[[I:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}] ins(%arg0, %arg1
// CHECK-SAME: -> tensor<?x?xf32>
// CHECK-SAME: names = ["i", "k"], reason = "a factor of a product of dense tensors, which then runs in blocks"
// CHECK: ta.compute {{.*}} ins(%arg2, %[[T]]
// CHECK:   ta.reduce add
// CHECK-NOT: arith.addf
// CHECK: return
func.func @factor(%A: tensor<?x?xbf16>, %B: tensor<?x?xbf16>, %C: tensor<?x?xbf16>, %n: index)
    -> tensor<?x?xbf16> {
  %D = ta.compute [%i = %n, %j = %n] ins(%A, %B, %C : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xbf16>)
      sizes(%n, %n) -> tensor<?x?xbf16> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f32 {
      %a = ta.access %A[%i, %k] : tensor<?x?xbf16>
      %aw = arith.extf %a : bf16 to f32
      %b = ta.access %B[%i, %k] : tensor<?x?xbf16>
      %bw = arith.extf %b : bf16 to f32
      %ab = arith.addf %aw, %bw : f32
      %c = ta.access %C[%k, %j] : tensor<?x?xbf16>
      %cw = arith.extf %c : bf16 to f32
      %abc = arith.mulf %ab, %cw : f32
      ta.yield %abc : f32
    }
    %t = arith.truncf %s : f32 to bf16
    ta.yield %t : bf16
  }
  return %D : tensor<?x?xbf16>
}

// -----
// A factor that no tensor has all labels of, and one of a product of a matrix and a vector, stay.
// CHECK-LABEL: func @other_factors
// CHECK-COUNT-2: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @other_factors(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %x: tensor<?xf64>, %n: index)
    -> (tensor<?x?xf64>, tensor<?xf64>) {
  %D = ta.compute [%i = %n, %j = %n] ins(%A, %x : tensor<?x?xf64>, tensor<?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %x[%i] : tensor<?xf64>
      %b = ta.access %x[%k] : tensor<?xf64>
      %ab = arith.addf %a, %b : f64
      %c = ta.access %A[%k, %j] : tensor<?x?xf64>
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  %y = ta.compute [%i = %n] ins(%A, %B, %x : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %B[%i, %k] : tensor<?x?xf64>
      %ab = arith.addf %a, %b : f64
      %c = ta.access %x[%k] : tensor<?xf64>
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %D, %y : tensor<?x?xf64>, tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A sum of products of sparse tensors, and another term: the sum first, as a dense tensor.
// CHECK-LABEL: func @covariance
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg0 :
// CHECK-SAME: -> tensor<?x?xf64> out
// CHECK-SAME: names = ["i", "j"], reason = "a sum of products of sparse tensors, to avoid recomputation"
// CHECK: ta.compute {{.*}} ins(%arg1, %[[T]] :
// CHECK-NOT: ta.reduce
// CHECK: return
func.func @covariance(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?x?xf64> {
  %m = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %R = ta.compute [%i = %n, %j = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%k, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%k, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    %xi = ta.access %x[%i] : tensor<?xf64>
    %xj = ta.access %x[%j] : tensor<?xf64>
    %xx = arith.mulf %xi, %xj : f64
    %d = arith.subf %s, %xx : f64
    ta.yield %d : f64
  }
  return %R : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A sum that a sparse factor samples stays where it is, and so does one of the whole right side.
// CHECK-LABEL: func @sampled
// CHECK-COUNT-2: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @sampled(%A: tensor<?x?xf64, #CSR>, %S: tensor<?x?xf64, #CSR>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %R = ta.compute [%i = %n, %j = %n] ins(%A, %S : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%k, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%k, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    %c = ta.access %S[%i, %j] : tensor<?x?xf64, #CSR>
    %p = arith.mulf %s, %c : f64
    ta.yield %p : f64
  }
  %Q = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%k, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%k, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  }
  return %R, %Q : tensor<?x?xf64>, tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A sum whose terms are added up in the order in which its operand is stored, where the loops of
// another term run over the result's labels.
// CHECK-LABEL: func @scattered
// CHECK: ta.compute {{.*}}reason = "a sum whose operands the loops of other terms would not reach as they are stored"
// CHECK: ta.reduce
// CHECK: ta.compute
// CHECK-NOT: ta.reduce
// CHECK: return
func.func @scattered(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %z: tensor<?xf64>)
    -> tensor<?xf64> {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %y = ta.compute [%i = %n] ins(%A, %x, %z : tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    %c = ta.access %z[%i] : tensor<?xf64>
    %d = arith.subf %c, %s : f64
    ta.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// In a loop of the program the operand is converted once, before it.
// CHECK-LABEL: func @in_rounds
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @in_rounds(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %last = ta.loop limit 3 carry(%x : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%v: tensor<?xf64>):
    %y = ta.compute [%i = %n] ins(%A, %v : tensor<?x?xf64, #CSR>, tensor<?xf64>)
        sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
      %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
        %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
        %b = ta.access %v[%j] : tensor<?xf64>
        %ab = arith.mulf %a, %b : f64
        ta.yield %ab : f64
      }
      %two = arith.constant 2.0 : f64
      %d = arith.mulf %two, %s : f64
      ta.yield %d : f64
    }
    ta.next %y : tensor<?xf64>
  }
  return %last : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// The update takes the least over j of a sum: A is added up for each j, and no sum for each i and j
// is kept.
// CHECK-LABEL: @update
// CHECK: ta.compute [%[[J:.*]] = %{{.*}}] ins(%arg0
// CHECK: ta.compute [%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}] ins(%arg1, {{.*}}combine min
// CHECK-NOT: ta.compute
// CHECK: return
func.func @update(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %k = ta.dim %x, 0 : tensor<?xf64>
  %y = ta.compute [%i = %k, %j = %m] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%k)
      init(%x : tensor<?xf64>) combine min -> tensor<?xf64> out [%i] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%l = %n] attributes {names = ["l"]} : f64 {
      %a = ta.access %A[%l, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%i] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A factor that may be infinite: where there are no terms it is annihilated, which a zero in a dense
// temporary would not do. The run takes that if all factors are finite.
// CHECK-LABEL: func @factor_of_sum
// CHECK: %[[UNKNOWN:.*]] = arith.constant true
// CHECK: ta.if %[[UNKNOWN]]
// CHECK:   %[[B:.*]] = ta.compute {{.*}} ins(%arg0, %arg1 :
// CHECK-SAME: -> tensor<?xf64, #ta.format<(i) -> (i : bitmap)>> out
// CHECK:   ta.compute {{.*}} ins(%arg2, %[[B]] :
// CHECK-NOT: ta.reduce
// CHECK: } else {
// CHECK:   %[[T:.*]] = ta.compute {{.*}} ins(%arg0, %arg1 :
// CHECK-SAME: -> tensor<?xf64> out
// CHECK:   ta.compute {{.*}} ins(%arg2, %[[T]] :
// CHECK-NOT: ta.reduce
// CHECK: } {strata.held_zeros}
// CHECK-NOT: ta.compute
// CHECK: return
func.func @factor_of_sum(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %z: tensor<?xf64>)
    -> tensor<?xf64> {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %y = ta.compute [%i = %n] ins(%A, %x, %z : tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    %c = ta.access %z[%i] : tensor<?xf64>
    %d = arith.mulf %c, %s : f64
    ta.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Two sums beside one factor: what has been decided for the one holds for the other.
// CHECK-LABEL: func @divisor_of_sums
// CHECK: ta.if
// CHECK-COUNT-2: #ta.format<(i) -> (i : bitmap)>> out
// CHECK: } else {
// CHECK-NOT: bitmap
// CHECK-COUNT-3: -> tensor<?xf64> out
// CHECK: } {strata.held_zeros}
// CHECK-NOT: ta.if
// CHECK: return
func.func @divisor_of_sums(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %z: tensor<?xf64>)
    -> tensor<?xf64> {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %y = ta.compute [%i = %n] ins(%A, %x, %z : tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    %r = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    %sr = arith.addf %s, %r : f64
    %c = ta.access %z[%i] : tensor<?xf64>
    %d = arith.divf %sr, %c : f64
    ta.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Nobody knows before whether what is computed is infinite.
// CHECK-LABEL: func @computed_factor
// CHECK-NOT: ta.if
// CHECK: ta.compute {{.*}} -> tensor<?xf64, #ta.format<(i) -> (i : bitmap)>> out
// CHECK: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @computed_factor(%A: tensor<?x?xf64, #CSR>, %z: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %y = ta.compute [%i = %n] ins(%A, %z : tensor<?x?xf64, #CSR>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    %c = ta.access %z[%i] : tensor<?xf64>
    %e = math.exp %c : f64
    %d = arith.mulf %e, %s : f64
    ta.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Numbers that are finite, what is added and is there, and functions make no difference.
// CHECK-LABEL: func @finite_factor
// CHECK-NOT: ta.if
// CHECK: ta.compute {{.*}} -> tensor<?xf64> out
// CHECK: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @finite_factor(%A: tensor<?x?xf64, #CSR>, %z: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %y = ta.compute [%i = %n] ins(%A, %z : tensor<?x?xf64, #CSR>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    %f = arith.constant 0.85 : f64
    %fs = arith.mulf %f, %s : f64
    %c = ta.access %z[%i] : tensor<?xf64>
    %d = arith.addf %fs, %c : f64
    %e = math.exp %d : f64
    %p = arith.mulf %e, %c : f64
    ta.yield %p : f64
  }
  return %y : tensor<?xf64>
}
