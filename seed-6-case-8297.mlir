// result(i,j)<!mask(i,j), structural, replace> empties min= (max(C(i), lxor(k, (A(k,j) * B(k)))) + lxor(l, D(l,i)))
// Case 8297 of seed 6.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
2 10
2 5
1 1 1
1 4 1
2 3 1
2 2 1
2 4 1
1 2 1
2 1 1
2 5 1
1 3 1
1 5 1
//--- B.tns
# extended FROSTT format
1 0
2
//--- C.tns
# extended FROSTT format
1 4
4
2 1
4 1
3 1
4 1
//--- D.tns
# extended FROSTT format
2 0
0 4
//--- init.tns
# extended FROSTT format
2 8
4 6
4 2 1
1 5 1
3 2 1
3 5 1
4 1 1
1 6 1
4 3 1
2 1 1
//--- mask.tns
# extended FROSTT format
2 20
4 5
4 4 0
1 1 1
1 4 1
3 5 1
4 2 1
1 5 1
3 2 1
3 1 0
4 1 0
4 5 1
2 2 1
3 3 1
2 3 1
2 1 0
3 4 1
2 4 0
1 2 1
2 5 0
1 3 1
4 3 1
//--- program.mlir
#F0 = #ta.format<(i) -> (i floordiv 4 : dense, i mod 4 : compressed)>
#F1 = #ta.format<(i, j) -> (j floordiv 2 : bitmap, j mod 2 : dense, i : band)>
#F2 = #ta.format<(i, j) -> (i : dense, j : compressed(nonunique)), crd = 64>
#F3 = #ta.format<(i, j) -> (i : dense, j : dense)>
#F4 = #ta.format<(i) -> (i : dense)>
ta.machine @M(x0 = 2)
func.func @main() {
  %n4 = arith.constant 4 : index
  %n5 = arith.constant 5 : index
  %n2 = arith.constant 2 : index
  %n0 = arith.constant 0 : index
  %Awhole = ta.read "A.tns" : tensor<2x5xi1>
  %B = ta.read "B.tns" : tensor<2xi1, #F0>
  %Cwhole = ta.read "C.tns" : tensor<4xi1>
  %Dwhole = ta.read "D.tns" : tensor<0x4xi1, #F1>
  %initwhole = ta.read "init.tns" : tensor<4x6xi1, #F2>
  %maskwhole = ta.read "mask.tns" : tensor<4x5xi1>
  %A = ta.convert %Awhole : tensor<2x5xi1> to tensor<2x5xi1, #ta.distributed<#F3, <"M", [entries(1, 0)]>>>
  %C = ta.convert %Cwhole : tensor<4xi1> to tensor<4xi1, #ta.distributed<#F4, <"M", [share(0)]>>>
  %D = ta.convert %Dwhole : tensor<0x4xi1, #F1> to tensor<0x4xi1, #ta.distributed<#F1, <"M", [share(1, 0)]>>>
  %init = ta.convert %initwhole : tensor<4x6xi1, #F2> to tensor<4x6xi1, #ta.distributed<#F2, <"M", [entries(0, 1)]>>>
  %mask = ta.convert %maskwhole : tensor<4x5xi1> to tensor<4x5xi1, #ta.distributed<#F3, <"M", [share(1)]>>>
  %result = ta.compute [%i = %n4, %j = %n5] ins(%C, %A, %B, %D, %mask : tensor<4xi1, #ta.distributed<#F4, <"M", [share(0)]>>>, tensor<2x5xi1, #ta.distributed<#F3, <"M", [entries(1, 0)]>>>, tensor<2xi1, #F0>, tensor<0x4xi1, #ta.distributed<#F1, <"M", [share(1, 0)]>>>, tensor<4x5xi1, #ta.distributed<#F3, <"M", [share(1)]>>>) init(%init : tensor<4x6xi1, #ta.distributed<#F2, <"M", [entries(0, 1)]>>>) combine land mask(%mask[%i, %j] : tensor<4x5xi1, #ta.distributed<#F3, <"M", [share(1)]>>>) -> tensor<4x6xi1, #ta.distributed<#F2, <"M", [entries(0, 1)]>>> out [%i, %j] attributes {complement, structural, replace, empty = false, names = ["i", "j"]} {
    %0 = ta.access %C[%i] : tensor<4xi1, #ta.distributed<#F4, <"M", [share(0)]>>>
    %s1 = ta.reduce lxor [%k = %n2] attributes {names = ["k"]} : i1 {
      %2 = ta.access %A[%k, %j] : tensor<2x5xi1, #ta.distributed<#F3, <"M", [entries(1, 0)]>>>
      %3 = ta.access %B[%k] : tensor<2xi1, #F0>
      %4 = arith.andi %2, %3 : i1
      ta.yield %4 : i1
    }
    %5 = arith.ori %0, %s1 : i1
    %s6 = ta.reduce lxor [%l = %n0] attributes {names = ["l"]} : i1 {
      %7 = ta.access %D[%l, %i] : tensor<0x4xi1, #ta.distributed<#F1, <"M", [share(1, 0)]>>>
      ta.yield %7 : i1
    }
    %8 = arith.ori %5, %s6 : i1
    ta.yield %8 : i1
  }
  %whole = ta.convert %result : tensor<4x6xi1, #ta.distributed<#F2, <"M", [entries(0, 1)]>>> to tensor<4x6xi1, #F2>
  ta.print %whole "result" : tensor<4x6xi1, #F2>
  return
}
