// A(i,j) = B(i,j) * C(i,k) * D(k,j), A and B in CSR: dot products at the entries of B.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/sddmm.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/sddmm.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/sddmm.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>

func.func @sddmm(%B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64> loc("C"),
                 %D: tensor<?x?xf64> loc("D"), %n: index loc("n"), %m: index loc("m"),
                 %r: index loc("r")) -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m]
      ins(%B, %C, %D : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %r] attributes {names = ["k"]} : f64 {
      %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%i, %k] : tensor<?x?xf64>
      %d = ta.access %D[%k, %j] : tensor<?x?xf64>
      %bc = arith.mulf %b, %c : f64
      %p = arith.mulf %bc, %d : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}
