// The body of a loop runs once for each entry of a coordinate where it only accumulates.
// RUN: strata-opt %s --cin-accept-duplicates --mlir-use-nameloc-as-prefix | FileCheck %s
!V = !ta.storage<tensor<?xf64>>
!COO = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>>>
!CSR = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>

// CHECK-LABEL: @list
// CHECK: cin.forall %{{.*}} = %n {accumulates, name = "i"} {
// CHECK-NEXT: cin.forall %{{.*}} = %n {name = "j"} {
func.func @list(%y: !V loc("y"), %A: !COO loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !COO
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// Rows come once each; a row of another operand would be added once for each entry.
// CHECK-LABEL: @merged
// CHECK: cin.forall %{{.*}} = %n {name = "i"} {
func.func @merged(%y: !V loc("y"), %A: !COO loc("A"), %B: !CSR loc("B"), %n: index loc("n"))
    attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !COO
        %c = cin.access %A[%i, %j] : !COO
        %s = arith.addf %a, %c : f64
        cin.yield %s : f64
      } : !V
    }
  }
  return
}
