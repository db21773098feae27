// Terms with operands that are looked up are added up in vectors, and what a schedule asks for.
// RUN: strata-opt %s --strata-vectorize-loops | FileCheck %s
// RUN: strata-opt %s --strata-vectorize-loops=gathers | FileCheck %s --check-prefix=GATHER
// RUN: strata-opt %s --strata-vectorize-loops='gathers masks' | FileCheck %s --check-prefix=MASK

// CHECK-LABEL: func @product
// CHECK-SAME: (%[[A:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %[[T:[^:]*]]: f64)
// CHECK: %[[LENGTH:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %[[LENGTH]], %c8
// CHECK: %[[WHOLE:.*]] = arith.andi %[[LENGTH]], %c-8
// CHECK: %[[LAST:.*]] = arith.addi %[[BEGIN]], %[[WHOLE]]
// CHECK: %[[SUM:.*]]:2 = scf.if %[[MANY]] -> (f64, index) {
// CHECK:   %[[V:.*]] = scf.for %[[P:.*]] = %[[BEGIN]] to %[[LAST]] step %{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<8xf64>)
// CHECK:     %[[C:.*]] = memref.load %[[CRD]]
// CHECK-COUNT-7: memref.load %[[CRD]]
// CHECK:     %[[J:.*]] = arith.index_cast %[[C]]
// CHECK:     %[[W:.*]] = vector.load %[[A]]
// CHECK:     %[[E:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-COUNT-7: memref.load %[[X]]
// CHECK:     %[[Y:.*]] = vector.from_elements %[[E]]
// CHECK:     %[[M:.*]] = arith.mulf %[[W]], %[[Y]] : vector<8xf64>
// CHECK:     arith.addf %[[BEFORE]], %[[M]] fastmath<reassoc> : vector<8xf64>
// CHECK:   %[[ALL:.*]] = vector.reduction <add>, %[[V]] fastmath<reassoc>
// CHECK:   arith.addf %[[T]], %[[ALL]]
// CHECK: } else {
// CHECK:   scf.yield %[[T]], %[[BEGIN]]
// CHECK: }
// CHECK: scf.for %{{.*}} = %[[SUM]]#1 to %[[END]] step %c1 iter_args(%{{.*}} = %[[SUM]]#0) -> (f64)
// CHECK: } {llvm.loop_annotation =

// With one instruction, which takes places as a vector.
// GATHER-LABEL: func @product
// GATHER-SAME: (%{{[^:]*}}: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]:
// GATHER:     %[[C:.*]] = vector.load %[[CRD]]
// GATHER:     %[[J:.*]] = arith.index_cast %[[C]] : vector<8xi32> to vector<8xindex>
// GATHER:     %[[Y:.*]] = vector.gather %[[X]][%{{.*}}] [%[[J]]]
// GATHER:     arith.mulf %{{.*}}, %[[Y]] : vector<8xf64>

