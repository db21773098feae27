// The greater of two unsigned numbers of which neither is stored is nothing that is stored: MLIR
// folds the maximum of a number and the least one to the number, which is known, too.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir | FileCheck program.mlir
//--- A.tns
# extended FROSTT format
1 2
8
2 3
5 1
//--- B.tns
# extended FROSTT format
1 1
8
5 4
//--- program.mlir
#sparse = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n = arith.constant 8 : index
  %A = ta.read "A.tns" : tensor<?xui32, #sparse>
  %B = ta.read "B.tns" : tensor<?xui32, #sparse>
  %result = ta.compute [%i = %n] ins(%A, %B : tensor<?xui32, #sparse>, tensor<?xui32, #sparse>) sizes(%n) -> tensor<?xui32, #sparse> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %A[%i] : tensor<?xui32, #sparse>
    %1 = ta.access %B[%i] : tensor<?xui32, #sparse>
    %2 = arith.maxui %0, %1 : i32
    ta.yield %2 : i32
  }
  ta.print %result "result" : tensor<?xui32, #sparse>
  return
}
// CHECK:      result =
// CHECK-NEXT:   (1)  3
// CHECK-NEXT:   (4)  4
// CHECK-NEXT: check: {{.*}}2 values compared, all of them
