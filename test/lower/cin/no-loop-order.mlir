// Kernels that have no loop order are refused before they become loops.
// RUN: strata-opt %s --convert-ta-to-cin --split-input-file --verify-diagnostics

// Both levels depend on i, and the first does not determine it: its coordinate would go unchecked.
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed)>
func.func @strided_diagonal(%A: tensor<?x?xf64, #DCSR>, %n: index) -> tensor<?xf64> attributes {strata.kernel} {
  // expected-error@+1 {{has no order of loops: an operand: level 1 does not determine the index variable alone}}
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #DCSR>) sizes(%n) -> tensor<?xf64> out [%i] {
    %a = ta.access %A[%i * 3 + 2, %i] : tensor<?x?xf64, #DCSR>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Coordinates out of order cannot be appended to a level that would be merged with repetitions.
#H = #ta.format<(i) -> (i : hashed)>
#V = #ta.format<(i) -> (i : compressed(nonunique))>
func.func @out_of_order(%A: tensor<?xf64, #H>, %n: index) -> tensor<?xf64, #V> attributes {strata.kernel} {
  // expected-error@+1 {{an operand's coordinates are not in order over 'i', where they are merged or appended}}
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #V> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #H>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// A kernel alone cannot update what has no place for every coordinate.
#V = #ta.format<(i) -> (i : compressed)>
func.func @update(%A: tensor<?xf64, #V>, %y: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V> attributes {strata.kernel} {
  // expected-error@+1 {{cannot update a storage without a place for every coordinate}}
  %0 = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) init(%y : tensor<?xf64, #V>) combine add
      -> tensor<?xf64, #V> out [%i] {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %0 : tensor<?xf64, #V>
}

// -----
// expected-error@+2 {{'convert-ta-to-cin' takes kernels written in ta (a statement); this one is written in upstream dialects alone}}
// expected-note@+1 {{'convert-ta-to-cin' has run already, or the kernel is empty}}
func.func @no_statement(%x: tensor<?xf64>) -> tensor<?xf64> attributes {strata.kernel} {
  return %x : tensor<?xf64>
}

// -----
// expected-error@+1 {{is no kernel: it must return one ta.compute}}
func.func @not_returned(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> attributes {strata.kernel} {
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %x : tensor<?xf64>
}
