// Cells take as many entries of an operand each: as a schedule says, or as the operand is placed.
// RUN: strata-opt %s --ta-distribute-statements | FileCheck %s

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#V = #ta.format<(i) -> (i : dense)>
!A = tensor<?x?xf64, #ta.distributed<#CSR, <"M", [entries(0, 1)]>>>
!x = tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>
ta.machine @M(x = 4)

// A cell lists the rows and columns of its entries. It gets the values of x there, and makes a part of
// y at its rows, which are put at their coordinates, go to the cells that have them, and are added up.
// There a cell has no place for each cell that may have made some of it.
// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[A:[a-z0-9]+]]: {{.*}}, %[[X:[a-z0-9]+]]: {{.*}})
func.func @rows(%A: !A loc("A"), %x: !x loc("x")) -> !x {
  %n = ta.dim %A, 0 : !A
  %p = ta.dim %A, 1 : !A
  %q = ta.dim %x, 0 : !x
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // CHECK: %[[C:.*]] = ta.cells @M, 0
  // CHECK: %[[I:.*]] = ta.needs(%[[A]]) at [0]
  // CHECK: %[[J:.*]] = ta.needs(%[[A]]) at [1]
  // CHECK: %[[LA:.*]] = ta.fetch %[[A]] at [0, 1] by(%[[I]], %[[J]] : {{.*}}<"M", [entries(0, 1)]>>> to {{.*}}<"M", [entries(0, 1)], listed(0, 1)>>>
  // CHECK: %[[LX:.*]] = ta.fetch %[[X]] at [0] by(%[[J]] : {{.*}} to tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [all], listed(0)>>>
  // CHECK: %[[P:.*]] = ta.distribute(%[[LA]], %[[LX]] : {{.*}}) sizes(%[[C]], %{{.*}}) -> {{.*}}<"M", [share(0)], listed(1)>>> {
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK: ta.compute [%[[IO:.*]] = %[[ONE]], %[[R:.*]] = %{{.*}}] {{.*}} out [%[[IO]], %[[R]]] attributes {names = ["io", "i"]}
  // CHECK-NOT: ta.scatter
  // CHECK: %[[W:.*]] = ta.scatter %[[P]] at [1] by(%[[I]] : {{.*}} to tensor<?x?xf64, #ta.distributed<#ta.format<(i, j) -> (i : compressed, j : compressed)>, <"M", [share(1)]>>>
  // CHECK-NOT: ta.scatter
  // CHECK: ta.distribute(%[[W]]
  // CHECK: ta.reduce add {{.*}} attributes {names = ["io"]}
  %y = ta.compute [%i = %n] ins(%A, %x : !A, !x) sizes(%n) -> !x out [%i] attributes {names = ["i"],
      schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(p, io, pi, M.x), distribute(io)>} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : !A
      %b = ta.access %x[%j] : !x
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %t : f64
  }
  return %y : !x
}

// The commands that make the entries a label stay where others are about it, in a cell.
// CHECK-LABEL: func @threads
// CHECK: ta.distribute(
// CHECK: ta.compute {{.*}} schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), parallelize(p, CPUThread, Temporary)>
func.func @threads(%A: !A loc("A"), %x: !x loc("x")) -> !x {
  %n = ta.dim %A, 0 : !A
  %p = ta.dim %A, 1 : !A
  %q = ta.dim %x, 0 : !x
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  %y = ta.compute [%i = %n] ins(%A, %x : !A, !x) sizes(%n) -> !x out [%i] attributes {names = ["i"],
      schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(p, io, pi, M.x), distribute(io), parallelize(pi, CPUThread, Temporary)>} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : !A
      %b = ta.access %x[%j] : !x
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %t : f64
  }
  return %y : !x
}

// Without a schedule: as A is placed. The result has the entries of A, so each stays on its cell.
// CHECK-LABEL: func @scaled
// CHECK-SAME: (%[[A:[a-z0-9]+]]: {{.*}})
func.func @scaled(%A: !A loc("A")) -> !A {
  %n = ta.dim %A, 0 : !A
  %m = ta.dim %A, 1 : !A
  // CHECK: %[[P:.*]] = ta.distribute({{.*}}) {{.*}} -> {{.*}}<"M", [all], listed(0, 1)>>>
  // CHECK: %[[R:.*]] = ta.scatter %[[P]] at [0, 1] by({{.*}}) like %[[A]] : {{.*}} to {{.*}}<"M", [entries(0, 1)]>>>
  // CHECK-NOT: ta.convert
  // CHECK: return %[[R]]
  %B = ta.compute [%i = %n, %j = %m] ins(%A : !A) sizes(%n, %m) -> !A out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : !A
    %b = arith.addf %a, %a : f64
    ta.yield %b : f64
  }
  return %B : !A
}

// Where another sparse operand says what is stored, the entries of all cells are combined where rows
// lie, before they are cut by their number.
// CHECK-LABEL: func @both
func.func @both(%A: !A loc("A"), %B: !A loc("B")) -> !A {
  %n = ta.dim %A, 0 : !A
  %m = ta.dim %A, 1 : !A
  // CHECK: %[[P:.*]] = ta.distribute({{.*}}) {{.*}} -> tensor<?x?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)], listed(1, 2)>>>
  // CHECK: %[[W:.*]] = ta.scatter %[[P]] at [1, 2] {{.*}} to tensor<?x?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(1)]>>>
  // CHECK: %[[T:.*]] = ta.distribute(%[[W]] : {{.*}} -> tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>>
  // CHECK: ta.reduce any
  // CHECK: %[[R:.*]] = ta.convert %[[T]] : {{.*}} to {{.*}}<"M", [entries(0, 1)]>>>
  // CHECK: return %[[R]]
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : !A, !A) sizes(%n, %m) -> !A out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : !A
    %b = ta.access %B[%i, %j] : !A
    %c = arith.mulf %a, %b : f64
    ta.yield %c : f64
  }
  return %C : !A
}
