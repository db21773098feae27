// C(j,i) = A(i,j), A in CSR and C in hash maps below a hash map: entries are inserted as they come,
// rehashing moves neither values nor what lies below; the lists of each row are made at the end.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix | diff %S/dok-from-csr.cin -
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix | diff %S/dok-from-csr.lvl -
// RUN: strata-opt %s --strata-kernel="stage=scf" --mlir-use-nameloc-as-prefix | diff %S/dok-from-csr.scf -
// RUN: strata-opt %s --strata-kernel | mlir-translate --mlir-to-llvmir | opt -passes=verify -disable-output
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#DOK = #ta.format<(i, j) -> (i : hashed, j : hashed), pos = 32, crd = 32>

func.func @dok_from_csr(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"),
                        %m: index loc("m")) -> tensor<?x?xf64, #DOK>
    attributes {strata.kernel} {
  %C = ta.compute [%j = %m, %i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%m, %n)
      -> tensor<?x?xf64, #DOK> out [%j, %i] attributes {names = ["j", "i"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %C : tensor<?x?xf64, #DOK>
}
