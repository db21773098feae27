// result(i,j) = add(l, (E@(i,j,l) * B(j * -1 + 4,i)))
// The selector is read in another order of its levels, in phases.
// RUN: split-file %s %t && cd %t && strata run --check --phases --repeat=2 program.mlir
//--- B.tns
# extended FROSTT format
2 6
5 4
3 2 3
5 2 1
5 1 3
1 4 2
2 4 2
4 3 1
//--- E.tns
# extended FROSTT format
2 20
4 5
3 4 0
2 3 2
2 1 1
1 3 3
4 1 1
3 5 2
4 4 3
1 5 3
4 3 3
4 5 2
3 2 3
4 2 2
2 2 1
2 4 3
2 5 2
3 1 0
1 1 0
1 2 2
1 4 1
3 3 0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : compressed)>
#F1 = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
#F2 = #ta.format<(i, j, k) -> (i : dense, j : compressed, k : singleton)>
#F3 = #ta.format<(i, j) -> (j : compressed, i : compressed)>
func.func @main() {
  %B = ta.read "B.tns" : tensor<?x?xui16, #F0>
  %E = ta.read "E.tns" : tensor<?x?xi32, #F1>
  %n4 = arith.constant 4 : index
  %n5 = arith.constant 5 : index
  %Eat = ta.one_hot %E (%n4) : tensor<?x?xi32, #F1> to tensor<?x?x?xi8, #F2>
  %result = ta.compute [%i = %n4, %j = %n5] ins(%Eat, %B : tensor<?x?x?xi8, #F2>, tensor<?x?xui16, #F0>) sizes(%n4, %n5) -> tensor<?x?xui16, #F3> out [%i, %j] attributes {names = ["i", "j"]} {
    %s0 = ta.reduce add [%l = %n4] attributes {names = ["l"]} : i16 {
      %1 = ta.access %Eat[%i, %j, %l] : tensor<?x?x?xi8, #F2>
      %2 = arith.constant 0 : i8
      %3 = ta.compare ne %1, %2 : i8
      %4 = arith.extui %3 : i1 to i16
      %5 = ta.access %B[%j * -1 + 4, %i] : tensor<?x?xui16, #F0>
      %6 = arith.muli %4, %5 : i16
      ta.yield %6 : i16
    }
    ta.yield %s0 : i16
  }
  ta.print %result "result" : tensor<?x?xui16, #F3>
  return
}
