// Cells compute parts of statements, as schedules say.
// RUN: strata-opt %s --ta-distribute-statements | FileCheck %s

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#V = #ta.format<(i) -> (i : dense)>
#rows = #ta.placement<"M", [share(0)]>
!A = tensor<?x?xf64, #ta.distributed<#CSR, #rows>>
!y = tensor<?xf64, #ta.distributed<#V, #rows>>
!s = tensor<f64>
ta.machine @M(x = 4)

// CHECK-LABEL: func @rows
// A cell needs the entries of x that its rows of A ask for; what every process has need not come.
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf64, #ta.distributed<#[[CSR:.*]], <"M", [share(0)]>>>, %[[X:.*]]: tensor<?xf64, #ta.distributed<#[[V:.*]], <"M", [share(0)]>>>, %[[S:.*]]: tensor<f64>)
func.func @rows(%A: !A loc("A"), %x: !y loc("x"), %s: !s loc("s")) -> !y {
  %n = ta.dim %A, 0 : !A
  %p = ta.dim %A, 1 : !A
  %q = ta.dim %x, 0 : !y
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // CHECK: %[[U:.*]] = ta.needs(%[[A]]) at [1] {reason = "a cell needs those values of 'j' at which its pieces of 'A' store something"} : {{.*}} -> tensor<?xi64, #ta.distributed<#[[V]], <"M", [all], listed(0)>>>
  // CHECK: %[[AS:.*]] = ta.fetch %[[A]] at [1] by(%[[U]] : {{.*}} to tensor<?x?xf64, #ta.distributed<#[[CSR]], <"M", [share(0)], listed(1)>>>
  // CHECK: %[[XS:.*]] = ta.fetch %[[X]] at [0] by(%[[U]] : {{.*}} to tensor<?xf64, #ta.distributed<#[[V]], <"M", [all], listed(0)>>>
  // CHECK: %[[Y:.*]] = ta.distribute(%[[AS]], %[[XS]] : {{.*}}) sizes(%{{.*}}) -> tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>> {
  // CHECK-NEXT: ^bb0(%[[AP:.*]]: tensor<?x?xf64, #[[CSR]]>, %[[XP:.*]]: tensor<?xf64>):
  // CHECK-DAG: %[[N:.*]] = ta.dim %[[AP]], 0
  // CHECK-DAG: %[[MA:.*]] = ta.dim %[[AP]], 1
  // CHECK-DAG: %[[MX:.*]] = ta.dim %[[XP]], 0
  // CHECK-DAG: %[[M:.*]] = ta.same_size "j"(%[[MA]], %[[MX]]) ["A", "x"]
  // CHECK: %[[YP:.*]] = ta.compute [%[[I:.*]] = %[[N]]] ins(%[[AP]], %[[XP]], %[[S]] : {{.*}}) sizes(%[[N]]) -> tensor<?xf64> out [%[[I]]]
  // CHECK-SAME: schedule = #ta.schedule<parallelize(i, CPUThread)>
  // CHECK: ta.reduce add [%{{.*}} = %[[M]]]
  // CHECK: ta.next %[[YP]] : tensor<?xf64>
  // CHECK: return %[[Y]]
  %y = ta.compute [%i = %n] ins(%A, %x, %s : !A, !y, !s) sizes(%n) -> !y out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io), communicate({A, x}, io), parallelize(ii, CPUThread)>} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : !A
      %b = ta.access %x[%j] : !y
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    %f = ta.access %s[] : !s
    %v = arith.mulf %f, %t : f64
    ta.yield %v : f64
  }
  return %y : !y
}

// CHECK-LABEL: func @dense
// Each cell needs all of x where A stores everything, and what is added is not nothing where B stores
// nothing. What is nowhere in pieces is not numbered either.
// CHECK-SAME: (%[[A:[a-z0-9]+]]: {{.*}}, %[[X:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}})
#D = #ta.format<(i, j) -> (i : dense, j : dense)>
!D = tensor<?x?xf64, #ta.distributed<#D, #rows>>
func.func @dense(%A: !D loc("A"), %x: !y loc("x"), %B: !A loc("B")) -> !y {
  %n0 = ta.dim %A, 0 : !D
  %n1 = ta.dim %B, 0 : !A
  %n = ta.same_size "i" (%n0, %n1) ["A", "B"]
  %m0 = ta.dim %A, 1 : !D
  %m1 = ta.dim %B, 1 : !A
  %m2 = ta.dim %x, 0 : !y
  %m = ta.same_size "j" (%m0, %m2, %m1) ["A", "x", "B"]
  // CHECK-NOT: ta.needs
  // CHECK: %[[XS:.*]] = ta.convert %[[X]] {reason = "each cell computes a part of the statement"} : {{.*}} to tensor<?xf64, #ta.distributed<#[[V]], <"M", [all]>>>
  // CHECK: ta.distribute(%[[A]], %[[XS]], %[[B]] : {{.*}})
  %y = ta.compute [%i = %n] ins(%A, %x, %B : !D, !y, !A) sizes(%n) -> !y out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io)>} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : !D
      %b = ta.access %x[%j] : !y
      %c = arith.mulf %a, %b : f64
      %d = ta.access %B[%i, %j] : !A
      %e = arith.addf %c, %d : f64
      ta.yield %e : f64
    }
    ta.yield %t : f64
  }
  return %y : !y
}

