// r(i) = A(i) + B(i)
// A list over blocks repeats coordinates over two levels: it is converted where it is merged.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir 2>&1 | FileCheck program.mlir
//--- a.tns
# extended FROSTT format
1 3
12
2 1
3 4
9 2
//--- b.tns
# extended FROSTT format
1 2
12
2 1
8 2
//--- program.mlir
#L = #ta.format<(a) -> (a floordiv 4 : compressed(nonunique), a mod 4 : singleton(nonunique))>
#S = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n = arith.constant 12 : index
  %A = ta.read "a.tns" : tensor<?xf64, #L>
  %B = ta.read "b.tns" : tensor<?xf64, #S>
  %r = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #L>, tensor<?xf64, #S>) sizes(%n) -> tensor<?xf64, #S> out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #L>
    %b = ta.access %B[%i] : tensor<?xf64, #S>
    %c = arith.addf %a, %b : f64
    ta.yield %c : f64
  }
  ta.print %r "r" : tensor<?xf64, #S>
  return
}
// CHECK: note: 'A' is converted from {{.*}} to SparseVector
// CHECK: (1)  2
