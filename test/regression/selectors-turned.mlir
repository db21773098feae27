// result(i) = add?(j, masked(1.0, B@?(j,i)))
// What a selector promises, one entry a row, is not so for columns.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
1 11
11
2 0
8 0
3 0
9 0
5 0
10 0
7 0
4 0
6 0
1 0
11 0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
#F1 = #ta.format<(i, j) -> (i : compressed, j : singleton)>
func.func @main() {
  %B = ta.read "B.tns" : tensor<?xi32, #F0>
  %n1 = arith.constant 1 : index
  %n11 = arith.constant 11 : index
  %Bat = ta.one_hot %B (%n1) : tensor<?xi32, #F0> to tensor<?x?xi8, #F1>
  %result = ta.compute [%i = %n1] ins(%Bat : tensor<?x?xi8, #F1>) sizes(%n1) -> tensor<?xbf16> out [%i] attributes {names = ["i"]} {
    %s0 = ta.reduce add [%j = %n11] attributes {missing, names = ["j"]} : f32 {
      %1 = arith.constant 1.0 : f32
      %2 = ta.access %Bat[%j, %i] {missing} : tensor<?x?xi8, #F1>
      %3 = ta.masked %1 by %2 : f32, i8
      ta.yield %3 : f32
    }
    %4 = arith.truncf %s0 : f32 to bf16
    ta.yield %4 : bf16
  }
  ta.print %result "result" : tensor<?xbf16>
  return
}
