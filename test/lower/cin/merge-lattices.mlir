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
