// result(i * 3, j) += add(k,l, A(i,k,l) + before(1, k + l * 2)), before and result in blocks of lists
// A sum over windows of blocks, of which the loops find no order: the entries are extracted first.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir | FileCheck program.mlir
//--- A.tns
# extended FROSTT format
3 2
2 2 2
1 1 2 3
2 2 1 4
//--- init.tns
# extended FROSTT format
2 3
5 9
1 1 2
2 4 3
4 7 5
//--- program.mlir
#B = #ta.format<(i, j) -> (i floordiv 3 : dense, j floordiv 3 : compressed, i mod 3 : compressed(nonunique, aos), j mod 3 : singleton)>
#A = #ta.format<(i, j, k) -> (i : dense, j : compressed(nonunique, aos), k : singleton)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n5 = arith.constant 5 : index
  %n9 = arith.constant 9 : index
  %A = ta.read "A.tns" : tensor<?x?x?xf64, #A>
  %init = ta.read "init.tns" : tensor<?x?xf64, #B>
  %result = ta.compute [%i = %n2, %j = %n9] ins(%A, %init : tensor<?x?x?xf64, #A>, tensor<?x?xf64, #B>) sizes(%n5, %n9) init(%init : tensor<?x?xf64, #B>) combine add -> tensor<?x?xf64, #B> out [%i * 3, %j] attributes {names = ["i", "j"]} {
    %s0 = ta.reduce add [%k = %n2, %l = %n2] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k, %l] : tensor<?x?x?xf64, #A>
      %b = ta.access %init[1, %k + %l * 2] : tensor<?x?xf64, #B>
      %c = arith.addf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "r" : tensor<?x?xf64, #B>
  return
}
// CHECK: {{they agree|it agrees}}
