// Flags that each step of a loop sets alike are known without it.
// RUN: strata-opt %s --strata-fold-flags | FileCheck %s

// CHECK-LABEL: func @fibre
// CHECK-SAME: (%[[X:[^:]*]]: {{[^:]*}}, %[[A:[^:]*]]: index, %[[B:[^:]*]]: index, %[[N:[^:]*]]: index)
// CHECK-DAG: %[[SOME:.*]] = arith.cmpi slt, %[[A]], %[[B]]
// CHECK-DAG: %[[ALL:.*]] = arith.cmpi sgt, %[[N]], %{{.*}}
// CHECK:     %[[ANY:.*]] = arith.andi %[[SOME]], %[[ALL]]
// CHECK:     scf.for %{{.*}} = %[[A]] to %[[B]] step %{{[^ ]*}} {
// CHECK:       scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{[^ ]*}} {
// CHECK-NOT:     scf.yield
// CHECK:     return %[[ANY]]
func.func @fibre(%x: memref<?xf64>, %a: index, %b: index, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %true = arith.constant true
  %false = arith.constant false
  %any = scf.for %p = %a to %b step %c1 iter_args(%f = %false) -> i1 {
    %g = scf.for %k = %c0 to %n step %c1 iter_args(%h = %f) -> i1 {
      memref.store %zero, %x[%k] : memref<?xf64>
      scf.yield %true : i1
    }
    scf.yield %g : i1
  }
  return %any : i1
}

// What another flag decides in a step is not known before.
// CHECK-LABEL: func @entries
// CHECK:     scf.for {{.*}} iter_args(%[[F:[^ ]*]] = %false) -> (i1)
// CHECK:       scf.yield
func.func @entries(%present: memref<?xi1>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %any = scf.for %k = %c0 to %n step %c1 iter_args(%f = %false) -> i1 {
    %here = memref.load %present[%k] : memref<?xi1>
    %g = arith.select %here, %true, %f : i1
    scf.yield %g : i1
  }
  return %any : i1
}

// A flag that the steps read stays.
// CHECK-LABEL: func @first
// CHECK:     scf.for {{.*}} iter_args(%[[F:[^ ]*]] = %false) -> (i1)
func.func @first(%x: memref<?xi1>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %any = scf.for %k = %c0 to %n step %c1 iter_args(%f = %false) -> i1 {
    memref.store %f, %x[%k] : memref<?xi1>
    scf.yield %true : i1
  }
  return %any : i1
}

// A sum of ones is the number of places.
// CHECK-LABEL: func @places
// CHECK-SAME: (%[[N:[^:]*]]: index, %[[M:[^:]*]]: index)
// CHECK-NOT: scf.for
// CHECK-DAG: %[[I:.*]] = arith.maxsi %[[N]], %{{.*}}
// CHECK-DAG: %[[J:.*]] = arith.maxsi %[[M]], %{{.*}}
// CHECK: arith.mulf
// CHECK-NOT: scf.for
// CHECK: return
func.func @places(%n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %row = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> f64 {
      %next = arith.addf %t, %one : f64
      scf.yield %next : f64
    }
    scf.yield %row : f64
  }
  return %all : f64
}

// A count of entries of type index stays a loop's.
// CHECK-LABEL: func @entries_before
// CHECK: scf.for
// CHECK: return
func.func @entries_before(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %next = arith.addi %s, %c1 : index
    scf.yield %next : index
  }
  return %all : index
}
