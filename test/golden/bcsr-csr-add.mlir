// A(i,j) = B(i,j) + C(i,j), B in blocks of 4x4, C in CSR, A dense: columns of a block row meet
// columns of a row.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/bcsr-csr-add.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/bcsr-csr-add.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/bcsr-csr-add.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed,
                              i mod 4 : dense, j mod 4 : dense), pos = 32, crd = 32>
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

func.func @bcsr_csr_add(%B: tensor<?x?xf64, #BCSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"),
                        %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %C : tensor<?x?xf64, #BCSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #BCSR>
    %c = ta.access %C[%i, %j] : tensor<?x?xf64, #CSR>
    %s = arith.addf %b, %c : f64
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64>
}
