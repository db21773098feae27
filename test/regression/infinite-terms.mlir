// An infinite term is exact, so that the error of the sum is that of the others.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
2 2
6 2
1 2 inf
6 2 -2.0
//--- B.tns
# extended FROSTT format
1 0
6
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : compressed)>
#F1 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n2 = arith.constant 2 : index
  %n6 = arith.constant 6 : index
  %A = ta.read "A.tns" : tensor<?x?xf64, #F0>
  %B = ta.read "B.tns" : tensor<?xf64, #F1>
  %result = ta.compute [%i = %n2] ins(%A, %B : tensor<?x?xf64, #F0>, tensor<?xf64, #F1>) sizes(%n2) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s0 = ta.reduce add [%j = %n6] attributes {names = ["j"]} : f64 {
      %1 = ta.access %A[%j, %i] : tensor<?x?xf64, #F0>
      %2 = math.cbrt %1 : f64
      %3 = arith.constant 1.5 : f64
      %4 = arith.divf %2, %3 : f64
      %5 = arith.negf %4 : f64
      %6 = ta.access %B[%j] : tensor<?xf64, #F1>
      %7 = arith.maximumf %5, %6 : f64
      ta.yield %7 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64>
  return
}
