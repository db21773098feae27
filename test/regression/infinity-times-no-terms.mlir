// An infinite constant times a sum without terms is nothing.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- program.mlir
func.func @main() {
  %n0 = arith.constant 0 : index
  %result = ta.compute [] -> tensor<f64> out [] attributes {names = []} {
    %0 = arith.constant 0xFFF0000000000000 : f64
    %s1 = ta.reduce add [%l = %n0] attributes {names = ["l"]} : f64 {
      %2 = arith.constant 1.0 : f64
      ta.yield %2 : f64
    }
    %3 = arith.mulf %0, %s1 : f64
    ta.yield %3 : f64
  }
  ta.print %result "result" : tensor<f64>
  return
}
