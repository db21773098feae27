// The bitmap level: a place for every coordinate, and a byte that says whether it is stored.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// coord_iter() -> [lo, hi); coord_access(p, c) -> p * N + c, found if its byte is set
#F = #ta.format<(i, j) -> (i : dense, j : bitmap)>
// CHECK-LABEL: func.func @walk
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: scf.for %[[C:.*]] = %c0 to %A2_size step %c1
// CHECK: %[[P:.*]] = arith.addi
// CHECK: %[[BIT:.*]] = memref.load %A2_bit{{.*}}[%[[P]]]
// CHECK: %[[SET:.*]] = arith.cmpi ne, %[[BIT]], %c0_i8
// CHECK: scf.if %[[SET]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
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
// locate(p, c) -> p * N + c, found if c lies inside and its byte is set
#V = #ta.format<(i) -> (i : compressed)>
#F = #ta.format<(i) -> (i : bitmap)>
// CHECK-LABEL: func.func @locate
// CHECK: scf.for %px1 =
// CHECK: %[[INSIDE:.*]] = arith.andi
// CHECK: %[[FOUND:.*]] = scf.if %[[INSIDE]] -> (i1)
// CHECK: memref.load %A1_bit
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
// insert(p, c): sets the byte; the places are there from the start.
#F = #ta.format<(i, j) -> (i : compressed, j : compressed)>
#R = #ta.format<(i, j) -> (i : dense, j : bitmap)>
// CHECK-LABEL: func.func @build
// CHECK: %[[PLACES:.*]] = arith.muli %out1_size, %out2_size
// CHECK: call @strata_allocate_i8
// CHECK: scf.for %{{.*}} = %c0 to %[[PLACES]] step %c1
// CHECK: memref.store %c0_i8
// CHECK: scf.for %pA1 =
// CHECK: scf.for %pA2 =
// CHECK: memref.store %c1_i8
// CHECK: call @strata_publish_i8
func.func @build(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #R> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m)
      -> tensor<?x?xf64, #R> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #R>
}
