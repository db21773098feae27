// result(i * 2) = 1.0
// A level that locates is asked, not indexed, when values are computed.
// RUN: split-file %s %t && cd %t && strata run --check --phases --repeat=2 program.mlir
//--- program.mlir
#F0 = #ta.format<(i) -> (i : band)>
func.func @main() {
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %result = ta.compute [%i = %n0] sizes(%n1) -> tensor<?xf64, #F0> out [%i * 2] attributes {names = ["i"]} {
    %0 = arith.constant 1.0 : f64
    ta.yield %0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