// The rest is one more vector, under a mask.
// MASK-LABEL: func @product
// MASK-SAME: (%[[A:[^:]*]]: {{[^:]*}}, %[[X:[^:]*]]: {{[^:]*}}, %[[CRD:[^:]*]]: {{[^:]*}}, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %[[T:[^:]*]]: f64)
// MASK: %[[V:.*]] = scf.for %[[P:.*]] = %[[BEGIN]] to %[[END]] step %c8{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<8xf64>)
// MASK:   %[[LEFT:.*]] = arith.subi %[[END]], %[[P]]
// MASK:   %[[M:.*]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// MASK:   %[[C:.*]] = vector.maskedload %[[CRD]][%[[P]]], %[[M]]
// MASK:   %[[J:.*]] = arith.index_cast %[[C]] : vector<8xi32> to vector<8xindex>
// MASK:   %[[W:.*]] = vector.maskedload %[[A]][%{{.*}}], %[[M]]
// MASK:   %[[Y:.*]] = vector.gather %[[X]][%{{.*}}] [%[[J]]], %[[M]]
// MASK:   %[[TERMS:.*]] = arith.mulf %[[W]], %[[Y]]
// MASK:   %[[ADDED:.*]] = arith.addf %[[BEFORE]], %[[TERMS]] fastmath<reassoc> : vector<8xf64>
// MASK:   %[[NEXT:.*]] = arith.select %[[M]], %[[ADDED]], %[[BEFORE]]
// MASK:   scf.yield %[[NEXT]]
// MASK: %[[ALL:.*]] = vector.reduction <add>, %[[V]] fastmath<reassoc>
// MASK: %[[SUM:.*]] = arith.addf %[[T]], %[[ALL]]
// MASK: return %[[SUM]]
func.func @product(%a: memref<?xf64>, %x: memref<?xf64>, %crd: memref<?xi32>, %begin: index,
                   %end: index, %t: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %sum = scf.for %p = %begin to %end step %c1 iter_args(%before = %t) -> f64 {
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %v = memref.load %a[%p] : memref<?xf64>
    %y = memref.load %x[%j] : memref<?xf64>
    %m = arith.mulf %v, %y : f64
    %next = arith.addf %before, %m fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// Not where the order is fixed, and where nothing is looked up.
// CHECK-LABEL: func @others
// CHECK-NOT: vector
func.func @others(%a: memref<?xf64>, %x: memref<?xf64>, %crd: memref<?xi32>, %n: index, %t: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ordered = scf.for %p = %c0 to %n step %c1 iter_args(%before = %t) -> f64 {
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %y = memref.load %x[%j] : memref<?xf64>
    %next = arith.addf %before, %y : f64
    scf.yield %next : f64
  }
  %dense = scf.for %p = %c0 to %n step %c1 iter_args(%before = %t) -> f64 {
    %v = memref.load %a[%p] : memref<?xf64>
    %y = memref.load %x[%p] : memref<?xf64>
    %m = arith.mulf %v, %y : f64
    %next = arith.addf %before, %m fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %ordered, %dense : f64, f64
}

// Whatever combines them, and wherever places come from.
// CHECK-LABEL: func @least
// CHECK: %[[NONE:.*]] = arith.constant dense<0x7FF0000000000000> : vector<8xf64>
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[NONE]]) -> (vector<8xf64>)
// CHECK:   arith.minimumf %[[BEFORE]], %{{.*}} : vector<8xf64>
// CHECK: vector.reduction <minimumf>, {{.*}} : vector<8xf64> into f64
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<16xi32>)
// CHECK:   arith.xori %[[BEFORE]], %{{.*}} : vector<16xi32>
// CHECK: vector.reduction <xor>, {{.*}} : vector<16xi32> into i32
// MASK-LABEL: func @least
// MASK: vector.gather {{.*}} : memref<?xf64>, vector<8xindex>
func.func @least(%a: memref<?xf64>, %x: memref<?xf64>, %b: memref<?xi32>, %n: index, %t: f64,
                 %u: i32) -> (f64, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = scf.for %p = %c0 to %n step %c1 iter_args(%before = %t) -> f64 {
    %v = memref.load %a[%p] : memref<?xf64>
    %c = arith.fptosi %v : f64 to i32
    %j = arith.index_cast %c : i32 to index
    %y = memref.load %x[%j] : memref<?xf64>
    %next = arith.minimumf %before, %y : f64
    scf.yield %next : f64
  }
  %parity = scf.for %p = %c0 to %n step %c1 iter_args(%before = %u) -> i32 {
    %v = memref.load %b[%p] : memref<?xi32>
    %next = arith.xori %before, %v : i32
    scf.yield %next : i32
  } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false>>}
  return %least, %parity : f64, i32
}

