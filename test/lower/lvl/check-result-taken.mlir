// Loops in whose order the result can be stored, though not in that of its levels.
// RUN: strata-opt %s --convert-cin-to-lvl --split-input-file | FileCheck %s
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
// CHECK-LABEL: @parts
// CHECK: lvl.coiterate "io"
// CHECK: lvl.coiterate "ii"
// CHECK: lvl.coiterate "jo"
// CHECK: lvl.coiterate "ji"
func.func @parts(%C: !M, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  cin.forall %io = %n by 4 {name = "io"} {
    cin.forall %ii = %n by 4 in %io {name = "ii"} {
      cin.forall %jo = %n into 4 {name = "jo"} {
        cin.forall %ji = %n into 4 in %jo {name = "ji"} {
          cin.assign %C[%io + %ii, %jo + %ji] {
            %a = cin.access %A[%io + %ii, %jo + %ji] : !D
            cin.yield %a : f64
          } : !M
        }
      }
    }
  }
  return
}

// -----
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
// Counted rows come in any order.
// CHECK-LABEL: @counted
// CHECK: lvl.count
// CHECK: lvl.reserve
// CHECK: lvl.coiterate "j"
// CHECK: lvl.coiterate "i"
func.func @counted(%C: !M, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C counted : !M
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
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
!D = !ta.storage<tensor<?x?xf64>>
// So do those of a part of them.
// CHECK-LABEL: @counted_parts
// CHECK: lvl.count
// CHECK: lvl.reserve
// CHECK: lvl.coiterate "io"
// CHECK: lvl.coiterate "j"
// CHECK: lvl.coiterate "ii"
func.func @counted_parts(%C: !M, %A: !D, %n: index) attributes {strata.kernel} {
  cin.build %C counted : !M
  cin.forall %io = %n by 4 {name = "io"} {
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
// What is gathered below one row is added up there.
// CHECK-LABEL: @gathered
// CHECK: lvl.coiterate "i"
// CHECK: lvl.coiterate "k"
// CHECK: lvl.coiterate "j"
func.func @gathered(%C: !M, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C gathered(array) : !M
  cin.forall %i = %n {name = "i"} {
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
!L = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>>>
!D = !ta.storage<tensor<?x?xf64>>
// A list adds up what comes again.
// CHECK-LABEL: @list
// CHECK: lvl.coiterate "k"
// CHECK: lvl.coiterate "j"
// CHECK: lvl.coiterate "i"
func.func @list(%C: !L, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !L
  cin.forall %k = %n {name = "k"} {
    cin.forall %j = %n {name = "j"} {
      cin.forall %i = %n {name = "i"} {
        cin.assign %C[%i, %j] combine add {
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
!M = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed, j : dense)>>>
!D = !ta.storage<tensor<?x?xf64>>
// Below the last level that is appended to there are places for the terms.
// CHECK-LABEL: @rows
// CHECK: lvl.coiterate "i"
// CHECK: lvl.coiterate "k"
// CHECK: lvl.coiterate "j"
func.func @rows(%C: !M, %A: !D, %B: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !M
  cin.forall %i = %n {name = "i"} {
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
!B = !ta.storage<tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>>>
!D = !ta.storage<tensor<?x?xf64>>
// Blocks are appended from one to the next, and their places filled in any order.
// CHECK-LABEL: @blocks
// CHECK: lvl.coiterate "io"
// CHECK: lvl.coiterate "jo"
// CHECK: lvl.coiterate "ko"
// CHECK: lvl.coiterate "ji"
// CHECK: lvl.coiterate "ii"
func.func @blocks(%C: !B, %A: !D, %D: !D, %n: index) attributes {strata.kernel} {
  cin.build %C : !B
  cin.forall %io = %n by 4 {name = "io"} {
    cin.forall %jo = %n by 4 {name = "jo"} {
      cin.forall %ko = %n {name = "ko"} {
        cin.forall %ji = %n by 4 in %jo {name = "ji"} {
          cin.forall %ii = %n by 4 in %io {name = "ii"} {
            cin.assign %C[%io + %ii, %jo + %ji] combine add {
              %a = cin.access %A[%io + %ii, %ko] : !D
              %b = cin.access %D[%ko, %jo + %ji] : !D
              %p = arith.mulf %a, %b : f64
              cin.yield %p : f64
            } {reduces} : !B
          }
        }
      }
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// A result with places is assigned to as often as one likes.
// CHECK-LABEL: @twice
// CHECK: lvl.coiterate "i"
// CHECK: lvl.coiterate "j"
func.func @twice(%y: !V, %a: !V, %b: !V, %n: index) attributes {strata.kernel} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %v = cin.access %a[%i] : !V
      cin.yield %v : f64
    } : !V
  }
  cin.forall %j = %n {name = "j"} {
    cin.assign %y[%j] combine add {
      %v = cin.access %b[%j] : !V
      cin.yield %v : f64
    } : !V
  }
  return
}
