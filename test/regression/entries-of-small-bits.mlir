// The same of integers, and a whole operand beside it.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 0
2
//--- B.tns
# extended FROSTT format
2 1
1 3
1 1 1
//--- program.mlir
#F0 = #ta.format<(i) -> (i : dense)>
#F1 = #ta.format<(i, j) -> (i : dense, j : dense)>
ta.machine @M(x0 = 2)
func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %Awhole = ta.read "A.tns" : tensor<2xui8>
  %Bwhole = ta.read "B.tns" : tensor<1x3xui8>
  %A = ta.convert %Awhole : tensor<2xui8> to tensor<2xui8, #ta.distributed<#F0, <"M", [share(0)]>>>
  %B = ta.convert %Bwhole : tensor<1x3xui8> to tensor<1x3xui8, #ta.distributed<#F1, <"M", [share(0, 1)]>>>
  %result = ta.compute [%i = %n1, %j = %n2] ins(%A, %B : tensor<2xui8, #ta.distributed<#F0, <"M", [share(0)]>>>, tensor<1x3xui8, #ta.distributed<#F1, <"M", [share(0, 1)]>>>) -> tensor<1x2xui8> out [%i, %j] attributes {names = ["i", "j"]} {
    %0 = ta.access %A[%j] : tensor<2xui8, #ta.distributed<#F0, <"M", [share(0)]>>>
    %s1 = ta.reduce add [%k = %n1] attributes {names = ["k"]} : i8 {
      %2 = ta.access %B[%k, %i] : tensor<1x3xui8, #ta.distributed<#F1, <"M", [share(0, 1)]>>>
      ta.yield %2 : i8
    }
    %3 = arith.xori %0, %s1 : i8
    ta.yield %3 : i8
  }
  ta.print %result "result" : tensor<1x2xui8>
  return
}
