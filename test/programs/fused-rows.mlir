// A row of the inner sum lies in a workspace, which is begun in a loop that is emitted several
// times: where A has something at j and at i, and where it has not.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir | FileCheck program.mlir
//--- A.tns
# extended FROSTT format
3 3
3 3 3
1 2 3 5
3 1 1 7
3 3 2 -1
//--- program.mlir
// What is checked is the statement as it is written.
// CHECK: result(i,j,k) = sum(l, t(i,j,l) + 1): 27 values compared, all of them, they agree
#F0 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?x?xf64, #F0>
  %n = arith.constant 3 : index
  %t = ta.compute [%i = %n, %j = %n, %l = %n] ins(%A : tensor<?x?x?xf64, #F0>) sizes(%n, %n, %n) -> tensor<?x?x?xf64> out [%i, %j, %l] attributes {names = ["i", "j", "l"]} {
    %0 = ta.reduce add [%m = %n] attributes {names = ["m"]} : f64 {
      %1 = ta.access %A[%j, %i, %l] : tensor<?x?x?xf64, #F0>
      ta.yield %1 : f64
    }
    ta.yield %0 : f64
  }
  %result = ta.compute [%i = %n, %j = %n, %k = %n] ins(%t : tensor<?x?x?xf64>) sizes(%n, %n, %n) -> tensor<?x?x?xf64> out [%i, %j, %k] attributes {names = ["i", "j", "k"]} {
    %0 = ta.reduce add [%l = %n] attributes {names = ["l"]} : f64 {
      %1 = ta.access %t[%i, %j, %l] : tensor<?x?x?xf64>
      %2 = arith.constant 1.0 : f64
      %3 = arith.addf %1, %2 : f64
      ta.yield %3 : f64
    }
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?x?x?xf64>
  return
}
