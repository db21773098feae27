// result(i,j) = B?(j,i)
// Rows of blocks that are appended themselves end where the loop over blocks does.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
2 8
4 2
2 2 1.0
1 1 2.0
4 2 3.0
3 1 4.0
3 2 5.0
4 1 6.0
2 1 7.0
1 2 8.0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : compressed)>
#F1 = #ta.format<(i, j) -> (i floordiv 3 : compressed, j floordiv 4 : compressed, i mod 3 : dense, j mod 4 : dense)>
func.func @main() {
  %B = ta.read "B.tns" : tensor<?x?xf64, #F0>
  %n2 = arith.constant 2 : index
  %n4 = arith.constant 4 : index
  %result = ta.compute [%i = %n2, %j = %n4] ins(%B : tensor<?x?xf64, #F0>) sizes(%n2, %n4) -> tensor<?x?xf64, #F1> out [%i, %j] attributes {names = ["i", "j"]} {
    %0 = ta.access %B[%j, %i] {missing} : tensor<?x?xf64, #F0>
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?x?xf64, #F1>
  return
}
