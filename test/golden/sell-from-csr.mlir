// B(i,j) = A(i,j), A in CSR, B in SELL:4: an entry's slot is its number in its row; each slice of four
// rows gets as many slots as its longest row needs. %slots of them were counted before.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/sell-from-csr.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/sell-from-csr.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/sell-from-csr.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#SELL = #ta.format<(i, j) -> (i floordiv 4 : dense, slot(i) : ragged, i mod 4 : dense, j : padded), pos = 32, crd = 32>

func.func @sell_from_csr(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"), %m: index loc("m"),
                         %slots: index loc("slots"))
    -> tensor<?x?xf64, #SELL> attributes {strata.kernel, strata.assumptions = #ta.assumptions<slots>} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #SELL> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #SELL>
}
