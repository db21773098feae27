// y(i) = A(i,j) * x(j), A in DCSR, y sparse (004 Listing A.11): y has the rows that A has.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dcsr-spmv.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dcsr-spmv.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dcsr-spmv.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed), pos = 32, crd = 32>
#Sparse = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>

func.func @dcsr_spmv(%A: tensor<?x?xf64, #DCSR> loc("A"), %x: tensor<?xf64> loc("x"),
                     %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64, #Sparse>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #DCSR>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64, #Sparse> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #DCSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #Sparse>
}
