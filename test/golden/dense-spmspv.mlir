// y(i) = A(i,j) * x(j), A dense, x sparse (004 Listing A.2): only the entries of x are visited.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dense-spmspv.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dense-spmspv.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dense-spmspv.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#Sparse = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>

func.func @dense_spmspv(%A: tensor<?x?xf64> loc("A"), %x: tensor<?xf64, #Sparse> loc("x"),
                     %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64>, tensor<?xf64, #Sparse>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      %b = ta.access %x[%j] : tensor<?xf64, #Sparse>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
