// Where a body for each case would be too much code, loops have one for all cases, the outer first.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl=most-code=1 | strata-opt | FileCheck %s
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl=most-code=1 --strata-admit-masks --convert-lvl-to-scf | FileCheck %s --check-prefix=SCF
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl=most-code=250 | FileCheck %s --check-prefix=OUTER
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl | FileCheck %s --check-prefix=CASES

// A is there only with B, but neither without the other nor C decides alone: with C, all is.
// CHECK: lvl.coiterate "i" over ({{.*}}, {{.*}}, {{.*}}) inits({{.*}}) attributes {predicates = [array<i64: 0, 1>, array<i64: 2>]}
// CHECK-SAME: case [0, 1, 2] (%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[A:[^,]*]], %[[B:[^,]*]], %[[C:[^,]*]], %{{[^,]*}}) {
// CHECK: lvl.coiterate "j" over {{.*}} attributes {predicates = [array<i64: 0, 1>, array<i64: 2>]}
// CHECK-NOT: lvl.coiterate

// One loop for each variable, however many cases there are.
// SCF-COUNT-2: scf.while
// SCF-NOT: scf.while

// The inner loop, in which the time is spent, keeps its cases where these alone are not too many.
// OUTER: lvl.coiterate "i" {{.*}}predicates
// OUTER: lvl.coiterate "j"
// OUTER-NOT: predicates
// OUTER-SAME: case [0, 1, 2]
// OUTER-NOT: lvl.coiterate

// CASES-NOT: predicates
#S = #ta.format<(i, j) -> (i : compressed, j : compressed)>
func.func @mixed(%A: tensor<?x?xf64, #S> loc("A"), %B: tensor<?x?xf64, #S> loc("B"),
                 %C: tensor<?x?xf64, #S> loc("C"), %n: index loc("n"))
    -> tensor<?x?xf64, #S> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %n]
      ins(%A, %B, %C : tensor<?x?xf64, #S>, tensor<?x?xf64, #S>, tensor<?x?xf64, #S>)
      sizes(%n, %n) -> tensor<?x?xf64, #S> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #S>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #S>
    %c = ta.access %C[%i, %j] : tensor<?x?xf64, #S>
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %c : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #S>
}
