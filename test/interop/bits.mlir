// The bits of a number as another type, against the reference; C99 has no expression for that.
// RUN: strata run %s --check | FileCheck %s
// RUN: not strata emit --stage=c %s 2>&1 | FileCheck %s --check-prefix=C99

// CHECK: values{{ +}}i32 1065353216 -1073741824 1082130432
// CHECK: values{{ +}}f64 1 -2
// CHECK: values{{ +}}i16 15360 -16384
// CHECK: check: {{.*}} agree
// CHECK-NOT: DIFFER
// C99: error: the kernel cannot be written in C99: it has no words for 'arith.bitcast'

#SV = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
#id = affine_map<(i) -> (i)>
#map = {indexing_maps = [#id, #id], iterator_types = ["parallel"]}

func.func @main() {
  %f = arith.constant dense<[1.0, 0.0, -2.0, 4.0]> : tensor<4xf32>
  %v = sparse_tensor.convert %f : tensor<4xf32> to tensor<4xf32, #SV>
  %e = tensor.empty() : tensor<4xi32, #SV>
  %r = linalg.generic #map ins(%v : tensor<4xf32, #SV>) outs(%e : tensor<4xi32, #SV>) {
    ^bb0(%a: f32, %o: i32):
      %b = arith.bitcast %a : f32 to i32
      linalg.yield %b : i32
  } -> tensor<4xi32, #SV>
  sparse_tensor.print %r : tensor<4xi32, #SV>

  %i = arith.constant dense<[0x3FF0000000000000, 0, 0xC000000000000000]> : tensor<3xi64>
  %w = sparse_tensor.convert %i : tensor<3xi64> to tensor<3xi64, #SV>
  %g = tensor.empty() : tensor<3xf64, #SV>
  %s = linalg.generic #map ins(%w : tensor<3xi64, #SV>) outs(%g : tensor<3xf64, #SV>) {
    ^bb0(%a: i64, %o: f64):
      %b = arith.bitcast %a : i64 to f64
      linalg.yield %b : f64
  } -> tensor<3xf64, #SV>
  sparse_tensor.print %s : tensor<3xf64, #SV>

  %h = arith.constant dense<[1.0, -2.0, 0.0]> : tensor<3xf16>
  %x = sparse_tensor.convert %h : tensor<3xf16> to tensor<3xf16, #SV>
  %k = tensor.empty() : tensor<3xi16, #SV>
  %t = linalg.generic #map ins(%x : tensor<3xf16, #SV>) outs(%k : tensor<3xi16, #SV>) {
    ^bb0(%a: f16, %o: i16):
      %b = arith.bitcast %a : f16 to i16
      linalg.yield %b : i16
  } -> tensor<3xi16, #SV>
  sparse_tensor.print %t : tensor<3xi16, #SV>
  return
}
