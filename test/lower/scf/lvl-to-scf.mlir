// Walks become loops over buffers.
// RUN: strata-opt %s --convert-ta-to-cin --convert-cin-to-lvl --strata-admit-masks --convert-lvl-to-scf --canonicalize --cse --loop-invariant-code-motion --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
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
// Of three operands, any two that have the same pattern are merged with the third as if they were one.
#V = #ta.format<(i) -> (i : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @union_of_three
// All stand at the same coordinate.
// CHECK: %[[ALL:.*]]:3 = scf.while
// CHECK-NOT: arith.minsi
// The first two, the first and the last, the last two: one comparison with the other one.
// CHECK: %[[AB:.*]]:3 = scf.while ({{.*}} = %[[ALL]]#0, {{.*}} = %[[ALL]]#1, {{.*}} = %[[ALL]]#2)
// CHECK: arith.minsi
// CHECK-NOT: arith.minsi
// CHECK: %[[AC:.*]]:3 = scf.while ({{.*}} = %[[AB]]#0, {{.*}} = %[[AB]]#1, {{.*}} = %[[AB]]#2)
// CHECK: arith.minsi
// CHECK-NOT: arith.minsi
// CHECK: %[[BC:.*]]:3 = scf.while ({{.*}} = %[[AC]]#0, {{.*}} = %[[AC]]#1, {{.*}} = %[[AC]]#2)
// CHECK: arith.minsi
// CHECK-NOT: arith.minsi
// CHECK: scf.while ({{.*}} = %[[BC]]#0, {{.*}} = %[[BC]]#1, {{.*}} = %[[BC]]#2)
// CHECK: arith.minsi
// CHECK: arith.minsi
// CHECK: return
func.func @union_of_three(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"),
                          %C: tensor<?xf64, #V> loc("C"), %n: index loc("n"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B, %C : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %c = ta.access %C[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    ta.yield %t : f64
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

// -----
// A union whose body is a union, both without values that are carried: else branches hold loops.
#M = #ta.format<(i, j) -> (i : compressed, j : compressed), pos = 32, crd = 32>
// CHECK-LABEL: func.func @union_into_workspace
// CHECK: scf.while
// CHECK: memref.store
// CHECK: return
func.func @union_into_workspace(%A: tensor<?x?xf64, #M> loc("A"), %m: index loc("m"), %n: index loc("n"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %m] ins(%A : tensor<?x?xf64, #M>) sizes(%m) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<precompute(t_j, {i}, {iw})>} {
    %s = ta.reduce max [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #M>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
