// B(i,j) = A(i,j), A in CSR, B in CSC: the entries of each column are counted, then stored row by
// row; nothing is sorted.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csc-from-csr.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csc-from-csr.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csc-from-csr.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 32>

func.func @csc_from_csr(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #CSC> attributes {strata.kernel} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSC> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #CSC>
}
