// {t(i,l) = or(m, B(i,l+m))}, result(i,k) = or(l, A(k,l,k) | t(i,l))
// Truths take a byte each, also in the workspace that a row of them is computed in.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
3 3
4 5 4
1 2 1 1
3 5 3 1
4 1 4 0
//--- B.tns
# extended FROSTT format
2 4
3 6
1 1 1
1 5 1
2 6 1
3 2 1
//--- program.mlir
func.func @main() {
  %n3 = arith.constant 3 : index
  %n4 = arith.constant 4 : index
  %n5 = arith.constant 5 : index
  %n2 = arith.constant 2 : index
  %A = ta.read "A.tns" : tensor<?x?x?xi1>
  %B = ta.read "B.tns" : tensor<?x?xi1>
  %t = ta.compute [%i = %n3, %l = %n5] ins(%B : tensor<?x?xi1>) sizes(%n3, %n5) -> tensor<?x?xi1> out [%i, %l] attributes {names = ["i", "l"]} {
    %s = ta.reduce lor [%m = %n2] attributes {names = ["m"]} : i1 {
      %v = ta.access %B[%i, %l + %m] : tensor<?x?xi1>
      ta.yield %v : i1
    }
    ta.yield %s : i1
  }
  %result = ta.compute [%i = %n3, %k = %n4] ins(%A, %t : tensor<?x?x?xi1>, tensor<?x?xi1>) sizes(%n3, %n4) -> tensor<?x?xi1> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce lor [%l = %n5] attributes {names = ["l"]} : i1 {
      %a = ta.access %A[%k, %l, %k] : tensor<?x?x?xi1>
      %b = ta.access %t[%i, %l] : tensor<?x?xi1>
      %both = arith.ori %a, %b : i1
      ta.yield %both : i1
    }
    ta.yield %s : i1
  }
  ta.print %result "result" : tensor<?x?xi1>
  return
}
