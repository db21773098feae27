// A temporary is computed as soon as the labels that it needs have values.
// RUN: strata-opt %s --cin-hoist-producers --mlir-use-nameloc-as-prefix | FileCheck %s
!S = !ta.storage<tensor<f64>>
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>

// The second leaves both loops and the consumer of the first, which needs i.
// CHECK-LABEL: @two
// CHECK: %[[U:.*]] = cin.temp add {name = "u"}
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %{{.*}} = %n {name = "l"} {
// CHECK: } do {
// CHECK-NEXT: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: %[[T:.*]] = cin.temp add {name = "t"}
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK: cin.access %A[%[[I]], %[[J]]]
// CHECK: } do {
// CHECK-NEXT: cin.forall %[[K:.*]] = %n {name = "k"} {
// CHECK-NEXT: cin.assign %C[%[[I]], %[[K]]] {
// CHECK-NEXT: cin.access %[[T]][]
// CHECK-NEXT: cin.access %[[U]][]
func.func @two(%C: !D loc("C"), %A: !D loc("A"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %k = %n {name = "k"} {
      %t = cin.temp add {name = "t"} : !S
      cin.where {
        cin.forall %j = %n {name = "j"} {
          cin.assign %t[] combine add {
            %a = cin.access %A[%i, %j] : !D
            cin.yield %a : f64
          } : !S
        }
      } do {
        %u = cin.temp add {name = "u"} : !S
        cin.where {
          cin.forall %l = %n {name = "l"} {
            cin.assign %u[] combine add {
              %b = cin.access %x[%l] : !V
              cin.yield %b : f64
            } : !S
          }
        } do {
          cin.assign %C[%i, %k] {
            %p = cin.access %t[] : !S
            %q = cin.access %u[] : !S
            %s = arith.mulf %p, %q : f64
            cin.yield %s : f64
          } : !D
        }
      }
    }
  }
  return
}

// What is computed from another temporary stays behind it.
// CHECK-LABEL: @chained
// CHECK: cin.temp add {name = "t"}
// CHECK: } do {
// CHECK-NEXT: cin.temp add {name = "u"}
// CHECK: } do {
// CHECK-NEXT: cin.forall %{{.*}} = %n {name = "i"} {
func.func @chained(%y: !V loc("y"), %x: !V loc("x"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    %t = cin.temp add {name = "t"} : !S
    cin.where {
      cin.forall %j = %n {name = "j"} {
        cin.assign %t[] combine add {
          %a = cin.access %x[%j] : !V
          cin.yield %a : f64
        } : !S
      }
    } do {
      %u = cin.temp add {name = "u"} : !S
      cin.where {
        cin.forall %k = %n {name = "k"} {
          cin.assign %u[] combine add {
            %p = cin.access %t[] : !S
            cin.yield %p : f64
          } : !S
        }
      } do {
        cin.assign %y[%i] {
          %q = cin.access %u[] : !S
          cin.yield %q : f64
        } : !V
      }
    }
  }
  return
}

// What takes the values of a chunk together with other loops stays inside them.
// CHECK-LABEL: @chunks
// CHECK: cin.forall %[[F:.*]] = %n by 4 {chunks, name = "f"} {
// CHECK-NEXT: cin.forall %{{.*}} = %n in %[[F]] {group = "g", name = "i"} {
// CHECK-NEXT: cin.temp add {name = "t"}
func.func @chunks(%y: !V loc("y"), %x: !V loc("x"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %f = %n by 4 {chunks, name = "f"} {
    cin.forall %i = %n in %f {group = "g", name = "i"} {
      %t = cin.temp add {name = "t"} : !S
      cin.where {
        cin.forall %j = %n in %f {group = "g", name = "j"} {
          cin.assign %t[] combine add {
            %a = cin.access %x[%j] : !V
            cin.yield %a : f64
          } : !S
        }
      } do {
        cin.assign %y[%i] {
          %q = cin.access %t[] : !S
          cin.yield %q : f64
        } : !V
      }
    }
  }
  return
}
