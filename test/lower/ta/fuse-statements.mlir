// A tensor that one statement makes and another reads is computed where it is read, where that
// costs no more.
// RUN: strata-opt %s --ta-share-statements --ta-fuse-statements --split-input-file | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// SDDMM in two statements: the dense product is wanted at the entries of S only.
// CHECK-LABEL: @sddmm
// CHECK: ta.compute [%[[I:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}] ins(%arg0, %arg1, %arg2
// CHECK-SAME: fused = ["'T': its values are wanted only where a sparse operand stores something"]
// CHECK:   %[[S:.*]] = ta.access %arg0[%[[I]], %[[J]]]
// CHECK:   %[[T:.*]] = ta.reduce add [%[[K:.*]] = %{{.*}}]
// CHECK:     ta.access %arg1[%[[I]], %[[K]]]
// CHECK:     ta.access %arg2[%[[K]], %[[J]]]
// CHECK:   arith.mulf %[[S]], %[[T]]
// CHECK-NOT: ta.compute
// CHECK: return
func.func @sddmm(%S: tensor<?x?xf64, #CSR>, %P: tensor<?x?xf64>, %Q: tensor<?x?xf64>)
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %P, 0 : tensor<?x?xf64>
  %r = ta.dim %P, 1 : tensor<?x?xf64>
  %m = ta.dim %Q, 1 : tensor<?x?xf64>
  %T = ta.compute [%i = %n, %j = %m] ins(%P, %Q : tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %m) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %r] attributes {names = ["k"]} : f64 {
      %p = ta.access %P[%i, %k] : tensor<?x?xf64>
      %q = ta.access %Q[%k, %j] : tensor<?x?xf64>
      %pq = arith.mulf %p, %q : f64
      ta.yield %pq : f64
    }
    ta.yield %s : f64
  } loc("T")
  %n2 = ta.dim %T, 0 : tensor<?x?xf64>
  %m2 = ta.dim %T, 1 : tensor<?x?xf64>
  %C = ta.compute [%i = %n2, %j = %m2] ins(%S, %T : tensor<?x?xf64, #CSR>, tensor<?x?xf64>)
      sizes(%n2, %m2) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.access %S[%i, %j] : tensor<?x?xf64, #CSR>
    %t = ta.access %T[%i, %j] : tensor<?x?xf64>
    %c = arith.mulf %s, %t : f64
    ta.yield %c : f64
  } loc("C")
  return %C : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A sparse matrix times a dense one, times another: one nest, a row at a time. The inner variable
