// What makes of each value of a tensor another one is a statement over the vector of values, in any
// format.
// RUN: strata-opt %s --ta-resolve-conflicts --split-input-file | FileCheck %s

// CHECK-LABEL: @scale
// CHECK: %[[A:.*]] = ta.read
// CHECK: %[[V:.*]] = ta.values %[[A]], 0 : tensor<?x?xf64, #{{.*}}> to tensor<?xf64>
// CHECK: %[[N:.*]] = ta.dim %[[V]], 0 : tensor<?xf64>
// CHECK: %[[W:.*]] = ta.compute [%[[P:.*]] = %[[N]]] ins(%[[V]], %arg0 : tensor<?xf64>, tensor<f64>) sizes(%[[N]]) -> tensor<?xf64> out [%[[P]]]
// CHECK-DAG: %[[X:.*]] = ta.access %[[V]][%[[P]]] : tensor<?xf64>
// CHECK-DAG: %[[S:.*]] = ta.access %arg0[] : tensor<f64>
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[S]]
// CHECK: ta.yield %[[Y]]
// CHECK: %[[B:.*]] = ta.with_values %[[A]](%[[W]]) : (tensor<?x?xf64, #[[F:.*]]>, tensor<?xf64>) -> tensor<?x?xf64, #[[F]]>
// CHECK: ta.write %[[B]]
#DOK = #ta.format<(i, j) -> (i : hashed, j : hashed)>
func.func @scale(%s: tensor<f64>) {
  %A = ta.read "a.mtx" : tensor<?x?xf64, #DOK>
  %n = ta.dim %A, 0 : tensor<?x?xf64, #DOK>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #DOK>
  %B = ta.compute [%i = %n, %j = %m] ins(%s : tensor<f64>) sizes(%n, %m) init(%A : tensor<?x?xf64, #DOK>)
      combine mul -> tensor<?x?xf64, #DOK> out [%i, %j] {
    %c = ta.access %s[] : tensor<f64>
    ta.yield %c : f64
  }
  ta.write %B, "b.mtx" : tensor<?x?xf64, #DOK>
  return
}

// -----

// Zeros in blocks may be padding, and stay. What is read twice is one value.
// CHECK-LABEL: @blocks
// CHECK: ta.compute
// CHECK-DAG: %[[X:.*]] = ta.access %{{.*}}[%{{.*}}] : tensor<?xf64>
// CHECK-NOT: ta.access
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[IS:.*]] = ta.compare ne %[[X]], %{{.*}}
// CHECK: %[[Z:.*]] = ta.select %[[IS]], %[[Y]], %[[X]]
// CHECK: ta.yield %[[Z]]
// CHECK: ta.with_values
#BCSR = #ta.format<(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)>
func.func @blocks() {
  %A = ta.read "a.mtx" : tensor<?x?xf64, #BCSR>
  %n = ta.dim %A, 0 : tensor<?x?xf64, #BCSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #BCSR>
  %B = ta.compute [%j = %m, %i = %n] ins(%A : tensor<?x?xf64, #BCSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #BCSR> out [%i, %j] {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #BCSR>
    %b = ta.access %A[%i, %j] : tensor<?x?xf64, #BCSR>
    %c = arith.mulf %a, %b : f64
    ta.yield %c : f64
  }
  ta.write %B, "b.mtx" : tensor<?x?xf64, #BCSR>
  return
}

// -----

// Another fill than zero, which the function keeps.
// CHECK-LABEL: @fill
// CHECK: ta.values
// CHECK: ta.with_values
#H = #ta.format<(i) -> (i : hashed), fill = 1.0 : f64>
func.func @fill() {
  %A = ta.read "a.tns" : tensor<?xf64, #H>
  %n = ta.dim %A, 0 : tensor<?xf64, #H>
  %B = ta.compute [%i = %n] ins(%A : tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #H> out [%i] {
    %a = ta.access %A[%i] : tensor<?xf64, #H>
    %b = math.sqrt %a : f64
    ta.yield %b : f64
  }
  ta.write %B, "b.tns" : tensor<?xf64, #H>
  return
}

// -----

