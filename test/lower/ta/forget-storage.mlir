// Passes on programs begin as if nothing had been decided about storages.
// RUN: strata-opt %s --ta-forget-storage | FileCheck %s

// CHECK-NOT:   in_place
// CHECK-NOT:   moved
// CHECK-NOT:   ta.release
// CHECK:       return
// CHECK-NOT:   moved
// CHECK:       return
func.func @main(%y: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %x, 0 : tensor<?xf64>
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>) combine add
                  -> tensor<?xf64> out [%i] attributes {in_place} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  ta.release %x : tensor<?xf64>
  %r = ta.loop limit 3 carry(%0 : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%z: tensor<?xf64>):
    ta.next %z : tensor<?xf64>
  } {moved = array<i64: 0>}
  return %r : tensor<?xf64>
}

#H = #ta.format<(i) -> (i : hashed)>
func.func @values(%A: tensor<?xf64, #H>, %w: tensor<?xf64>) -> tensor<?xf64, #H> {
  %B = ta.with_values %A(%w) {moved = array<i64: 0, 1>}
      : (tensor<?xf64, #H>, tensor<?xf64>) -> tensor<?xf64, #H>
  return %B : tensor<?xf64, #H>
}
