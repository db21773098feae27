// A copy of half-precision values extends and truncates them: nothing stored stays nothing stored.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
2 39
19 4
10 4 -1.5
9 1 -0.5
5 4 1.5
13 1 -2.0
17 4 -0.5
4 3 0.0
11 4 1.5
15 4 1.0
10 1 0.5
3 4 0.0
15 2 2.0
10 2 -0.5
18 4 -2.0
3 2 -2.0
7 3 0.5
19 4 -2.0
6 1 -0.5
2 2 -2.0
9 4 1.0
15 1 0.5
17 3 0.5
11 2 -1.5
4 2 -1.0
9 3 -0.5
2 1 1.0
18 3 0.5
13 2 0.0
17 2 1.0
8 3 0.5
1 3 1.5
16 4 -0.5
9 2 2.0
7 2 0.0
19 1 -1.0
5 2 -1.5
10 3 -2.0
14 4 1.0
1 1 -2.0
3 3 -2.0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : compressed)>
#F1 = #ta.format<(i, j) -> (i floordiv 32 : dense, slot(i) : ragged, i mod 32 : dense, j : padded)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?xbf16, #F0>
  %n19 = arith.constant 19 : index
  %n4 = arith.constant 4 : index
  %result = ta.compute [%i = %n19, %j = %n4] ins(%A : tensor<?x?xbf16, #F0>) sizes(%n19, %n4) -> tensor<?x?xbf16, #F1> out [%i, %j] attributes {names = ["i", "j"]} {
    %0 = ta.access %A[%i, %j] : tensor<?x?xbf16, #F0>
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.truncf %1 : f32 to bf16
    ta.yield %2 : bf16
  }
  ta.print %result "result" : tensor<?x?xbf16, #F1>
  return
}
