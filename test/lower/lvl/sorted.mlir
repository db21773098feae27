// Dimensions that the format sorts: located by ranks, or walked by rank and looked up in the order.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s --check-prefix=SCF

// All levels of the rows are located: at the rank of the row.
#SELL = #ta.format<(i sorted(16), j) -> (i floordiv 4 : dense, slot(i) : ragged, i mod 4 : dense, j : padded)>
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @located
// CHECK: lvl.coiterate "i" {{.*}} case {{.*}} (%[[I:[^,]*]],
// CHECK: %[[P:.*]] = lvl.rank %{{.*}}[0] of %[[I]]
// CHECK: %[[SLICE:.*]] = arith.divui %[[P]]
// CHECK: lvl.locate %{{.*}}[0] at %[[SLICE]]
// CHECK: %[[Q:.*]] = lvl.rank %{{.*}}[0] of %[[I]]
// CHECK: lvl.iterator %{{.*}}[1] fixed(%[[Q]]) steps [unit, #{{.*}}, unit]
// SCF-LABEL: @located
// SCF: memref.load %A_dim1_ranks
func.func @located(%A: tensor<?x?xf64, #SELL> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"),
                   %n: index loc("n"), %m: index loc("m"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?x?xf64, #SELL>, tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #SELL>
      %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
      %p = arith.addf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Walked alone, in the order of its storage: the row is looked up.
#JDS = #ta.format<(i sorted, j) -> (slot(i) : dense, i : ragged, j : padded)>
// CHECK-LABEL: @walked
// CHECK: lvl.iterator %{{.*}}[0] fixed() steps [unit, unit, unit] compose {{.*}} ranks [0, -1]
// SCF-LABEL: @walked
// SCF: scf.for
// SCF: scf.for
// SCF: memref.load %A_dim1_order
func.func @walked(%A: tensor<?x?xf64, #JDS> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #JDS>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #JDS>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
