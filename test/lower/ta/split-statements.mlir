// What fused loops would compute again and again becomes a statement of its own.
// RUN: strata-opt %s --ta-split-statements --split-input-file | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// (A + B) * C: the sum would be merged again for each j.
// CHECK-LABEL: @factor
// CHECK: %[[T:.*]] = ta.compute [%[[I:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}] ins(%arg0, %arg1
// CHECK-SAME: reason = "a sum of sparse tensors, which a product would merge again and again"
// CHECK:   ta.access %arg0[%[[I]], %[[K]]]
// CHECK:   ta.access %arg1[%[[I]], %[[K]]]
// CHECK:   arith.addf
// CHECK: ta.compute {{.*}} ins(%arg2, %[[T]]
// CHECK:   ta.reduce add
// CHECK:     arith.mulf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @factor(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>)
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %l = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %l] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %l) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%i, %k] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%k, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.addf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A * B * C: two factors and what they share first.
// CHECK-LABEL: @chain
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg0, %arg1 :
// CHECK-SAME: names = ["i", "l"], reason = "a product of two sparse tensors, to avoid recomputation"
// CHECK: ta.compute {{.*}} ins(%arg2, %[[T]]
// CHECK-NOT: ta.compute
// CHECK: return
func.func @chain(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>)
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// A * B * x: the product of B and x is a vector, with a place for each row of B; that of A and B
// would be a matrix.
// CHECK-LABEL: @chain_with_vector
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg1, %arg2 :
// CHECK-SAME: -> tensor<?xf64, #ta.format<(i) -> (i : bitmap)>>
// CHECK-SAME: names = ["j"], reason = "a product with rows, smaller than one of sparse tensors"
// CHECK: ta.compute {{.*}} ins(%arg0, %[[T]]
// CHECK-NOT: ta.compute
// CHECK: return
func.func @chain_with_vector(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>)
    -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %B, 0 : tensor<?x?xf64, #CSR>
  %o = ta.dim %x, 0 : tensor<?xf64>
  %y = ta.compute [%i = %n] ins(%A, %B, %x : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m, %k = %o] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64, #CSR>
      %c = ta.access %x[%k] : tensor<?xf64>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// A * B * D with rows of D: rows again. Nothing has a place for each row of B in columns, which may
