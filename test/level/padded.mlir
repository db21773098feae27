// The padded level: one coordinate at the parent's position, or the mark of a pad.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// pos_access(p) -> crd[p], found unless it is the least number; how many slots there are is stored.
#F = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: %[[WORD:.*]] = memref.load %A1_slots
// CHECK: %[[SLOTS:.*]] = arith.index_castui %[[WORD]]
// CHECK: scf.for %[[S:.*]] = %c0 to %[[SLOTS]]
// CHECK: %[[BEGIN:.*]] = arith.muli %[[S]], %A1_size
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: %[[P:.*]] = arith.addi %[[BEGIN]], %[[I]]
// CHECK: memref.load %A3_crd{{.*}}[%[[P]]]
// CHECK: %[[FOUND:.*]] = arith.cmpi ne, %{{.*}}, %c-2147483648
// CHECK: scf.if %[[FOUND]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
func.func @walk(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// insert(p, c) -> crd[p] = c, among pads: what packing does.
#L = #ta.format<(s, i, j) -> (s : compressed(nonunique), i : singleton(nonunique), j : singleton), pos = 64, crd = 32>
#F = #ta.format<(s, i, j) -> (s : dense, i : dense, j : padded), pos = 32, crd = 32>
// CHECK-LABEL: func.func @build
// CHECK: memref.store %c-2147483648
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[P:.*]]] : memref<?xi32>
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[P]]] : memref<?xf64>
func.func @build(%A: tensor<?x?x?xf64, #L> loc("A"), %w: index loc("w"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?x?xf64, #F> attributes {strata.kernel, strata.assumptions = #ta.assumptions<packs>} {
  %y = ta.compute [%s = %w, %i = %n, %j = %m] ins(%A : tensor<?x?x?xf64, #L>) sizes(%w, %n, %m)
      -> tensor<?x?x?xf64, #F> out [%s, %i, %j] attributes {names = ["s", "i", "j"]} {
    %a = ta.access %A[%s, %i, %j] : tensor<?x?x?xf64, #L>
    ta.yield %a : f64
  }
  return %y : tensor<?x?x?xf64, #F>
}
