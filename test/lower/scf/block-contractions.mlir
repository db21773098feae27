// Dense contractions run in blocks, by a kernel for a tile of the result.
// RUN: strata-opt %s --strata-block-contractions="vector-bytes=64 vector-registers=32 first-cache=98304" --canonicalize --cse | FileCheck %s
// RUN: strata-opt %s --strata-block-contractions=vector-bytes=16 --canonicalize --cse | FileCheck %s --check-prefix=NARROW
// RUN: strata-opt %s --strata-block-contractions="vector-bytes=16 vector-registers=32" --canonicalize --cse | FileCheck %s --check-prefix=MANY
// RUN: strata-opt %s --strata-block-contractions="vector-bytes=64 vector-registers=32 first-cache=49152 second-cache=2097152" --canonicalize --cse | FileCheck %s --check-prefix=ROWS

// CHECK-DAG: #[[FOUR:.*]] = #llvm.loop_unroll<count = 4 : i32>
// CHECK-DAG: #[[UNROLLED:.*]] = #llvm.loop_annotation<unroll = #[[FOUR]]>

// CHECK-LABEL: func @product
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[C:.*]]: memref<?xf64>, %[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[K:[^:]*]]: index)

// A is read in place where few tiles read it, or where both operands stay in the second cache.
// CHECK: %[[SMALL:.*]] = arith.cmpi slt, %{{.*}}, %c65536
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[N]], %c97
// CHECK: %[[INPLACE:.*]] = arith.ori %[[FEW]], %[[SMALL]]
// Of fewer contracted values than a block has there are more rows and columns in one: 96 x 192 and
// 2,040 x 192 elements.
// CHECK: %[[DEEP:.*]] = arith.minsi %[[K]], %c192
// CHECK: arith.divui %c18432,
// CHECK: arith.divui %c391680,
// CHECK-COUNT-2: call @strata_allocate_f64(%[[CTX]]

// Blocks of columns and of contracted values: B is packed by vectors, for columns lie together; the
// lines of the next panel are asked for meanwhile.
// CHECK: scf.for %[[J0:.*]] = %c0 to %[[N]] step %{{.*}} {
// CHECK:   scf.for %[[K0:.*]] = %c0 to %[[K]] step %c192
// CHECK:     scf.for {{.*}} step %c24
// CHECK:       vector.load %[[B]]
// CHECK:       memref.prefetch %[[B]]{{.*}} read, locality<2>
// CHECK:       vector.store {{.*}} : memref<?xf64>, vector<8xf64>
// Of a panel that is not whole there are masked vectors.
// CHECK:       vector.create_mask
// CHECK:       vector.maskedload %[[B]]

// Blocks of rows: of A contracted values lie together, so that blocks of 8 by 8 are transposed. The
// last ones are packed one by one.
// CHECK:     scf.for %[[I0:.*]] = %c0 to %[[M]] step %{{.*}} {
// CHECK:       scf.for {{.*}} step %c8
// CHECK-COUNT-8: vector.load %[[A]][%{{.*}}] : memref<?xf64>, vector<8xf64>
// CHECK:         vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK:         vector.shuffle {{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK:         vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK:       memref.load %[[A]]

// Where A is read in place, tiles may have fewer rows. A tile of 8 rows and 3 vectors of packed
// operands is kept in registers; its lines are asked for before, and its loop is unrolled.
// CHECK:       scf.while
// CHECK:         arith.select %[[INPLACE]]
// CHECK:       memref.prefetch %[[C]]
// CHECK:       %[[SUMS:.*]]:24 = scf.for
// CHECK-COUNT-3: vector.load {{.*}} : memref<?xf64>, vector<8xf64>
// CHECK:         vector.broadcast {{.*}} : f64 to vector<8xf64>
// CHECK:         arith.mulf {{.*}} fastmath<reassoc,contract> : vector<8xf64>
// CHECK:         arith.addf {{.*}} fastmath<reassoc,contract> : vector<8xf64>
// CHECK:         scf.yield
// CHECK:       {llvm.loop_annotation = #[[UNROLLED]]

// A whole one is added to the result by vectors.
// CHECK:       vector.load %[[C]]
// CHECK:       vector.store %{{.*}}, %[[C]]

// Other kernels read operands from where these are: for many rows, for few rows, for one vector of
// columns; they ask for the rows of the next tile. A tile that lacks nothing is multiplied without
// masks. Otherwise the last vector of columns is read under a mask, and a part of a tile is added
// under the same.
// CHECK:       %[[LEFT:.*]] = arith.select %[[INPLACE]], %[[A]],
// CHECK:       %[[RIGHT:.*]] = arith.select %{{.*}}, %[[B]],
// CHECK:       %{{.*}}:24 = scf.for
// CHECK-COUNT-3: vector.load %[[RIGHT]]
// CHECK:         memref.prefetch %[[LEFT]]
// CHECK:       vector.load %[[C]]
// CHECK:       vector.store %{{.*}}, %[[C]]
// CHECK:       %[[PART:.*]] = vector.create_mask
// CHECK:       %{{.*}}:24 = scf.for
// CHECK-COUNT-2: vector.load %[[RIGHT]]
// CHECK:         vector.maskedload %[[RIGHT]][%{{.*}}], %[[PART]]
// CHECK:         memref.prefetch %[[LEFT]]
// CHECK:         memref.load %[[LEFT]]
// CHECK:       vector.maskedload %[[C]]
// CHECK:       vector.maskedstore %[[C]]
// CHECK:       %{{.*}}:18 = scf.for
// CHECK:       %{{.*}}:8 = scf.for
// CHECK-COUNT-2: call @strata_release_f64(%[[CTX]]

// A panel of 24 columns takes more than half of a first cache of 48 KB, one of 8 rows does not: that
// one stays there, and the blocks of columns are those of which the second cache holds one.
// ROWS-LABEL: func @product
// ROWS-SAME: %[[M:[^:,]*]]: index, %[[N:[^:,]*]]: index, %[[K:[^:,]*]]: index) attributes
// ROWS: arith.divui %c786432
// ROWS: arith.divui %c73728
// ROWS: scf.for %{{.*}} = %c0 to %[[M]] step %{{.*}} {
// ROWS:   scf.for %{{.*}} = %c0 to %[[K]] step %c384
// ROWS:     vector.load %arg2[%{{.*}}] : memref<?xf64>, vector<8xf64>
// ROWS:     scf.for %{{.*}} = %c0 to %[[N]] step %{{.*}} {
// ROWS:       scf.for {{.*}} step %c24
// ROWS:         vector.load %arg3
// ROWS:       scf.while
// ROWS:         scf.for {{.*}} step %c24
// ROWS:           %{{.*}}:24 = scf.for

// Of 32 registers of two numbers, a tile of 8 rows and 3 vectors takes 24.
// MANY-LABEL: func @product
// MANY: %[[SUMS:.*]]:24 = scf.for
// MANY-COUNT-3: vector.load {{.*}} : memref<?xf64>, vector<2xf64>
// MANY: vector.broadcast {{.*}} : f64 to vector<2xf64>

// A panel of 4 rows is two blocks of 2 by 2 where vectors have two lanes.
// NARROW-LABEL: func @product
// NARROW-COUNT-2: vector.load {{.*}} : memref<?xf64>, vector<2xf64>
// NARROW: vector.shuffle {{.*}} [0, 2]
// NARROW: vector.shuffle {{.*}} [1, 3]
// NARROW: %{{.*}}:8 = scf.for
// NARROW: vector.load {{.*}} : memref<?xf64>, vector<2xf64>
func.func @product(%context: !llvm.ptr, %C: memref<?xf64>, %A: memref<?xf64>, %B: memref<?xf64>, %m: index, %n: index, %k: index) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lvl.contract %A[%c0] by(%k, %c1, %c0), %B[%c0] by(%c0, %n, %c1) into %C[%c0] by(%n, %c0, %c1) over (row %m, summed %k, column %n) sums add of mul {nesting = array<i64: 1, 0, 0>} : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// Sums in scalars take the place of what was there: the first block of contracted values stores its
// sums, even if it has none. Two labels are one dimension, with a table of offsets.
// Blocks are transposed where the last label does not move on among their values.
// CHECK-LABEL: func @sums
// CHECK: call @strata_allocate_i64
// CHECK: arith.maxsi %{{.*}}, %c1
// CHECK: %[[PLACE:.*]] = arith.remui
// CHECK: %[[LAST:.*]] = arith.addi %[[PLACE]], %c16
// CHECK: %[[TOGETHER:.*]] = arith.cmpi sle, %[[LAST]],
// CHECK: scf.if %[[TOGETHER]] {
// CHECK: vector.shuffle
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: scf.if %[[FIRST]] {
// CHECK-NOT: vector.load
// CHECK: vector.store
func.func @sums(%context: !llvm.ptr, %C: memref<?xf32>, %A: memref<?xf32>, %B: memref<?xf32>, %m: index, %n: index, %k: index, %scale: f32) attributes {strata.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %n, %k : index
  %1 = arith.muli %m, %k : index
  lvl.contract %A[%c0] by(%k, %c0, %1, %c1), %B[%c0] by(%c0, %k, %0, %c1) into %C[%c0] by(%n, %c1, %c0, %c0) over (row %m, column %n, summed %k, summed %k) sums add of mul scaled(%scale : f32) {nesting = array<i64: 1, 0, 0, 0>, overwrites} : memref<?xf32>, memref<?xf32>, memref<?xf32>
  return
}
