// y(i) = A(i,j) * x(j), A in jagged diagonals: alone it is walked slot by slot. Threads take ranks of rows, of all
// slots: each is another row.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/jds-spmv.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/jds-spmv.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/jds-spmv.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#JDS = #ta.format<(i sorted, j) -> (slot(i) : dense, i : ragged, j : padded), pos = 32, crd = 32>

func.func @jds_spmv(%A: tensor<?x?xf64, #JDS> loc("A"), %x: tensor<?xf64> loc("x"),
                    %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #JDS>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #JDS>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
