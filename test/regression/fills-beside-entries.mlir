// result(i,j) = A?(i,j), complex and of truth values
// Padding is what equals the fill, of any type: a stored zero is none.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir 2>&1 | FileCheck program.mlir
//--- A.tns
# extended FROSTT format
2 3
3 3
1 1 0.0
1 2 1.0
3 3 0.0
//--- program.mlir
#L = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#C = #ta.format<(i, j) -> (i : compressed, j : dense), fill = #complex.number<:f32 2.0, -3.0> : complex<f32>>
#B = #ta.format<(i, j) -> (i : compressed, j : dense), fill = true>
func.func @main() {
  %n = arith.constant 3 : index
  %A = ta.read "A.tns" : tensor<?x?xcomplex<f32>, #L>
  %numbers = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xcomplex<f32>, #L>) sizes(%n, %n) -> tensor<?x?xcomplex<f32>, #C> out [%i, %j] {
    %v = ta.access %A[%i, %j] {missing} : tensor<?x?xcomplex<f32>, #L>
    ta.yield %v : complex<f32>
  }
  %T = ta.read "A.tns" : tensor<?x?xi1, #L>
  %truths = ta.compute [%i = %n, %j = %n] ins(%T : tensor<?x?xi1, #L>) sizes(%n, %n) -> tensor<?x?xi1, #B> out [%i, %j] {
    %v = ta.access %T[%i, %j] {missing} : tensor<?x?xi1, #L>
    ta.yield %v : i1
  }
  ta.print %numbers "numbers" : tensor<?x?xcomplex<f32>, #C>
  ta.print %truths "truths" : tensor<?x?xi1, #B>
  return
}
// CHECK:      elsewhere  2 - 3i
// CHECK-NEXT: (0, 0)  0 + 0i
// CHECK-NEXT: (0, 1)  1 + 0i
// CHECK-NEXT: (2, 2)  0 + 0i
// CHECK:      truths =
// CHECK-NEXT: elsewhere  1
// CHECK-NEXT: (0, 0)  0
// CHECK-NEXT: (2, 2)  0
// CHECK-NEXT: check:
