// C(i,j) = A(i,k) * B(k,j), A and B in CSR, row by row (Gustavson), into a list of entries whose
// repetitions mean their sum.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-spgemm-list.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-spgemm-list.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-spgemm-list.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#List = #ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered)), pos = 64, crd = 32>

func.func @csr_spgemm(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"),
                      %n: index loc("n"), %m: index loc("m"), %l: index loc("l")) -> tensor<?x?xf64, #List>
    attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #List> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #List>
}
