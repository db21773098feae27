// The run-length level: runs of neighbouring coordinates that share one value.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// span_access(s): crd[s], last[s], all at position s
#F = #ta.format<(i, j) -> (i : dense, j : run_length)>
// CHECK-LABEL: func.func @walk
// CHECK: scf.for %[[S:sA2.*]] = %
// CHECK: memref.load %A2_crd{{.*}}[%[[S]]]
// CHECK: memref.load %A2_last{{.*}}[%[[S]]]
// CHECK: scf.for %cA2
// CHECK: memref.load %A_vals{{.*}}[%[[S]]]
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
// At the next insertion, the last run joins the one before it if its value has the same bits.
#F = #ta.format<(i) -> (i : compressed)>
#R = #ta.format<(i) -> (i : run_length)>
// CHECK-LABEL: func.func @build
// CHECK: scf.for %pA1
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK: %[[Y:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK: arith.cmpi eq, %[[X]], %[[Y]]
func.func @build(%A: tensor<?xf64, #F> loc("A"), %n: index loc("n")) -> tensor<?xf64, #R>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #F>) sizes(%n) -> tensor<?xf64, #R>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64, #R>
}
