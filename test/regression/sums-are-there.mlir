// result(j) [init] = add(k, A?(j,k))
// A sum that does not say that it may be missing is there, whatever it reads: the result is made
// anew, and does not keep what was stored before.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir 2>&1 | FileCheck program.mlir
//--- A.tns
# extended FROSTT format
2 0
3 0
//--- init.tns
# extended FROSTT format
1 1
3
3 1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?xf64>
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %n3 = arith.constant 3 : index
  %n0 = arith.constant 0 : index
  %result = ta.compute [%j = %n3] ins(%A : tensor<?x?xf64>) sizes(%n3) init(%init : tensor<?xf64, #F0>) -> tensor<?xf64, #F0> out [%j] attributes {names = ["j"]} {
    %s0 = ta.reduce add [%k = %n0] attributes {names = ["k"]} : f64 {
      %1 = ta.access %A[%j, %k] {missing} : tensor<?x?xf64>
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
// CHECK:     result =
// CHECK-NOT: (2)
// CHECK:     check: result(j) = sum(k, A(j,k)):
