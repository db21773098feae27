// The compiler's own schedule marks the outermost loops that threads can share; a schedule's loops
// stay as they are.
// RUN: strata-opt %s --cin-parallelize-loops --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
// RUN: strata-opt %s --cin-parallelize-loops --convert-cin-to-lvl --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s --check-prefix=LVL
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!V = !ta.storage<tensor<?xf64>>
!S = !ta.storage<tensor<f64>>

// Each row of y is written for one value of i.
// CHECK-LABEL: @rows
// CHECK-SAME: attributes {strata.kernel, strata.schedule = #ta.schedule<parallelize(i, CPUThread, NoRaces)>}
// CHECK: cin.forall %{{.*}} = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK-NEXT: cin.forall %{{.*}} = %m {name = "j"}
// LVL-LABEL: @rows
// LVL: lvl.coiterate "i" {{.*}} attributes {pieces = 0 : i64}
func.func @rows(%y: !V loc("y"), %A: !M loc("A"), %n: index loc("n"), %m: index loc("m"))
    attributes {strata.kernel, strata.policy = #ta.policy<threads>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %m {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !M
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// -----

!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!V = !ta.storage<tensor<?xf64>>

// Without the policy, which a statement with a schedule has not, nothing is chosen.
// CHECK-LABEL: @scheduled
// CHECK-NOT: mark
// LVL-LABEL: @scheduled
// LVL-NOT: pieces
func.func @scheduled(%y: !V loc("y"), %A: !M loc("A"), %n: index loc("n"), %m: index loc("m"))
    attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %m {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !M
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// -----

!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!V = !ta.storage<tensor<?xf64>>

// All rows add to the same places: one thread runs the loops, and no other policy is lost.
// CHECK-LABEL: @columns
// CHECK-SAME: attributes {strata.kernel, strata.policy = #ta.policy<parts>}
// CHECK-NOT: mark
// LVL-LABEL: @columns
// LVL-NOT: pieces
func.func @columns(%y: !V loc("y"), %A: !M loc("A"), %n: index loc("n"), %m: index loc("m"))
    attributes {strata.kernel, strata.policy = #ta.policy<parts, threads>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %m {name = "j"} {
      cin.assign %y[%j] combine add {
        %a = cin.access %A[%i, %j] : !M
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// -----

!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!V = !ta.storage<tensor<?xf64>>
!S = !ta.storage<tensor<f64>>

// A scalar is added up on one thread before another loop is shared.
// CHECK-LABEL: @after_a_scalar
// CHECK: cin.forall %{{.*}} = %n {name = "k"}
// CHECK: cin.forall %{{.*}} = %n {mark = #ta.mark<thread>, name = "i"}
// LVL-LABEL: @after_a_scalar
// LVL: lvl.coiterate "k"
// LVL-NOT: pieces
// LVL: lvl.coiterate "i" {{.*}} attributes {pieces = 0 : i64}
func.func @after_a_scalar(%y: !V loc("y"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel, strata.policy = #ta.policy<threads>} {
  cin.build %y : !V
  %t = cin.temp add {name = "t"} : !S
  cin.where {
    cin.forall %k = %n {name = "k"} {
      cin.assign %t[] combine add {
        %a = cin.access %x[%k] : !V
        cin.yield %a : f64
      } : !S
    }
  } do {
    cin.forall %i = %n {name = "i"} {
      cin.assign %y[%i] {
        %a = cin.access %x[%i] : !V
        %s = cin.access %t[] : !S
        %p = arith.mulf %a, %s : f64
        cin.yield %p : f64
      } : !V
    }
  }
  return
}

// -----

!V = !ta.storage<tensor<?xf64>>

// A workspace that all values of k fill in turn keeps the loop behind it on one thread, too.
// CHECK-LABEL: @after_a_workspace
// CHECK-NOT: mark
// LVL-LABEL: @after_a_workspace
// LVL-NOT: pieces
func.func @after_a_workspace(%y: !V loc("y"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel, strata.policy = #ta.policy<threads>} {
  cin.build %y : !V
  %t = cin.temp add(%n) {name = "t"} : !V
  cin.where {
    cin.forall %k = %n {name = "k"} {
      cin.forall %l = %n {name = "l"} {
        cin.assign %t[%l] combine add {
          %a = cin.access %x[%k] : !V
          cin.yield %a : f64
        } : !V
      }
    }
  } do {
    cin.forall %i = %n {name = "i"} {
      cin.assign %y[%i] {
        %s = cin.access %t[%i] : !V
        cin.yield %s : f64
      } : !V
    }
  }
  return
}

// -----

!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!V = !ta.storage<tensor<?xf64>>

// What has a mark keeps it.
// CHECK-LABEL: @vectors
// CHECK-NOT: strata.schedule
// CHECK: cin.forall %{{.*}} = %n {mark = #ta.mark<vector by 4>, name = "i"}
func.func @vectors(%y: !V loc("y"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel, strata.policy = #ta.policy<threads>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i", mark = #ta.mark<vector by 4>} {
    cin.assign %y[%i] {
      %a = cin.access %x[%i] : !V
      cin.yield %a : f64
    } : !V
  }
  return
}
