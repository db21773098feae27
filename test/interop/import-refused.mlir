// RUN: strata-opt %s --split-input-file --verify-diagnostics --strata-import-linalg

// What has no counterpart is refused where it stands, with the reason.

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
func.func @main(%x: tensor<9xf64, #V>) -> index {
  // expected-error@+1 {{'sparse_tensor.values' cannot be imported: a program has tensors, whose buffers are the runtime's}}
  %v = sparse_tensor.values %x : tensor<9xf64, #V> to memref<?xf64>
  %c0 = arith.constant 0 : index
  %n = memref.dim %v, %c0 : memref<?xf64>
  return %n : index
}

// -----

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
func.func @main(%x: tensor<9xf64, #V>) {
  // expected-error@+1 {{'sparse_tensor.foreach' cannot be imported: a loop over entries has effects}}
  sparse_tensor.foreach in %x : tensor<9xf64, #V> do {
  ^bb0(%i: index, %v: f64):
    vector.print %v : f64
  }
  return
}

// -----

// A reduction that is none of ta's.

func.func @main(%x: tensor<9xi32>, %y: tensor<i32>) -> tensor<i32> {
  // expected-error@+1 {{'linalg.reduce' cannot be imported: a reduction combines what was there with terms by}}
  %s = linalg.reduce { arith.ori } ins(%x : tensor<9xi32>) outs(%y : tensor<i32>) dimensions = [0]
  return %s : tensor<i32>
}

// -----

func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<9xf64>) outs(%y : tensor<9xf64>) {
  ^bb0(%a: f64, %o: f64):
    // expected-error@+1 {{'math.roundeven' cannot be imported: ta has no such element operation}}
    %r = math.roundeven %a : f64
    linalg.yield %r : f64
  } -> tensor<9xf64>
  return %s : tensor<9xf64>
}

// -----

func.func @main(%x: memref<9xf64>, %y: memref<9xf64>) {
  linalg.copy ins(%x : memref<9xf64>) outs(%y : memref<9xf64>)
  return
}
// expected-error@-4 {{'func.func' cannot be imported: 'memref<9xf64>' is no tensor with a rank}}

// -----

func.func @again(%x: tensor<9xf64>) -> tensor<9xf64> {
  // expected-error@-1 {{'again' cannot be imported: it calls itself}}
  %y = call @again(%x) : (tensor<9xf64>) -> tensor<9xf64>
  return %y : tensor<9xf64>
}

// -----

// expected-error@+1 {{the module has no function 'main'; it has a, b}}
module {
  func.func @a(%x: tensor<9xf64>) -> tensor<9xf64> {
    return %x : tensor<9xf64>
  }
  func.func @b(%x: tensor<9xf64>) -> tensor<9xf64> {
    return %x : tensor<9xf64>
  }
}
