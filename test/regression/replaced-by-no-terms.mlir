// A sum without terms, behind a mask, takes away what was there.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
1 0
1
//--- init.tns
# extended FROSTT format
1 1
1
1 1.0
//--- mask.tns
# extended FROSTT format
1 1
1
1 1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %n0 = arith.constant 0 : index
  %B = ta.read "B.tns" : tensor<?xf64>
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %mask = ta.read "mask.tns" : tensor<?xf64>
  %result = ta.compute [%j = %n1] ins(%B, %mask : tensor<?xf64>, tensor<?xf64>) sizes(%n1) init(%init : tensor<?xf64, #F0>) mask(%mask[%j] : tensor<?xf64>) -> tensor<?xf64, #F0> out [%j] attributes {names = ["j"]} {
    %s0 = ta.reduce add [%k = %n0] attributes {names = ["k"]} : f64 {
      %1 = ta.access %B[%j] : tensor<?xf64>
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
