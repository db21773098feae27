// What sparse tensors store is reduced, and what they do not store comes once, or as often as it is
// there.
// RUN: strata-opt %s --ta-split-statements --split-input-file | FileCheck %s
// RUN: strata-opt %s --ta-forbid-resolutions=what=split --ta-split-statements --split-input-file | FileCheck %s --check-prefix=WHOLE
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A scalar: both reductions are statements of their own, in threads as any.
// CHECK-LABEL: func @greatest
// CHECK: %[[V:.*]] = ta.compute [] ins(%arg0 : {{.*}} -> tensor<f64, #{{.*}}> out []
// CHECK-SAME: reason = "what is stored is reduced, and what is not stored comes once, if there is any"
// CHECK:   ta.reduce max [
// CHECK:     ta.access %arg0[{{.*}}] {missing}
// CHECK: %[[N:.*]] = ta.compute [] ins(%arg0 : {{.*}} -> tensor<i64>
// CHECK:   ta.reduce add [
// CHECK:     ta.masked
// CHECK: ta.compute [] ins(
// CHECK:   %[[STORED:.*]] = ta.access %[[V]][]
// CHECK:   arith.maximumf %[[STORED]], %{{.*}} : f64
// CHECK:   ta.reduce add [
// CHECK-NEXT: arith.constant 1.0
// CHECK:   ta.compare lt
// CHECK:   ta.select

// WHOLE-LABEL: func @greatest
// WHOLE-COUNT-1: ta.compute
// WHOLE-NOT: ta.compute
// WHOLE: return
func.func @greatest(%A: tensor<?x?xf64, #CSR>) -> tensor<f64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %s = ta.compute [] ins(%A : tensor<?x?xf64, #CSR>) -> tensor<f64> out [] {
    %r = ta.reduce max [%i = %n, %j = %m] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %r : f64
  }
  return %s : tensor<f64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Rows of a dense result are reduced inside the statement; a sum of exponentials takes a multiple.
// CHECK-LABEL: func @exponentials
// CHECK-COUNT-1: ta.compute
// CHECK:   ta.reduce add
// CHECK:   ta.reduce add
// CHECK:   arith.mulf
// CHECK:   ta.select
// CHECK-NOT: ta.compute
// CHECK: return
func.func @exponentials(%A: tensor<?x?xf64, #CSR>) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %s = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i] {
    %r = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %e = math.exp %a : f64
      ta.yield %e : f64
    }
    ta.yield %r : f64
  }
  return %s : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// What is absent changes nothing, or is not the same everywhere: the statements stay.
// CHECK-LABEL: func @stays
// CHECK-NOT: missing
// CHECK: return
func.func @stays(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>) -> (tensor<f64>, tensor<f64>) {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %s = ta.compute [] ins(%A : tensor<?x?xf64, #CSR>) -> tensor<f64> out [] {
    %r = ta.reduce add [%i = %n, %j = %m] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %r : f64
  }
  %t = ta.compute [] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<f64> out [] {
    %r = ta.reduce max [%i = %n, %j = %m] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %v = ta.access %x[%j] : tensor<?xf64>
      %b = arith.addf %a, %v : f64
      ta.yield %b : f64
    }
    ta.yield %r : f64
  }
  return %s, %t : tensor<f64>, tensor<f64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#Ones = #ta.format<(i, j) -> (i : dense, j : compressed), fill = 3 : i32>

// A product takes a power, of integers by squares; of two operands one is enough to be stored.
// CHECK-LABEL: func @product
// CHECK: ta.reduce mul
// CHECK:   ta.access %arg0[{{.*}}] : tensor
// CHECK:   ta.access %arg0[{{.*}}] {missing}
// CHECK:   ta.access %arg1[{{.*}}] {missing}
// CHECK:   ta.union
// CHECK:   ta.masked
// CHECK: arith.andi
func.func @product(%A: tensor<?x?xi32, #Ones>, %B: tensor<?x?xi32, #CSR>) -> tensor<i32> {
  %n = ta.dim %A, 0 : tensor<?x?xi32, #Ones>
  %m = ta.dim %A, 1 : tensor<?x?xi32, #Ones>
  %s = ta.compute [] ins(%A, %B : tensor<?x?xi32, #Ones>, tensor<?x?xi32, #CSR>) -> tensor<i32> out [] {
    %r = ta.reduce mul [%i = %n, %j = %m] attributes {names = ["i", "j"]} : i32 {
      %a = ta.access %A[%i, %j] : tensor<?x?xi32, #Ones>
      %b = ta.access %B[%i, %j] : tensor<?x?xi32, #CSR>
      %c = arith.addi %a, %b : i32
      ta.yield %c : i32
    }
    ta.yield %r : i32
  }
  return %s : tensor<i32>
}

// -----
#V = #ta.format<(i) -> (i : compressed)>

// Terms that are 0 whatever is stored are left as they are.
// CHECK-LABEL: func @always
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
func.func @always(%A: tensor<?xi64, #V>, %B: tensor<?xi64, #V>) -> tensor<i64> {
  %n = ta.dim %A, 0 : tensor<?xi64, #V>
  %s = ta.compute [] ins(%A, %B : tensor<?xi64, #V>, tensor<?xi64, #V>) -> tensor<i64> out [] {
    %r = ta.reduce land [%i = %n] attributes {names = ["i"]} : i64 {
      %one = arith.constant 1 : i64
      %a = ta.access %A[%i] {missing} : tensor<?xi64, #V>
      %sum = arith.addi %one, %a : i64
      %either = ta.union %one, %a, %sum : i64
      %zero = arith.constant 0 : i64
      %b = ta.access %B[%i] : tensor<?xi64, #V>
      %none = arith.andi %zero, %b : i64
      %both = arith.andi %either, %none : i64
      ta.yield %both : i64
    }
    ta.yield %r : i64
  }
  return %s : tensor<i64>
}
