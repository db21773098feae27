// At each loop: which operands are walked, which are located, and which cases of presence matter.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
#V = #ta.format<(i) -> (i : compressed)>

// A sum: the union. Where one operand is absent, -0.0 in its place changes nothing.
// CHECK-LABEL: @union
// CHECK: lvl.coiterate "i" over (%{{.*}}, %{{.*}}) inits({{.*}}) attributes {neutrals = [-0.000000e+00, -0.000000e+00]} case [0, 1] ({{.*}}) {
// CHECK: arith.addf
// CHECK: } case [0] (
// CHECK-NOT: arith.addf
// CHECK: } case [1] (
// CHECK-NOT: case
// CHECK: lvl.finalize
func.func @union(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"), %n: index loc("n"))
    -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// 0 - b is what becomes of the difference without a; a - 0 is a.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @difference
// CHECK: lvl.coiterate "i" {{.*}} attributes {neutrals = [0.000000e+00, 0.000000e+00]}
func.func @difference(%A: tensor<?xf64, #V>, %B: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %two = arith.constant 2.0 : f64
    %c = arith.mulf %two, %b : f64
    %s = arith.subf %a, %c : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// Nothing stands for an absent operand of (a + b) * (a - b), which is 0 - b where a is absent but for
// the factor that is b: no constant is right for both.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @both
// CHECK: lvl.coiterate "i"
// CHECK-NOT: neutrals
// CHECK: return
func.func @both(%A: tensor<?xf64, #V>, %B: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    %d = arith.subf %a, %b : f64
    %p = arith.mulf %s, %d : f64
    ta.yield %p : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// A product: the intersection.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @intersection
// CHECK: lvl.coiterate "i" over (%{{.*}}, %{{.*}}) inits({{.*}}) case [0, 1] ({{.*}}) {
// CHECK-NOT: case
// CHECK: lvl.finalize
func.func @intersection(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"), %n: index loc("n"))
    -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = arith.mulf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// (B + C) * D: nothing where D is absent, nor where both B and C are.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @mixed
// CHECK: lvl.coiterate "i" over (%{{.*}}, %{{.*}}, %{{.*}}) inits({{.*}}) case [0, 1, 2] ({{.*}}) {
// CHECK: } case [0, 2] (
// CHECK: } case [1, 2] (
// CHECK-NOT: case
// CHECK: lvl.finalize
func.func @mixed(%B: tensor<?xf64, #V> loc("B"), %C: tensor<?xf64, #V> loc("C"), %D: tensor<?xf64, #V> loc("D"),
                 %n: index loc("n")) -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%B, %C, %D : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>)
      sizes(%n) -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %a = ta.access %B[%i] : tensor<?xf64, #V>
    %b = ta.access %C[%i] : tensor<?xf64, #V>
    %c = ta.access %D[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    %t = arith.mulf %s, %c : f64
    ta.yield %t : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// A * B + C: where A or B is missing, C alone says what comes out.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @product_plus
// CHECK: lvl.coiterate "i" over (%{{.*}}, %{{.*}}, %{{.*}}) inits({{.*}}) case [0, 1, 2] ({{.*}}) {
// CHECK: } case [0, 1] (
// CHECK: } case [2] (
// CHECK-NOT: case
// CHECK: lvl.finalize
func.func @product_plus(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"),
                        %C: tensor<?xf64, #V> loc("C"), %n: index loc("n")) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B, %C : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>)
      sizes(%n) -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %c = ta.access %C[%i] : tensor<?xf64, #V>
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %c : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// B + a sum: the sum has terms, and all values are stored; or it has none, and B's entries are.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @empty_sum
// CHECK: %[[SUM:.*]]:2 = lvl.coiterate "k" {{.*}} case [0] (
// CHECK: arith.addf
// CHECK: lvl.yield %{{.*}}, %true
// CHECK: scf.if %[[SUM]]#1 -> ({{.*}}) {
// CHECK: lvl.coiterate "i" universe %{{.*}} over (%{{[^,]*}}) inits({{.*}}) case [0] (
// CHECK: } case [] (
// CHECK: } else {
// CHECK: lvl.coiterate "i" over (%{{[^,]*}}) inits({{.*}}) case [0] (
// CHECK-NOT: addf
// CHECK-NOT: case
// CHECK: lvl.finalize
func.func @empty_sum(%B: tensor<?xf64, #V> loc("B"), %C: tensor<?xf64, #V> loc("C"), %n: index loc("n"),
                     %m: index loc("m")) -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%B, %C : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %c = ta.access %C[%k] : tensor<?xf64, #V>
      ta.yield %c : f64
    }
    %r = arith.addf %b, %s : f64
    ta.yield %r : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// s * B + t * C: which of them is stored is asked where it is stored.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @two_empty_sums
// CHECK: %[[S:.*]]:2 = lvl.coiterate "k"
// CHECK: %[[T:.*]]:2 = lvl.coiterate "l"
// CHECK: %[[ANY:.*]] = arith.ori %[[S]]#1, %[[T]]#1
// CHECK: scf.if %[[ANY]]
// CHECK: lvl.coiterate "i" {{.*}} case [0, 1] (
// CHECK: } case [0] (
// CHECK: scf.if %[[S]]#1
// CHECK: } case [1] (
// CHECK: scf.if %[[T]]#1
// CHECK: } else {
// CHECK-NOT: coiterate
// CHECK: lvl.finalize
func.func @two_empty_sums(%B: tensor<?xf64, #V> loc("B"), %C: tensor<?xf64, #V> loc("C"), %n: index loc("n"),
                          %m: index loc("m")) -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%B, %C : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %c = ta.access %C[%i] : tensor<?xf64, #V>
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %v = ta.access %C[%k] : tensor<?xf64, #V>
      ta.yield %v : f64
    }
    %t = ta.reduce add [%l = %m] attributes {names = ["l"]} : f64 {
      %v = ta.access %B[%l] : tensor<?xf64, #V>
      ta.yield %v : f64
    }
    %p = arith.mulf %s, %b : f64
    %q = arith.mulf %t, %c : f64
    %r = arith.addf %p, %q : f64
    ta.yield %r : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// A + 1 has a value everywhere.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @everywhere
// CHECK: lvl.coiterate "i" universe %n over (%{{.*}}) inits({{.*}}) case [0] ({{.*}}) {
// CHECK: } case [] (
func.func @everywhere(%A: tensor<?xf64, #V> loc("A"), %n: index loc("n")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %one = arith.constant 1.0 : f64
    %s = arith.addf %a, %one : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Rows that are not stored are dense rows; the dense operand is located everywhere.
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed)>
// CHECK-LABEL: @dcsr_plus_dense
// CHECK: lvl.coiterate "i" universe %n over (%{{.*}}) inits({{.*}}) case [0] ({{.*}}) {
// CHECK: lvl.coiterate "j" universe %m over (%{{.*}}) inits({{.*}}) case [0] (
// CHECK: } case [] (
// CHECK: } case [] (
// CHECK: lvl.coiterate "j" universe %m over () inits({{.*}}) case [] (
func.func @dcsr_plus_dense(%A: tensor<?x?xf64, #DCSR> loc("A"), %B: tensor<?x?xf64> loc("B"), %n: index loc("n"),
                           %m: index loc("m")) -> tensor<?x?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #DCSR>, tensor<?x?xf64>) sizes(%n, %m)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #DCSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// What can be located is not walked where another operand is walked in every case.
#V = #ta.format<(i) -> (i : compressed)>
#H = #ta.format<(i) -> (i : hashed)>
// CHECK-LABEL: @locate_hashed
// CHECK: lvl.coiterate "i" over (%{{[^,]*}}) inits({{.*}}) attributes {pieces = 0 : i64} case [0] (
// CHECK: %{{.*}}, %[[FOUND:.*]] = lvl.locate
// CHECK: scf.if %[[FOUND]]
func.func @locate_hashed(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #H> loc("B"), %n: index loc("n"))
    -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #V>, tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #V>
      out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #H>
    %s = arith.mulf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// A window passes over what lies outside; so does a plain access of a kernel marked windowed.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK: #[[SHIFT:.*]] = affine_map<()[s0] -> (s0 - 1)>
// CHECK-LABEL: @window
// CHECK: lvl.iterator %{{.*}}[0] fixed() steps [unit] compose #[[SHIFT]] extent %n
func.func @window(%A: tensor<?xf64, #V> loc("A"), %n: index loc("n")) -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i + 1] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @plain
// CHECK: lvl.iterator
// CHECK-NOT: extent
// CHECK: lvl.coiterate
func.func @plain(%A: tensor<?xf64, #V> loc("A"), %n: index loc("n")) -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// CHECK-LABEL: @part
// CHECK: lvl.iterator {{.*}} extent %n
func.func @part(%A: tensor<?xf64, #V> loc("A"), %n: index loc("n")) -> tensor<?xf64>
    attributes {strata.kernel, strata.assumptions = #ta.assumptions<windowed>} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// Several diagonals keep i, j and k inside the tensor only together: until all are known, values
// beyond the loop are passed over.
#DIA3 = #ta.format<(i, j, k) -> (j - i : compressed, k - j : compressed, i : range, j : offset, k : offset)>
// CHECK-LABEL: @diagonals
// CHECK: lvl.iterator %{{.*}}[0] {{.*}} extent
// CHECK: lvl.iterator %{{.*}}[1]
// CHECK-NOT: extent
// CHECK: return
func.func @diagonals(%A: tensor<?x?x?xf64, #DIA3>, %B: tensor<?x?x?xf64>, %n: index)
    -> tensor<?x?x?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %n, %k = %n] ins(%A, %B : tensor<?x?x?xf64, #DIA3>, tensor<?x?x?xf64>)
      sizes(%n, %n, %n) -> tensor<?x?x?xf64> out [%i, %j, %k] attributes {names = ["i", "j", "k"]} {
    %a = ta.access %A[%i, %j, %k] : tensor<?x?x?xf64, #DIA3>
    %b = ta.access %B[%i, %j, %k] : tensor<?x?x?xf64>
    %s = arith.subf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?x?xf64>
}

// -----
// Loops over the entries in a chunk begin and end where it does: the parents of its first and of its
// last position bound the rows. What a chunk shares with the one before is kept apart, and added when
// all have run.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @chunks
// CHECK: lvl.root %A
// CHECK: %[[P:.*]], %[[Q:.*]] = lvl.position
// CHECK: %[[FIRST0:.*]], %[[LAST0:.*]] = lvl.children %{{.*}}[0] of %[[P]] to %[[Q]]
// CHECK: %[[FIRST1:.*]], %[[LAST1:.*]] = lvl.children %{{.*}}[1] of %[[FIRST0]] to %[[LAST0]]
// CHECK: %[[COUNT:.*]] = arith.ceildivui
// CHECK: lvl.workspace {{.*}} shared
// CHECK: lvl.coiterate "c" universe %[[COUNT]] over () {{.*}} attributes {pieces = 0 : i64} case [] (%[[C:.*]], %{{.*}}) {
// CHECK: %[[BEGIN:.*]] = arith.addi %[[FIRST1]], %{{.*}}
// CHECK: %[[END:.*]] = arith.minui %{{.*}}, %[[LAST1]]
// CHECK: %[[UP:.*]] = lvl.parent %{{.*}}[1] of %[[BEGIN]] among %[[FIRST0]] to %[[LAST0]]
// CHECK: lvl.parent %{{.*}}[1] of %{{.*}} among %[[UP]] to %[[LAST0]]
// CHECK: lvl.coordinate
// CHECK: lvl.coiterate "i" universe
// CHECK: lvl.iterator {{.*}} within %[[BEGIN]] to %[[END]]
// CHECK: lvl.coiterate "j"
// CHECK: scf.if
// CHECK: memref.store
// CHECK: } else {
// CHECK: lvl.store
// CHECK: lvl.coiterate "c_sums" universe %[[COUNT]] over () {{.*}} attributes {collects}
// CHECK: scf.if
// CHECK: memref.load
// CHECK: lvl.store
func.func @chunks(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {schedule = #ta.schedule<fuse(i, j, f), pos(f, p, A), split(p, c, q, 8), parallelize(c, CPUThread, Temporary)>, names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
