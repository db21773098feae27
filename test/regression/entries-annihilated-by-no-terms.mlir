// result(i) joins mul= add(j, A(j))
// Where both sides of a join have an entry, so has the result, though a sum without terms annihilates.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 0
0
//--- init.tns
# extended FROSTT format
1 1
1
1 1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %n0 = arith.constant 0 : index
  %A = ta.read "A.tns" : tensor<?xf64>
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %result = ta.compute [%i = %n1] ins(%A : tensor<?xf64>) sizes(%n1) init(%init : tensor<?xf64, #F0>) combine mul -> tensor<?xf64, #F0> out [%i] attributes {joins, names = ["i"]} {
    %s0 = ta.reduce add [%j = %n0] attributes {names = ["j"]} : f64 {
      %1 = ta.access %A[%j] : tensor<?xf64>
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
