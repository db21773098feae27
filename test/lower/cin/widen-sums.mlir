// Terms of 32 bits are added up in 64 where the result is one number.
// RUN: strata-opt %s --cin-widen-sums --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
!S = !ta.storage<tensor<f32>>
!D = !ta.storage<tensor<?x?xf32>>

// Scalars hold 64 bits, and one takes what another holds without rounding.
// CHECK-LABEL: @scalars
// CHECK: %[[T:.*]] = cin.temp add : <tensor<f64>>
// CHECK: %[[ROW:.*]] = cin.temp add : <tensor<f64>>
// CHECK: cin.assign %[[ROW]][] combine add {
// CHECK-NEXT: %[[A:.*]] = cin.access %A
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[A]] : f32 to f64
// CHECK-NEXT: cin.yield %[[WIDE]] : f64
// CHECK: cin.assign %[[T]][] combine add {
// CHECK-NEXT: %[[HELD:.*]] = cin.access %[[ROW]][]
// CHECK: cin.yield %[[HELD]] : f64
// CHECK: cin.assign %s[] {
// CHECK-NEXT: %[[SUM:.*]] = cin.access %[[T]][]
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK-NEXT: cin.yield %[[ROUNDED]] : f32
func.func @scalars(%s: !S loc("s"), %A: !D loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %s : !S
  %t = cin.temp add : !S
  cin.where {
    cin.forall %i = %n {name = "i"} {
      %row = cin.temp add : !S
      cin.where {
        cin.forall %j = %n {name = "j"} {
          cin.assign %row[] combine add {
            %a = cin.access %A[%i, %j] : !D
            cin.yield %a : f32
          } : !S
        }
      } do {
        cin.assign %t[] combine add {
          %a = cin.access %row[] : !S
          cin.yield %a : f32
        } : !S
      }
    }
  } do {
    cin.assign %s[] {
      %a = cin.access %t[] : !S
      cin.yield %a : f32
    } : !S
  }
  return
}

// -----
!S = !ta.storage<tensor<complex<f32>>>
!L = !ta.storage<tensor<?x?xcomplex<f32>, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>>>
// A result that accumulates terms itself gets such a scalar, in each part that a thread takes.
// CHECK-LABEL: @parts
// CHECK: cin.forall %[[IO:.*]] = %n into 32 {mark = #ta.mark<thread with temporary>, name = "io"} {
// CHECK-NEXT: %[[T:.*]] = cin.temp add : <tensor<complex<f64>>>
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall {{.*}} {accumulates, name = "ii"} {
// CHECK: cin.assign %[[T]][] combine add {
// CHECK: complex.create {{.*}} : complex<f64>
// CHECK: } do {
// CHECK-NEXT: cin.assign %s[] combine add {
// CHECK-NEXT: cin.access %[[T]][]
// CHECK: complex.create {{.*}} : complex<f32>
func.func @parts(%s: !S loc("s"), %A: !L loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %s : !S
  cin.forall %io = %n into 32 {mark = #ta.mark<thread with temporary>, name = "io"} {
    cin.forall %ii = %n into 32 in %io {accumulates, name = "ii"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %s[] combine add {
          %a = cin.access %A[%io + %ii, %j] : !L
          cin.yield %a : complex<f32>
        } {reduces} : !S
      }
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf32>>
!D = !ta.storage<tensor<?x?xf32>>
// The sums of rows keep their type, and other operators too.
// CHECK-LABEL: @rows
// CHECK-NOT: f64
func.func @rows(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n")) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    %t = cin.temp add : !ta.storage<tensor<f32>>
    cin.where {
      cin.forall %j = %n {name = "j"} {
        cin.assign %t[] combine add {
          %a = cin.access %A[%i, %j] : !D
          cin.yield %a : f32
        } : !ta.storage<tensor<f32>>
      }
    } do {
      cin.assign %y[%i] {
        %a = cin.access %t[] : !ta.storage<tensor<f32>>
        cin.yield %a : f32
      } : !V
    }
  }
  return
}
