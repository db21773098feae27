// A(i,j) = B(i,j) + C(i,j), all in CSR: a union, appended.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-add.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-add.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-add.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

func.func @csr_add(%B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"),
                   %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %c = ta.access %C[%i, %j] : tensor<?x?xf64, #CSR>
    %s = arith.addf %b, %c : f64
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}
