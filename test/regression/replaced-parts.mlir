// A mask that replaces empties what the left side reaches, not all of a new tensor.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir | FileCheck program.mlir
//--- mask.tns
# extended FROSTT format
1 1
3
2 1
//--- program.mlir
// CHECK: result =
// CHECK-NEXT: 0
// CHECK-NEXT: -3
// CHECK-NEXT: 1
// CHECK-NEXT: 0
func.func @main() {
  %n2 = arith.constant 2 : index
  %n4 = arith.constant 4 : index
  %mask = ta.read "mask.tns" : tensor<?xf64>
  %result = ta.compute [%i = %n2] ins(%mask : tensor<?xf64>) sizes(%n4) mask(%mask[%i] : tensor<?xf64>) -> tensor<?xf64> out [%i + 1] attributes {replace, empty = -3.0 : f64, names = ["i"]} {
    %0 = arith.constant 1.0 : f64
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?xf64>
  return
}
