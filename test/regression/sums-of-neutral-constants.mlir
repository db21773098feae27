// result = mul?(k, 1.0)
// What is certainly missing was computed, and the compiler stopped.
// RUN: strata run --check %s
func.func @main() {
  %n1 = arith.constant 1 : index
  %result = ta.compute [] -> tensor<f64> out [] attributes {names = []} {
    %s0 = ta.reduce mul [%k = %n1] attributes {missing, names = ["k"]} : f64 {
      %1 = arith.constant 1.0 : f64
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<f64>
  return
}