// has another name than the outer one.
// CHECK-LABEL: @rows
// CHECK: ta.compute {{.*}} ins(%arg2, %arg0, %arg1
// CHECK-SAME: fused = ["'T': each of its rows is used once, and kept in a workspace until then"]
// CHECK: ta.reduce add [%[[K:.*]] = %{{.*}}] attributes {names = ["j"]}
// CHECK:   ta.reduce add [%[[J:.*]] = %{{.*}}] attributes {names = ["j2"], workspace}
// CHECK:     ta.access %arg0[%{{.*}}, %[[J]]]
// CHECK:     ta.access %arg1[%[[J]], %[[K]]]
// CHECK:   ta.access %arg2[%[[K]], %{{.*}}]
// CHECK-NOT: ta.compute
func.func @rows(%S: tensor<?x?xf64, #CSR>, %X: tensor<?x?xf64>, %W: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %n = ta.dim %S, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %X, 0 : tensor<?x?xf64>
  %k = ta.dim %X, 1 : tensor<?x?xf64>
  %l = ta.dim %W, 1 : tensor<?x?xf64>
  %T = ta.compute [%i = %n, %q = %k] ins(%S, %X : tensor<?x?xf64, #CSR>, tensor<?x?xf64>)
      sizes(%n, %k) -> tensor<?x?xf64> out [%i, %q] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %S[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %X[%j, %q] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  } loc("T")
  %C = ta.compute [%i = %n, %p = %l] ins(%T, %W : tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %l) -> tensor<?x?xf64> out [%i, %p] attributes {names = ["i", "l"]} {
    %s = ta.reduce add [%j = %k] attributes {names = ["j"]} : f64 {
      %t = ta.access %T[%i, %j] : tensor<?x?xf64>
      %w = ta.access %W[%j, %p] : tensor<?x?xf64>
      %tw = arith.mulf %t, %w : f64
      ta.yield %tw : f64
    }
    ta.yield %s : f64
  } loc("C")
  return %C : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A chain of sparse products is not: each path would be walked again for every entry.
// CHECK-LABEL: @chain
// CHECK-COUNT-2: ta.compute
func.func @chain(%A: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR> {
  %T = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %s = ta.reduce add [%k = %n] : f64 {
      %p = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %q = ta.access %A[%k, %j] : tensor<?x?xf64, #CSR>
      %pq = arith.mulf %p, %q : f64
      ta.yield %pq : f64
    }
    ta.yield %s : f64
  }
  %C = ta.compute [%i = %n, %j = %n] ins(%T, %A : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %s = ta.reduce add [%k = %n] : f64 {
      %p = ta.access %T[%i, %k] : tensor<?x?xf64, #CSR>
      %q = ta.access %A[%k, %j] : tensor<?x?xf64, #CSR>
      %pq = arith.mulf %p, %q : f64
      ta.yield %pq : f64
    }
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// -----

// What is read twice, seen otherwise, timed, or updated in between stays a tensor.
// CHECK-LABEL: @stays
// CHECK-COUNT-6: ta.compute
func.func @stays(%x: tensor<?xf64>, %n: index) -> (tensor<f64>, tensor<f64>, tensor<?xf64>) {
  %T = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = math.exp %0 : f64
    ta.yield %1 : f64
  }
  %a = ta.compute [] ins(%T : tensor<?xf64>) -> tensor<f64> out [] {
    %s = ta.reduce add [%i = %n] : f64 {
      %0 = ta.access %T[%i] : tensor<?xf64>
      ta.yield %0 : f64
    }
    ta.yield %s : f64
  }
  %b = ta.compute [] ins(%T : tensor<?xf64>) -> tensor<f64> out [] {
    %s = ta.reduce max [%i = %n] : f64 {
      %0 = ta.access %T[%i] : tensor<?xf64>
      ta.yield %0 : f64
    }
    ta.yield %s : f64
  }
  %U = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = math.sqrt %0 : f64
    ta.yield %1 : f64
  }
  %t = ta.time : tensor<f64>
  %V = ta.compute [%i = %n] ins(%U : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %0 = ta.access %U[%i] : tensor<?xf64>
    %1 = arith.addf %0, %0 : f64
    ta.yield %1 : f64
  }
  %W = ta.compute [%i = %n] ins(%V : tensor<?xf64>) sizes(%n) init(%x : tensor<?xf64>) combine add -> tensor<?xf64> out [%i] {
    %0 = ta.access %V[%i] : tensor<?xf64>
    ta.yield %0 : f64
  }
  ta.write %V, "v.mtx" : tensor<?xf64>
  return %a, %b, %W : tensor<f64>, tensor<f64>, tensor<?xf64>
}

// A contraction of dense tensors keeps its blocks: it stays a statement of its own before a function
// of its values. Where both statements are products that take fewer operations together, it does not.
// CHECK-LABEL: func @blocks
// CHECK:   ta.compute
// CHECK:     arith.mulf
// CHECK:   ta.compute
// CHECK:     math.exp
// CHECK:   return
func.func @blocks(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index) -> tensor<f64> {
  %C = ta.compute [%i = %n, %k = %n] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  }
  %t = ta.compute [] ins(%C : tensor<?x?xf64>) -> tensor<f64> out [] attributes {names = []} {
    %s = ta.reduce add [%i = %n, %k = %n] attributes {names = ["i", "k"]} : f64 {
      %c = ta.access %C[%i, %k] : tensor<?x?xf64>
      %e = math.exp %c : f64
      ta.yield %e : f64
    }
    ta.yield %s : f64
  }
  return %t : tensor<f64>
}

// CHECK-LABEL: func @fewer
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @fewer(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index) -> tensor<f64> {
  %C = ta.compute [%i = %n, %k = %n] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%j, %i] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      ta.yield %ab : f64
    }
    ta.yield %s : f64
  }
  %t = ta.compute [] ins(%C : tensor<?x?xf64>) -> tensor<f64> out [] attributes {names = []} {
    %s = ta.reduce add [%i = %n, %k = %n] attributes {names = ["i", "k"]} : f64 {
      %c = ta.access %C[%i, %k] : tensor<?x?xf64>
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %t : tensor<f64>
}
