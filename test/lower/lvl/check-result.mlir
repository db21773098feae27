// Loops in whose order the result cannot be stored are refused, whoever has written them.
// RUN: strata-opt %s --convert-cin-to-lvl --split-input-file --verify-diagnostics
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @scattered(%C: !M, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  // expected-error@below {{the loop over 'k' cannot run there: the sum over 'k' would have to be scattered into the result, whose format takes its coordinates in order}}
  cin.forall %k = %n {name = "k"} {
    cin.forall %i = %n {name = "i"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } {reduces} : !M
      }
    }
  }
  return
}

// -----
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @between(%C: !M, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  cin.forall %i = %n {name = "i"} {
    // expected-error@below {{the loop over 'k' cannot run there: the sum over 'k' would have to be scattered}}
    cin.forall %k = %n {name = "k"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } {reduces} : !M
      }
    }
  }
  return
}

// -----
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @columns(%C: !M, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  // expected-error@below {{the loop over 'j' cannot run there: the result's format takes its coordinates in another order}}
  cin.forall %j = %n {name = "j"} {
    cin.forall %i = %n {name = "i"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !M
    }
  }
  return
}

// -----
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
// The parts of a label come in order if nothing stands between them.
func.func @parts(%C: !M, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  cin.forall %io = %n by 4 {name = "io"} {
    // expected-error@below {{the loop over 'j' cannot run there: the result's format takes its coordinates in another order}}
    cin.forall %j = %n {name = "j"} {
      cin.forall %ii = %n by 4 in %io {name = "ii"} {
        cin.assign %C[%io + %ii, %j] {
          %a = cin.access %A[%io + %ii, %j] : !D
          cin.yield %a : f64
        } : !M
      }
    }
  }
  return
}

// -----
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @columns_in_parts(%C: !M, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  // expected-error@below {{the loop over 'jo' cannot run there: the result's format takes its coordinates in another order}}
  cin.forall %jo = %n into 4 {name = "jo"} {
    cin.forall %i = %n {name = "i"} {
      cin.forall %ji = %n into 4 in %jo {name = "ji"} {
        cin.assign %C[%i, %jo + %ji] {
          %a = cin.access %A[%i, %jo + %ji] : !D
          cin.yield %a : f64
        } : !M
      }
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64, #ta.format<(i) -> (i : compressed)>>>
!D = !ta.storage<tensor<?xf64>>
func.func @sums_of_labels(%y: !V, %x: !D, %n: index) attributes {strata.kernel} {
  cin.build %y : !V
  // expected-error@below {{the loop over 'i' cannot run there: the result's format has no level for index variables alone, so that it cannot be appended to}}
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i + %j] combine add {
        %a = cin.access %x[%i] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64, #ta.format<(i) -> (i : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
// No scalar holds the sum: nobody has said that the values are its terms.
func.func @terms(%y: !V, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    // expected-error@below {{the loop over 'j' cannot run there: each term of the sum over 'j' would be stored as an entry of its own}}
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// -----
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
// What is counted is reached once.
func.func @counted(%C: !M, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C counted : !M
  // expected-error@below {{the loop over 'k' cannot run there: the sum over 'k' would have to be scattered into the result, which reaches each of its entries once}}
  cin.forall %k = %n {name = "k"} {
    cin.forall %j = %n {name = "j"} {
      cin.forall %i = %n {name = "i"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } {reduces} : !M
      }
    }
  }
  return
}

// -----
!T = !ta.storage<tensor<?x?x?xf64, #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>>
!D = !ta.storage<tensor<?x?x?xf64>>
// Above what is gathered there is an order, too.
func.func @gathered(%C: !T, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C gathered(array) : !T
  cin.forall %i = %n {name = "i"} {
    // expected-error@below {{the loop over 'k' cannot run there: the result's format takes its coordinates in another order}}
    cin.forall %k = %n {name = "k"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j, %k] {
          %a = cin.access %A[%i, %j, %k] : !D
          cin.yield %a : f64
        } : !T
      }
    }
  }
  return
}

// -----
!L = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>>>
!D = !ta.storage<tensor<?x?xf64>>
// A list adds up what is alike, nothing else.
func.func @greatest(%C: !L, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !L
  // expected-error@below {{the loop over 'k' cannot run there: the sum over 'k' would have to be scattered into the result, which reaches each of its entries once}}
  cin.forall %k = %n {name = "k"} {
    cin.forall %i = %n {name = "i"} {
      cin.forall %j = %n {name = "j"} {
        cin.assign %C[%i, %j] combine max {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } {reduces} : !L
      }
    }
  }
  return
}

// -----
!B = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @blocks(%C: !B, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !B
  // expected-error@below {{the loop over 'i' cannot run there: the result's format has no level for index variables alone}}
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !B
    }
  }
  return
}

// -----
!E = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>>>
!D = !ta.storage<tensor<?x?xf64>>
func.func @slots(%C: !E, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !E
  // expected-error@below {{the loop over 'i' cannot run there: the result's format has places for a number of entries that is known only when all are known}}
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !E
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64, #ta.format<(i) -> (i : compressed)>>>
!D = !ta.storage<tensor<?xf64>>
func.func @twice(%y: !V, %a: !D, %b: !D, %n: index) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %v = cin.access %a[%i] : !D
      cin.yield %v : f64
    } : !V
  }
  cin.forall %j = %n {name = "j"} {
    // expected-error@below {{the result is assigned to elsewhere, too: what is appended to is stored in one order}}
    cin.assign %y[%j] combine add {
      %v = cin.access %b[%j] : !D
      cin.yield %v : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64, #ta.format<(i) -> (i : compressed)>>>
!D = !ta.storage<tensor<?xf64>>
func.func @updated(%y: !V, %a: !D, %n: index) attributes {strata.kernel} {
  cin.forall %i = %n {name = "i"} {
    // expected-error@below {{the result is updated in place, in a format without a place for every coordinate}}
    cin.assign %y[%i] combine add {
      %v = cin.access %a[%i] : !D
      cin.yield %v : f64
    } : !V
  }
  return
}
