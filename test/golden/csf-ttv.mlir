// A(i,j) = B(i,j,k) * c(k), B in CSF, A in DCSR.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csf-ttv.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csf-ttv.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csf-ttv.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSF = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed), pos = 32, crd = 32>
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed), pos = 32, crd = 32>

func.func @csf_ttv(%B: tensor<?x?x?xf64, #CSF> loc("B"), %c: tensor<?xf64> loc("c"),
                   %n: index loc("n"), %m: index loc("m"), %r: index loc("r"))
    -> tensor<?x?xf64, #DCSR> attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %c : tensor<?x?x?xf64, #CSF>, tensor<?xf64>)
      sizes(%n, %m) -> tensor<?x?xf64, #DCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %r] attributes {names = ["k"]} : f64 {
      %b = ta.access %B[%i, %j, %k] : tensor<?x?x?xf64, #CSF>
      %x = ta.access %c[%k] : tensor<?xf64>
      %p = arith.mulf %b, %x : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64, #DCSR>
}
