// A product over all places of sparse tensors, of which there are none: its plan takes no time to speak of.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
3 0
0 1 0
//--- B.tns
# extended FROSTT format
1 0
0
//--- program.mlir
#F0 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#F1 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %n0 = arith.constant 0 : index
  %A = ta.read "A.tns" : tensor<?x?x?xf64, #F0>
  %B = ta.read "B.tns" : tensor<?xf64, #F1>
  %result = ta.compute [%i = %n0] ins(%A, %B : tensor<?x?x?xf64, #F0>, tensor<?xf64, #F1>) sizes(%n0) -> tensor<?xf64, #F1> out [%i] attributes {names = ["i"]} {
    %s0 = ta.reduce mul [%j = %n0, %k = %n0] attributes {names = ["j", "k"]} : f64 {
      %1 = arith.constant 1.4219999999999999 : f64
      %2 = ta.access %A[%k, %j * 2, %i] : tensor<?x?x?xf64, #F0>
      %3 = ta.access %B[%i] : tensor<?xf64, #F1>
      %4 = arith.addf %2, %3 : f64
      %5 = ta.compare ge %1, %4 : f64
      %6 = arith.uitofp %5 : i1 to f64
      %7 = arith.negf %6 : f64
      ta.yield %7 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F1>
  return
}
