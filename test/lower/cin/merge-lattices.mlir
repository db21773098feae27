// Which cases of presence matter at a loop: those in which the statement has an effect.
// RUN: strata-opt %s --convert-ta-to-cin --print-merge-lattices -o /dev/null | FileCheck %s
#V = #ta.format<(i) -> (i : compressed)>

// CHECK-LABEL: sum:
// CHECK-NEXT:   i: {storage 1, storage 2}, {storage 1}, {storage 2}
func.func @sum(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] : tensor<?xf64, #V>
    %1 = ta.access %b[%i] : tensor<?xf64, #V>
    %2 = arith.addf %0, %1 : f64
    ta.yield %2 : f64
  }
  return %y : tensor<?xf64, #V>
}

// CHECK-LABEL: product:
// CHECK-NEXT:   i: {storage 1, storage 2}
func.func @product(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] : tensor<?xf64, #V>
    %1 = ta.access %b[%i] : tensor<?xf64, #V>
    %2 = arith.mulf %0, %1 : f64
    ta.yield %2 : f64
  }
  return %y : tensor<?xf64, #V>
}

// (a + b) * c
// CHECK-LABEL: sampled:
// CHECK-NEXT:   i: {storage 1, storage 2, storage 3}, {storage 1, storage 3}, {storage 2, storage 3}
func.func @sampled(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>, %n: index)
    -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b, %c : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] : tensor<?xf64, #V>
    %1 = ta.access %b[%i] : tensor<?xf64, #V>
    %2 = ta.access %c[%i] : tensor<?xf64, #V>
    %3 = arith.addf %0, %1 : f64
    %4 = arith.mulf %3, %2 : f64
    ta.yield %4 : f64
  }
  return %y : tensor<?xf64, #V>
}

// a * b + c: b alone changes nothing, nor does a.
// CHECK-LABEL: mixed:
// CHECK-NEXT:   i: {storage 1, storage 2, storage 3}, {storage 1, storage 2}, {storage 3}
func.func @mixed(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>, %n: index)
    -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b, %c : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] : tensor<?xf64, #V>
    %1 = ta.access %b[%i] : tensor<?xf64, #V>
    %2 = ta.access %c[%i] : tensor<?xf64, #V>
    %3 = arith.mulf %0, %1 : f64
    %4 = arith.addf %3, %2 : f64
    ta.yield %4 : f64
  }
  return %y : tensor<?xf64, #V>
}

// a * b + c * d: what lacks a factor is treated like the other product alone.
// CHECK-LABEL: products:
// CHECK-NEXT:   i: {storage 1, storage 2, storage 3, storage 4}, {storage 1, storage 2}, {storage 3, storage 4}
func.func @products(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %c: tensor<?xf64, #V>, %d: tensor<?xf64, #V>,
                    %n: index) -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b, %c, %d : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>)
      sizes(%n) -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] : tensor<?xf64, #V>
    %1 = ta.access %b[%i] : tensor<?xf64, #V>
    %2 = ta.access %c[%i] : tensor<?xf64, #V>
    %3 = ta.access %d[%i] : tensor<?xf64, #V>
    %4 = arith.mulf %0, %1 : f64
    %5 = arith.mulf %2, %3 : f64
    %6 = arith.addf %4, %5 : f64
    ta.yield %6 : f64
  }
  return %y : tensor<?xf64, #V>
}

// One of either: b is read where a is not there, though it has no say where a is.
// CHECK-LABEL: either:
// CHECK-NEXT:   i: {storage 1, storage 2}, {storage 1}, {storage 2}
func.func @either(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] {missing} : tensor<?xf64, #V>
    %1 = ta.access %b[%i] {missing} : tensor<?xf64, #V>
    %2 = ta.union %0, %1, %0 : f64
    ta.yield %2 : f64
  }
  return %y : tensor<?xf64, #V>
}

// a where b is not: more may have less effect.
// CHECK-LABEL: without:
// CHECK-NEXT:   i: {storage 1, storage 2}, {storage 1}
func.func @without(%a: tensor<?xf64, #V>, %b: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%a, %b : tensor<?xf64, #V>, tensor<?xf64, #V>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %0 = ta.access %a[%i] : tensor<?xf64, #V>
    %1 = ta.access %b[%i] {missing} : tensor<?xf64, #V>
    %2 = ta.unmasked %0 by %1 : f64, f64
    ta.yield %2 : f64
  }
  return %y : tensor<?xf64, #V>
}
