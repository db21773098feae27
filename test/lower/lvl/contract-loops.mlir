// Loops that are marked as a contraction become an operation, and stay beside it for few products.
// RUN: strata-opt %s --convert-cin-to-lvl --strata-place-fills --canonicalize --cse --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: strata-opt %s --convert-cin-to-lvl="contractions=false" | FileCheck %s --check-prefix=LOOPS
// LOOPS-NOT: lvl.contract
!S = !ta.storage<tensor<f64>>
!D = !ta.storage<tensor<?x?xf64>>
!F = !ta.storage<tensor<?x?xf32>>
!H = !ta.storage<tensor<?x?xf16>>
!R = !ta.storage<tensor<?x?x?xf64, #ta.format<(i, j, k) -> (i : compressed, j : dense, k : dense)>>>

// The sum is outermost, so that the loops cover the result again and again: only they need the fill before.
// CHECK-LABEL: func @covered
// CHECK: %[[BUILT:.*]] = lvl.build %C unfilled
// CHECK: %[[ALL:.*]] = arith.muli %{{[0-9]+}}, %n
// CHECK: arith.cmpi sge, %[[ALL]], %c40000
// CHECK: arith.cmpi sge, %n, %c4
// CHECK: scf.if
// CHECK: %[[A:.*]] = lvl.values %A : !ta.storage<tensor<?x?xf64>> -> memref<?xf64>
// CHECK: %[[ROW:[^,]*]], %[[WIDTH:[^ ]*]] = lvl.children %{{.*}}[1] of %c0 to %c1
// CHECK: %[[C:.*]] = lvl.values %[[BUILT]] : !lvl.builder -> memref<?xf64>
// CHECK: %[[PIECES:.*]] = lvl.pieces %[[BUILT]]
// CHECK: lvl.contract %[[A]][%{{.*}}] by(%[[WIDTH]], %c1, %c0)
// CHECK-SAME: into %[[C]]
// CHECK-SAME: over (summed %n, row %n, column %n) pieces %[[PIECES]] sums add of mul {nesting = array<i64: 0, 1, 0>, overwrites}
// CHECK: } else {
// CHECK-NEXT: lvl.fill %[[BUILT]]
// CHECK-NEXT: lvl.coiterate "k"
func.func @covered(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %C : !D
  cin.forall %k = %n {contracted, name = "k"} {
    cin.forall %i = %n {contracted, name = "i"} {
      cin.forall %j = %n {contracted, name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%k, %i] : !D
          %b = cin.access %B[%k, %j] : !D
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !D
      }
    }
  }
  return
}

// Other terms are stored first, by the same loops without the sum. The result's neighbours are columns, whichever operand has
// them.
// CHECK-LABEL: func @terms
// CHECK: scf.if
// CHECK: %[[REST:.*]] = lvl.coiterate "i"
// CHECK: lvl.coiterate "j"
// CHECK-NOT: lvl.coiterate
// CHECK: lvl.store %{{.*}} at %{{.*}}, %{{[^ ]*}} : f64
// CHECK: lvl.contract
// CHECK-SAME: over (column %n, row %n, summed %n) pieces %{{[^ ]*}} sums add of mul scaled(%{{.*}} : f64) {negates, nesting = array<i64: 0, 1, 0>}
// CHECK: } else {
// CHECK: lvl.coiterate "k"
func.func @terms(%C: !D loc("C"), %A: !D loc("A"), %B: !D loc("B"), %E: !D loc("E"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %C : !D
  cin.forall %i = %n {contracted, name = "i"} {
    cin.forall %j = %n {contracted, name = "j"} {
      %t = cin.temp add {name = "t"} : !S
      cin.where {
        cin.forall %k = %n {contracted, name = "k"} {
          cin.assign %t[] combine add {
            %a = cin.access %A[%i, %k] : !D
            %b = cin.access %B[%k, %j] : !D
            %p = arith.mulf %a, %b : f64
            cin.yield %p : f64
          } : !S
        }
      } do {
        cin.assign %C[%j, %i] {
          %s = cin.access %t[] : !S
          %e = cin.access %E[%i, %j] : !D
          %two = arith.constant 2.0 : f64
          %q = arith.mulf %two, %s : f64
          %d = arith.subf %e, %q : f64
          cin.yield %d : f64
        } : !D
      }
    }
  }
  return
}

// Blocks that are stored below a loop over a sparse operand: the outermost label is not counted.
// CHECK-LABEL: func @below
// CHECK: lvl.coiterate "b" over
// CHECK: arith.cmpi sge, %{{.*}}, %c4096
// CHECK: scf.if
// CHECK: lvl.contract
// CHECK-SAME: over (row %n, summed %n, column %n) sums add of mul
func.func @below(%C: !D loc("C"), %A: !R loc("A"), %B: !D loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %C : !D
  cin.forall %b = %n {name = "b"} {
    cin.forall %i = %n {contracted, name = "i"} {
      cin.forall %k = %n {contracted, name = "k"} {
        cin.forall %j = %n {contracted, name = "j"} {
          cin.assign %C[%i, %j] combine add {
            %a = cin.access %A[%b, %i, %k] : !R
            %x = cin.access %B[%k, %j] : !D
            %p = arith.mulf %a, %x : f64
            cin.yield %p : f64
          } : !D
        }
      }
    }
  }
  return
}

// Operands of fewer bits are widened while they are packed; a least sum has no factor.
// CHECK-LABEL: func @narrow
// CHECK: lvl.contract {{.*}} sums add of mul {{.*}} : memref<?xf16>, memref<?xf32>, memref<?xf32>
// CHECK-LABEL: func @shortest
// CHECK: lvl.contract {{.*}} sums min of add
func.func @narrow(%C: !F loc("C"), %A: !H loc("A"), %B: !F loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %C : !F
  cin.forall %i = %n {contracted, name = "i"} {
    cin.forall %k = %n {contracted, name = "k"} {
      cin.forall %j = %n {contracted, name = "j"} {
        cin.assign %C[%i, %j] combine add {
          %a = cin.access %A[%i, %k] : !H
          %wide = arith.extf %a : f16 to f32
          %b = cin.access %B[%k, %j] : !F
          %p = arith.mulf %wide, %b : f32
          cin.yield %p : f32
        } : !F
      }
    }
  }
  return
}
func.func @shortest(%C: !F loc("C"), %A: !F loc("A"), %B: !F loc("B"), %n: index loc("n"))
    attributes {strata.kernel, strata.schedule = #ta.schedule<>} {
  cin.build %C {initial = 0x7F800000 : f32} : !F
  cin.forall %i = %n {contracted, name = "i"} {
    cin.forall %k = %n {contracted, name = "k"} {
      cin.forall %j = %n {contracted, name = "j"} {
        cin.assign %C[%i, %j] combine min {
          %a = cin.access %A[%i, %k] : !F
          %b = cin.access %B[%k, %j] : !F
          %p = arith.addf %a, %b : f32
          cin.yield %p : f32
        } : !F
      }
    }
  }
  return
}
