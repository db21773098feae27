// result(j) min= A?(j)
// min= of a value that may be missing forgot what the tensor is worth where it stores nothing.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 1
1
1 1.0
//--- init.tns
# extended FROSTT format
1 0
1
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?xf64>
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %n1 = arith.constant 1 : index
  %result = ta.compute [%j = %n1] ins(%A : tensor<?xf64>) sizes(%n1) init(%init : tensor<?xf64, #F0>) combine min -> tensor<?xf64, #F0> out [%j] attributes {names = ["j"]} {
    %0 = ta.access %A[%j] {missing} : tensor<?xf64>
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
