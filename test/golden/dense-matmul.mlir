// A(i,j) = B(i,k) * C(k,j), all dense.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dense-matmul.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dense-matmul.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dense-matmul.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
func.func @dense_matmul(%B: tensor<?x?xf64> loc("B"), %C: tensor<?x?xf64> loc("C"),
                        %n: index loc("n"), %m: index loc("m"), %r: index loc("r"))
    -> tensor<?x?xf64> attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %C : tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %m) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %r] attributes {names = ["k"]} : f64 {
      %b = ta.access %B[%i, %k] : tensor<?x?xf64>
      %c = ta.access %C[%k, %j] : tensor<?x?xf64>
      %p = arith.mulf %b, %c : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64>
}