// be very many: what occurs is stored.
// CHECK-LABEL: @chain_with_rows
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg1, %arg2 :
// CHECK-SAME: -> tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed, j : dense)>>
// CHECK-SAME: names = ["j", "m"], reason = "a product with rows, smaller than one of sparse tensors"
// CHECK: ta.compute {{.*}} ins(%arg0, %[[T]]
// CHECK-NOT: ta.compute
// CHECK: return
func.func @chain_with_rows(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>, %D: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %l = ta.dim %B, 0 : tensor<?x?xf64, #CSC>
  %o = ta.dim %D, 0 : tensor<?x?xf64>
  %p = ta.dim %D, 1 : tensor<?x?xf64>
  %y = ta.compute [%i = %n, %m = %p] ins(%A, %B, %D : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>, tensor<?x?xf64>)
      sizes(%n, %p) -> tensor<?x?xf64> out [%i, %m] attributes {names = ["i", "m"]} {
    %s = ta.reduce add [%j = %l, %k = %o] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64, #CSC>
      %c = ta.access %D[%k, %m] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// S * A * B, of which S samples the product: nothing is split.
// CHECK-LABEL: @sampled
// CHECK: ta.compute {{.*}} ins(%arg0, %arg1, %arg2 :
// CHECK-NOT: ta.compute
// CHECK: return
func.func @sampled(%S: tensor<?x?xf64, #CSR>, %A: tensor<?x?xf64>, %B: tensor<?x?xf64>)
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64>
  %m = ta.dim %A, 1 : tensor<?x?xf64>
  %l = ta.dim %B, 1 : tensor<?x?xf64>
  %D = ta.compute [%i = %n, %j = %l] ins(%S, %A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %l) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.access %S[%i, %j] : tensor<?x?xf64, #CSR>
    %p = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    %sp = arith.mulf %s, %p : f64
    ta.yield %sp : f64
  }
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// C<M> = A - B * B: the mask goes to the terms of the temporary.
// CHECK-LABEL: @masked
// CHECK: %[[T:.*]] = ta.compute [%[[I:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}] ins(%arg1, %arg2
// CHECK:   ta.reduce add
// CHECK:     %[[P:.*]] = arith.mulf
// CHECK:     %[[M:.*]] = ta.access %arg2[%[[I]], %[[J]]] {missing}
// CHECK:     ta.masked %[[P]] by %[[M]]
// CHECK: ta.compute {{.*}}%[[T]]
// CHECK:   arith.subf
// CHECK:   ta.masked
func.func @masked(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %M: tensor<?x?xf64, #CSR>)
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %b = ta.access %B[%i, %k] : tensor<?x?xf64, #CSR>
      %c = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %b, %c : f64
      ta.yield %p : f64
    }
    %d = arith.subf %a, %s : f64
    %m = ta.access %M[%i, %j] {missing} : tensor<?x?xf64, #CSR>
    %e = ta.masked %d by %m : f64, f64
    ta.yield %e : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// R(i,j) = (A(i,j) + B(j,i)) - C(j,i): what would have to be converted to be merged is added in the
// order in which it is stored.
// CHECK-LABEL: @addends
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg0 : {{.*}}-> tensor<?x?xf64> {{.*}}reason = "terms that could not be merged with others as they are stored"
// CHECK-NOT: arith
// CHECK: %[[U:.*]] = ta.compute {{.*}} ins(%arg1 : {{.*}}init(%[[T]] : {{.*}}combine add
// CHECK: %[[R:.*]] = ta.compute {{.*}} ins(%arg2 : {{.*}}init(%[[U]] : {{.*}}combine add
// CHECK: arith.negf
// CHECK: return %[[R]]
func.func @addends(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %C: tensor<?x?xf64, #CSR>, %n: index)
    -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %j = %n] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%j, %i] : tensor<?x?xf64, #CSR>
    %c = ta.access %C[%j, %i] : tensor<?x?xf64, #CSR>
    %s = arith.addf %a, %b : f64
    %d = arith.subf %s, %c : f64
    ta.yield %d : f64
  }
  return %R : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Between two others a term stays, so that these are rounded as they are written.
// CHECK-LABEL: @addend_between
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @addend_between(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %n: index)
    -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %j = %n] ins(%A, %B, %x : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%j, %i] : tensor<?x?xf64, #CSR>
    %c = ta.access %x[%i] : tensor<?xf64>
    %s = arith.addf %a, %b : f64
    %d = arith.addf %s, %c : f64
    ta.yield %d : f64
  }
  return %R : tensor<?x?xf64>
}

// -----

// Whether a term is the greatest is asked of numbers that are computed twice: both round alike.
// CHECK-LABEL: func @equal_terms
// CHECK: ta.compute
// CHECK-SAME: strata.assumptions = #ta.assumptions<deterministic>
// CHECK: return
func.func @equal_terms(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) sizes(%n, %m)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64>
    %p = arith.mulf %a, %b : f64
    %t = arith.addf %p, %a : f64
    %most = ta.reduce max [%k = %m] attributes {names = ["k"]} : f64 {
      %ak = ta.access %A[%i, %k] : tensor<?x?xf64>
      %bk = ta.access %B[%i, %k] : tensor<?x?xf64>
      %pk = arith.mulf %ak, %bk : f64
      %tk = arith.addf %pk, %ak : f64
      ta.yield %tk : f64
    }
    %is = ta.compare eq %t, %most : f64
    %one = arith.constant 1.0 : f64
    %zero = arith.constant 0.0 : f64
    %v = ta.select %is, %one, %zero : f64
    ta.yield %v : f64
  }
  return %R : tensor<?x?xf64>
}

// Data are compared as they are: nothing is computed.
// CHECK-LABEL: func @equal_data
// CHECK-NOT: strata.assumptions
// CHECK: return
func.func @equal_data(%A: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %R = ta.compute [%i = %n] ins(%A : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64>
    %zero = arith.constant 0.0 : f64
    %is = ta.compare eq %a, %zero : f64
    %twice = arith.mulf %a, %a : f64
    %v = ta.select %is, %zero, %twice : f64
    ta.yield %v : f64
  }
  return %R : tensor<?xf64>
}
