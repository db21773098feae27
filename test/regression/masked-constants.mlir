// An operator whose masked constant changes nothing stores nothing.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- init.tns
# extended FROSTT format
1 0
1
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %mask = ta.fill 1.0 : f64 () : tensor<f64>
  %result = ta.compute [%i = %n1] ins(%mask : tensor<f64>) sizes(%n1) init(%init : tensor<?xf64, #F0>) combine lor mask(%mask[] : tensor<f64>) -> tensor<?xf64, #F0> out [%i] attributes {names = ["i"]} {
    %0 = arith.constant 0.0 : f64
    %1 = arith.constant 1.0 : f64
    %2 = ta.masked %0 by %1 : f64, f64
    ta.yield %2 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
