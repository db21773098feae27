// result(i) = add(j, A(i,j * -1 + 6))
// Which block a coordinate lies in that runs backwards was divided without a sign.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
2 1
1 7
1 1 1.0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i floordiv 2 : dense, j floordiv 3 : dense, i mod 2 : dense, j mod 3 : dense)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?xf64, #F0>
  %n1 = arith.constant 1 : index
  %n6 = arith.constant 6 : index
  %result = ta.compute [%i = %n1] ins(%A : tensor<?x?xf64, #F0>) sizes(%n1) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s0 = ta.reduce add [%j = %n6] attributes {names = ["j"]} : f64 {
      %1 = ta.access %A[%i, %j * -1 + 6] : tensor<?x?xf64, #F0>
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64>
  return
}
