// A constant tensor was passed over, and the next operation read nothing.
// RUN: not strata run %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}a program has no constant tensors
// CHECK: note: fill the tensor (ta.fill), read it from a file (ta.read) or compute it (ta.compute)
func.func @main() {
  %A = arith.constant dense<1.0> : tensor<2xf64>
  ta.print %A "A" : tensor<2xf64>
  return
}
