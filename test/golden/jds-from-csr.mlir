// B(i,j) = A(i,j), A in CSR with its rows sorted, B in jagged diagonals: an entry's slot is its number
// in its row; of each slot the rows up to the last that has it are counted before they are stored.
// %slots of them were counted before that.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/jds-from-csr.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/jds-from-csr.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/jds-from-csr.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#JDS = #ta.format<(i, j) -> (slot(i) : dense, i : ragged, j : padded), pos = 32, crd = 32>

func.func @jds_from_csr(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"), %m: index loc("m"),
                        %slots: index loc("slots"))
    -> tensor<?x?xf64, #JDS> attributes {strata.kernel, strata.assumptions = #ta.assumptions<slots>} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #JDS> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #JDS>
}
