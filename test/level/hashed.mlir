// The hashed level: coordinates in the order of their arrival, and a table that finds them.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// pos_iter(root) -> [0, n); pos_access(p) -> crd[p]
#F = #ta.format<(i) -> (i : hashed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: %[[N:.*]] = memref.load %A1_size
// CHECK: %[[END:.*]] = arith.index_cast
// CHECK: scf.for %[[P:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: memref.load %A1_crd{{.*}}[%[[P]]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
func.func @walk(%A: tensor<?xf64, #F> loc("A"), %n: index loc("n")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #F>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// -----
#V = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>
// locate(c) -> p, found: walks the table from hash(c) to the coordinate or an empty slot.
#F = #ta.format<(i) -> (i : hashed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @locate
// CHECK: scf.for %px1 =
// CHECK: memref.load %x1_crd
// CHECK: arith.muli
// CHECK: arith.shrui
// CHECK: arith.andi
// CHECK: %[[SLOT:.*]]:2 = scf.while
// CHECK: memref.load %A1_table
// CHECK: memref.load %A1_crd
// CHECK: %[[FOUND:.*]] = arith.cmpi ne, %[[SLOT]]#1, %c0
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
// insert(c) -> p of c: appended if new; the table doubles when half full.
#F = #ta.format<(i) -> (i : hashed), pos = 32, crd = 32>
#R = #ta.format<(i) -> (i : hashed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @build
// CHECK: call @strata_allocate_i64
// CHECK: scf.while
// CHECK: scf.if
// CHECK: func.call @strata_grow_i32
// CHECK: func.call @strata_allocate_i64
// CHECK: func.call @strata_release_i64
// CHECK: call @strata_publish_i64
// CHECK: call @strata_publish_i32
// CHECK: call @strata_publish_i64
// CHECK: call @strata_publish_f64
func.func @build(%A: tensor<?xf64, #F> loc("A"), %n: index loc("n")) -> tensor<?xf64, #R>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #F>) sizes(%n) -> tensor<?xf64, #R>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64, #R>
}

// -----
// Below another level: pos_iter(p) -> [pos[p], pos[p + 1]), places in the list ord of positions;
// children and values stand at the positions.
#F = #ta.format<(i, j) -> (i : dense, j : hashed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk_below
// CHECK: scf.for %i =
// CHECK: memref.load %A2_pos{{.*}}[%i{{.*}}]
// CHECK: memref.load %A2_pos
// CHECK: scf.for %[[P:[^ ]+]] =
// CHECK: %[[ORD:.*]] = memref.load %A2_ord{{.*}}[%[[P]]]
// CHECK: %[[POS:.*]] = arith.index_castui %[[ORD]]
// CHECK: memref.load %A_vals{{.*}}[%[[POS]]]
func.func @walk_below(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #F>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
