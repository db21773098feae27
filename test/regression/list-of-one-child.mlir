// result(i) = C@(i,0)
// A list whose entries have one child each is not converted to a place for each coordinate: such a
// level has no lists below it.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- C.tns
# extended FROSTT format
1 0
0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : compressed, j : singleton)>
func.func @main() {
  %n1 = arith.constant 1 : index
  %n0 = arith.constant 0 : index
  %C = ta.read "C.tns" : tensor<?xi32>
  %Cat = ta.one_hot %C (%n1) : tensor<?xi32> to tensor<?x?xi8, #F0>
  %result = ta.compute [%i = %n0] ins(%Cat : tensor<?x?xi8, #F0>) sizes(%n0) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %Cat[%i, 0] : tensor<?x?xi8, #F0>
    %1 = arith.constant 0 : i8
    %2 = ta.compare ne %0, %1 : i8
    %3 = arith.uitofp %2 : i1 to f64
    ta.yield %3 : f64
  }
  ta.print %result "result" : tensor<?xf64>
  return
}
