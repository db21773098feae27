// What the verifiers and parsers of cin say.
// RUN: strata-opt %s --split-input-file --verify-diagnostics

func.func @f(%n: index) {
  // expected-error@+1 {{needs a region with one index, its variable}}
  "cin.forall"(%n) <{name = "i", operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0:
  }) : (index) -> ()
  return
}

// -----
func.func @f(%n: index) {
  // expected-error@+1 {{needs a region with one index, its variable}}
  "cin.forall"(%n) <{name = "i", operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%i: f64):
  }) : (index) -> ()
  return
}

// -----
func.func @f(%n: index) {
  // expected-error@+1 {{requires attribute 'name'}}
  cin.forall %i = %n {} {
  }
  return
}

// -----
func.func @f() {
  // expected-error@+1 {{needs an extent for each dimension of 'tensor<?xf64>'}}
  %t = cin.temp add : <tensor<?xf64>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?x?xf64>>, %i: index) {
  // expected-error@+1 {{does not name a place of its target}}
  cin.assign %y[%i] {
    %v = arith.constant 1.0 : f64
    cin.yield %v : f64
  } : !ta.storage<tensor<?x?xf64>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf64>>, %i: index) {
  // expected-error@+1 {{does not name a place of its target}}
  "cin.assign"(%y, %i) <{map = affine_map<(d0, d1) -> (d1)>}> ({
    %v = arith.constant 1.0 : f64
    cin.yield %v : f64
  }) : (!ta.storage<tensor<?xf64>>, index) -> ()
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf64>>, %i: index) {
  // expected-error@+1 {{needs a region that ends with cin.yield}}
  cin.assign %y[%i] {
    scf.yield
  } : !ta.storage<tensor<?xf64>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf64>>, %i: index) {
  // expected-error@+1 {{region with 1 blocks}}
  cin.assign %y[%i] {
  } : !ta.storage<tensor<?xf64>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf32>>, %i: index) {
  // expected-error@+1 {{yields 'f64' for elements of 'f32'}}
  cin.assign %y[%i] {
    %v = arith.constant 1.0 : f64
    cin.yield %v : f64
  } : !ta.storage<tensor<?xf32>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf64>>, %i: index) {
  // expected-error@+1 {{expected an operator, such as add, mul, min or max}}
  cin.assign %y[%i] combine div {
    %v = arith.constant 1.0 : f64
    cin.yield %v : f64
  } : !ta.storage<tensor<?xf64>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf64>>, %i: index) {
  // expected-error@+1 {{does not name a place of its storage}}
  %v = cin.access %y[%i, %i] : !ta.storage<tensor<?xf64>>
  return
}

// -----
func.func @f(%y: !ta.storage<tensor<?xf64>>, %i: index) {
  // expected-error@+1 {{gives 'f32' from elements of 'f64'}}
  %v = "cin.access"(%y, %i) <{map = affine_map<(d0) -> (d0)>}> : (!ta.storage<tensor<?xf64>>, index) -> f32
  return
}

// -----
func.func @f(%n: index) {
  // expected-error@+1 {{goes through parts of a label, chunks of what a group of loops takes, or what such a group takes of one chunk}}
  cin.forall %c = %n {chunks, name = "c"} {
  }
  return
}

// -----
// expected-error@+1 {{values write to the same places only where threads share them}}
#sums = #ta.mark<serial with temporary>

// -----
// expected-error@+1 {{a number is of values in a vector, or of iterations at a time}}
#four = #ta.mark<thread by 4>

// -----
// expected-error@+1 {{a loop without a mark takes one value after the other already}}
#one = #ta.mark<serial>
