// Loops that are contractions of dense tensors are marked, by command or because none speaks against it; what is no
// contraction is refused with the reason.
// RUN: strata-opt %s --cin-apply-schedules --mlir-use-nameloc-as-prefix --split-input-file --verify-diagnostics | FileCheck %s
!S = !ta.storage<tensor<f64>>
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>

// The schedule is completed, after the commands that it has.
// CHECK-LABEL: @completed
// CHECK-SAME: strata.schedule = #ta.schedule<reorder(i, k, j), contract(i, k, j)>
// CHECK: cin.forall %{{.*}} = %n {contracted, name = "i"}
// CHECK-NEXT: cin.forall %{{.*}} = %n {contracted, name = "k"}
// CHECK-NEXT: cin.forall %{{.*}} = %n {contracted, name = "j"}
func.func @completed(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<reorder(i, k, j)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.forall %k = %n {name = "k"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}

// Of a sum of contractions and other terms all loops are named; threads may take the outermost one.
// CHECK-LABEL: @terms
// CHECK-SAME: strata.schedule = #ta.schedule<contract(i, j, k), parallelize(i, CPUThread)>
// CHECK: cin.forall %{{.*}} = %n {contracted, mark = #ta.mark<thread>, name = "i"}
// CHECK: cin.forall %{{.*}} = %n {contracted, name = "k"}
func.func @terms(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<contract(i, j, k), parallelize(i, CPUThread)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      %t = cin.temp add {name = "t"} : !S
      cin.where {
        cin.forall %k = %n {name = "k"} {
          cin.assign %t[] combine add {
            %a = cin.access %A[%i, %k] : !D
            %b = cin.access %B[%k, %j] : !D
            %p = arith.mulf %a, %b : f64
            cin.yield %p : f64
          } : !S
        }
      } do {
        cin.assign %C[%i, %j] {
          %s = cin.access %t[] : !S
          %b = cin.access %B[%j, %i] : !D
          %two = arith.constant 2.0 : f64
          %q = arith.mulf %two, %s : f64
          %d = arith.subf %b, %q : f64
          cin.yield %d : f64
        } : !D
      }
    }
  }
  return
}

// Known sizes speak against it, and sums that keep their order; what loops over parts, or vectors, is left alone.
// CHECK-LABEL: @small
// CHECK-NOT: contracted
// CHECK-LABEL: @exact
// CHECK-NOT: contracted
// CHECK-LABEL: @vectors
// CHECK-NOT: contracted
// CHECK-LABEL: @vector
// CHECK-NOT: contracted
func.func @small(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  %n = arith.constant 8 : index
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %k = %n {name = "k"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}
func.func @exact(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.assumptions = #ta.assumptions<deterministic>, strata.schedule = #ta.schedule<>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %k = %n {name = "k"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}
func.func @vectors(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<unroll(j, 4)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %k = %n {name = "k"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}
func.func @vector(%y: !V loc("y"), %A: !D loc("A"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %k = %n {name = "k"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %k] : !D
        %b = cin.access %x[%k] : !V
        %p = arith.mulf %a, %b : f64
        cin.yield %p : f64
      } : !V
    }
  }
  return
}