// What a schedule asks for stores vectors, too: of a label's values themselves, and of casts.
// CHECK-LABEL: func @stored
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to {{.*}} step %c4
// CHECK:   %[[FIRST:.*]] = vector.broadcast %[[I]] : index to vector<4xindex>
// CHECK:   %[[STEP:.*]] = vector.step : vector<4xindex>
// CHECK:   arith.addi %[[FIRST]], %[[STEP]] : vector<4xindex>
// CHECK:   arith.truncf {{.*}} : vector<4xf64> to vector<4xf32>
// CHECK:   vector.store {{.*}} : memref<?xf32>, vector<4xf32>
// MASK-LABEL: func @stored
// MASK: vector.maskedstore {{.*}} : memref<?xf32>, vector<4xi1>, vector<4xf32>
func.func @stored(%a: memref<?xf64>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf64>
    %whole = arith.index_cast %i : index to i64
    %number = arith.sitofp %whole : i64 to f64
    %root = math.sqrt %v : f64
    %sum = arith.addf %root, %number : f64
    %narrow = arith.truncf %sum : f64 to f32
    memref.store %narrow, %y[%i] : memref<?xf32>
  } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, width = 4 : i32>>}
  return
}

// Elements a stride apart are stored one by one.
// CHECK-LABEL: func @columns
// CHECK: vector.load
// CHECK-COUNT-2: vector.extract
// CHECK: scf.for
// CHECK-NOT: vector
// CHECK: return
func.func @columns(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %row = arith.muli %i, %n : index
    %at = arith.addi %row, %j : index
    %before = memref.load %y[%at] : memref<?xf64>
    %sum = arith.addf %before, %v : f64
    memref.store %sum, %y[%at] : memref<?xf64>
  } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, width = 2 : i32>>}
  return
}

// What a level has once leads to places apart.
// CHECK-LABEL: func @distinct
// CHECK: arith.addf {{.*}} : vector<2xf64>
// CHECK-COUNT-2: memref.store
func.func @distinct(%x: memref<?xf64>, %crd: memref<?xi32>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %v = memref.load %x[%p] : memref<?xf64>
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c {strata.distinct} : i32 to index
    %before = memref.load %y[%j] : memref<?xf64>
    %sum = arith.addf %before, %v : f64
    memref.store %sum, %y[%j] : memref<?xf64>
  } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, width = 2 : i32>>}
  return
}

// Terms of 32 bits that are added up in 64 are made in vectors of 32, and widened as such.
// CHECK-LABEL: func @widened
// CHECK: iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<8xf64>)
// CHECK:   %[[M:.*]] = arith.mulf {{.*}} : vector<8xf32>
// CHECK:   %[[W:.*]] = arith.extf %[[M]] : vector<8xf32> to vector<8xf64>
// CHECK:   arith.addf %[[BEFORE]], %[[W]] fastmath<reassoc> : vector<8xf64>
// MASK-LABEL: func @widened
// MASK: step %c8
// MASK: arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
func.func @widened(%a: memref<?xf32>, %x: memref<?xf32>, %crd: memref<?xi32>, %n: index, %t: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %p = %c0 to %n step %c1 iter_args(%before = %t) -> f64 {
    %v = memref.load %a[%p] : memref<?xf32>
    %c = memref.load %crd[%p] : memref<?xi32>
    %j = arith.index_cast %c : i32 to index
    %y = memref.load %x[%j] : memref<?xf32>
    %m = arith.mulf %v, %y : f32
    %w = arith.extf %m : f32 to f64
    %next = arith.addf %before, %w fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// Places that are computed from those of the loop's steps are not gathered.
// CHECK-LABEL: func @strided
// GATHER-LABEL: func @strided
// GATHER-NOT: vector.gather
// GATHER: return
// MASK-LABEL: func @strided
// MASK-NOT: vector.gather
// MASK: return
func.func @strided(%a: memref<?xf64>, %n: index, %first: index, %stride: index, %t: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%before = %t) -> f64 {
    %row = arith.addi %first, %k : index
    %at = arith.muli %row, %stride : index
    %v = memref.load %a[%at] : memref<?xf64>
    %next = arith.addf %before, %v fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %sum : f64
}
