// The singleton level: one child per parent, its coordinate at the parent's position.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// pos_access(p) -> crd[p], with the parent's position.
#F = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: memref.load %A1_crd
// CHECK: memref.load %A2_crd
// CHECK: memref.load %A_vals
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
// Building: a coordinate is stored where its parent was appended.
#F = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32>
#R = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 32, crd = 32>
// CHECK-LABEL: func.func @build
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[P:.*]]] : memref<?xi32>
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[P]]] : memref<?xi32>
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[P]]] : memref<?xf64>
func.func @build(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #R>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64, #R>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #R>
}
