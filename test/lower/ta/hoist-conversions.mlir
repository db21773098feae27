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

// A statement that the compiler inserted goes before the loop with the numbers that its labels are
// worth; one of the program stays, and so does one of what the loop carries.
// CHECK-LABEL: @statements
// CHECK: ta.dim
// CHECK: ta.iota
// CHECK: ta.compute {{.*}} reason = "those on the diagonal; once, before the loop"
// CHECK: ta.loop
// CHECK: ta.compute {{.*}} attributes {names = ["i"]}
// CHECK: ta.compute {{.*}} reason = "carried"}
func.func @statements(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %r = ta.loop limit 3 carry(%x : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%y: tensor<?xf64>):
    %n = ta.dim %A, 0 : tensor<?x?xf64, #CSC>
    %c = ta.iota from 0 step 1(%n) : tensor<?xi64>
    %d = ta.compute [%i = %n, %j = %n] ins(%A, %c : tensor<?x?xf64, #CSC>, tensor<?xi64>)
        sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j]
        attributes {names = ["i", "j"], reason = "those on the diagonal"} {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %0 = ta.access %c[%i] : tensor<?xi64>
      %1 = ta.access %c[%j] : tensor<?xi64>
      %same = ta.compare eq %0, %1 {strata.of_labels} : i64
      %zero = arith.constant 0.0 : f64
      %v = ta.select %same, %a, %zero : f64
      ta.yield %v : f64
    }
    ta.write %d, "d.mtx" : tensor<?x?xf64, #CSR>
    %own = ta.compute [%i = %m] ins(%x : tensor<?xf64>) sizes(%m) -> tensor<?xf64> out [%i]
        attributes {names = ["i"]} {
      %a = ta.access %x[%i] : tensor<?xf64>
      ta.yield %a : f64
    }
    %next = ta.compute [%i = %m] ins(%y, %own : tensor<?xf64>, tensor<?xf64>) sizes(%m)
        -> tensor<?xf64> out [%i] attributes {names = ["i"], reason = "carried"} {
      %a = ta.access %y[%i] : tensor<?xf64>
      %b = ta.access %own[%i] : tensor<?xf64>
      %c2 = arith.addf %a, %b : f64
      ta.yield %c2 : f64
    }
    ta.next %next : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Where an index lies inside follows from sizes, which are in front of the loop what they are in it: those of what it
// carries, and of what is made there.
// CHECK-LABEL: @sizes
// CHECK-SAME: (%[[X:.*]]: tensor<?xf64>)
// CHECK: %[[N:.*]] = ta.dim %[[X]], 0
// CHECK: %[[M:.*]] = ta.fit #{{.*}}(%{{.*}})
// CHECK: %[[S:.*]] = ta.inside #{{.*}}(%[[M]]) in %{{.*}}
// CHECK: ta.loop
// CHECK: ta.write %[[S]]
func.func @sizes(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = ta.loop limit 3 carry(%x : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%y: tensor<?xf64>):
    %n = ta.dim %y, 0 : tensor<?xf64>
    %z = ta.compute [%i = %n] ins(%y : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
      %a = ta.access %y[%i] : tensor<?xf64>
      ta.yield %a : f64
    }
    %m = ta.dim %z, 0 : tensor<?xf64>
    %l = ta.same_size "i" (%m, %n) ["z", "y"]
    %f = ta.fit affine_map<(d0) -> (d0 - 1)> (%l)
    %s = ta.inside affine_map<(d0) -> (d0 + 1)> (%f) in %m : tensor<?x?xi8, #CSR>
    ta.write %s, "s.mtx" : tensor<?x?xi8, #CSR>
    ta.next %z : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
