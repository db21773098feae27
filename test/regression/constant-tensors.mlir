// A constant tensor was passed over, and the next operation read nothing.
// RUN: strata run %s | FileCheck %s
// CHECK:      A =
// CHECK-NEXT:   1
// CHECK-NEXT:   1
func.func @main() {
  %A = arith.constant dense<1.0> : tensor<2xf64>
  ta.print %A "A" : tensor<2xf64>
  return
}
