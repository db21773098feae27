// result(i,k,l,j) = (A(l,k * -1 + 2,i,j * -1 + 2) * add(m,n, (B(j,l,m,n) * C(l + 2,n,m,k))))
// Case 7463 of seed 6.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
4 46
4 3 2 4
2 3 2 4 2.5640000000000001
4 2 1 1 -1.8700000000000001
1 3 2 3 -1.0
3 2 1 2 -1.5
4 2 1 3 -1.0
1 3 2 4 1.0
3 1 2 2 0x7FF0000000000000
4 3 1 3 4.9000000000000004
4 1 1 4 -0.5
1 1 1 4 -1.0979999999999999
3 2 1 1 1.5
4 1 2 4 -2.0
2 2 2 4 4.4080000000000004
1 2 1 3 1.5
2 3 2 3 -1.0
1 1 1 2 -1.6059999999999999
2 1 2 1 -0.5
2 3 2 2 1.1990000000000001
3 3 2 1 0x7FF0000000000000
1 3 2 2 2.0
1 2 1 4 2.2949999999999999
2 3 1 2 1.0
2 1 1 1 -0.5
1 3 1 2 2.5289999999999999
3 3 2 3 -1.5
3 1 2 1 2.8120000000000003
4 2 2 1 -1.5
1 1 1 1 -0.80800000000000005
2 1 2 2 0.5
2 1 2 3 -2.1019999999999999
1 1 1 3 1.5
2 2 1 4 2.0
2 1 1 4 -2.6960000000000002
4 1 2 2 2.0
3 3 1 1 -1.0
4 2 2 4 4.2309999999999999
2 2 1 1 2.5819999999999999
4 3 1 2 2.0
3 1 1 3 4.1740000000000004
2 2 1 3 -0.5
2 3 1 1 4.6210000000000004
4 2 1 4 -3.3220000000000001
2 2 1 2 0x7FF8000000000000
1 2 2 3 -2.198
3 2 2 1 0.5
2 1 2 4 2.202
//--- B.tns
# extended FROSTT format
4 3
3 4 3 2
1 1 2 2 -1.5
3 2 3 2 -0.5
1 3 1 2 -0.5
//--- C.tns
# extended FROSTT format
4 0
6 2 3 3
//--- program.mlir
#F0 = #ta.format<(i, j, k, l) -> (i : dense, j : compressed, k : compressed, l : compressed), pos = 32, crd = 32>
#F1 = #ta.format<(i, j, k, l) -> (i : dense, j : dense, k : dense, l : dense)>
ta.machine @M(x0 = 5)
func.func @main() {
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %n4 = arith.constant 4 : index
  %A = ta.read "A.tns" : tensor<?x?x?x?xf64>
  %Bwhole = ta.read "B.tns" : tensor<?x?x?x?xf64, #F0>
  %Cwhole = ta.read "C.tns" : tensor<?x?x?x?xf64>
  %B = ta.convert %Bwhole : tensor<?x?x?x?xf64, #F0> to tensor<?x?x?x?xf64, #ta.distributed<#F0, <"M", [entries(3, 0, 1, 2)]>>>
  %C = ta.convert %Cwhole : tensor<?x?x?x?xf64> to tensor<?x?x?x?xf64, #ta.distributed<#F1, <"M", [at(3)]>>>
  %result = ta.compute [%i = %n2, %j = %n3, %k = %n3, %l = %n4] ins(%A, %B, %C : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64, #ta.distributed<#F0, <"M", [entries(3, 0, 1, 2)]>>>, tensor<?x?x?x?xf64, #ta.distributed<#F1, <"M", [at(3)]>>>) sizes(%n2, %n4, %n4, %n3) -> tensor<?x?x?x?xf64, #ta.distributed<#F1, <"M", [entries(2)]>>> out [%i, %k, %l, %j] attributes {names = ["i", "j", "k", "l"]} {
    %0 = ta.access %A[%l, %k * -1 + 2, %i, %j * -1 + 2] : tensor<?x?x?x?xf64>
    %s1 = ta.reduce add [%m = %n3, %n = %n2] attributes {names = ["m", "n"]} : f64 {
      %2 = ta.access %B[%j, %l, %m, %n] : tensor<?x?x?x?xf64, #ta.distributed<#F0, <"M", [entries(3, 0, 1, 2)]>>>
      %3 = ta.access %C[%l + 2, %n, %m, %k] : tensor<?x?x?x?xf64, #ta.distributed<#F1, <"M", [at(3)]>>>
      %4 = arith.mulf %2, %3 : f64
      ta.yield %4 : f64
    }
    %5 = arith.mulf %0, %s1 : f64
    ta.yield %5 : f64
  }
  %whole = ta.convert %result : tensor<?x?x?x?xf64, #ta.distributed<#F1, <"M", [entries(2)]>>> to tensor<?x?x?x?xf64>
  ta.print %whole "result" : tensor<?x?x?x?xf64>
  return
}
