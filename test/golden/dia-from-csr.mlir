// The pattern of B(i,j) = A(i,j), A in CSR, B in DIA: each piece of the rows marks the diagonals that
// it meets and lists them; the lists, one behind the other, are marked once more, and put in order.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dia-from-csr.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dia-from-csr.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dia-from-csr.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#DIA = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset), pos = 32, crd = 32>

func.func @dia_from_csr(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #DIA> attributes {strata.kernel, strata.phase = #ta.phase<pattern>} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #DIA> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #DIA>
}
