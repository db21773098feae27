// Several operands in COO are merged by one loop over their tuples, where all that is merged are such
// lists; the result is appended to as the tuples come.
// RUN: strata-opt %s --convert-ta-to-cin --cin-apply-schedules --cin-promote-sums --cin-hoist-producers --cin-join-lists --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s --check-prefix=CIN
// RUN: strata-opt %s --strata-kernel="stage=lvl" --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// The rows of the result are closed where another begins, and the last one behind the loop.
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed)>
// CIN-LABEL: @rows_of_product
// CIN: cin.forall %[[I:.*]] = %n {accumulates, collapsed, name = "i"} {
// CIN-NEXT: cin.forall %[[J:.*]] = %m {accumulates, name = "j"} {
// CIN-NEXT: cin.assign %out[%[[I]], %[[J]]]
// CHECK-LABEL: @rows_of_product
// CHECK: %[[A:.*]] = lvl.iterator %{{.*}}[0] fixed() steps [unit, unit] compose #map
// CHECK: %[[B:.*]] = lvl.iterator %{{.*}}[0] fixed() steps [unit, unit] compose #map
// CHECK: %[[MARK:.*]] = lvl.mark %[[NEW:.*]][1]
// CHECK: %[[ALL:.*]]:3 = lvl.coiterate "i, j" over (%[[A]], %[[B]]) inits(%[[NEW]], %{{.*}}, %[[MARK]] : !lvl.builder, index, index) case [0, 1] (%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]], %{{.*}}, %{{.*}}, %[[BUILDER:[a-z0-9]+]], %[[ROW:[a-z0-9]+]], %[[SINCE:[a-z0-9]+]]) {
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[I]], %[[ROW]]
// CHECK: scf.if %[[OTHER]] -> (!lvl.builder, index) {
// CHECK: lvl.insert %[[BUILDER]][0] below %{{.*}} at %[[ROW]]
// CHECK: lvl.close %{{.*}}[1] below %{{.*}} since %[[SINCE]]
// CHECK: %[[ENTRY:.*]], %{{.*}} = lvl.insert %{{.*}}[1] at %[[J]]
// CHECK: lvl.yield %[[ENTRY]], %[[I]], %{{.*}}
// CHECK: lvl.insert %[[ALL]]#0[0] below %{{.*}} at %[[ALL]]#1
// CHECK: lvl.close %{{.*}}[1] below %{{.*}} since %[[ALL]]#2
// CHECK: lvl.close %{{.*}}[0]
func.func @rows_of_product(%A: tensor<?x?xf64, #COO> loc("A"), %B: tensor<?x?xf64, #COO> loc("B"),
                           %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #DCSR>
    attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>)
      sizes(%n, %m) -> tensor<?x?xf64, #DCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #COO>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #COO>
    %p = arith.mulf %a, %b : f64
    ta.yield %p : f64
  }
  return %C : tensor<?x?xf64, #DCSR>
}

// -----
// A sum over the inner variable is accumulated in place; a dense operand is located.
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
// CIN-LABEL: @product_of_sum
// CIN-NOT: cin.where
// CIN: cin.forall %[[I:.*]] = %n {accumulates, collapsed, name = "i"} {
// CIN-NEXT: cin.forall %{{.*}} = %m {accumulates, name = "j"} {
// CIN-NEXT: cin.assign %out[%[[I]]] combine add
// CHECK-LABEL: @product_of_sum
// CHECK: lvl.coiterate "i, j" over (%{{.*}}, %{{.*}}) {{.*}} case [0, 1] (%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]],
// CHECK: lvl.locate %{{.*}}[0] at %[[J]]
// CHECK: lvl.store {{.*}} combine add
func.func @product_of_sum(%A: tensor<?x?xf64, #COO> loc("A"), %B: tensor<?x?xf64, #COO> loc("B"),
                          %x: tensor<?xf64> loc("x"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B, %x : tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #COO>
      %b = ta.access %B[%i, %j] : tensor<?x?xf64, #COO>
      %c = ta.access %x[%j] : tensor<?xf64>
      %s = arith.addf %a, %b : f64
      %p = arith.mulf %s, %c : f64
      ta.yield %p : f64
    }
    ta.yield %t : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Loops stay apart where an operand is no list: here its rows are located, its columns merged.
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CIN-LABEL: @with_rows
// CIN-NOT: joined
// CHECK-LABEL: @with_rows
// CHECK: lvl.coiterate "i"
// CHECK: lvl.coiterate "j"
func.func @with_rows(%A: tensor<?x?xf64, #COO> loc("A"), %B: tensor<?x?xf64, #COO> loc("B"),
                     %D: tensor<?x?xf64, #CSR> loc("D"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?x?xf64, #COO> attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m]
      ins(%A, %B, %D : tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #COO> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #COO>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #COO>
    %d = ta.access %D[%i, %j] : tensor<?x?xf64, #CSR>
    %s = arith.addf %a, %b : f64
    %p = arith.mulf %s, %d : f64
    ta.yield %p : f64
  }
  return %C : tensor<?x?xf64, #COO>
}

// -----
// ... where entries repeat, so that equal ones must be added up first ...
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#Repeating = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>
// CIN-LABEL: @with_repetitions
// CIN-NOT: joined
func.func @with_repetitions(%A: tensor<?x?xf64, #COO> loc("A"), %B: tensor<?x?xf64, #Repeating> loc("B"),
                            %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64, #COO>
    attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #COO>, tensor<?x?xf64, #Repeating>)
      sizes(%n, %m) -> tensor<?x?xf64, #COO> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #COO>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #Repeating>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #COO>
}

// -----
// ... and where something is to be done at every coordinate.
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
// CIN-LABEL: @everywhere
// CIN-NOT: joined
func.func @everywhere(%A: tensor<?x?xf64, #COO> loc("A"), %B: tensor<?x?xf64, #COO> loc("B"),
                      %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64> attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>)
      sizes(%n, %m) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #COO>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #COO>
    %c = arith.constant 1.0 : f64
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    ta.yield %t : f64
  }
  return %C : tensor<?x?xf64>
}
