// A(i,k) = B(i,j) * C(j,k), B in CSR: rows of C added to rows of A.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-spmm.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-spmm.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-spmm.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

func.func @csr_spmm(%B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64> loc("C"),
                    %n: index loc("n"), %m: index loc("m"), %r: index loc("r"))
    -> tensor<?x?xf64> attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %k = %r] ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64>)
      sizes(%n, %r) -> tensor<?x?xf64> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%j, %k] : tensor<?x?xf64>
      %p = arith.mulf %b, %c : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64>
}
