#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @main() {
  %A = ta.stencil 2 : tensor<?x?xf64, #CSR> loc("A")
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %x = ta.fill 1.0 : f64 (%m) : tensor<?xf64> loc("x")
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  } loc("y")
  ta.print %y "y" : tensor<?xf64>
  return
}
