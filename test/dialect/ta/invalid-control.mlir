// What the verifiers of loops and branches say.
// RUN: strata-opt %s --split-input-file --verify-diagnostics

func.func @f(%n: tensor<i32>) {
  // expected-error@+1 {{counts in 64-bit integers}}
  ta.for %n to %n step %n : tensor<i32> {
  ^bb0(%t: tensor<i32>):
    ta.next
  }
  return
}

// -----
func.func @f(%n: tensor<i64>) {
  // expected-error@+1 {{needs its counter as the region's first argument}}
  ta.for %n to %n step %n : tensor<i64> {
    ta.next
  }
  return
}

// -----
func.func @f(%x: tensor<f64>) {
  // expected-error@+1 {{has a region whose arguments differ from what it carries}}
  %r = ta.loop limit 3 carry(%x : tensor<f64>) -> tensor<f64> {
    ta.next %x : tensor<f64>
  }
  return
}

// -----
func.func @f(%x: tensor<f64>) {
  // expected-error@+1 {{must give what it carries as its first results}}
  ta.loop limit 3 carry(%x : tensor<f64>) {
  ^bb0(%y: tensor<f64>):
    ta.next
  }
  return
}

// -----
func.func @f() {
  // expected-error@+1 {{needs a limit of at least one round}}
  ta.loop limit 0 {
    ta.next
  }
  return
}

// -----
func.func @f(%x: tensor<f64>) {
  ta.loop limit 3 {
    // expected-error@+1 {{hands over other types than the results of ta.loop}}
    ta.next %x : tensor<f64>
  }
  return
}

// -----
func.func @f(%x: tensor<f64>, %c: i1) {
  %r = ta.loop limit 3 -> tensor<f64> {
    ta.if %c {
      // expected-error@+1 {{hands over other types than the results of ta.loop}}
      ta.break
    } else {
      ta.next
    }
    ta.next %x : tensor<f64>
  }
  return
}

// -----
func.func @f(%c: i1) {
  ta.if %c {
    // expected-error@+1 {{stands in no loop}}
    ta.break
  } else {
    ta.next
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>) {
  // expected-error@+1 {{compares scalars only}}
  %c = ta.holds lt %x, %x : tensor<?xf64>, tensor<?xf64>
  return
}

// -----
func.func @f(%x: tensor<complex<f64>>) {
  // expected-error@+1 {{has no order of complex numbers}}
  %c = ta.holds lt %x, %x : tensor<complex<f64>>, tensor<complex<f64>>
  return
}
