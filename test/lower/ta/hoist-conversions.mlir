// What the compiler converts in a loop, of a tensor from outside, is converted once.
// RUN: strata-opt %s --ta-hoist-conversions | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// Out of both loops; the two are one.
// CHECK-LABEL: @invariant
// CHECK-NEXT: %[[C:.*]] = ta.convert %arg0 {reason = "order; once, before the loop"}
// CHECK-NOT: ta.convert
// CHECK: ta.loop
// CHECK: ta.loop
// CHECK-NEXT: ta.write %[[C]]
// CHECK-NEXT: ta.write %[[C]]
func.func @invariant(%A: tensor<?x?xf64, #CSC>) {
  ta.loop limit 3 {
    ta.loop limit 3 {
      %0 = ta.convert %A {reason = "order"} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
      ta.write %0, "a.mtx" : tensor<?x?xf64, #CSR>
      %1 = ta.convert %A {reason = "order"} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
      ta.write %1, "b.mtx" : tensor<?x?xf64, #CSR>
      ta.break
    }
    ta.break
  }
  return
}

// What the loop carries is converted in each round; what stands in a branch may never be needed.
// CHECK-LABEL: @stays
// CHECK: ta.loop
// CHECK: ta.convert %{{.*}} {reason = "order"}
// CHECK: ta.if
// CHECK-NEXT: ta.convert %{{.*}} {reason = "order"}
func.func @stays(%A: tensor<?x?xf64, #CSC>, %c: i1) -> tensor<?x?xf64, #CSC> {
  %r = ta.loop limit 3 carry(%A : tensor<?x?xf64, #CSC>) -> tensor<?x?xf64, #CSC> {
  ^bb0(%B: tensor<?x?xf64, #CSC>):
    %0 = ta.convert %B {reason = "order"} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    ta.write %0, "b.mtx" : tensor<?x?xf64, #CSR>
    ta.if %c {
      %1 = ta.convert %A {reason = "order"} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
      ta.write %1, "a.mtx" : tensor<?x?xf64, #CSR>
      ta.next
    } else {
      ta.next
    }
    ta.next %B : tensor<?x?xf64, #CSC>
  }
  return %r : tensor<?x?xf64, #CSC>
}
