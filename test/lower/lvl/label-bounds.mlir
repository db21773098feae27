// Comparisons of labels bound the loop over the last of their labels; a sparse level in order is searched
// for where it begins and ends. Sums whose bounds only grow go on from round to round. What no loop
// can keep to is asked before something is stored.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl --split-input-file | FileCheck %s
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl --convert-lvl-to-scf --split-input-file | FileCheck %s --check-prefix=SCF

// CHECK-LABEL: @prefix
// CHECK-SAME: %[[N:[^ ]*]]: index
// CHECK-NOT: strata.iota
// CHECK: lvl.coiterate "i" universe %[[N]] {{.*}} case [] (%[[I:[^,]*]], %{{[^,]*}}, %[[TOTAL:[^,]*]], %{{[^,]*}}, %[[NEXT:[^,]*]]) {
// CHECK: %[[BEHIND:.*]] = arith.addi %[[I]], %c1
// CHECK: %[[END:.*]] = arith.minsi %[[N]], %[[BEHIND]]
// CHECK: %[[LENGTH:.*]] = arith.maxsi %[[END]], %c0
// The sum goes on from where that of the round before ended.
// CHECK: %[[AFTER:.*]] = arith.maxsi %[[NEXT]], %[[LENGTH]]
// CHECK: %[[MORE:.*]] = arith.subi %[[AFTER]], %[[NEXT]]
// CHECK: %[[SUM:.*]] = lvl.coiterate "j" universe %[[MORE]] over () inits(%[[TOTAL]] : f64) attributes {strata.bounded, strata.goes_on} case [] (%[[J:[^,]*]], %{{[^,]*}}) {
// CHECK: arith.addi %[[NEXT]], %[[J]]
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK: arith.addf
// CHECK: lvl.yield %{{.*}}, %[[SUM]], %{{.*}}, %[[AFTER]] :
func.func @prefix(%is: tensor<?xi64> {strata.iota = array<i64: 0, 1>},
                  %js: tensor<?xi64> {strata.iota = array<i64: 0, 1>}, %x: tensor<?xf64>, %n: index)
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%is, %js, %x : tensor<?xi64>, tensor<?xi64>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %l = ta.access %js[%j] : tensor<?xi64>
      %m = ta.access %is[%i] : tensor<?xi64>
      %c = ta.compare le %l, %m {strata.of_labels} : i64
      %v = ta.access %x[%j] : tensor<?xf64>
      %zero = arith.constant 0.0 : f64
      %t = ta.select %c, %v, %zero : f64
      ta.yield %t : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Without the mark it is a comparison of data, whose zeros are stored.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @data
// CHECK-NOT: strata.bounded
// CHECK: lvl.finalize
func.func @data(%is: tensor<?xi64> {strata.iota = array<i64: 0, 1>},
                %js: tensor<?xi64> {strata.iota = array<i64: 0, 1>}, %A: tensor<?x?xf64, #CSR>, %n: index)
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %n] ins(%is, %js, %A : tensor<?xi64>, tensor<?xi64>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %l = ta.access %js[%j] : tensor<?xi64>
    %m = ta.access %is[%i] : tensor<?xi64>
    %c = ta.compare lt %l, %m : i64
    %v = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %zero = arith.constant 0.0 : f64
    %t = ta.select %c, %v, %zero : f64
    ta.yield %t : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// A band of a sparse matrix: from i - 2 to i + 2. Both ends of a row are searched, and nothing is asked of an entry.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @band
// CHECK: lvl.coiterate "i"
// CHECK: %[[FIRST:.*]] = arith.maxsi
// CHECK: %[[LENGTH:.*]] = arith.maxsi
// CHECK: lvl.iterator {{.*}} fixed(%[[FIRST]]) {{.*}} extent %[[LENGTH]] seek
// CHECK: lvl.coiterate "j" over ({{.*}}strata.bounded
// CHECK: arith.addi %[[FIRST]]
// CHECK-NOT: arith.cmpi
// CHECK: lvl.finalize
// SCF-LABEL: @band
// SCF-COUNT-2: scf.while
// SCF: scf.for
// SCF-NOT: scf.if
// SCF: return
func.func @band(%is: tensor<?xi64> {strata.iota = array<i64: 0, 1>},
                %js: tensor<?xi64> {strata.iota = array<i64: 0, 1>}, %A: tensor<?x?xf64, #CSR>, %n: index)
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%is, %js, %A : tensor<?xi64>, tensor<?xi64>, tensor<?x?xf64, #CSR>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %m = ta.access %is[%i] : tensor<?xi64>
      %l = ta.access %js[%j] : tensor<?xi64>
      %d = arith.subi %m, %l : i64
      %a = math.absi %d : i64
      %two = arith.constant 2 : i64
      %c = ta.compare le %a, %two {strata.of_labels} : i64
      %v = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %zero = arith.constant 0.0 : f64
      %t = ta.select %c, %v, %zero : f64
      ta.yield %t : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// What is not linear is asked at each entry.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @product
// CHECK-NOT: strata.bounded
// CHECK: lvl.coiterate "j"
// CHECK: arith.muli
// CHECK: %[[HOLDS:.*]] = arith.cmpi slt
// CHECK: scf.if %[[HOLDS]]
// CHECK: lvl.store
// CHECK-NOT: lvl.store
// CHECK: lvl.finalize
func.func @product(%is: tensor<?xi64> {strata.iota = array<i64: 0, 1>},
                   %js: tensor<?xi64> {strata.iota = array<i64: 0, 1>}, %A: tensor<?x?xf64, #CSR>, %n: index)
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %n] ins(%is, %js, %A : tensor<?xi64>, tensor<?xi64>, tensor<?x?xf64, #CSR>)
      sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %l = ta.access %js[%j] : tensor<?xi64>
    %m = ta.access %is[%i] : tensor<?xi64>
    %p = arith.muli %l, %m : i64
    %seven = arith.constant 7 : i64
    %c = ta.compare lt %p, %seven {strata.of_labels} : i64
    %v = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %zero = arith.constant 0.0 : f64
    %t = ta.select %c, %v, %zero : f64
    ta.yield %t : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}
