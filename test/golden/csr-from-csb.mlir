// B(i,j) = A(i,j), A in CSB, B in CSR: the entries are counted, then stored as A stores them, block by
// block: those of a row come in order, since a row's blocks do.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-from-csb.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-from-csb.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-from-csb.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#CSB = #ta.format<(i, j) -> (i floordiv 64 : dense, j floordiv 64 : dense,
                             i mod 64 : compressed(nonunique), j mod 64 : singleton), pos = 32, crd = 32>

func.func @csr_from_csb(%A: tensor<?x?xf64, #CSB> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSB>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSB>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #CSR>
}
