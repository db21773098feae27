// B(i,j) = A(i,j), A in CSR, B in BCSR: the rows of a row of blocks are gathered together, as blocks,
// which are appended in order when these rows end. Nothing is sorted but their numbers.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/bcsr-from-csr.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/bcsr-from-csr.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/bcsr-from-csr.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense), pos = 32, crd = 32>

func.func @bcsr_from_csr(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #BCSR> attributes {strata.kernel} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #BCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #BCSR>
}
