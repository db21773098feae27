// A(i,j) = B(i,j) + C(i,j), B in CSR, C in COO, A dense: 004 Figure 4-7, with the rows after the
// last of C, and the rows of B that C does not have, which the figure leaves out.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-coo-add.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-coo-add.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-coo-add.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32>

func.func @csr_coo_add(%B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #COO> loc("C"),
                       %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #COO>)
      sizes(%n, %m) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %c = ta.access %C[%i, %j] : tensor<?x?xf64, #COO>
    %s = arith.addf %b, %c : f64
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64>
}
