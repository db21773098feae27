// The structured level: n places below each parent, some of which hold a coordinate.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix | FileCheck %s

// pos_iter(p) -> [2 p, 2 p + 2); pos_access(p) -> crd[p], found unless it is the mark of a pad.
#F = #ta.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2)), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}}, %c2
// CHECK: %[[END:.*]] = arith.muli %{{.*}}, %c2
// CHECK: scf.for %[[P:p[^ ]*]] = %[[BEGIN]] to %[[END]]
// CHECK: memref.load %A3_crd{{.*}}[%[[P]]]
// CHECK: %[[FOUND:.*]] = arith.cmpi ne, %{{.*}}, %c-2147483648
// CHECK: scf.if %[[FOUND]]
// CHECK: memref.load %A_vals{{.*}}[%[[P]]]
func.func @walk(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}
