// Schedules that give cells parts of a statement which they cannot have.
// RUN: strata-opt %s --ta-distribute-statements --split-input-file --verify-diagnostics

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{there is no machine 'Q': declare it, or place a tensor on it}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "Q.x")>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{machine 'M' has no axis 'y'}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.y)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'k' is no label of the statement, of which cells could take parts}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(k, io, ii, M.x)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'io' has a value for each cell of machine 'M', and nothing distributes it: distribute(io)}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'io' does not go from cell to cell of a machine: divide(i, io, ii, M.x) makes a label that does}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<distribute(io)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'distribute(jo)' is not possible: what has no terms in one cell would have no value}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(j, jo, ji, M.x), distribute(jo)>} {
    %s = ta.reduce min [%j = %m] attributes {missing, names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] {missing} : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.addf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'distribute(ko)' is not possible: cells have parts of another sum already}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(j, jo, ji, N.x), divide(k, ko, ki, N.y), distribute({jo, ko})>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    %t = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %b = ta.access %x[%k] : tensor<?xf64>
      ta.yield %b : f64
    }
    %v = arith.mulf %s, %t : f64
    ta.yield %v : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'distribute(ko)' is not possible: the sum over 'k' stands in another one}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(k, ko, ki, M.x), distribute(ko)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %t = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
        %b = ta.access %x[%k] : tensor<?xf64>
        ta.yield %b : f64
      }
      %v = arith.mulf %a, %t : f64
      ta.yield %v : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{the statement runs on machine 'M' already}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), divide(j, jo, ji, "N.y"), distribute({io, jo})>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'io' has the cells of an axis already, for 'i'}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "N.x"), divide(j, jo, ji, "N.x"), distribute({io, jo})>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{the loops over cells are outside of all others, and 'io' is one of them}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), reorder(j, io), distribute(io)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'io' goes from cell to cell, which distribute takes, and reorder}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), parallelize(io, CPUThread), distribute(io)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{the statement has no tensor 'z'}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io), communicate(z, io)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{pieces come where the loops over cells begin, or in rounds, and 'ii' is none of these}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io), communicate(x, ii)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @diagonal(%A: tensor<?x?xf64, #CSR> loc("A")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  // expected-error@+1 {{'i' is the coordinate of several dimensions of 'A'}}
  %d = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io)>} {
    %a = ta.access %A[%i, %i] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %d : tensor<?xf64>
}

// -----

ta.machine @M(x = 4)
func.func @computed(%x: tensor<?xf64> loc("x"), %n: index) -> tensor<?xf64> {
  // expected-error@+1 {{'x' is read at a coordinate that is computed from 'i', and is not 'i' plus a number}}
  %d = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io)>} {
    %a = ta.access %x[%i * 2] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %d : tensor<?xf64>
}

// -----

ta.machine @M(x = 4)
func.func @broadcast(%s: tensor<f64> loc("s"), %n: index) -> tensor<?xf64> {
  // expected-error@+1 {{no operand has all values of 'i' as coordinates of a dimension}}
  %d = ta.compute [%i = %n] ins(%s : tensor<f64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io)>} {
    %a = ta.access %s[] : tensor<f64>
    ta.yield %a : f64
  }
  return %d : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{there is something to be done where 'A' stores nothing}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.addf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64>
  %p = ta.dim %A, 1 : tensor<?x?xf64>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'A' stores everything, so that cells can take coordinates}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'x' is read at a coordinate that is computed from 'j'}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j + 1] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{no operand is called 'B', or it is read at several places}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(f, p, B), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'q' is no label of the statement, of which cells could take parts}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(q, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'q' is no label of the statement, nor made of some}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(q, p, A), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'f' is made of 'j' twice}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(j, j, f), pos(f, p, A), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'io' goes over parts of 'i' already}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "N.x"), fuse(i, j, f), pos(f, p, A), divide(p, po, pi, "N.y"), distribute({io, po})>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
ta.machine @N(x = 2, y = 2)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{the statement computes with 'j'}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), divide(p, po, pi, M.x), distribute(po)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %d = arith.index_cast %j : index to i64
      %e = arith.sitofp %d : i64 to f64
      %c = arith.mulf %a, %e : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{there must be a round}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), split(j, jo, ji, 0), communicate(x, jo)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'q' is no label of the statement, of which rounds could take parts}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), split(q, jo, ji, 4), communicate(x, jo)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{no label goes from cell to cell: distribute}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<split(j, jo, ji, 4), communicate(x, jo)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{rounds over 'jo' are not possible: 'i' is not the label of an outermost sum}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), split(i, jo, ji, 4), communicate(x, jo)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'jo' goes from round to round, which reorder takes}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), split(j, jo, ji, 4), communicate(x, jo), vectorize(jo)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{rounds are outside of the loops of a cell, and 'jo' goes over them}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), split(j, jo, ji, 4), reorder(io, ii, jo, ji), communicate(x, jo)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{'ii' does not go from cell to cell}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), split(j, jo, ji, 4), rotate(jo, ii, js), communicate(x, js)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{there are no rounds over 'jo'}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), distribute(io), rotate(jo, io, js), communicate(x, js)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %p = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %q = ta.dim %x, 0 : tensor<?xf64>
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // expected-error@+1 {{rounds over 'ko' are not possible: 'i' is not the label of an outermost sum}}
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(j, jo, ji, "M.x"), distribute(jo), split(i, ko, ki, 4), communicate(x, ko)>} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A")) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  // expected-error@+1 {{rounds over 'ko' are not possible: 'k' is the coordinate of no tensor, of which rounds would bring a part}}
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, "M.x"), split(k, ko, ki, 2), distribute(io), communicate(A, ko)>} {
    %s = ta.reduce add [%j = %m, %k = %n] attributes {names = ["j", "k"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
ta.machine @M(x = 4)
func.func @f(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B")) -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  // expected-error@+1 {{'distribute(io)' is not possible: a sum without terms is an operand, and would be none in the parts of cells}}
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<fuse(i, j, f), pos(f, entries, A), divide(entries, io, ii, "M.x"), distribute(io)>} {
    %s = ta.reduce lxor [%k = %p] attributes {names = ["k"]} : f64 {
      %b = ta.access %B[%i, %k] {missing} : tensor<?x?xf64, #CSR>
      ta.yield %b : f64
    }
    %a = ta.access %A[%i, %j] {missing} : tensor<?x?xf64, #CSR>
    %f = ta.filter %s if %a : f64, f64
    ta.yield %f : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// -----

#SV = #ta.format<(i) -> (i : compressed)>
ta.machine @M(x = 4)
func.func @sparse(%x: tensor<?xf64> loc("x"), %n: index, %m: index) -> tensor<?xf64, #SV> {
  // expected-error@+1 {{the result has elements that the statement does not compute}}
  %y = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%m) -> tensor<?xf64, #SV> out [%i + 1]
      attributes {names = ["i"], schedule = #ta.schedule<divide(i, io, ii, M.x), distribute(io)>} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64, #SV>
}
