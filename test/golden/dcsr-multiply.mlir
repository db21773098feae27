// A(i,j) = B(i,j) * C(i,j), all in DCSR: intersections of rows and of columns; a row is stored if it
// has an entry.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dcsr-multiply.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dcsr-multiply.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dcsr-multiply.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed), pos = 32, crd = 32>

func.func @dcsr_multiply(%B: tensor<?x?xf64, #DCSR> loc("B"), %C: tensor<?x?xf64, #DCSR> loc("C"),
                         %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #DCSR>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %C : tensor<?x?xf64, #DCSR>, tensor<?x?xf64, #DCSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #DCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #DCSR>
    %c = ta.access %C[%i, %j] : tensor<?x?xf64, #DCSR>
    %p = arith.mulf %b, %c : f64
    ta.yield %p : f64
  }
  return %A : tensor<?x?xf64, #DCSR>
}
