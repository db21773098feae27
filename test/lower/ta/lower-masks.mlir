// Masks become operations of the region; what one statement cannot say comes before it.
// RUN: strata-opt %s --ta-lower-masks --split-input-file | FileCheck %s

// C<M> = A * B, dense: what takes part is emptied, then terms that the mask lets pass are added up.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @dense
// CHECK: %[[CLEAR:.*]] = ta.compute {{.*}} ins(%arg2 : {{.*}} init(%arg3 : tensor<?x?xf64>) -> {{.*}}reason = "what the mask lets pass is emptied"
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[READ:.*]] = ta.access %arg2[{{.*}}] {missing}
// CHECK: %[[TRUE:.*]] = ta.filter %[[READ]] if %[[READ]]
// CHECK: ta.masked %[[ZERO]] by %[[TRUE]]
// CHECK: ta.compute {{.*}} init(%[[CLEAR]] : tensor<?x?xf64>) combine add -> {{.*}} attributes {names = ["i", "j"]}
// CHECK: ta.reduce add {{.*}} attributes {missing
// CHECK: %[[TERM:.*]] = arith.mulf
// CHECK: ta.masked %[[TERM]] by
func.func @dense(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %M: tensor<?x?xi8, #CSR>, %C: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %0 = ta.compute [%i = %n, %j = %n] ins(%A, %B, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xi8, #CSR>)
      sizes(%n, %n) init(%C : tensor<?x?xf64>) mask(%M[%i, %j] : tensor<?x?xi8, #CSR>) -> tensor<?x?xf64> out [%i, %j]
      attributes {empty = 0.0 : f64, names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %0 : tensor<?x?xf64>
}

// -----
// C<!M, structural, replace> += A: what takes no part is emptied first; then an update as always.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @replace
// CHECK: %[[REST:.*]] = ta.compute {{.*}} ins(%arg1, %arg2 : {{.*}}reason = "what the mask excludes is emptied"
// CHECK: %[[OLD:.*]] = ta.access %arg2[{{.*}}] {missing}
// CHECK-NOT: ta.filter
// CHECK: ta.unmasked %[[OLD]] by
// CHECK: ta.compute {{.*}} ins(%arg0, %arg1 : {{.*}} init(%[[REST]] : {{.*}} combine add -> {{.*}} attributes {names = ["i", "j"]}
// CHECK: ta.unmasked
func.func @replace(%A: tensor<?x?xf64, #CSR>, %M: tensor<?x?xi8, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %C, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %0 = ta.compute [%i = %n, %j = %m] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?x?xi8, #CSR>) sizes(%n, %m)
      init(%C : tensor<?x?xf64, #CSR>) combine add mask(%M[%i, %j] : tensor<?x?xi8, #CSR>) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {complement, names = ["i", "j"], replace, structural} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %0 : tensor<?x?xf64, #CSR>
}

// -----
// C<M> = A * B, sparse: the product, where the mask lets it pass; then it replaces what was there.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @sparse
// CHECK: %[[TERMS:.*]] = ta.compute {{.*}} ins(%arg0, %arg1, %arg2 : {{.*}} sizes(%{{.*}}, %{{.*}}) ->
// CHECK: ta.reduce add {{.*}} attributes {missing
// CHECK: ta.masked
// CHECK: ta.compute {{.*}} ins(%arg2, %arg3, %[[TERMS]] : {{.*}} sizes(%{{.*}}, %{{.*}}) ->
// CHECK-NEXT: %[[NEW:.*]] = ta.access %[[TERMS]][{{.*}}] {missing}
// CHECK-NEXT: %[[OLD:.*]] = ta.access %arg3[{{.*}}] {missing}
// CHECK: %[[KEPT:.*]] = ta.unmasked %[[OLD]] by
// CHECK-NEXT: ta.union %[[KEPT]], %[[NEW]], %[[NEW]]
func.func @sparse(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %M: tensor<?x?xi8, #CSR>, %C: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %C, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %0 = ta.compute [%i = %n, %j = %m] ins(%A, %B, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xi8, #CSR>)
      sizes(%n, %m) init(%C : tensor<?x?xf64, #CSR>) mask(%M[%i, %j] : tensor<?x?xi8, #CSR>) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {empty = 0.0 : f64, names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %0 : tensor<?x?xf64, #CSR>
}

// -----
// What places without terms are worth: the result holds it before.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @identity
// CHECK: %[[FILL:.*]] = ta.fill 0x7FF0000000000000 : f64
// CHECK: ta.compute {{.*}} init(%[[FILL]] : tensor<?xf64>) combine min
// CHECK-NOT: empty
func.func @identity(%A: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?xf64> {
  %0 = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {empty = 0x7FF0000000000000 : f64, names = ["i"]} {
    %s = ta.reduce min [%k = %n] attributes {missing} : f64 {
      %a = ta.access %A[%i, %k] {missing} : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %0 : tensor<?xf64>
}

// -----
// pull, and products that are worth something else than nothing where they have no terms: the mask
// stands around the sum.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @pull
// CHECK: %[[SUM:.*]] = ta.reduce add [{{.*}}] : f64
// CHECK-NOT: ta.masked
// CHECK: ta.yield
// CHECK: }
// CHECK: ta.masked %[[SUM]] by
// CHECK: ta.compute {{.*}} combine mul
// CHECK: %[[SUM:.*]] = ta.reduce add [{{.*}}] : f64
// CHECK: }
// CHECK: ta.masked %[[SUM]] by
func.func @pull(%A: tensor<?x?xf64, #CSR>, %M: tensor<?xf64>, %C: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %0 = ta.compute [%i = %n] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n)
      mask(%M[%i] : tensor<?xf64>) -> tensor<?xf64> out [%i] attributes {pull} {
    %s = ta.reduce add [%k = %n] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  %1 = ta.compute [%i = %n] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n)
      init(%0 : tensor<?xf64>) combine mul mask(%M[%i] : tensor<?xf64>) -> tensor<?xf64> out [%i] {
    %s = ta.reduce add [%k = %n] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %1 : tensor<?xf64>
}
