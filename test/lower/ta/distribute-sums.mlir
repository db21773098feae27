// Cells have parts of sums, which are added up; statements follow where their tensors are placed.
// RUN: strata-opt %s --ta-distribute-statements | FileCheck %s

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#V = #ta.format<(i) -> (i : dense)>
!A = tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(1)]>>>
!r = tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>
!y = tensor<?xf64>
!s = tensor<f64>
ta.machine @M(x = 4)

// The columns of A are cut, and so is what y sums. Every process adds up what cells have.
// CHECK-LABEL: func @columns
// CHECK-SAME: (%[[A:[a-z0-9]+]]: {{.*}}, %[[X:[a-z0-9]+]]: {{.*}})
func.func @columns(%A: !A loc("A"), %x: !r loc("x")) -> !y {
  %n = ta.dim %A, 0 : !A
  %p = ta.dim %A, 1 : !A
  %q = ta.dim %x, 0 : !r
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // CHECK: %[[C:.*]] = ta.cells @M, 0
  // CHECK: %[[P:.*]] = ta.distribute(%[[A]], %[[X]] : {{.*}}) sizes(%[[C]], %{{.*}}) -> tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>> {
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK: ta.compute [%[[IO:.*]] = %[[ONE]], %[[I:.*]] = %{{.*}}] ins({{.*}}) sizes(%[[ONE]], %{{.*}}) -> tensor<?x?xf64> out [%[[IO]], %[[I]]] attributes {names = ["jo", "i"]}
  // CHECK: %[[N:.*]] = ta.dim %[[P]], 0
  // CHECK: %[[W:.*]] = ta.convert %[[P]] : {{.*}} to tensor<?x?xf64>
  // CHECK: %[[Y:.*]] = ta.compute [%[[I:.*]] = %{{.*}}] ins(%[[W]] : {{.*}}) sizes(%{{.*}}) -> tensor<?xf64> out [%[[I]]]
  // CHECK: ta.reduce add [%[[J:.*]] = %[[N]]] attributes {names = ["jo"]} : f64 {
  // CHECK-NEXT: ta.access %[[W]][%[[J]], %[[I]]]
  // CHECK: return %[[Y]]
  %y = ta.compute [%i = %n] ins(%A, %x : !A, !r) sizes(%n) -> !y out [%i] attributes {names = ["i"]} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : !A
      %b = ta.access %x[%j] : !r
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %t : f64
  }
  return %y : !y
}

// The sum becomes a statement of its own. What has no pieces is computed by every process.
// CHECK-LABEL: func @inside
// CHECK-SAME: (%[[R:[a-z0-9]+]]: {{.*}}, %[[S:[a-z0-9]+]]: tensor<f64>)
func.func @inside(%r: !r loc("r"), %s: !s loc("s")) -> !s {
  %n = ta.dim %r, 0 : !r
  // CHECK: %[[P:.*]] = ta.distribute(%[[R]] : {{.*}}) sizes(%{{.*}}) -> tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>> {
  // CHECK: %[[W:.*]] = ta.convert %[[P]]
  // CHECK: %[[T:.*]] = ta.compute [] ins(%[[W]] : {{.*}}) -> tensor<f64>
  // CHECK: %[[Q:.*]] = ta.compute [] ins({{.*}}) -> tensor<f64>
  // CHECK: ta.access %[[T]][]
  // CHECK: return %[[Q]]
  %q = ta.compute [] ins(%r, %s : !r, !s) -> !s out [] {
    %t = ta.reduce add [%i = %n] attributes {names = ["i"]} : f64 {
      %a = ta.access %r[%i] : !r
      %b = arith.mulf %a, %a : f64
      ta.yield %b : f64
    }
    %f = ta.access %s[] : !s
    %v = arith.divf %f, %t : f64
    ta.yield %v : f64
  }
  return %q : !s
}

// The result is placed, and so are the cells; the parts move to where they are added up.
// CHECK-LABEL: func @both
func.func @both(%A: !A loc("A"), %x: !y loc("x")) -> !r {
  %n = ta.dim %A, 0 : !A
  %p = ta.dim %A, 1 : !A
  %q = ta.dim %x, 0 : !y
  %m = ta.same_size "j" (%p, %q) ["A", "x"]
  // CHECK: %[[P:.*]] = ta.distribute({{.*}}) -> tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>> {
  // CHECK: %[[Q:.*]] = ta.convert %[[P]] : {{.*}} to tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(1)]>>>
  // CHECK: %[[Y:.*]] = ta.distribute(%[[Q]] : {{.*}}) sizes(%{{.*}}) -> tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>> {
  // CHECK: return %[[Y]]
  %y = ta.compute [%i = %n] ins(%A, %x : !A, !y) sizes(%n) -> !r out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<divide(j, jo, ji, M.x), distribute(jo)>} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : !A
      %b = ta.access %x[%j] : !y
      %c = arith.mulf %a, %b : f64
      ta.yield %c : f64
    }
    ta.yield %t : f64
  }
  return %y : !r
}

// What cells cannot do together is left.
// CHECK-LABEL: func @diagonal
func.func @diagonal(%A: !A loc("A")) -> !r {
  %n = ta.dim %A, 0 : !A
  // CHECK-NOT: ta.distribute(
  // CHECK: ta.compute
  %y = ta.compute [%i = %n] ins(%A : !A) sizes(%n) -> !r out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i, %i] : !A
    ta.yield %a : f64
  }
  return %y : !r
}
