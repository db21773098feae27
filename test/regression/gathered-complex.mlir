// result(k) = add(n, (B@(k,n) * A(k + 1,n)))
// A complex number of two constants was not known to be zero, so that all of A was multiplied.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.mtx
%%MatrixMarket matrix coordinate complex general
2 2 1
2 1 1.0 0.0
//--- B.tns
# extended FROSTT format
1 1
1
1 1
//--- program.mlir
#F0 = #ta.format<(i, j) -> (i : dense, j : compressed)>
#F1 = #ta.format<(i, j) -> (i : compressed, j : singleton)>
#F2 = #ta.format<(i) -> (i : compressed)>
func.func @main() {
  %A = ta.read "A.mtx" : tensor<?x?xcomplex<f64>, #F0>
  %B = ta.read "B.tns" : tensor<?xi32>
  %n2 = arith.constant 2 : index
  %n1 = arith.constant 1 : index
  %Bat = ta.one_hot %B (%n2) : tensor<?xi32> to tensor<?x?xi8, #F1>
  %result = ta.compute [%k = %n1] ins(%Bat, %A : tensor<?x?xi8, #F1>, tensor<?x?xcomplex<f64>, #F0>) sizes(%n1) -> tensor<?xcomplex<f64>, #F2> out [%k] attributes {names = ["k"]} {
    %s0 = ta.reduce add [%n = %n2] attributes {names = ["n"]} : complex<f64> {
      %1 = ta.access %Bat[%k, %n] : tensor<?x?xi8, #F1>
      %2 = arith.constant 0 : i8
      %3 = ta.compare ne %1, %2 : i8
      %4 = arith.uitofp %3 : i1 to f64
      %5 = arith.constant 0.0 : f64
      %6 = complex.create %4, %5 : complex<f64>
      %7 = ta.access %A[%k + 1, %n] : tensor<?x?xcomplex<f64>, #F0>
      %8 = complex.mul %6, %7 : complex<f64>
      ta.yield %8 : complex<f64>
    }
    ta.yield %s0 : complex<f64>
  }
  ta.print %result "result" : tensor<?xcomplex<f64>, #F2>
  return
}
