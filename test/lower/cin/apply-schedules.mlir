// The commands of a kernel's schedule rewrite its loops; one that is not possible is an error.
// RUN: strata-opt %s --cin-apply-schedules --mlir-use-nameloc-as-prefix --split-input-file --verify-diagnostics | FileCheck %s
!S = !ta.storage<tensor<f64>>
!V = !ta.storage<tensor<?xf64>>
!D = !ta.storage<tensor<?x?xf64>>

// CHECK-LABEL: @reorder
// CHECK: cin.forall %[[K:.*]] = %n {contracted, name = "k"} {
// CHECK-NEXT: cin.forall %[[I:.*]] = %n {contracted, name = "i"} {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {contracted, name = "j"} {
// CHECK-NEXT: cin.assign %C[%[[I]], %[[J]]] combine add {
// CHECK-NEXT: cin.access %A[%[[I]], %[[K]]]
func.func @reorder(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<reorder(k, j), reorder(k, i, j)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.forall %k = %n {name = "k"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}

// CHECK-LABEL: @precompute
// CHECK: %[[T:.*]] = cin.temp add(%n) {name = "t"} : <tensor<?xf64>>
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %[[JW:.*]] = %n {name = "jw"} {
// CHECK-NEXT: cin.forall %[[K:.*]] = %n {name = "k"} {
// CHECK-NEXT: cin.assign %[[T]][%[[JW]]] combine add {
// CHECK-NEXT: cin.access %B[%[[K]], %[[JW]]]
// CHECK: } do {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK-NEXT: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: cin.assign %y[%[[I]]] combine add {
// CHECK-NEXT: cin.access %A[%[[I]], %[[J]]]
// CHECK-NEXT: cin.access %[[T]][%[[J]]]
func.func @precompute(%y: !V loc("y"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<reorder(j, i), precompute(t, {j}, {jw})>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      %t = cin.temp add {name = "t"} : !S
      cin.where {
        cin.forall %k = %n {name = "k"} {
          cin.assign %t[] combine add {
            %b = cin.access %B[%k, %j] : !D
            cin.yield %b : f64
          } : !S
        }
      } do {
        cin.assign %y[%i] combine add {
          %a = cin.access %A[%i, %j] : !D
          %u = cin.access %t[] : !S
          %p = arith.mulf %a, %u : f64
          cin.yield %p : f64
        } : !V
      }
    }
  }
  return
}

// Labels as one, cut by the entries of an operand: the loops stay, and a loop over parts comes around them.
// CHECK-LABEL: @entries
// CHECK: cin.forall %[[C:.*]] = %n by 8 of %A : !ta.storage<tensor<?x?xf64>> {chunks, mark = #ta.mark<thread with temporary>, name = "c"} {
// CHECK-NEXT: cin.forall %[[I:.*]] = %n in %[[C]] {group = "q", name = "i"} {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n in %[[C]] {group = "q", name = "j"} {
// CHECK-NEXT: cin.assign %y[%[[I]]] combine add {
func.func @entries(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<fuse(i, j, f), pos(f, p, "A(i, j)"), split(p, c, q, 8), parallelize(c, CPUThread, Temporary)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// Parts of pairs, around another loop.
// CHECK-LABEL: @pairs
// CHECK: cin.forall %[[C:.*]] = %n into 3 {chunks, name = "c"} {
// CHECK-NEXT: cin.forall %[[K:.*]] = %n {name = "k"} {
// CHECK-NEXT: cin.forall %[[I:.*]] = %n in %[[C]] {group = "q", name = "i"} {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n in %[[C]] {group = "q", name = "j"} {
// CHECK-NEXT: cin.assign %C[%[[I]], %[[J]]] combine add {
func.func @pairs(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<fuse(i, j, f), divide(f, c, q, 3), reorder(c, k, q)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.forall %k = %n {name = "k"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}

// An expression in a workspace; the sum that nothing else uses goes with it.
// CHECK-LABEL: @expression
// CHECK: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: %[[W:.*]] = cin.temp add(%n) {name = "w"} : <tensor<?xf64>>
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %[[JW:.*]] = %n {name = "jw"} {
// CHECK-NEXT: cin.forall %[[K:.*]] = %n {name = "k"} {
// CHECK-NEXT: cin.assign %[[W]][%[[JW]]] combine add {
// CHECK-NEXT: %[[A:.*]] = cin.access %A[%[[I]], %[[K]]]
// CHECK-NEXT: %[[B:.*]] = cin.access %B[%[[K]], %[[JW]]]
// CHECK-NEXT: arith.mulf %[[A]], %[[B]]
// CHECK: } do {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK-NEXT: cin.assign %C[%[[I]], %[[J]]] combine add {
// CHECK-NEXT: %[[X:.*]] = cin.access %x[%[[J]]]
// CHECK-NEXT: %[[T:.*]] = cin.access %[[W]][%[[J]]]
// CHECK-NEXT: arith.mulf %[[X]], %[[T]]
func.func @expression(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<precompute("A[i, k] * B[k, j]", j, jw)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.forall %k = %n {name = "k"} {
        cin.assign %C[%i, %j] combine add {
          %v = cin.access %x[%j] : !V
          %a = cin.access %A[%i, %k] : !D
          %p = arith.mulf %v, %a : f64
          %b = cin.access %B[%k, %j] : !D
          %q = arith.mulf %p, %b : f64
          cin.yield %q : f64
        } : !D
      }
    }
  }
  return
}

// A factor that is a sum takes the other factors in, and its loop can be reordered.
// CHECK-LABEL: @factors
// CHECK: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK-NEXT: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: cin.assign %y[%[[I]]] combine add {
// CHECK-NEXT: %[[X:.*]] = cin.access %x[%[[I]]]
// CHECK-NEXT: %[[A:.*]] = cin.access %A[%[[I]], %[[J]]]
// CHECK-NEXT: arith.mulf %[[X]], %[[A]]
func.func @factors(%y: !V loc("y"), %A: !D loc("A"), %x: !V loc("x"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<reorder(j, i)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    %t = cin.temp add {name = "t"} : !S
    cin.where {
      cin.forall %j = %n {name = "j"} {
        cin.assign %t[] combine add {
          %a = cin.access %A[%i, %j] : !D
          cin.yield %a : f64
        } : !S
      }
    } do {
      cin.assign %y[%i] {
        %v = cin.access %x[%i] : !V
        %s = cin.access %t[] : !S
        %p = arith.mulf %v, %s : f64
        cin.yield %p : f64
      } : !V
    }
  }
  return
}

// A loop that is not innermost becomes vectors: the loops inside it run once for each.
// CHECK-LABEL: @vectors
// CHECK: cin.forall %[[I:.*]] = %n by 4 {name = "i"} {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK-NEXT: cin.forall %[[V:.*]] = %n by 4 in %[[I]] {mark = #ta.mark<vector by 4>, name = "i_v"} {
// CHECK-NEXT: cin.assign %y[%[[I]] + %[[V]]] combine add {
func.func @vectors(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<vectorize(i, 4)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// CHECK-LABEL: @assemble
// CHECK: cin.build %C gathered(table)
// CHECK: cin.forall %{{.*}} = %n {accumulates, collapsed, name = "i"} {
// CHECK-NEXT: cin.forall %{{.*}} = %n {accumulates, name = "j"} {
func.func @assemble(%C: !D loc("C"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<collapse(i, j), assemble(C, Gather, table)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !D
    }
  }
  return
}

// The parts of i, and what one part has; the label's loop shares its values among threads.
// CHECK-LABEL: @split
// CHECK: cin.forall %[[IO:.*]] = %n by 4 {mark = #ta.mark<thread>, name = "io"} {
// CHECK-NEXT: cin.forall %[[II:.*]] = %n by 4 in %[[IO]] {name = "ii"} {
// CHECK-NEXT: cin.forall %[[J:.*]] = %n {name = "j"} {
// CHECK-NEXT: cin.assign %y[%[[IO]] + %[[II]]] combine add {
// CHECK-NEXT: cin.access %A[%[[IO]] + %[[II]], %[[J]]]
func.func @split(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<split(i, io, ii, 4), parallelize(io, CPUThread, NoRaces)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// A number of parts, of a size that is known when the kernel runs.
// CHECK-LABEL: @divide
// CHECK: cin.forall %[[IO:.*]] = %n into 4 {name = "io"} {
// CHECK-NEXT: cin.forall %[[II:.*]] = %n into 4 in %[[IO]] {name = "ii"} {
// CHECK-NEXT: cin.assign %y[%[[IO]] + %[[II]]] {
func.func @divide(%y: !V loc("y"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<divide(i, io, ii, 4)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// What is split after it is shared among threads: the parts are shared.
// CHECK-LABEL: @shared_parts
// CHECK: cin.forall %[[IO:.*]] = %n by 4 {mark = #ta.mark<thread>, name = "io"} {
// CHECK-NEXT: cin.forall %{{.*}} = %n by 4 in %[[IO]] {name = "ii"} {
func.func @shared_parts(%y: !V loc("y"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<parallelize(i, CPUThread, NoRaces), split(i, io, ii, 4)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// CHECK-LABEL: @tile
// CHECK: cin.forall %[[IO:.*]] = %n by 4 {name = "io"} {
// CHECK-NEXT: cin.forall %[[JO:.*]] = %n by 8 {name = "jo"} {
// CHECK-NEXT: cin.forall %[[II:.*]] = %n by 4 in %[[IO]] {name = "ii"} {
// CHECK-NEXT: cin.forall %[[JI:.*]] = %n by 8 in %[[JO]] {name = "ji"} {
// CHECK-NEXT: cin.assign %C[%[[IO]] + %[[II]], %[[JO]] + %[[JI]]] {
func.func @tile(%C: !D loc("C"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<tile(i, j, io, jo, ii, ji, 4, 8)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !D
    }
  }
  return
}

// Of a label that is cut, what the loop over a part looks up, and how it merges, stays.
// CHECK-LABEL: @locate
// CHECK: cin.forall %[[JO:.*]] = %n by 4 {name = "jo"} {
// CHECK-NEXT: cin.forall %{{.*}} = %n by 4 in %[[JO]] locating %A : !ta.storage<tensor<?x?xf64>> {gallop = false, name = "ji"} {
func.func @locate(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<locate(j, "A(i, j)"), mergeby(j, TwoFinger), split(j, jo, ji, 4)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// CHECK-LABEL: @atomic
// CHECK: cin.forall %{{.*}} = %n {mark = #ta.mark<thread with atomic>, name = "j"} {
// CHECK-NEXT: cin.forall %{{.*}} = %n {mark = #ta.mark<thread>, name = "i"} {
func.func @atomic(%y: !V loc("y"), %A: !D loc("A"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<parallelize(i, CPUThread, NoRaces), reorder(j, i), parallelize(j, CPUThread, Atomics)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %y[%i] combine add {
        %a = cin.access %A[%j, %i] : !D
        cin.yield %a : f64
      } : !V
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'reorder(i, q)' is not possible: there is no loop over 'q'; the loops are over i}}
func.func @unknown_label(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<reorder(i, q)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{there is no scheduling command 'skew'; there are reorder, split, divide, tile, fuse, pos, collapse, precompute, convert, materialize, ttgt, separate, fold, extract, accumulate, inline, share, specialize, assemble, assume, bound, mergeby, locate, contract, parallelize, distribute, communicate, rotate, vectorize, unroll}}
func.func @unknown_command(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<skew(i, 2)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!S = !ta.storage<tensor<f64>>
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'reorder(j, i)' is not possible: the loop over 'i' is not directly inside or around those over the other labels}}
func.func @across_a_sum(%y: !V, %x: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<reorder(j, i)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    %t = cin.temp max : !S
    cin.where {
      cin.forall %j = %n {name = "j"} {
        cin.assign %t[] combine max {
          %a = cin.access %x[%j] : !V
          cin.yield %a : f64
        } : !S
      }
    } do {
      cin.assign %y[%i] {
        %u = cin.access %t[] : !S
        cin.yield %u : f64
      } : !V
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'split(i, io, ii, 0)' is not possible: there is at least one part, of at least one value}}
func.func @no_parts(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<split(i, io, ii, 0)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'split(i, io, i, 2)' is not possible: there is a loop over 'i' already}}
func.func @taken_name(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<split(i, io, i, 2)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'split(io, a, b, 2)' is not possible: 'io' is a part of another label already}}
func.func @part_of_part(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<split(i, io, ii, 4), split(io, a, b, 2)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{the units so far are CPUThread and CPUVector, not 'GPUBlock'}}
func.func @other_unit(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<parallelize(i, GPUBlock, NoRaces)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!D = !ta.storage<tensor<?x?xf64>>
// expected-error @below {{'reorder(j, i)' is not possible: the loop over 'j' is walked with another}}
func.func @reorder_collapsed(%C: !D, %A: !D, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<collapse(i, j), reorder(j, i)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !D
    }
  }
  return
}

// -----
!D = !ta.storage<tensor<?x?xf64>>
// expected-error @below {{'vectorize(i, 8)' is not possible: the loop over 'i' runs in threads already: split it, so that there are two loops}}
func.func @vectorize_outer(%C: !D, %A: !D, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<parallelize(i, CPUThread, NoRaces), vectorize(i, 8)>} {
  cin.build %C : !D
  cin.forall %i = %n {name = "i"} {
    cin.forall %j = %n {name = "j"} {
      cin.assign %C[%i, %j] {
        %a = cin.access %A[%i, %j] : !D
        cin.yield %a : f64
      } : !D
    }
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'vectorize(i, 3)' is not possible: a vector has 2, 4, 8, ... or 64 values}}
func.func @odd_vector(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<vectorize(i, 3)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'unroll(i, 1)' is not possible: 2 to 1024 iterations can follow each other}}
func.func @unroll_one(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<unroll(i, 1)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}

// -----
!V = !ta.storage<tensor<?xf64>>
// expected-error @below {{'convert(y, Dense)' is not possible: it is about the tensors of a program, before there are loops}}
func.func @tensors_of_a_program(%y: !V, %n: index)
    attributes {strata.kernel, strata.schedule = #ta.schedule<convert(y, Dense)>} {
  cin.build %y : !V
  cin.forall %i = %n {name = "i"} {
    cin.assign %y[%i] {
      %c = arith.constant 1.0 : f64
      cin.yield %c : f64
    } : !V
  }
  return
}
