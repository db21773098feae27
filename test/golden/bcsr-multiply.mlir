// C(i,k) = A(i,j) * B(j,k) of matrices in blocks of 2x2: the loops go from block to block, and
// through the places of each. Sizes need not be multiples of the block.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/bcsr-multiply.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/bcsr-multiply.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/bcsr-multiply.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#BCSR = #ta.format<(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed,
                              i mod 2 : dense, j mod 2 : dense), pos = 32, crd = 32>

func.func @bcsr_multiply(%A: tensor<?x?xf64, #BCSR> loc("A"), %B: tensor<?x?xf64, #BCSR> loc("B"),
                         %n: index loc("n"), %m: index loc("m"), %l: index loc("l"))
    -> tensor<?x?xf64, #BCSR> attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %k = %l] ins(%A, %B : tensor<?x?xf64, #BCSR>, tensor<?x?xf64, #BCSR>)
      sizes(%n, %l) -> tensor<?x?xf64, #BCSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #BCSR>
      %b = ta.access %B[%j, %k] : tensor<?x?xf64, #BCSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #BCSR>
}
