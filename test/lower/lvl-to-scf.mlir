// Walks become loops over buffers.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
#V = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>

// Storages become their buffers, without aliases, and what to load them from.
// One operand alone: a counted loop over its positions.
// CHECK-LABEL: func.func @counted
// CHECK-SAME: %context: !llvm.ptr
// CHECK-SAME: %A1_pos: memref<1xi32> {llvm.noalias}
// CHECK-SAME: %A1_crd: memref<1xi32> {llvm.noalias}
// CHECK-SAME: %A_vals: memref<1xf64> {llvm.noalias}
// CHECK-SAME: strata.arguments = ["context", "storage 0"
// CHECK-NOT: scf.while
// CHECK: scf.for %[[P:pA1.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: memref.load %A1_crd{{.*}}[%[[P]]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
// CHECK-NOT: scf.while
// CHECK: return
func.func @counted(%A: tensor<?xf64, #V> loc("A"), %n: index loc("n")) -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// -----
// A union: one loop while both stand at the same coordinate, one while both are left, then one counted
// loop for what is left of either.
#V = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @union
// CHECK: %[[EQUAL:.*]]:2 = scf.while
// CHECK: arith.cmpi eq
// CHECK: %[[BOTH:.*]]:2 = scf.while ({{.*}} = %[[EQUAL]]#0, {{.*}} = %[[EQUAL]]#1)
// CHECK: arith.minsi
// CHECK: arith.addf
// CHECK: scf.for %{{.*}} = %[[BOTH]]#0 to
// CHECK: scf.for %{{.*}} = %[[BOTH]]#1 to
// CHECK-NOT: scf.while
// CHECK: return
func.func @union(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"), %n: index loc("n"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// An intersection: one loop, no rest. An operand that is far longer than the other is searched, by
// steps of double length and then by halves.
#V = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @intersection
// CHECK: %[[LIMIT:.*]] = arith.muli %{{.*}}, %c32
// CHECK: %[[LONGER:.*]] = arith.cmpi sgt, %{{.*}}, %[[LIMIT]]
// CHECK: %[[LONGER2:.*]] = arith.cmpi sgt, %{{.*}}, %[[LIMIT]]
// CHECK: scf.while
// CHECK: arith.mulf
// CHECK: scf.if %[[LONGER]]
// CHECK-COUNT-2: scf.while
// CHECK: scf.if %[[LONGER2]]
// CHECK-COUNT-2: scf.while
// CHECK-NOT: scf.while
// CHECK-NOT: scf.for %p
// CHECK: return
func.func @intersection(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"), %n: index loc("n"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = arith.mulf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Integer division ends the kernel with status 5 where the divisor is zero, and traps nowhere.
// CHECK-LABEL: func.func @division
// CHECK-DAG: %[[ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %c0_i64 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.cmpi eq, %[[Y]], %c-1_i64 : i64
// CHECK: scf.if %[[ZERO]] {
// CHECK: func.call @strata_kernel_fail(%context, %c5)
// CHECK: arith.divsi
// CHECK: arith.select %[[ONE]]
func.func @division(%a: tensor<?xi64> loc("a"), %b: tensor<?xi64> loc("b"), %n: index loc("n")) -> tensor<?xi64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b : tensor<?xi64>, tensor<?xi64>) sizes(%n) -> tensor<?xi64> out [%i]
      attributes {names = ["i"]} {
    %p = ta.access %a[%i] : tensor<?xi64>
    %q = ta.access %b[%i] : tensor<?xi64>
    %r = arith.divsi %p, %q : i64
    ta.yield %r : i64
  }
  return %y : tensor<?xi64>
}
