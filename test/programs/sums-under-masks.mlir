// RUN: split-file %s %t && cd %t && strata run --check program.mlir | FileCheck program.mlir
// Where a mask lets an absent element pass, sums of sums have no term, as a sum has none.
//--- A.tns
# extended FROSTT format
4 2
3 1 2 1
1 1 1 1 1
3 1 1 1 2
//--- program.mlir
#CSF4 = #ta.format<(i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed)>
#CSF3 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %A = ta.read "A.tns" : tensor<?x?x?x?xf64, #CSF4>
  %B = ta.compute [%i = %n1, %k = %n2, %l = %n1] -> tensor<1x2x1xf64> out [%i, %k, %l] attributes {names = ["i", "k", "l"]} {
    %zero = arith.constant 0.0 : f64
    ta.yield %zero : f64
  }
  %R = ta.compute [%i = %n1, %k = %n2, %l = %n1] ins(%A, %B : tensor<?x?x?x?xf64, #CSF4>, tensor<1x2x1xf64>) sizes(%n1, %n2, %n1) -> tensor<?x?x?xf64, #CSF3> out [%i, %k, %l] attributes {names = ["i", "k", "l"]} {
    %s = ta.reduce add [%m = %n3] attributes {missing, names = ["m"]} : f64 {
      %t = ta.reduce add [%n = %n1] attributes {missing, names = ["n"]} : f64 {
        %a = ta.access %A[%m, %n, %k, %l] : tensor<?x?x?x?xf64, #CSF4>
        %b = ta.access %B[%i, %k, %l] {missing} : tensor<1x2x1xf64>
        %c = ta.masked %a by %b : f64, f64
        ta.yield %c : f64
      }
      ta.yield %t : f64
    }
    ta.yield %s : f64
  }
  ta.print %R "R" : tensor<?x?x?xf64, #CSF3>
  return
}
// CHECK:      R =
// CHECK-NEXT:   (0, 0, 0)  3
// CHECK-NOT: {{^}}  (
