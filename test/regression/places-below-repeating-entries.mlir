// Places below entries that repeat are listed and left out afterwards where they hold the fill.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
4 0
0 0 0 0
//--- program.mlir
#F0 = #ta.format<(i, j, k, l) -> (k mod 3 : dense, i mod 2 : ragged, k floordiv 3 : compressed(nonunique, unordered), l floordiv 2 : compressed, i floordiv 2 : dense, j : range, l mod 2 : dense)>
func.func @main() {
  %n0 = arith.constant 0 : index
  %B = ta.read "B.tns" : tensor<?x?x?x?xi1>
  %t0 = ta.compute [%i = %n0, %j = %n0, %k = %n0, %l = %n0] ins(%B : tensor<?x?x?x?xi1>) sizes(%n0, %n0, %n0, %n0) -> tensor<?x?x?x?xi1, #F0> out [%i, %j, %k, %l] attributes {names = ["i", "j", "k", "l"]} {
    %0 = arith.constant 1 : i1
    %1 = ta.access %B[%i, %j, %k, %l] : tensor<?x?x?x?xi1>
    %2 = arith.andi %0, %1 : i1
    ta.yield %2 : i1
  }
  %result = ta.compute [%i = %n0, %j = %n0, %k = %n0] ins(%t0 : tensor<?x?x?x?xi1, #F0>) sizes(%n0, %n0, %n0) -> tensor<?x?x?xi1> out [%i, %j, %k] attributes {names = ["i", "j", "k"]} {
    %s3 = ta.reduce lor [%l = %n0] attributes {names = ["l"]} : i1 {
      %4 = ta.access %t0[%i, %j, %k, %l] : tensor<?x?x?x?xi1, #F0>
      ta.yield %4 : i1
    }
    ta.yield %s3 : i1
  }
  ta.print %result "result" : tensor<?x?x?xi1>
  return
}
