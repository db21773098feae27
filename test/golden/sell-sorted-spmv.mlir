// y(i) = A(i,j) * x(j), A in slices of 32 rows, which are sorted in windows of 256: threads take slices.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/sell-sorted-spmv.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/sell-sorted-spmv.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/sell-sorted-spmv.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#SELL = #ta.format<(i sorted(256), j) -> (i floordiv 32 : dense, slot(i) : ragged, i mod 32 : dense, j : padded), pos = 32, crd = 32>

func.func @sell_sorted_spmv(%A: tensor<?x?xf64, #SELL> loc("A"), %x: tensor<?xf64> loc("x"),
                    %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #SELL>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #SELL>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
