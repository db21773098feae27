// result(i,j,k) = (A(i,j,k) + 1.0)
// Diagonals of a tensor of order 3 may leave it at a given row: such values are passed over.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
3 1
3 2 1
3 2 1 1.0
//--- program.mlir
#F0 = #ta.format<(i, j, k) -> (j - i : compressed, k - j : compressed, i : range, j : offset, k : offset)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?x?xf64, #F0>
  %n3 = arith.constant 3 : index
  %n2 = arith.constant 2 : index
  %n1 = arith.constant 1 : index
  %result = ta.compute [%i = %n3, %j = %n2, %k = %n1] ins(%A : tensor<?x?x?xf64, #F0>) sizes(%n3, %n2, %n1) -> tensor<?x?x?xf64> out [%i, %j, %k] attributes {names = ["i", "j", "k"]} {
    %0 = ta.access %A[%i, %j, %k] : tensor<?x?x?xf64, #F0>
    %1 = arith.constant 1.0 : f64
    %2 = arith.addf %0, %1 : f64
    ta.yield %2 : f64
  }
  ta.print %result "result" : tensor<?x?x?xf64>
  return
}
