// result(i,j + 1,k) [init] = select(1.0, 1.0, B?(k,j,i))
// Where B is there and where not were taken for one case, as its value does not matter.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
3 1
1 1 2
1 1 2 1.0
//--- init.tns
# extended FROSTT format
3 1
2 2 1
2 2 1 -2.0
//--- program.mlir
#F0 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#F1 = #ta.format<(i, j, k) -> (i : compressed(nonunique), j : singleton, k : dense)>
func.func @main() {
  %B = ta.read "B.tns" : tensor<?x?x?xf64, #F0>
  %init = ta.read "init.tns" : tensor<?x?x?xf64, #F1>
  %n2 = arith.constant 2 : index
  %n1 = arith.constant 1 : index
  %result = ta.compute [%i = %n2, %j = %n1, %k = %n1] ins(%B : tensor<?x?x?xf64, #F0>) sizes(%n2, %n2, %n1) init(%init : tensor<?x?x?xf64, #F1>) -> tensor<?x?x?xf64, #F1> out [%i, %j + 1, %k] attributes {names = ["i", "j", "k"]} {
    %0 = arith.constant 1.0 : f64
    %1 = arith.constant 1.0 : f64
    %2 = ta.access %B[%k, %j, %i] {missing} : tensor<?x?x?xf64, #F0>
    %3 = arith.constant 0.0 : f64
    %4 = ta.compare ne %0, %3 : f64
    %5 = ta.select %4, %1, %2 : f64
    ta.yield %5 : f64
  }
  ta.print %result "result" : tensor<?x?x?xf64, #F1>
  return
}
