// Statements become loops over the labels of the left side, then over those of each sum where it stands,
// whatever the formats; what is to be done with them stands on the kernel.
// RUN: strata-opt %s --convert-ta-to-cin --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// The sum that is the whole right side is accumulated in the result.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @spmm
// CHECK-SAME: strata.schedule = #ta.schedule<reorder(i, k, j)>
// CHECK-NOT: cin.where
// CHECK: cin.build %out like(%A)
// CHECK: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: cin.forall %[[J:.*]] = %r {name = "j"} {
// CHECK-NEXT: cin.forall %[[K:.*]] = %m {name = "k"} {
// CHECK-NEXT: cin.assign %out[%[[I]], %[[J]]] combine add {
func.func @spmm(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64> loc("B"), %n: index loc("n"),
                %m: index loc("m"), %r: index loc("r")) -> tensor<?x?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %r] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64>) sizes(%n, %r)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// Other sums are scalars, innermost; a label that comes again gets a number.
// CHECK-LABEL: @sums
// CHECK-NOT: strata.schedule
// CHECK: cin.forall %[[I:.*]] = %n {name = "i"} {
// CHECK-NEXT: %[[T:.*]] = cin.temp add {name = "t_j"}
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %{{.*}} = %n {name = "j"} {
// CHECK-NEXT: cin.assign %[[T]][] combine add
// CHECK: } do {
// CHECK-NEXT: %[[U:.*]] = cin.temp max {name = "t_j2"}
// CHECK-NEXT: cin.where {
// CHECK-NEXT: cin.forall %{{.*}} = %n {name = "j2"} {
// CHECK-NEXT: cin.assign %[[U]][] combine max
// CHECK: } do {
// CHECK-NEXT: cin.assign %out[%[[I]]] {
// CHECK-DAG: cin.access %[[T]][]
// CHECK-DAG: cin.access %[[U]][]
func.func @sums(%A: tensor<?x?xf64> loc("A"), %x: tensor<?xf64> loc("x"), %n: index loc("n"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64>, tensor<?xf64>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64>
      ta.yield %a : f64
    }
    %m = ta.reduce max [%j = %n] attributes {names = ["j"]} : f64 {
      %b = ta.access %x[%j] : tensor<?xf64>
      ta.yield %b : f64
    }
    %d = arith.divf %s, %m : f64
    ta.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// -----
// A statement's own schedule takes the place of the compiler's choice.
// CHECK-LABEL: @scheduled
// CHECK-SAME: strata.schedule = #ta.schedule<reorder(j, i)>
func.func @scheduled(%A: tensor<?x?xf64> loc("A"), %n: index loc("n")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64>
      out [%i, %j] attributes {names = ["i", "j"], schedule = #ta.schedule<reorder(j, i)>} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}

// -----

// The result takes the pattern of the operand, which the loops give to those that have none.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @scale
// CHECK-SAME: strata.schedule = #ta.schedule<assemble(out, Inherit)>
func.func @scale(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index, %m: index) -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = arith.negf %a : f64
    ta.yield %b : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}
