// The dense level: every coordinate has the position p * N + c, and no buffer.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// locate(p, c) -> p * N + c
#F = #ta.format<(i, j) -> (i : dense, j : dense), pos = 32, crd = 32>
// CHECK-LABEL: func.func @read
// CHECK-NOT: pos
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %A2_size
// CHECK: scf.for %[[J:.*]] = %c0 to %m
// CHECK: %[[P:.*]] = arith.addi %[[ROW]], %[[J]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
func.func @read(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// Building: all places at once, filled, then written anywhere.
#F = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @build
// CHECK: call @strata_allocate_f64(%context, %[[COUNT:.*]], %c8)
// CHECK: scf.for
// CHECK: memref.store %cst
// CHECK: %[[C:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[C]]]
// CHECK: call @strata_publish_f64
func.func @build(%A: tensor<?xf64, #F> loc("A"), %n: index loc("n")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #F>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}
