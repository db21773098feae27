// result(i,i) = 1.0
// Off the diagonal is what the format says of places that it does not store.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir 2>&1 | FileCheck program.mlir
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : compressed), fill = -1.000000e+00 : f64>
func.func @main() {
  %n2 = arith.constant 2 : index
  %result = ta.compute [%i = %n2] sizes(%n2, %n2) -> tensor<?x?xf64, #F0> out [%i, %i] attributes {names = ["i"]} {
    %0 = arith.constant 1.0 : f64
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?x?xf64, #F0>
  return
}
// CHECK:      elsewhere  -1
// CHECK-NEXT: (0, 0)  1
// CHECK-NEXT: (1, 1)  1
// CHECK-NEXT: check:
