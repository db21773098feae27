// any= may take what was there or what comes, of integers, too: the reference allows both.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 0
1
//--- init.tns
# extended FROSTT format
1 1
1
1 1
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %A = ta.read "A.tns" : tensor<?xi16, #F0>
  %init = ta.read "init.tns" : tensor<?xi16>
  %result = ta.compute [%j = %n1] ins(%A : tensor<?xi16, #F0>) sizes(%n1) init(%init : tensor<?xi16>) combine any -> tensor<?xi16> out [%j] attributes {names = ["j"]} {
    %0 = ta.access %A[%j] : tensor<?xi16, #F0>
    ta.yield %0 : i16
  }
  ta.print %result "result" : tensor<?xi16>
  return
}
