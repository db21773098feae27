// result(k * 3 + 1) [init] = add?(l, 1.0)
// A part of a sparse tensor keeps what it held where a sum has no terms.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- init.tns
# extended FROSTT format
1 1
8
8 1.0
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %init = ta.read "init.tns" : tensor<?xf64, #F0>
  %n3 = arith.constant 3 : index
  %n8 = arith.constant 8 : index
  %n0 = arith.constant 0 : index
  %result = ta.compute [%k = %n3] sizes(%n8) init(%init : tensor<?xf64, #F0>) -> tensor<?xf64, #F0> out [%k * 3 + 1] attributes {names = ["k"]} {
    %s0 = ta.reduce add [%l = %n0] attributes {missing, names = ["l"]} : f64 {
      %1 = arith.constant 1.0 : f64
      ta.yield %1 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?xf64, #F0>
  return
}
