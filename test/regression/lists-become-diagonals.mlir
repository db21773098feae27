// result(i,j) = add(k, A(k,i,j * 2 + 1))
// A result that is listed, in no order and with repetitions, is added up also where it becomes diagonals.
// RUN: split-file %s %t && cd %t && strata run program.mlir 2>&1 | FileCheck %s
// CHECK: result =
// CHECK-NEXT: (0, 14) -1{{$}}
// CHECK-NEXT: (4, 9) 2{{$}}
//--- A.tns
# extended FROSTT format
3 10
3 5 30
3 1 30 -1.5
2 4 9 -3.262
1 1 5 0.0
2 3 11 1.4570000000000001
1 2 13 1.0
2 5 20 2.0
2 1 3 -1.0
2 2 7 1.5
2 1 30 0.5
1 1 11 0.0
//--- program.mlir
#F0 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#F1 = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?x?xf64, #F0>
  %n5 = arith.constant 5 : index
  %n15 = arith.constant 15 : index
  %n3 = arith.constant 3 : index
  %result = ta.compute [%i = %n5, %j = %n15] ins(%A : tensor<?x?x?xf64, #F0>) sizes(%n5, %n15) -> tensor<?x?xf64, #F1> out [%i, %j] attributes {names = ["i", "j"]} {
    %s0 = ta.reduce add [%k = %n3] attributes {names = ["k"]} : f64 {
      %1 = ta.access %A[%k, %i, %j * 2 + 1] : tensor<?x?x?xf64, #F0>
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?x?xf64, #F1>
  return
}
