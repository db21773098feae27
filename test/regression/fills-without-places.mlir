// result(i) = add(j, A(j))
// A sum over no places of a tensor with a fill has no terms, and is not stored.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 0
0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
#F1 = #ta.format<(i) -> (i : compressed), fill = 2.000000e+00 : f64>
func.func @main() {
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %Alisted = ta.read "A.tns" : tensor<?xf64, #F0>
  %A = ta.compute [%d0 = %n0] ins(%Alisted : tensor<?xf64, #F0>) sizes(%n0) -> tensor<?xf64, #F1> out [%d0] {
    %v = ta.access %Alisted[%d0] {missing} : tensor<?xf64, #F0>
    ta.yield %v : f64
  }
  %result = ta.compute [%i = %n1] ins(%A : tensor<?xf64, #F1>) sizes(%n1) -> tensor<?xf64, #F0> out [%i] attributes {names = ["i"]} {
    %s0 = ta.reduce add [%j = %n0] attributes {names = ["j"]} : f64 {
      %1 = ta.access %A[%j] : tensor<?xf64, #F1>
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
