// Statements that say the same are computed once.
// RUN: strata-opt %s --ta-share-statements | FileCheck %s

// CHECK: module attributes {strata.notes = ["'b' is not computed again: it is what 'a' is"

// The extents are the same too; names of variables do not matter.
// CHECK-LABEL: @same
// CHECK: %[[N:.*]] = ta.dim %arg0, 0
// CHECK: %[[A:.*]] = ta.compute [%{{.*}} = %[[N]]]
// CHECK-NOT: ta.compute
// CHECK: return %[[A]], %[[A]]
func.func @same(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %n = ta.dim %x, 0 : tensor<?xf64>
  %a = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = arith.addf %0, %0 : f64
    ta.yield %1 : f64
  } loc("a")
  %m = ta.dim %x, 0 : tensor<?xf64>
  %b = ta.compute [%i = %m] ins(%x : tensor<?xf64>) sizes(%m) -> tensor<?xf64> out [%i]
      attributes {names = ["j"]} {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = arith.addf %0, %0 : f64
    ta.yield %1 : f64
  } loc("b")
  return %a, %b : tensor<?xf64>, tensor<?xf64>
}

// Another operation is another statement; and what lies between two readings of the clock stays.
// CHECK-LABEL: @others
// CHECK-COUNT-3: ta.compute
func.func @others(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %n = ta.dim %x, 0 : tensor<?xf64>
  %a = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = arith.addf %0, %0 : f64
    ta.yield %1 : f64
  }
  %b = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = arith.mulf %0, %0 : f64
    ta.yield %1 : f64
  }
  %t = ta.time : tensor<f64>
  %c = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %0 = ta.access %x[%i] : tensor<?xf64>
    %1 = arith.addf %0, %0 : f64
    ta.yield %1 : f64
  }
  return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
