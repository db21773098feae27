// Kernels ask in their outer loops whether they are to stop.
// RUN: strata-opt %s --strata-poll-interrupts | FileCheck %s

// Three loops: the outermost asks, before anything else. A caller may have no flag.
// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[CONTEXT:[^:]*]]: !llvm.ptr
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr %[[CONTEXT]][16]
// CHECK:         %[[GIVEN:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         %[[ABSENT:.*]] = llvm.icmp "eq" %[[GIVEN]], %[[NONE]]
// CHECK:         %[[STATUS:.*]] = llvm.getelementptr %[[CONTEXT]][40]
// CHECK:         %[[FLAG:.*]] = llvm.select %[[ABSENT]], %[[STATUS]], %[[GIVEN]]
// CHECK:         scf.for
// CHECK-NEXT:      %[[ASKED:.*]] = llvm.load volatile %[[FLAG]] {{.*}} : !llvm.ptr -> i32
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT:      %[[STOPS:.*]] = arith.cmpi ne, %[[ASKED]], %[[ZERO]]
// CHECK-NEXT:      scf.if %[[STOPS]] {
// CHECK-NEXT:        %[[CODE:.*]] = arith.constant 3 : index
// CHECK-NEXT:        func.call @strata_kernel_fail(%[[CONTEXT]], %[[CODE]])
// CHECK-NOT:     llvm.load
// CHECK:         return
func.func @product(%context: !llvm.ptr, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        memref.store %one, %y[%j] : memref<?xf64>
      }
    }
  }
  return
}

// Two loops ask if the inner one takes as long in each step.
// CHECK-LABEL: func.func @square(
// CHECK:         scf.for
// CHECK-NEXT:      llvm.load volatile
// CHECK:           scf.for
// CHECK-NOT:         llvm.load
// CHECK:         return
func.func @square(%context: !llvm.ptr, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %one, %y[%j] : memref<?xf64>
    }
  }
  return
}

// The entries of rows are read once.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     llvm.load
// CHECK:         return
func.func @rows(%context: !llvm.ptr, %y: memref<?xf64>, %pos: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %begin = memref.load %pos[%i] : memref<?xindex>
    %next = arith.addi %i, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    scf.for %p = %begin to %end step %c1 {
      memref.store %one, %y[%p] : memref<?xf64>
    }
  }
  return
}

// Loops of any kind count, and calls that run pieces; a lone loop does not ask.
// CHECK-LABEL: func.func @merged(
// CHECK:         scf.while
// CHECK:         } do {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      llvm.load volatile
// CHECK-COUNT-2:   scf.for
// CHECK:         scf.for
// CHECK-NEXT:      llvm.load volatile
// CHECK:           func.call @piece.all
// CHECK:         scf.for
// CHECK-NOT:       llvm.load
// CHECK:         return
func.func private @piece.all(!llvm.ptr, index) attributes {strata.pieces = @piece}
func.func private @piece(%context: !llvm.ptr, %piece: index) {
  return
}
func.func @merged(%context: !llvm.ptr, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %last = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %i step %c1 {
        memref.store %one, %y[%j] : memref<?xf64>
      }
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  scf.for %i = %c0 to %n step %c1 {
    func.call @piece.all(%context, %n) : (!llvm.ptr, index) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %y[%i] : memref<?xf64>
  }
  return
}

// Of a deep nest the innermost loop of those that would ask does. The one around it is left out, and the
// outermost asks, too: the next may have no steps in many of its own.
// CHECK-LABEL: func.func @deep(
// CHECK:         scf.for
// CHECK-NEXT:      llvm.load volatile
// CHECK:           scf.for
// CHECK-NEXT:        scf.for
// CHECK-NEXT:          llvm.load volatile
// CHECK:               scf.for
// CHECK-NEXT:            scf.for
// CHECK-NOT:     llvm.load
// CHECK:         return
func.func @deep(%context: !llvm.ptr, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %h = %c0 to %n step %c1 {
    scf.for %i = %c0 to %h step %c1 {
      scf.for %j = %c0 to %h step %c1 {
        scf.for %k = %c0 to %n step %c1 {
          scf.for %l = %c0 to %n step %c1 {
            memref.store %one, %y[%l] : memref<?xf64>
          }
        }
      }
    }
  }
  return
}

// A loop whose steps do not all come to the one that asks does, too: it may choose (@choice), or
// another nest may lie beside (@siblings).
// CHECK-LABEL: func.func @choice(
// CHECK:         scf.for
// CHECK-NEXT:      llvm.load volatile
// CHECK:           scf.if %{{.*}} {
// CHECK:           scf.if %{{.*}} {
// CHECK-NEXT:        scf.for
// CHECK-NEXT:          llvm.load volatile
// CHECK:         return
func.func @choice(%context: !llvm.ptr, %y: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %some = arith.cmpi slt, %i, %m : index
    scf.if %some {
      scf.for %j = %c0 to %n step %c1 {
        scf.for %k = %c0 to %n step %c1 {
          scf.for %l = %c0 to %n step %c1 {
            memref.store %one, %y[%l] : memref<?xf64>
          }
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @siblings(
// CHECK:         scf.for
// CHECK-NEXT:      llvm.load volatile
// CHECK:           scf.for
// CHECK-NEXT:        llvm.load volatile
// CHECK:         return
func.func @siblings(%context: !llvm.ptr, %y: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        scf.for %l = %c0 to %n step %c1 {
          memref.store %one, %y[%l] : memref<?xf64>
        }
      }
    }
    scf.for %k = %c0 to %n step %c1 {
      scf.for %l = %c0 to %n step %c1 {
        memref.store %one, %y[%l] : memref<?xf64>
      }
    }
  }
  return
}
