// The band level: one contiguous run of coordinates below each parent.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// span_iter(p) -> [p, p + 1): one span, no loop; span_access: first[p], pos[p], pos[p + 1]. The loop
// over the band loads no coordinates.
#F = #ta.format<(i, j) -> (i : dense, j : band)>
// CHECK-LABEL: func.func @walk
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK-DAG: memref.load %A2_pos{{.*}}[%[[I]]]
// CHECK-DAG: memref.load %A2_first{{.*}}[%[[I]]]
// CHECK: scf.for %[[C:cA2.*]] = %
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
// locate(p, c) -> pos[p] + c - first[p], found if 0 <= c - first[p] < the band's length
#V = #ta.format<(i) -> (i : compressed)>
#F = #ta.format<(i) -> (i : band)>
// CHECK-LABEL: func.func @locate
// CHECK: scf.for %px1
// CHECK: memref.load %A1_first
// CHECK: %[[FOUND:.*]] = arith.cmpi ult
// CHECK: scf.if %[[FOUND]]
func.func @locate(%A: tensor<?xf64, #F> loc("A"), %x: tensor<?xf64, #V> loc("x"), %n: index loc("n")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?xf64, #F>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    %b = ta.access %x[%i] : tensor<?xf64, #V>
    %s = arith.mulf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// insert(p, c): the gap since the last coordinate is filled; close(p): first[p] and the count.
#F = #ta.format<(i, j) -> (i : compressed, j : compressed)>
#R = #ta.format<(i, j) -> (i : dense, j : band)>
// CHECK-LABEL: func.func @build
// CHECK: scf.for %pA1
// CHECK: scf.for %pA2
// CHECK: arith.select
// CHECK: scf.for
// CHECK: memref.store %cst
// CHECK: call @strata_publish_i64
// CHECK: call @strata_publish_i64
// CHECK: call @strata_publish_f64
func.func @build(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #R> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m)
      -> tensor<?x?xf64, #R> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #R>
}
