// The loose compressed level: the coordinates that occur, and where each parent's begin and end.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// pos_iter(p) -> [pos[2p], pos[2p + 1]); close(p): both are stored.
#F = #ta.format<(i, j) -> (i : dense, j : loose_compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @copy
// CHECK: scf.for %[[I:i[^ ]*]] =
// CHECK: %[[TWICE:.*]] = arith.muli %[[I]], %c2
// CHECK: %[[NEXT:.*]] = arith.addi %[[TWICE]], %c1
// CHECK: memref.load %A2_pos{{.*}}[%[[TWICE]]]
// CHECK: memref.load %A2_pos{{.*}}[%[[NEXT]]]
// CHECK: scf.for %pA2
// CHECK: memref.load %A2_crd
// CHECK: memref.store
func.func @copy(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #F>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64, #F>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    %b = arith.addf %a, %a : f64
    ta.yield %b : f64
  }
  return %y : tensor<?x?xf64, #F>
}
