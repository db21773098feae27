// The folders of ta.
// RUN: strata-opt %s --canonicalize | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// A conversion to the tensor's own format is the tensor.
// CHECK-LABEL: @convert_to_itself
// CHECK-SAME: (%[[A:.*]]: tensor
// CHECK-NEXT: return %[[A]]
func.func @convert_to_itself(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %0 = ta.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSR>
  return %0 : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @convert_to_another
// CHECK: ta.convert
func.func @convert_to_another(%A: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSC> {
  %0 = ta.convert %A : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSC>
  return %0 : tensor<?x?xf64, #CSC>
}

// CHECK-LABEL: @known_size
// CHECK-NEXT: %[[C:.*]] = arith.constant 32 : index
// CHECK-NEXT: return %[[C]]
func.func @known_size(%A: tensor<?x32xf64>) -> index {
  %0 = ta.dim %A, 1 : tensor<?x32xf64>
  return %0 : index
}

// CHECK-LABEL: @unknown_size
// CHECK: ta.dim
func.func @unknown_size(%A: tensor<?x32xf64>) -> index {
  %0 = ta.dim %A, 0 : tensor<?x32xf64>
  return %0 : index
}

// Uses whose sizes are one value agree; others are checked when the program runs.
// CHECK-LABEL: @one_size
// CHECK-SAME: (%[[N:.*]]: index,
// CHECK-NEXT: %[[K:.*]] = ta.same_size "j"(%[[N]], %{{.*}}) ["A", "B"]
// CHECK-NEXT: return %[[N]], %[[K]]
func.func @one_size(%n: index, %m: index) -> (index, index) {
  %0 = ta.same_size "i" (%n, %n) ["A", "x"]
  %1 = ta.same_size "j" (%n, %m) ["A", "B"]
  return %0, %1 : index, index
}

// Equal static sizes are one value after folding.
// CHECK-LABEL: @static_sizes
// CHECK-NEXT: %[[C:.*]] = arith.constant 8 : index
// CHECK-NEXT: return %[[C]]
func.func @static_sizes(%A: tensor<8x?xf64>, %x: tensor<8xf64>) -> index {
  %a = ta.dim %A, 0 : tensor<8x?xf64>
  %b = ta.dim %x, 0 : tensor<8xf64>
  %0 = ta.same_size "i" (%a, %b) ["A", "x"]
  return %0 : index
}

// A statement that nobody reads goes; what has effects stays.
// CHECK-LABEL: @unused
// CHECK-NEXT: ta.print
// CHECK-NEXT: return
func.func @unused(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  ta.print %x "x" : tensor<?xf64>
  return
}
