// Loops and branches, printed and read again.
// RUN: strata-opt %s | strata-opt | FileCheck %s
// RUN: strata-opt %s --mlir-print-op-generic | strata-opt | FileCheck %s

// CHECK-LABEL: @loops
func.func @loops(%x: tensor<?xf64>, %eps: tensor<f64>) -> tensor<?xf64> {
  %lo = ta.fill 0 : i64 () : tensor<i64>
  %hi = ta.fill 10 : i64 () : tensor<i64>
  %one = ta.fill 1 : i64 () : tensor<i64>
  // CHECK: %[[R:.*]]:2 = ta.for %{{.*}} to %{{.*}} step %{{.*}} : tensor<i64>
  // CHECK-SAME: carry(%{{.*}} : tensor<?xf64>) -> tensor<?xf64>, tensor<i64> {
  // CHECK-NEXT: ^bb0(%[[T:.*]]: tensor<i64>, %[[X:.*]]: tensor<?xf64>):
  %r:2 = ta.for %lo to %hi step %one : tensor<i64> carry(%x : tensor<?xf64>)
      -> tensor<?xf64>, tensor<i64> {
  ^bb0(%t: tensor<i64>, %xt: tensor<?xf64>):
    // CHECK: ta.next %[[X]], %[[T]] : tensor<?xf64>, tensor<i64>
    ta.next %xt, %t : tensor<?xf64>, tensor<i64>
  }
  // CHECK: ta.loop limit 7 carry(%[[R]]#0 : tensor<?xf64>) -> tensor<?xf64> {
  %y = ta.loop limit 7 carry(%r#0 : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%yt: tensor<?xf64>):
    // CHECK: %[[C:.*]] = ta.holds le %{{.*}}, %{{.*}} : tensor<i64>, tensor<f64>
    %c = ta.holds le %r#1, %eps : tensor<i64>, tensor<f64>
    // CHECK: ta.if %[[C]] {
    ta.if %c {
      // CHECK-NEXT: ta.break %{{.*}} : tensor<?xf64>
      ta.break %yt : tensor<?xf64>
    // CHECK-NEXT: } else {
    } else {
      // CHECK-NEXT: ta.next
      ta.next
    }
    ta.next %yt : tensor<?xf64>
  }
  // CHECK: ta.loop limit 1 {
  ta.loop limit 1 {
    ta.break
  }
  return %y : tensor<?xf64>
}
