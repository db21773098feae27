// Kernels whose result may have the pattern of an operand get a second one, of values alone.
// RUN: strata-opt %s --strata-inherit-patterns | FileCheck %s

#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed), pos = 32, crd = 32>
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>
#Narrow = #ta.format<(i, j) -> (i : dense, j : compressed), pos = 16, crd = 8>
#CSF = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed), pos = 32, crd = 32>
#Rows = #ta.format<(i, j, r) -> (i : compressed, j : compressed, r : dense), pos = 32, crd = 32>

// A tensor times a vector becomes a matrix times a vector. The words: all of the work, the first
// operand, of three storages and three extents, three levels, two of them shared, none behind them,
// of eight bytes; then dim, extent, compressed, bytes of positions and of coordinates, dim and
// bytes in the result, of each level.
// CHECK-LABEL: func @ttv(
// CHECK-SAME: strata.inherits = array<i64: 0, 1, 3, 3, 3, 2, 0, 8, 0, 0, 1, 4, 4, 0, 4, 4, 1, 1, 1, 4, 4, 1, 4, 4, 2, 0, 1, 4, 4, 0, 0, 0>
// CHECK-SAME: strata.values = @ttv.values
// CHECK: ta.compute [%{{.*}} = %arg2, %{{.*}} = %arg3] ins(%arg0, %arg1 : tensor<?x?x?xf64
// CHECK-LABEL: func @ttv.values(
// CHECK-SAME: %arg0: tensor<?x?xf64, #[[B:.*]]>, %arg1: tensor<?xf64>, %arg2: index, %arg3: index, %arg4: index, %arg5: index) -> tensor<?xf64>
// CHECK: ta.compute [%[[P:.*]] = %arg5] ins(%arg0, %arg1 : {{.*}}) sizes(%arg5) -> tensor<?xf64> out [%[[P]]]
// CHECK: ta.reduce add [%[[K:.*]] = %arg4]
// CHECK: ta.access %arg0[%[[P]], %[[K]]] : tensor<?x?xf64, #[[B]]>
// CHECK: ta.access %arg1[%[[K]]]
func.func @ttv(%B: tensor<?x?x?xf64, #CSF>, %c: tensor<?xf64>, %n: index, %m: index, %o: index)
    -> tensor<?x?xf64, #DCSR> attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %c : tensor<?x?x?xf64, #CSF>, tensor<?xf64>) sizes(%n, %m)
      -> tensor<?x?xf64, #DCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %o] attributes {names = ["k"]} : f64 {
      %b = ta.access %B[%i, %j, %k] : tensor<?x?x?xf64, #CSF>
      %x = ta.access %c[%k] : tensor<?xf64>
      %p = arith.mulf %b, %x : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?x?xf64, #DCSR>
}

// What the result has behind the shared levels stays: a tensor times a matrix.
// CHECK-LABEL: func @ttm.values(
// CHECK-SAME: -> tensor<?x?xf64>
// CHECK: ta.compute [%[[P:.*]] = %arg6, %[[R:.*]] = %arg5] ins(%arg0, %arg1 : {{.*}}) sizes(%arg6, %arg5) -> tensor<?x?xf64> out [%[[P]], %[[R]]]
// CHECK: ta.access %arg1[%{{.*}}, %[[R]]]
func.func @ttm(%B: tensor<?x?x?xf64, #CSF>, %C: tensor<?x?xf64>, %n: index, %m: index, %o: index, %l: index)
    -> tensor<?x?x?xf64, #Rows> attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m, %r = %l] ins(%B, %C : tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>) sizes(%n, %m, %l)
      -> tensor<?x?x?xf64, #Rows> out [%i, %j, %r] {
    %s = ta.reduce add [%k = %o] : f64 {
      %b = ta.access %B[%i, %j, %k] : tensor<?x?x?xf64, #CSF>
      %x = ta.access %C[%k, %r] : tensor<?x?xf64>
      %p = arith.mulf %b, %x : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?x?x?xf64, #Rows>
}

// Values alone, of a pattern of other widths that is there: a loop over values.
// CHECK-LABEL: func @scale(
// CHECK-SAME: strata.inherits = array<i64: 3, 1, 2, 2, 2, 2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4, 4, 1, 2, 1>
// CHECK-SAME: strata.phase = #ta.phase<compute>
// CHECK-LABEL: func @scale.values(
// CHECK-SAME: %arg0: tensor<?xf64>
// CHECK-SAME: strata.phase = #ta.phase<compute>
// CHECK: ta.compute [%[[P:.*]] = %arg3] ins(%arg0 : tensor<?xf64>)
func.func @scale(%B: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #Narrow>
    attributes {strata.kernel, strata.phase = #ta.phase<compute>} {
  %two = arith.constant 2.0 : f64
  %A = ta.compute [%i = %n, %j = %m] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #Narrow> out [%i, %j] {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %p = arith.mulf %b, %two : f64
    ta.yield %p : f64
  }
  return %A : tensor<?x?xf64, #Narrow>
}

// A schedule says so, or has its own loops alone.
// CHECK-LABEL: func @scheduled(
// CHECK-SAME: strata.inherits
// CHECK: schedule = #ta.schedule<assemble(A, Inherit), reorder(i, j)>
// CHECK-LABEL: func @scheduled.values(
// CHECK-NOT: schedule
func.func @scheduled(%B: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<assemble(A, Inherit), reorder(i, j)>} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %p = arith.negf %b : f64
    ta.yield %p : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: func @loops(
// CHECK-NOT: strata.inherits
func.func @loops(%B: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<parallelize(i, CPUThread, NoRaces)>} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %p = arith.negf %b : f64
    ta.yield %p : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}

// Not where a label of the pattern is used elsewhere,
// CHECK-LABEL: func @rows(
// CHECK-NOT: strata.inherits
func.func @rows(%B: tensor<?x?xf64, #CSR>, %c: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B, %c : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %x = ta.access %c[%i] : tensor<?xf64>
    %p = arith.mulf %b, %x : f64
    ta.yield %p : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}

// ... where there is something without the operand, or another order of labels.
// CHECK-LABEL: func @more(
// CHECK-NOT: strata.inherits
func.func @more(%B: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %one = arith.constant 1.0 : f64
  %A = ta.compute [%i = %n, %j = %m] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %p = arith.addf %b, %one : f64
    ta.yield %p : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: func @transposed(
// CHECK-NOT: strata.inherits
func.func @transposed(%B: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %A = ta.compute [%i = %n, %j = %m] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %b = ta.access %B[%j, %i] : tensor<?x?xf64, #CSR>
    ta.yield %b : f64
  }
  return %A : tensor<?x?xf64, #CSR>
}
