// result(i,j) = select(1.5, 1.0, B?(i,j))
// What is not chosen, but may be missing, was not asked whether it is there.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
2 1
2 4
2 4 1.0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : compressed, j : dense)>
func.func @main() {
  %B = ta.read "B.tns" : tensor<?x?xf64, #F0>
  %n2 = arith.constant 2 : index
  %n4 = arith.constant 4 : index
  %result = ta.compute [%i = %n2, %j = %n4] ins(%B : tensor<?x?xf64, #F0>) sizes(%n2, %n4) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %0 = arith.constant 1.5 : f64
    %1 = arith.constant 1.0 : f64
    %2 = ta.access %B[%i, %j] {missing} : tensor<?x?xf64, #F0>
    %3 = arith.constant 0.0 : f64
    %4 = ta.compare ne %0, %3 : f64
    %5 = ta.select %4, %1, %2 : f64
    ta.yield %5 : f64
  }
  ta.print %result "result" : tensor<?x?xf64>
  return
}
