// Cells that have parts of the same box do not have all that lies in it.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
2 1
2 1
1 1 1.0
//--- E.tns
# extended FROSTT format
1 0
2
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : dense)>
#F1 = #ta.format<(i) -> (i : dense)>
ta.machine @M(x0 = 2, x1 = 1)
func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %Awhole = ta.read "A.tns" : tensor<2x1xf64>
  %Ewhole = ta.read "E.tns" : tensor<2xf64>
  %A = ta.convert %Awhole : tensor<2x1xf64> to tensor<2x1xf64, #ta.distributed<#F0, <"M", [entries(1, 0), all]>>>
  %E = ta.convert %Ewhole : tensor<2xf64> to tensor<2xf64, #ta.distributed<#F1, <"M", [entries(0), all]>>>
  %result = ta.compute [%i = %n1, %j = %n2] ins(%E, %A : tensor<2xf64, #ta.distributed<#F1, <"M", [entries(0), all]>>>, tensor<2x1xf64, #ta.distributed<#F0, <"M", [entries(1, 0), all]>>>) -> tensor<1x2xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %0 = ta.access %E[%j] : tensor<2xf64, #ta.distributed<#F1, <"M", [entries(0), all]>>>
    %s1 = ta.reduce add [%k = %n2] attributes {names = ["k"]} : f64 {
      %2 = ta.access %A[%k, %i] : tensor<2x1xf64, #ta.distributed<#F0, <"M", [entries(1, 0), all]>>>
      ta.yield %2 : f64
    }
    %3 = arith.subf %0, %s1 : f64
    ta.yield %3 : f64
  }
  ta.print %result "result" : tensor<1x2xf64>
  return
}
