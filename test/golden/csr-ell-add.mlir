// y(i) = (A(i,j) + B(i,j)) * x(j): CSR and ELL meet in one loop over j, pads are passed over.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/csr-ell-add.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/csr-ell-add.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/csr-ell-add.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded), pos = 32, crd = 32>

func.func @csr_ell_add(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #ELL> loc("B"),
                       %x: tensor<?xf64> loc("x"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B, %x : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #ELL>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%i, %j] : tensor<?x?xf64, #ELL>
      %c = ta.access %x[%j] : tensor<?xf64>
      %d = arith.addf %a, %b : f64
      %p = arith.mulf %d, %c : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
