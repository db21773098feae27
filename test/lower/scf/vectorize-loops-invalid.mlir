// Loops of which a schedule asks for vectors that they cannot have.
// RUN: strata-opt %s --strata-vectorize-loops --split-input-file --verify-diagnostics
#vectors = #llvm.loop_annotation<vectorize = <disable = false>>
// expected-error@+1 {{the loop over 'k' cannot be taken by vectors, as the schedule says: a step needs what the step before it has computed}}
func.func @chain(%a: memref<?xf64>, %n: index, %t: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %p = %c0 to %n step %c1 iter_args(%before = %t) -> f64 {
    %v = memref.load %a[%p] : memref<?xf64>
    %next = arith.divf %before, %v : f64
    scf.yield %next : f64
  } {llvm.loop_annotation = #vectors, strata.label = "k"}
  return %last : f64
}

// -----

#vectors = #llvm.loop_annotation<vectorize = <disable = false>>
// expected-error@+1 {{two steps may add to the same place}}
func.func @scattered(%a: memref<?xf64>, %crd: memref<?xi32>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %v = memref.load %a[%p] : memref<?xf64>
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %before = memref.load %y[%j] : memref<?xf64>
    %sum = arith.addf %before, %v : f64
    memref.store %sum, %y[%j] : memref<?xf64>
  } {llvm.loop_annotation = #vectors}
  return
}

// -----

#vectors = #llvm.loop_annotation<vectorize = <disable = false>>
// expected-error@+1 {{a step may read what another one stores}}
func.func @shifted(%y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c1 to %n step %c1 {
    %before = arith.subi %p, %c1 : index
    %v = memref.load %y[%before] : memref<?xf64>
    memref.store %v, %y[%p] : memref<?xf64>
  } {llvm.loop_annotation = #vectors}
  return
}

// -----

#vectors = #llvm.loop_annotation<vectorize = <disable = false>>
// expected-error@+1 {{its steps have conditions or loops of their own}}
func.func @choice(%a: memref<?xf64>, %y: memref<?xf64>, %n: index, %t: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %v = memref.load %a[%p] : memref<?xf64>
    %more = arith.cmpf ogt, %v, %t : f64
    scf.if %more {
      memref.store %v, %y[%p] : memref<?xf64>
    }
  } {llvm.loop_annotation = #vectors}
  return
}
