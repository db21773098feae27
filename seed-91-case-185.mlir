// result(k,j,i) = (A(k,j) * B(j,i)) schedule { pos(j, jp, B); vectorize(i) }
// Case 185 of seed 91.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
2 24
4 8
1 7 -2.0
1 4 -0.5
4 6 0.5
1 5 -1.5
4 2 -1.4079999999999999
4 1 -0.5
3 1 -2.0
4 6 2.0939999999999999
1 6 -1.5
1 3 -2.0
3 4 2.0
3 5 1.5
2 8 1.0
3 4 2.0
1 2 -3.5209999999999999
1 2 2.246
4 8 -1.0
2 7 1.0
4 7 4.7780000000000005
4 5 -1.0
1 8 -1.0
1 4 2.0
1 3 0.5
3 7 3.8479999999999999
//--- B.tns
# extended FROSTT format
2 46
8 9
6 5 1.0
7 9 -1.0
2 1 -1.0
8 8 -1.0
7 4 3.3620000000000001
1 2 -1.0
1 3 1.0
7 7 -1.294
2 6 -1.0
2 4 -0.5
3 2 2.0
6 6 2.0
1 1 -1.0
1 4 1.0
5 1 -2.0
7 7 0.5
6 3 -1.0
7 1 3.4140000000000001
8 9 1.0
8 7 -2.0
3 3 0.5
5 8 -1.0
5 6 0.5
5 2 -3.254
1 6 -2.0
4 2 -3.4359999999999999
6 4 -1.077
3 9 -0.5
7 1 0.5
8 8 1.0
1 4 -1.0
3 2 1.5
5 3 -1.0
4 6 -1.5
8 7 2.823
2 4 1.0
2 9 -1.5
5 9 2.3109999999999999
6 1 3.1560000000000001
6 8 -0.85899999999999999
8 3 2.899
6 8 -2.0
2 8 -3.6880000000000002
6 6 -0.245
8 9 -1.0669999999999999
6 9 -1.5
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)>
func.func @main() {
  %n4 = arith.constant 4 : index
  %n8 = arith.constant 8 : index
  %n9 = arith.constant 9 : index
  %A = ta.read "A.tns" : tensor<?x?xf64, #F0>
  %B = ta.read "B.tns" : tensor<?x?xf64, #F0>
  %result = ta.compute [%k = %n4, %j = %n8, %i = %n9] ins(%A, %B : tensor<?x?xf64, #F0>, tensor<?x?xf64, #F0>) sizes(%n4, %n8, %n9) -> tensor<?x?x?xf64> out [%k, %j, %i] attributes {schedule = #ta.schedule<pos(j, jp, B), vectorize(i)>, names = ["k", "j", "i"]} {
    %0 = ta.access %A[%k, %j] : tensor<?x?xf64, #F0>
    %1 = ta.access %B[%j, %i] : tensor<?x?xf64, #F0>
    %2 = arith.mulf %0, %1 : f64
    ta.yield %2 : f64
  }
  ta.print %result "result" : tensor<?x?x?xf64>
  return
}
