// Whose memory there is: what is taken over, what is handed on, and what is given back.
// RUN: strata-opt %s --ta-place-storage | FileCheck %s

// The statement reads A last, and y is nobody else's; t is never used.
// CHECK-LABEL: @update
// CHECK-SAME:  (%[[A:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>, %[[T:.*]]: tensor<?xf64>
// CHECK-NEXT:  ta.release %[[T]] : tensor<?xf64>
// CHECK-NEXT:  %[[N:.*]] = ta.dim %[[A]], 0
// CHECK-NEXT:  %[[R:.*]] = ta.compute {{.*}} init(%[[Y]] : tensor<?xf64>) {{.*}} attributes {in_place}
// CHECK:       ta.release %[[A]] : tensor<?xf64>
// CHECK-NEXT:  return %[[R]]
func.func @update(%A: tensor<?xf64>, %y: tensor<?xf64>, %t: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?xf64>
  %0 = ta.compute [%i = %n] ins(%A : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>) combine add
                  -> tensor<?xf64> out [%i] {
    %a = ta.access %A[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %0 : tensor<?xf64>
}

// What is read as it was before is not written in place, nor what is needed later. That a size is
// asked for is no need.
// CHECK-LABEL: @needed
// CHECK-NOT:   in_place
// CHECK:       ta.write %[[NEW:.*]], "y.mtx"
// CHECK-NEXT:  ta.release %[[NEW]] : tensor<?xf64>
// CHECK-NEXT:  ta.write %arg0
// CHECK-NEXT:  ta.release %arg0 : tensor<?xf64>
// CHECK-NEXT:  ta.dim %arg0
func.func @needed(%y: tensor<?xf64>) -> index {
  %n = ta.dim %y, 0 : tensor<?xf64>
  %0 = ta.compute [%i = %n] ins(%y : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>) combine add
                  -> tensor<?xf64> out [%i] {
    %a = ta.access %y[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  %1 = ta.compute [%i = %n] ins(%0 : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>) combine add
                  -> tensor<?xf64> out [%i] {
    %a = ta.access %0[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  ta.write %1, "y.mtx" : tensor<?xf64>
  ta.write %y, "z.mtx" : tensor<?xf64>
  %m = ta.dim %y, 0 : tensor<?xf64>
  return %m : index
}

// The loop owns x; A is read inside, and is given back behind it. What the body hands on is not
// released, its own A x is.
// CHECK-LABEL: @loop
// CHECK:       ta.loop limit 3 carry(%arg1 : tensor<?xf64>)
// CHECK-NEXT:  ^bb0(%[[X:.*]]: tensor<?xf64>):
// CHECK:         %[[NEW:.*]] = ta.compute
// CHECK:         ta.release %[[X]] : tensor<?xf64>
// CHECK-NEXT:    ta.next %[[NEW]]
// CHECK-NEXT:  } {moved = array<i64: 0>}
// CHECK-NEXT:  ta.release %arg0 : tensor<?xf64>
func.func @loop(%A: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %n = ta.dim %A, 0 : tensor<?xf64>
  %r = ta.loop limit 3 carry(%x : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%x0: tensor<?xf64>):
    %0 = ta.compute [%i = %n] ins(%A, %x0 : tensor<?xf64>, tensor<?xf64>) sizes(%n)
                    -> tensor<?xf64> out [%i] {
      %a = ta.access %A[%i] : tensor<?xf64>
      %b = ta.access %x0[%i] : tensor<?xf64>
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.next %0 : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Values that are put back are taken over, and so is the tensor whose levels they get; of what is
// needed later the levels are copied.
// CHECK-LABEL: @values
// CHECK:       %[[V:.*]] = ta.values %arg0, 0
// CHECK:       %[[W:.*]] = ta.compute
// CHECK:       ta.release %[[V]] : tensor<?xf64>
// CHECK-NEXT:  ta.with_values %arg0(%[[W]]) {moved = array<i64: 1>}
// CHECK-NEXT:  ta.with_values %arg0(%arg1) {moved = array<i64: 0, 1>}
#H = #ta.format<(i) -> (i : hashed)>
func.func @values(%A: tensor<?xf64, #H>, %x: tensor<?xf64>)
    -> (tensor<?xf64, #H>, tensor<?xf64, #H>) {
  %v = ta.values %A, 0 : tensor<?xf64, #H> to tensor<?xf64>
  %n = ta.dim %v, 0 : tensor<?xf64>
  %w = ta.compute [%p = %n] ins(%v : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%p] {
    %a = ta.access %v[%p] : tensor<?xf64>
    %b = arith.addf %a, %a : f64
    ta.yield %b : f64
  }
  %B = ta.with_values %A(%w) : (tensor<?xf64, #H>, tensor<?xf64>) -> tensor<?xf64, #H>
  %C = ta.with_values %A(%x) : (tensor<?xf64, #H>, tensor<?xf64>) -> tensor<?xf64, #H>
  return %B, %C : tensor<?xf64, #H>, tensor<?xf64, #H>
}
