// Cells that update a part of their pieces leave the rest of them.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- init.tns
# extended FROSTT format
2 4
4 6
1 6 1
3 2 1
4 1 1
4 3 1
//--- C.tns
# extended FROSTT format
2 3
4 5
1 2 1
3 2 1
4 3 1
//--- program.mlir
#F = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x0 = 2)
func.func @main() {
  %n4 = arith.constant 4 : index
  %n5 = arith.constant 5 : index
  %Cwhole = ta.read "C.tns" : tensor<4x5xi1, #F>
  %initwhole = ta.read "init.tns" : tensor<4x6xi1, #F>
  %C = ta.convert %Cwhole : tensor<4x5xi1, #F> to tensor<4x5xi1, #ta.distributed<#F, <"M", [share(0)]>>>
  %init = ta.convert %initwhole : tensor<4x6xi1, #F> to tensor<4x6xi1, #ta.distributed<#F, <"M", [share(0)]>>>
  %result = ta.compute [%i = %n4, %j = %n5] ins(%C : tensor<4x5xi1, #ta.distributed<#F, <"M", [share(0)]>>>) init(%init : tensor<4x6xi1, #ta.distributed<#F, <"M", [share(0)]>>>) combine land mask(%C[%i, %j] : tensor<4x5xi1, #ta.distributed<#F, <"M", [share(0)]>>>) -> tensor<4x6xi1, #ta.distributed<#F, <"M", [share(0)]>>> out [%i, %j] attributes {structural, replace, empty = false, names = ["i", "j"]} {
    %c = ta.access %C[%i, %j] : tensor<4x5xi1, #ta.distributed<#F, <"M", [share(0)]>>>
    ta.yield %c : i1
  }
  %whole = ta.convert %result : tensor<4x6xi1, #ta.distributed<#F, <"M", [share(0)]>>> to tensor<4x6xi1, #F>
  ta.print %whole "result" : tensor<4x6xi1, #F>
  return
}
