// A mark that does not hold any more is an error.
// RUN: strata-opt %s --convert-cin-to-lvl --verify-diagnostics
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @vector(%y: !V, %A: !D, %x: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %y : !V
  // expected-error @below {{the loop over 'i' cannot be contracted, as the schedule says: one factor is a vector to the other}}
  cin.forall %i = %n {contracted, name = "i"} {
    cin.forall %k = %n {contracted, name = "k"} {
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
