// A(i,j) = B(i,j) * C(i,j), all in COO: one loop over the entries of both, by pairs of coordinates (the
// merging of several fused iterators that 004 chapter 7 leaves open).
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/coo-multiply.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/coo-multiply.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/coo-multiply.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32>

func.func @coo_multiply(%B: tensor<?x?xf64, #COO> loc("B"), %C: tensor<?x?xf64, #COO> loc("C"),
                   %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #COO>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %C : tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>)
      sizes(%n, %m) -> tensor<?x?xf64, #COO> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #COO>
    %c = ta.access %C[%i, %j] : tensor<?x?xf64, #COO>
    %s = arith.mulf %b, %c : f64
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64, #COO>
}
