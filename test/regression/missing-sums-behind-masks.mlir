// result(k) = add?(l, eithermin(0.0, masked(A?(l), add?(n, 1.0))))
// What masks let pass of nothing is nothing, whatever the mask: the reference did not know.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 0
1
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?xf64, #F0>
  %n1 = arith.constant 1 : index
  %result = ta.compute [%k = %n1] ins(%A : tensor<?xf64, #F0>) sizes(%n1) -> tensor<?xf64, #F0> out [%k] attributes {names = ["k"]} {
    %s0 = ta.reduce add [%l = %n1] attributes {missing, names = ["l"]} : f64 {
      %1 = arith.constant 0.0 : f64
      %2 = ta.access %A[%l] {missing} : tensor<?xf64, #F0>
      %s3 = ta.reduce add [%n = %n1] attributes {missing, names = ["n"]} : f64 {
        %4 = arith.constant 1.0 : f64
        ta.yield %4 : f64
      }
      %5 = ta.masked %2 by %s3 : f64, f64
      %6 = arith.minimumf %1, %5 : f64
      %7 = ta.union %1, %5, %6 : f64
      ta.yield %7 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
