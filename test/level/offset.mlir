// The offset level: its coordinate follows from the levels above, at the parent's position.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// pos_access(p) -> the coordinate that the levels above determine: j = i + d. There is no buffer.
#F = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK-SAME: %A1_crd
// CHECK-NOT: %A3_
// CHECK: memref.load %A1_crd
// CHECK: %[[D:.*]] = arith.index_cast
// CHECK: %[[BEGIN:.*]] = arith.muli
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[AT:.*]] = arith.addi %[[BEGIN]], %[[I]]
// CHECK: %[[J:.*]] = arith.addi %[[D]], %[[I]]
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %out2_size
// CHECK: %[[TO:.*]] = arith.addi %[[ROW]], %[[J]]
// CHECK: %[[V:.*]] = memref.load %A_vals{{.*}}[%[[AT]]]
// CHECK: memref.store %[[V]], %{{.*}}[%[[TO]]]
func.func @walk(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}