// What is more than that has loops: a vector beside, another place, a coordinate, another value where
// nothing is stored, an operation that padding must not see, other entries.
// CHECK-LABEL: @others
// CHECK-NOT: ta.values
// CHECK: return
#H = #ta.format<(i) -> (i : hashed)>
#D = #ta.format<(i, j) -> (i : hashed, j : hashed)>
#I = #ta.format<(i) -> (i : hashed)>
#R = #ta.format<(i) -> (i : compressed(nonunique))>
func.func @others(%x: tensor<?xf64>, %k: tensor<i32>) {
  %A = ta.read "a.tns" : tensor<?xf64, #H>
  %n = ta.dim %A, 0 : tensor<?xf64, #H>
  %0 = ta.compute [%i = %n] ins(%A, %x : tensor<?xf64, #H>, tensor<?xf64>) sizes(%n) -> tensor<?xf64, #H> out [%i] {
    %a = ta.access %A[%i] : tensor<?xf64, #H>
    %b = ta.access %x[%i] : tensor<?xf64>
    %c = arith.mulf %a, %b : f64
    ta.yield %c : f64
  }
  ta.write %0, "0.tns" : tensor<?xf64, #H>
  %1 = ta.compute [%i = %n] ins(%A : tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #H> out [%i] {
    %a = ta.access %A[%i] : tensor<?xf64, #H>
    %b = arith.index_cast %i : index to i64
    %c = arith.sitofp %b : i64 to f64
    %d = arith.mulf %a, %c : f64
    ta.yield %d : f64
  }
  ta.write %1, "1.tns" : tensor<?xf64, #H>
  %2 = ta.compute [%i = %n] ins(%A : tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #H> out [%i] {
    %a = ta.access %A[%i] : tensor<?xf64, #H>
    %b = math.exp %a : f64
    ta.yield %b : f64
  }
  ta.write %2, "2.tns" : tensor<?xf64, #H>
  %M = ta.read "m.mtx" : tensor<?x?xf64, #D>
  %m = ta.dim %M, 0 : tensor<?x?xf64, #D>
  %3 = ta.compute [%i = %m, %j = %m] ins(%M : tensor<?x?xf64, #D>) sizes(%m, %m) -> tensor<?x?xf64, #D> out [%i, %j] {
    %a = ta.access %M[%j, %i] : tensor<?x?xf64, #D>
    %b = arith.negf %a : f64
    ta.yield %b : f64
  }
  ta.write %3, "3.mtx" : tensor<?x?xf64, #D>
  %N = ta.read "n.tns" : tensor<?xi32, #I>
  %l = ta.dim %N, 0 : tensor<?xi32, #I>
  %4 = ta.compute [%i = %l] ins(%N, %k : tensor<?xi32, #I>, tensor<i32>) sizes(%l) -> tensor<?xi32, #I> out [%i] {
    %a = ta.access %N[%i] : tensor<?xi32, #I>
    %b = ta.access %k[] : tensor<i32>
    %c = arith.divsi %a, %b : i32
    ta.yield %c : i32
  }
  ta.write %4, "4.tns" : tensor<?xi32, #I>
  %S = ta.read "s.tns" : tensor<?xf64, #R>
  %o = ta.dim %S, 0 : tensor<?xf64, #R>
  %5 = ta.compute [%i = %o] ins(%S : tensor<?xf64, #R>) sizes(%o) -> tensor<?xf64, #R> out [%i] {
    %a = ta.access %S[%i] : tensor<?xf64, #R>
    %b = math.sqrt %a : f64
    ta.yield %b : f64
  }
  ta.write %5, "5.tns" : tensor<?xf64, #R>
  return
}

// -----

// Kernels with loops make what a caller gets of its argument; where there are none, values are.
// CHECK-LABEL: @argument
// CHECK-NOT: ta.values %arg0
// CHECK: ta.values %arg1, 0
// CHECK-NOT: ta.convert
// CHECK: return
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
func.func @argument(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #ELL>)
    -> (tensor<?x?xf64, #CSR>, tensor<?x?xf64, #ELL>) {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %0 = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = arith.negf %a : f64
    ta.yield %b : f64
  }
  %k = ta.dim %B, 0 : tensor<?x?xf64, #ELL>
  %l = ta.dim %B, 1 : tensor<?x?xf64, #ELL>
  %1 = ta.compute [%i = %k, %j = %l] ins(%B : tensor<?x?xf64, #ELL>) sizes(%k, %l)
      -> tensor<?x?xf64, #ELL> out [%i, %j] {
    %a = ta.access %B[%i, %j] : tensor<?x?xf64, #ELL>
    %b = arith.negf %a : f64
    ta.yield %b : f64
  }
  return %0, %1 : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #ELL>
}
