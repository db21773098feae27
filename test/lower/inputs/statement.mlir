#V = #ta.format<(i) -> (i : compressed)>
func.func @union(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"), %n: index loc("n"))
    -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}
