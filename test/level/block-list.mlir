// The block-list level: blocks of neighbouring coordinates, of any length.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// span_iter(p) -> [pos[p], pos[p + 1]); span_access(s): crd[s], off[s], off[s + 1]
#F = #ta.format<(i, j) -> (i : dense, j : block_list)>
// CHECK-LABEL: func.func @walk
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: scf.for %[[S:sA2.*]] = %
// CHECK: memref.load %A2_off{{.*}}[%[[S]]]
// CHECK: memref.load %A2_crd{{.*}}[%[[S]]]
// CHECK: scf.for %cA2
// CHECK-NOT: memref.load %A2
// CHECK: memref.load %A_vals
func.func @walk(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// Merged with another: a cursor over blocks and one inside.
#F = #ta.format<(i) -> (i : block_list)>
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: func.func @merge
// CHECK: scf.while ({{.*}}) : (index, index, index) -> (index, index, index)
// CHECK: arith.minsi
func.func @merge(%A: tensor<?xf64, #F> loc("A"), %x: tensor<?xf64, #V> loc("x"), %n: index loc("n")) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?xf64, #F>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    %b = ta.access %x[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}
