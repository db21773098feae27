// Masks of what is gathered row by row say once for a row which coordinates count.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl --strata-admit-masks --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @masked
// CHECK: %[[ROW:.*]] = lvl.iterator
// CHECK: %[[MASK:.*]] = lvl.iterator
// CHECK: %[[ADMITTED:.*]] = lvl.admit %{{.*}} over %[[MASK]]
// CHECK: %[[GATHERED:.*]] = lvl.coiterate "j" over (%[[ROW]]) inits(%[[ADMITTED]] : !lvl.builder)
// CHECK: lvl.coiterate "k" over (%{{.*}}, %{{.*}}) {{.*}}admitting = 1
// CHECK: lvl.insert {{.*}} {admitted}
// CHECK: %[[KNOWN:.*]] = lvl.dismiss %[[GATHERED]] over %[[MASK]]
// CHECK: lvl.close %[[KNOWN]][1]
func.func @masked(%A: tensor<?x?xf64, #CSR>, %M: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {missing, names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%j, %k] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      %m = ta.access %M[%i, %k] {missing} : tensor<?x?xf64, #CSR>
      %r = ta.masked %p by %m : f64, f64
      ta.yield %r : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// A factor is no mask: its value is needed.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @factor
// CHECK-NOT: lvl.admit
// CHECK: return
func.func @factor(%A: tensor<?x?xf64, #CSR>, %M: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%j, %k] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      %m = ta.access %M[%i, %k] : tensor<?x?xf64, #CSR>
      %q = arith.mulf %p, %m : f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// How often something came is never zero: the values say themselves what came.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @counts
// CHECK: lvl.admit %{{.*}} over %{{.*}} shown
func.func @counts(%A: tensor<?x?xf64, #CSR>, %M: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {missing, names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] {missing} : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%j, %k] {missing} : tensor<?x?xf64, #CSR>
      %one = arith.constant 1.0 : f64
      %p = ta.masked %one by %a : f64, f64
      %q = ta.masked %p by %b : f64, f64
      %m = ta.access %M[%i, %k] {missing} : tensor<?x?xf64, #CSR>
      %r = ta.masked %q by %m : f64, f64
      ta.yield %r : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// Integers count up to zero again.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @counts_modulo
// CHECK: lvl.admit
// CHECK-NOT: shown
// CHECK: return
func.func @counts_modulo(%A: tensor<?x?xi8, #CSR>, %M: tensor<?x?xi8, #CSR>, %n: index) -> tensor<?x?xi8, #CSR>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A, %M : tensor<?x?xi8, #CSR>, tensor<?x?xi8, #CSR>) sizes(%n, %n)
      -> tensor<?x?xi8, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {missing, names = ["j"]} : i8 {
      %a = ta.access %A[%i, %j] {missing} : tensor<?x?xi8, #CSR>
      %b = ta.access %A[%j, %k] {missing} : tensor<?x?xi8, #CSR>
      %one = arith.constant 1 : i8
      %p = ta.masked %one by %a : i8, i8
      %q = ta.masked %p by %b : i8, i8
      %m = ta.access %M[%i, %k] {missing} : tensor<?x?xi8, #CSR>
      %r = ta.masked %q by %m : i8, i8
      ta.yield %r : i8
    }
    ta.yield %s : i8
  }
  return %y : tensor<?x?xi8, #CSR>
}
