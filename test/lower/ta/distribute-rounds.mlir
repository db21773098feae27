// communicate at a label that goes from chunk to chunk of a sum makes rounds: the cells begin with nothing,
// and add a chunk in each.
// RUN: strata-opt %s --ta-distribute-statements | FileCheck %s

#V = #ta.format<(i) -> (i : dense)>
#D = #ta.format<(i, j) -> (i : dense, j : dense)>
!tiles = tensor<?x?xf64, #ta.distributed<#D, <"N", [share(0), share(1)]>>>

ta.machine @N(x = 2, y = 2)

// SUMMA: each operand comes from its tiles, a chunk of rows or columns at a time.
// CHECK-LABEL: func @summa
func.func @summa(%A: !tiles loc("A"), %B: !tiles loc("B")) -> !tiles {
  %n = ta.dim %A, 0 : !tiles
  %p = ta.dim %A, 1 : !tiles
  %q = ta.dim %B, 0 : !tiles
  %m = ta.dim %B, 1 : !tiles
  %l = ta.same_size "k" (%p, %q) ["A", "B"]
  // CHECK: %[[ZERO:.*]] = ta.fill 0.000000e+00 : f64(%{{.*}}, %{{.*}}) : tensor<?x?xf64, #ta.distributed<#{{.*}}, <"N", [share(0), share(1)]>>>
  // CHECK: ta.distribute(%arg0, %arg1, %[[ZERO]] : {{.*}}) sizes({{.*}}) -> tensor<?x?xf64, #ta.distributed<#{{.*}}, <"N", [share(0), share(1)]>>> {
  // CHECK: ^bb0(%[[A:.*]]: tensor<?x?xf64>, %[[B:.*]]: tensor<?x?xf64>, %[[C:.*]]: tensor<?x?xf64>):
  // CHECK: %[[NEXT:.*]] = ta.compute {{.*}} ins(%[[A]], %[[B]] : {{.*}}) sizes({{.*}}) init(%[[C]] : tensor<?x?xf64>) combine add
  // CHECK: ta.next %[[NEXT]]
  // CHECK: {chunk = 256 : i64, types = [tensor<?x?xf64, #ta.distributed<#{{.*}}, <"N", [share(0), all]>>>, tensor<?x?xf64, #ta.distributed<#{{.*}}, <"N", [all, share(1)]>>>, tensor<?x?xf64, #ta.distributed<#{{.*}}, <"N", [share(0), share(1)]>>>], windows = array<i64: 1, 0, -1>}
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : !tiles, !tiles) sizes(%n, %m) -> !tiles out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<divide(i, io, ii, "N.x"), divide(j, jo, ji, "N.y"), split(k, ko, ki, 256), reorder(io, jo, ko, ii, ji, ki), distribute({io, jo}), communicate({A, B}, ko)>} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : !tiles
      %b = ta.access %B[%k, %j] : !tiles
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %C : !tiles
}

// Cannon: as many chunks as an axis has cells, each cell another one than its neighbours. What is not
// communicated in rounds comes before them, and a round has a chunk of it.
// CHECK-LABEL: func @cannon
func.func @cannon(%A: !tiles loc("A"), %B: !tiles loc("B")) -> !tiles {
  %n = ta.dim %A, 0 : !tiles
  %p = ta.dim %A, 1 : !tiles
  %q = ta.dim %B, 0 : !tiles
  %m = ta.dim %B, 1 : !tiles
  %l = ta.same_size "k" (%p, %q) ["A", "B"]
  // CHECK: %[[WHOLE:.*]] = ta.convert %arg1 {{.*}} to tensor<?x?xf64, #ta.distributed<#{{.*}}, <"N", [all, share(1)]>>>
  // CHECK: %[[ROUNDS:.*]] = ta.cells @N, 0
  // CHECK: ta.distribute(%arg0, %[[WHOLE]], %{{.*}} : {{.*}}) sizes({{.*}}) rounds(%[[ROUNDS]]) -> {{.*}} {
  // CHECK: {rotated = array<i64: 0, 1>, types = [{{.*}}], windows = array<i64: 1, 0, -1>}
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : !tiles, !tiles) sizes(%n, %m) -> !tiles out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<divide(i, io, ii, "N.x"), divide(j, jo, ji, "N.y"), divide(k, ko, ki, "N.x"), rotate(ko, {io, jo}, kos), distribute({io, jo}), communicate(A, kos)>} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : !tiles
      %b = ta.access %B[%k, %j] : !tiles
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %C : !tiles
}
