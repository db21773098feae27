// result(i) = B(i) schedule { vectorize(i) }
// Case 185 of seed 91.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- B.tns
# extended FROSTT format
1 1
1
1 -1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %B = ta.read "B.tns" : tensor<?xf64, #F0>
  %result = ta.compute [%i = %n1] ins(%B : tensor<?xf64, #F0>) sizes(%n1) -> tensor<?xf64> out [%i] attributes {schedule = #ta.schedule<vectorize(i)>, names = ["i"]} {
    %0 = ta.access %B[%i] : tensor<?xf64, #F0>
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?xf64>
  return
}
