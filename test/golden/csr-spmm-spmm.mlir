// C(i,l) = sum(k, sum(j, A(i,j) * X(j,k)) * W(k,l)), A in CSR: a row of the first product at a time,
// in a workspace.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-spmm-spmm.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-spmm-spmm.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-spmm-spmm.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

func.func @spmm_spmm(%A: tensor<?x?xf64, #CSR> loc("A"), %X: tensor<?x?xf64> loc("X"),
                     %W: tensor<?x?xf64> loc("W"), %n: index loc("n"), %m: index loc("m"),
                     %r: index loc("r"), %s: index loc("s")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %l = %s]
      ins(%A, %X, %W : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %s) -> tensor<?x?xf64> out [%i, %l] attributes {names = ["i", "l"]} {
    %outer = ta.reduce add [%k = %r] attributes {names = ["k"]} : f64 {
      %inner = ta.reduce add [%j = %m] attributes {names = ["j"], workspace} : f64 {
        %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
        %x = ta.access %X[%j, %k] : tensor<?x?xf64>
        %ax = arith.mulf %a, %x : f64
        ta.yield %ax : f64
      }
      %w = ta.access %W[%k, %l] : tensor<?x?xf64>
      %p = arith.mulf %inner, %w : f64
      ta.yield %p : f64
    }
    ta.yield %outer : f64
  }
  return %C : tensor<?x?xf64>
}
