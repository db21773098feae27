// RUN: strata-opt %s --split-input-file --strata-import-linalg | FileCheck %s

// A matrix in CSR times a vector: the indexing maps are accesses, the reduced loop is summed, and what
// the result begins with stays, as nothing is known of it.

#CSR = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>,
// CHECK-SAME: %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>)
// CHECK: ta.compute [%[[I:.*]] = %{{.*}}] ins(%[[A]], %[[X]] : {{.*}}) {{.*}} init(%[[Y]] : tensor<?xf64>) combine add
// CHECK: ta.reduce add [%[[J:.*]] = %{{.*}}]
// CHECK: %[[a:.*]] = ta.access %[[A]][%[[I]], %[[J]]]
// CHECK: %[[x:.*]] = ta.access %[[X]][%[[J]]]
// CHECK: arith.mulf %[[a]], %[[x]]
func.func @spmv(%A: tensor<?x?xf64, #CSR>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.matvec ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>)
                     outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// What is only allocated is not there: the result is made anew. Other functions become part of it.

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
#trait = {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}

// CHECK-LABEL: func.func @main(
// CHECK-NOT: ta.fill
// CHECK: ta.compute
// CHECK-NOT: init
// CHECK: %[[a:.*]] = ta.access %{{.*}} {missing}
// CHECK: %[[b:.*]] = ta.access %{{.*}} {missing}
// CHECK: %[[both:.*]] = arith.mulf %[[a]], %[[b]]
// CHECK: %[[left:.*]] = ta.unmasked %[[a]] by %[[b]]
// CHECK: %[[minus:.*]] = arith.negf %[[b]]
// CHECK: %[[right:.*]] = ta.unmasked %[[minus]] by %[[a]]
// CHECK: %[[one:.*]] = ta.union %[[both]], %[[left]], %[[both]]
// CHECK: ta.union %[[one]], %[[right]], %[[one]]
// CHECK-NOT: func.func
func.func private @kernel(%x: tensor<9xf64, #V>, %y: tensor<9xf64, #V>) -> tensor<9xf64, #V> {
  %e = tensor.empty() : tensor<9xf64, #V>
  %z = linalg.generic #trait ins(%x, %y : tensor<9xf64, #V>, tensor<9xf64, #V>)
                             outs(%e : tensor<9xf64, #V>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %r = sparse_tensor.binary %a, %b : f64, f64 to f64
      overlap={ ^bb0(%p: f64, %q: f64):
        %m = arith.mulf %p, %q : f64
        sparse_tensor.yield %m : f64 }
      left=identity
      right={ ^bb0(%q: f64):
        %m = arith.negf %q : f64
        sparse_tensor.yield %m : f64 }
    linalg.yield %r : f64
  } -> tensor<9xf64, #V>
  return %z : tensor<9xf64, #V>
}
func.func @main(%x: tensor<9xf64, #V>, %y: tensor<9xf64, #V>) -> tensor<9xf64, #V> {
  %z = call @kernel(%x, %y) : (tensor<9xf64, #V>, tensor<9xf64, #V>) -> tensor<9xf64, #V>
  return %z : tensor<9xf64, #V>
}

// -----

// Everything that an encoding with an explicit value stores has that value, where it stores something.

#B = #sparse_tensor.encoding<{map = (i) -> (i : compressed), explicitVal = 2.0 : f64}>

// CHECK-LABEL: func.func @main(
// CHECK: %[[a:.*]] = ta.access %{{.*}} {missing}
// CHECK: %[[two:.*]] = arith.constant 2.0
// CHECK: ta.masked %[[two]] by %[[a]]
func.func @main(%x: tensor<9xf64, #B>) -> tensor<f64> {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<9xf64, #B>) outs(%zero : tensor<f64>) dimensions = [0]
  return %s : tensor<f64>
}

// -----

// Windows, coordinates, and reductions in the middle of other shapes.

// CHECK-LABEL: func.func @main(
// CHECK: ta.access %{{.*}}[%[[I:.*]] * 2 + %{{.*}}]
// CHECK: ta.iota from 0 step 1
// CHECK: ta.access %{{.*}}[%{{.*}} floordiv 3, %{{.*}} mod 3]
func.func @main(%x: tensor<12xf32>, %w: tensor<2xf32>, %y: tensor<6xf32>, %m: tensor<4x3xf32>)
    -> (tensor<6xf32>, tensor<6xi64>, tensor<12xf32>) {
  %c = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i * 2 + k)>, affine_map<(i, k) -> (k)>,
                                        affine_map<(i, k) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<12xf32>, tensor<2xf32>) outs(%y : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %e = tensor.empty() : tensor<6xi64>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<6xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<6xi64>
  %f = tensor.collapse_shape %m [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  return %c, %n, %f : tensor<6xf32>, tensor<6xi64>, tensor<12xf32>
}
