// result(i,j) = max?(k, masked((add(l, -0.5) * ge(A(i,k), B(i))), C@?(k,j)))
// Of the values alone, the state of a builder was read while the map that holds it grew.
// RUN: split-file %s %t && cd %t && strata run --check --phases --repeat=2 program.mlir
//--- A.tns
# extended FROSTT format
2 0
0 0
//--- B.tns
# extended FROSTT format
1 0
0
//--- C.tns
# extended FROSTT format
1 0
0
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : compressed, j : compressed)>
#F1 = #ta.format<(i) -> (i : compressed)>
#F2 = #ta.format<(i, j) -> (i : compressed, j : singleton)>
#F3 = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @main() {
  %A = ta.read "A.tns" : tensor<?x?xf64, #F0>
  %B = ta.read "B.tns" : tensor<?xf64, #F1>
  %C = ta.read "C.tns" : tensor<?xi32>
  %n0 = arith.constant 0 : index
  %Cat = ta.one_hot %C (%n0) : tensor<?xi32> to tensor<?x?xi8, #F2>
  %result = ta.compute [%i = %n0, %j = %n0] ins(%A, %B, %Cat : tensor<?x?xf64, #F0>, tensor<?xf64, #F1>, tensor<?x?xi8, #F2>) sizes(%n0, %n0) -> tensor<?x?xf64, #F3> out [%i, %j] attributes {names = ["i", "j"]} {
    %s0 = ta.reduce max [%k = %n0] attributes {missing, names = ["k"]} : f64 {
      %s1 = ta.reduce add [%l = %n0] attributes {names = ["l"]} : f64 {
        %2 = arith.constant -0.5 : f64
        ta.yield %2 : f64
      }
      %3 = ta.access %A[%i, %k] : tensor<?x?xf64, #F0>
      %4 = ta.access %B[%i] : tensor<?xf64, #F1>
      %5 = ta.compare ge %3, %4 : f64
      %6 = arith.uitofp %5 : i1 to f64
      %7 = arith.mulf %s1, %6 : f64
      %8 = ta.access %Cat[%k, %j] {missing} : tensor<?x?xi8, #F2>
      %9 = ta.masked %7 by %8 : f64, i8
      ta.yield %9 : f64
    }
    ta.yield %s0 : f64
  }
  ta.print %result "result" : tensor<?x?xf64, #F3>
  return
}
