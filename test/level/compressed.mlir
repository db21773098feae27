// The compressed level: pos says where each parent's coordinates begin in crd.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// pos_iter(p) -> [pos[p], pos[p + 1]); pos_access(p) -> crd[p]
#F = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: memref.load %A2_pos{{.*}}[%[[I]]]
// CHECK: %[[BEGIN:.*]] = arith.index_castui
// CHECK: memref.load %A2_pos{{.*}}[%[[NEXT]]]
// CHECK: %[[END:.*]] = arith.index_castui
// CHECK: scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c1
// CHECK: memref.load %A2_crd{{.*}}[%[[P]]]
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
// Building: coordinates are appended, with room made for a row at once, rows' counts stored and added up,
// positions checked for overflow.
#F = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#R = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @build
// CHECK: call @strata_allocate_i32
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: func.call @strata_grow_i32
// CHECK: scf.for %[[P:.*]] =
// CHECK-NOT: grow
// CHECK: memref.store %{{.*}} : memref<?xi32>
// CHECK: %[[COUNT:.*]] = arith.subi
// CHECK: arith.index_cast %[[COUNT]] : index to i32
// CHECK: memref.store
// CHECK: scf.for
// CHECK: arith.addi
// CHECK: arith.cmpi sgt, %{{.*}}, %c4294967295
// CHECK: func.call @strata_kernel_fail(%context, %c2)
// CHECK: call @strata_publish_i32
// CHECK: call @strata_publish_i32
// CHECK: call @strata_publish_f64
func.func @build(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #R>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64, #R>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #R>
}

// -----
// Duplicates: a run of positions with one coordinate is visited once, its values are added.
#F = #ta.format<(i) -> (i : compressed(nonunique)), pos = 32, crd = 32>
// CHECK-LABEL: func.func @duplicates
// CHECK: scf.while (%[[BEGIN:.*]] = %
// CHECK: %[[END:.*]] = scf.while
// CHECK: memref.load %A1_crd
// CHECK: memref.load %A1_crd
// CHECK: arith.cmpi eq
// CHECK: %[[SUM:.*]] = scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
// CHECK: arith.addf
// CHECK: memref.store %[[SUM]]
func.func @duplicates(%A: tensor<?xf64, #F> loc("A"), %n: index loc("n")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #F>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}
