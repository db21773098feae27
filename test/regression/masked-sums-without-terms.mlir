// The negative of a sum without terms, where a mask lets it pass, is not stored.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- C.tns
# extended FROSTT format
1 1
3
3 1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n3 = arith.constant 3 : index
  %n0 = arith.constant 0 : index
  %C = ta.read "C.tns" : tensor<?xf64>
  %result = ta.compute [%j = %n3] ins(%C : tensor<?xf64>) sizes(%n3) -> tensor<?xf64, #F0> out [%j] attributes {names = ["j"]} {
    %s0 = ta.reduce add [%k = %n0] attributes {names = ["k"]} : f64 {
      %1 = arith.constant 1.0 : f64
      ta.yield %1 : f64
    }
    %2 = ta.access %C[%j] {missing} : tensor<?xf64>
    %3 = ta.filter %s0 if %2 : f64, f64
    %4 = arith.negf %3 : f64
    ta.yield %4 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
