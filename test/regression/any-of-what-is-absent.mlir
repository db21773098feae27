// `any` of what is stored and what is absent may be what is absent: then nothing is stored.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 0
1
//--- init.tns
# extended FROSTT format
1 1
1
1 1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %A = ta.read "A.tns" : tensor<?xf64, #F0>
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %result = ta.compute [%i = %n1] ins(%A : tensor<?xf64, #F0>) sizes(%n1) init(%init : tensor<?xf64, #F0>) combine any -> tensor<?xf64, #F0> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %A[%i] : tensor<?xf64, #F0>
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
