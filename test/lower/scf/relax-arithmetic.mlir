// Products and sums may become fused multiply-adds, but for kernels that are to be deterministic.
// RUN: strata-opt %s --strata-relax-arithmetic | FileCheck %s

// CHECK-LABEL: @relaxed
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract>
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract>
// CHECK: complex.mul %{{.*}}, %{{.*}} fastmath<contract>
func.func @relaxed(%a: f64, %b: f64, %c: complex<f64>) -> (f64, complex<f64>) attributes {strata.kernel} {
  %p = arith.mulf %a, %b : f64
  %s = arith.addf %p, %a fastmath<reassoc> : f64
  %q = complex.mul %c, %c : complex<f64>
  return %s, %q : f64, complex<f64>
}

// CHECK-LABEL: @exact
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: complex.add %{{.*}}, %{{.*}} : complex<f64>
func.func @exact(%a: f64, %b: f64, %c: complex<f64>) -> (f64, complex<f64>)
    attributes {strata.kernel, strata.assumptions = #ta.assumptions<deterministic>} {
  %p = arith.mulf %a, %b : f64
  %s = arith.addf %p, %a fastmath<reassoc> : f64
  %q = complex.add %c, %c fastmath<reassoc> : complex<f64>
  return %s, %q : f64, complex<f64>
}
