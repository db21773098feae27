// The ragged level: the coordinates from the least one on, to each parent's own number of them.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// span_access: pos[p], pos[p + 1]; no coordinates are kept. Slots: the rows of a slice lie together.
#F = #ta.format<(i, j) -> (i floordiv 4 : dense, slot(i) : ragged, i mod 4 : dense, j : padded), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: scf.for %[[SLICE:c[^ ]*]] =
// CHECK: memref.load %A2_pos{{.*}}[%[[SLICE]]]
// CHECK: %[[BEGIN:.*]] = arith.index_castui
// CHECK: memref.load %A2_pos
// CHECK: scf.for %[[SLOT:c[^ ]*]] = %c0
// CHECK: %[[P:.*]] = arith.addi %[[BEGIN]]
// CHECK: arith.muli %[[P]], %c4
// CHECK: memref.load %A4_crd
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
// locate(p, c) -> pos[p] + c, found if c is less than the number of coordinates
#V = #ta.format<(i) -> (i : compressed)>
#F = #ta.format<(i) -> (i : ragged)>
// CHECK-LABEL: func.func @locate
// CHECK: scf.for %px1
// CHECK: memref.load %A1_pos
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
// insert(p, c): the places from 0 up to c, filled; close(p): their number.
#F = #ta.format<(i, j) -> (i : compressed, j : compressed)>
#R = #ta.format<(i, j) -> (i : dense, j : ragged)>
// CHECK-LABEL: func.func @build
// CHECK: scf.for %pA1
// CHECK: scf.for %pA2
// CHECK: scf.for
// CHECK: memref.store %cst
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
