// A sum is kept in a scalar where its loops are the innermost ones.
// RUN: strata-opt %s --cin-promote-sums --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>

// CHECK-LABEL: @innermost
// CHECK: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: %[[T:.*]] = cin.temp add :
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK-NEXT: cin.assign %[[T]][] combine add {
// CHECK-NEXT: cin.access %A[%[[I]], %[[J]]]
// CHECK: } do {
// CHECK-NEXT: cin.assign %y[%[[I]]] {
// CHECK-NEXT: cin.access %[[T]][]
func.func @innermost(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } {reduces} : !V
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>
// A loop over a label of the result inside: the result accumulates.
// CHECK-LABEL: @outside
// CHECK-NOT: cin.temp
// CHECK: cin.assign %y[%{{.*}}] combine add
func.func @outside(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %j = %n {name = "j"} {
    cin.forall %i = %n {name = "i"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } {reduces} : !V
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>
// What is updated is combined with the sum, once.
// CHECK-LABEL: @updated
// CHECK: } do {
// CHECK-NEXT: cin.assign %y[%{{.*}}] combine max {
func.func @updated(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine max {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } {reduces} : !V
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>
// What is no reduction is combined with the result value by value.
// CHECK-LABEL: @combined
// CHECK-NOT: cin.temp
func.func @combined(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine any {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}
