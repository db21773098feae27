// result(i,j) = masked(1.0, (B?(i,j) + max(l, C?(j,i,l))))
// Whether a mask lets a value pass also depends on what its own value does not depend on.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
2 0
1 1
//--- C.tns
# extended FROSTT format
3 0
1 1 0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (j - i : dense, i : range, j : offset)>
#F1 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
func.func @main() {
  %B = ta.read "B.tns" : tensor<?x?xf64, #F0>
  %C = ta.read "C.tns" : tensor<?x?x?xf64, #F1>
  %n1 = arith.constant 1 : index
  %n0 = arith.constant 0 : index
  %result = ta.compute [%i = %n1, %j = %n1] ins(%B, %C : tensor<?x?xf64, #F0>, tensor<?x?x?xf64, #F1>) sizes(%n1, %n1) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %0 = arith.constant 1.0 : f64
    %1 = ta.access %B[%i, %j] {missing} : tensor<?x?xf64, #F0>
    %s2 = ta.reduce max [%l = %n0] attributes {names = ["l"]} : f64 {
      %3 = ta.access %C[%j, %i, %l] {missing} : tensor<?x?x?xf64, #F1>
      ta.yield %3 : f64
    }
    %4 = arith.addf %1, %s2 : f64
    %5 = ta.masked %0 by %4 : f64, f64
    ta.yield %5 : f64
  }
  ta.print %result "result" : tensor<?x?xf64>
  return
}
