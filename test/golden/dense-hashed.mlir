// y(i) = A(i,j) * x(j), A dense, x a hash map (004 Listing A.3): the entries of x as they lie, without
// empty places between them.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dense-hashed.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dense-hashed.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dense-hashed.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#Hashed = #ta.format<(i) -> (i : hashed), pos = 32, crd = 32>

func.func @dense_hashed(%A: tensor<?x?xf64> loc("A"), %x: tensor<?xf64, #Hashed> loc("x"),
                     %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64>, tensor<?xf64, #Hashed>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      %b = ta.access %x[%j] : tensor<?xf64, #Hashed>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
