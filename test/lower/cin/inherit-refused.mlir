// A schedule may ask for the pattern of an operand only where one has the result's.
// RUN: strata-opt %s --convert-ta-to-cin --split-input-file --verify-diagnostics

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#V = #ta.format<(i) -> (i : compressed)>
func.func @sum(%B: tensor<?x?xf64, #CSR> loc("B"), %n: index, %m: index) -> tensor<?xf64, #V> attributes {strata.kernel} {
  // expected-error@+1 {{'assemble(A, Inherit)' is not possible: the first levels of the result are not stored as those of 'B'}}
  %A = ta.compute [%i = %n] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64, #V> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<assemble(A, Inherit)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %b : f64
    }
    ta.yield %s : f64
  }
  return %A : tensor<?xf64, #V>
}

// -----
#H = #ta.format<(i) -> (i : hashed)>
func.func @hashed(%B: tensor<?xf64, #H> loc("B"), %n: index) -> tensor<?xf64, #H> attributes {strata.kernel} {
  // expected-error@+1 {{is not possible: 'B' has levels that are neither dense nor compressed, or not of one label each}}
  %A = ta.compute [%i = %n] ins(%B : tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #H> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<assemble(A, Inherit)>} {
    %b = ta.access %B[%i] : tensor<?xf64, #H>
    %p = arith.negf %b : f64
    ta.yield %p : f64
  }
  return %A : tensor<?xf64, #H>
}

// -----
#V = #ta.format<(i) -> (i : compressed)>
func.func @more(%B: tensor<?xf64, #V> loc("B"), %n: index) -> tensor<?xf64, #V> attributes {strata.kernel} {
  %one = arith.constant 1.0 : f64
  // expected-error@+1 {{is not possible: the result has values where 'B' stores nothing}}
  %A = ta.compute [%i = %n] ins(%B : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<assemble(A, Inherit)>} {
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %p = arith.addf %b, %one : f64
    ta.yield %p : f64
  }
  return %A : tensor<?xf64, #V>
}

// -----
#V = #ta.format<(i) -> (i : compressed)>
func.func @dense(%B: tensor<?xf64> loc("B"), %n: index) -> tensor<?xf64, #V> attributes {strata.kernel} {
  // expected-error@+1 {{is not possible: no operand is sparse}}
  %A = ta.compute [%i = %n] ins(%B : tensor<?xf64>) sizes(%n) -> tensor<?xf64, #V> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<assemble(A, Inherit)>} {
    %b = ta.access %B[%i] : tensor<?xf64>
    ta.yield %b : f64
  }
  return %A : tensor<?xf64, #V>
}

// -----
#Filled = #ta.format<(i) -> (i : compressed), fill = 1.0 : f64>
func.func @filled(%B: tensor<?xf64, #Filled> loc("B"), %n: index) -> tensor<?xf64, #Filled> attributes {strata.kernel} {
  // expected-error@+1 {{is not possible: what 'B' does not store is not zero}}
  %A = ta.compute [%i = %n] ins(%B : tensor<?xf64, #Filled>) sizes(%n) -> tensor<?xf64, #Filled> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<assemble(A, Inherit)>} {
    %b = ta.access %B[%i] : tensor<?xf64, #Filled>
    %p = arith.mulf %b, %b : f64
    ta.yield %p : f64
  }
  return %A : tensor<?xf64, #Filled>
}