// The result has the entries of A, which tell what cells need of x.
// CHECK-LABEL: func.func @sampled
// CHECK: %[[L:.*]] = ta.needs(%[[A:.*]]) at [1]
// CHECK: ta.fetch %[[A]] at [1] by(%[[L]]
// CHECK: ta.fetch %{{.*}} at [0] by(%[[L]]
// CHECK: %[[P:.*]] = ta.distribute
// CHECK: ta.scatter %[[P]] at [1] by(%[[L]] : {{.*}}) like %[[A]]
func.func @sampled(%A: tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>> loc("A"), %x: tensor<?xf64, #ta.distributed<#ta.format<(i) -> (i : dense)>, <"M", [share(0)]>>> loc("x")) -> tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>
  %q = ta.dim %x, 0 : tensor<?xf64, #ta.distributed<#ta.format<(i) -> (i : dense)>, <"M", [share(0)]>>>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %x : tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>, tensor<?xf64, #ta.distributed<#ta.format<(i) -> (i : dense)>, <"M", [share(0)]>>>) sizes(%n, %m) -> tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>
    %b = ta.access %x[%j] : tensor<?xf64, #ta.distributed<#ta.format<(i) -> (i : dense)>, <"M", [share(0)]>>>
    %c = arith.mulf %a, %b : f64
    ta.yield %c : f64
  }
  return %C : tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>
}

// Cells compute for intervals of y, and need these of x with a neighbour more on both sides. What the
// labels do not reach stays as it was.
// CHECK-LABEL: func.func @neighbours
// CHECK-SAME: (%[[X:.*]]: tensor<{{.*}}>, %[[Y:.*]]: tensor<{{.*}}>)
// CHECK: %[[N:.*]] = ta.fit
// CHECK: %[[L:.*]] = ta.reach %[[N]] of %{{.*}} by 0 shifted 1 to %{{.*}} from 0 width 3 {reason = "a cell needs what its values of 'i' reach"} : tensor<?xi64, #ta.distributed<#{{.*}}, <"M", [all], listed(0)>>>
// CHECK: %[[XL:.*]] = ta.fetch %[[X]] at [0] by(%[[L]] : {{.*}})
// CHECK: %[[P:.*]] = ta.distribute(%[[XL]] : {{.*}}) sizes(%{{.*}}) -> tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [all], listed(0)>>> {
// CHECK-NEXT: ^bb0(%[[XP:.*]]: tensor<?xf64>):
// CHECK-NEXT: %[[D:.*]] = ta.dim %[[XP]], 0
// CHECK-NEXT: %[[E:.*]] = ta.fit #[[LESS:.*]](%[[D]])
// CHECK-NEXT: ta.compute [%[[I:.*]] = %[[E]]] ins(%[[XP]] : tensor<?xf64>) sizes(%[[E]]) -> tensor<?xf64> out [%[[I]]]
// CHECK: ta.access %[[XP]][%[[I]]]
// CHECK: ta.access %[[XP]][%[[I]] + 2]
// CHECK: %[[R:.*]] = ta.reach %[[N]] of %{{.*}} by 0 shifted 1 to %{{.*}} from 1 width 1
// CHECK: ta.scatter %[[P]] at [0] by(%[[R]] : {{.*}}) into %[[Y]] : {{.*}}
func.func @neighbours(%x: !y loc("x"), %y: !y loc("y")) -> !y {
  %p = ta.dim %x, 0 : !y
  %q = ta.dim %y, 0 : !y
  %n = ta.fit affine_map<(d0, d1) -> (d0 - 1, d1 - 2)> (%q, %p)
  %r = ta.compute [%i = %n] ins(%x : !y) sizes(%q) init(%y : !y) -> !y out [%i + 1] attributes {names = ["i"]} {
    %a = ta.access %x[%i] : !y
    %b = ta.access %x[%i + 2] : !y
    %c = arith.addf %a, %b : f64
    ta.yield %c : f64
  }
  return %r : !y
}

// Cells make where an index lies inside for their own places.
// CHECK-LABEL: func.func @padded
// CHECK: %[[S:.*]] = ta.inside #{{.*}}(%{{.*}}) in %{{.*}} : tensor<?x?xi8, #ta.distributed<#{{.*}}, <"M", [share(0)]>>>
// CHECK-NOT: ta.convert
// CHECK: %[[L:.*]] = ta.needs(%[[S]]) at [1]
// CHECK: ta.fetch %[[S]] at [1] by(%[[L]]
// CHECK: return
#S = #ta.format<(i, j) -> (i : compressed, j : singleton)>
func.func @padded(%x: !y loc("x")) -> !y {
  %n = ta.dim %x, 0 : !y
  %s = ta.inside affine_map<(d0) -> (d0 - 1)> (%n) in %n : tensor<?x?xi8, #S>
  %y = ta.compute [%i = %n] ins(%s, %x : tensor<?x?xi8, #S>, !y) sizes(%n) -> !y out [%i] attributes {names = ["i"]} {
    %t = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %a = ta.access %s[%i, %k] : tensor<?x?xi8, #S>
      %b = arith.sitofp %a : i8 to f64
      %c = ta.access %x[%k] : !y
      %d = arith.mulf %b, %c : f64
      ta.yield %d : f64
    }
    ta.yield %t : f64
  }
  return %y : !y
}
