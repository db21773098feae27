// result(i,j) = A(j) schedule { reorder(j, i); divide(j, jo, ji, 1); parallelize(jo, CPUThread, NoRaces); parallelize(i, CPUVector, NoRaces) }
// Case 159 of seed 91.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 6
14
8 2
1 1
12 1
14 1
2 4
13 4
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n14 = arith.constant 14 : index
  %A = ta.read "A.tns" : tensor<14xui8, #F0>
  %result = ta.compute [%i = %n14, %j = %n14] ins(%A : tensor<14xui8, #F0>) -> tensor<14x14xui8> out [%i, %j] attributes {schedule = #ta.schedule<reorder(j, i), divide(j, jo, ji, 1), parallelize(jo, CPUThread, NoRaces), parallelize(i, CPUVector, NoRaces)>, names = ["i", "j"]} {
    %0 = ta.access %A[%j] : tensor<14xui8, #F0>
    ta.yield %0 : i8
  }
  ta.print %result "result" : tensor<14x14xui8>
  return
}
