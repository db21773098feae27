// y(i) = A(i,j) * x(j), A in CSC and y hashed: sums scattered into a sparse vector.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/hashed-result.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/hashed-result.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/hashed-result.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed), pos = 32, crd = 32>
#Hashed = #ta.format<(i) -> (i : hashed), pos = 32, crd = 32>

func.func @hashed_result(%A: tensor<?x?xf64, #CSC> loc("A"), %x: tensor<?xf64> loc("x"),
                         %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64, #Hashed>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSC>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64, #Hashed> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #Hashed>
}
