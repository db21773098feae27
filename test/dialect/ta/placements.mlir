// Machines, placements, and what they refuse.
// RUN: strata-opt %s --split-input-file --verify-diagnostics | strata-opt --split-input-file | FileCheck %s

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK: ta.machine @M(x = 4)
ta.machine @M(x = 4)
// CHECK: ta.machine @N(row = ?, col = "n", z = 2)
ta.machine @N(row = ?, col = "n", z = 2)

// CHECK: func private @rows(tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>>)
func.func private @rows(tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>)
// CHECK: func private @tiles({{.*}}<"N", [entries(1, 0), all, at(1)]>
func.func private @tiles(tensor<?x?xf64, #ta.distributed<#CSR, <"N", [entries(1, 0), all, at(1)]>>>)

#V = #ta.format<(i) -> (i : dense)>
!A = tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0)]>>>
!x = tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>
// CHECK-LABEL: func @needs
func.func @needs(%A: !A, %x: !x) -> !x {
  // CHECK: %[[U:.*]] = ta.needs(%{{.*}}) at [1] : (tensor<?x?xf64, {{.*}}>) -> tensor<?xi64, #ta.distributed<#{{.*}}, <"M", [all], listed(0)>>>
  %u = ta.needs (%A) at [1] : (!A) -> tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  // CHECK: %[[X:.*]] = ta.fetch %{{.*}} at [0] by(%[[U]] : {{.*}}) : {{.*}} to tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [all], listed(0)>>>
  %n = ta.fetch %x at [0] by (%u : tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>)
      : !x to tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  %m = ta.dim %x, 0 : !x
  // CHECK: ta.distribute(%[[X]] : {{.*}}) sizes(%{{.*}}) -> tensor<?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>> {
  // CHECK-NEXT: ^bb0(%[[P:.*]]: tensor<?xf64>):
  // CHECK-NEXT: ta.next %[[P]] : tensor<?xf64>
  %y = ta.distribute (%n : tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>) sizes(%m) -> !x {
  ^bb0(%p: tensor<?xf64>):
    ta.next %p : tensor<?xf64>
  }
  return %y : !x
}

!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
#P = #ta.format<(i, j) -> (i : dense, j : compressed)>
// Cells share the entries of A, and list the coordinates of these; intervals are never listed.
// CHECK-LABEL: func @scatter
func.func @scatter(%A: tensor<?x?xf64, #ta.distributed<#CSR, <"M", [entries(0, 1)], listed(0)>>>, %u: !u,
                   %p: tensor<?x?xf64, #ta.distributed<#P, <"M", [share(0)], listed(1)>>>) {
  // CHECK: ta.scatter %{{.*}} at [1] by(%{{.*}} : {{.*}}) : tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)], listed(1)>>> to tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [share(0)]>>>
  %s = ta.scatter %p at [1] by (%u : !u) : tensor<?x?xf64, #ta.distributed<#P, <"M", [share(0)], listed(1)>>>
      to tensor<?x?xf64, #ta.distributed<#P, <"M", [share(0)]>>>
  return
}

// CHECK-LABEL: func @reach
func.func @reach(%x: !x, %n: index, %m: index, %y: !x) {
  // CHECK: %[[L:.*]] = ta.reach %{{.*}} of %{{.*}} by 0 shifted 1 to %{{.*}} from 0 width 3 : tensor<?xi64, {{.*}}>
  %l = ta.reach %n of %m by 0 shifted 1 to %m from 0 width 3 : !u
  %p = ta.fetch %x at [0] by (%l : !u) : !x to tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  // CHECK: ta.scatter %{{.*}} at [0] by(%[[L]] : {{.*}}) into %{{.*}} : {{.*}} : {{.*}} to {{.*}}
  %s = ta.scatter %p at [0] by (%l : !u) into %y : !x
      : tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>> to !x
  return
}

// -----

// expected-error@+1 {{has two axes called "x"}}
ta.machine @M(x = 4, x = 2)

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error@+2 {{dimension 0 is cut twice}}
// expected-error@+1 {{failed to parse}}
func.func private @twice(tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(0), share(0)]>>>)

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error@+2 {{one axis at most cuts by entries}}
// expected-error@+1 {{failed to parse}}
func.func private @both(tensor<?x?xf64, #ta.distributed<#CSR, <"M", [entries(0), entries(1)]>>>)

// -----

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error@+1 {{a tensor of order 2 has no dimension 2}}
func.func private @order(tensor<?x?xf64, #ta.distributed<#CSR, <"M", [share(2)]>>>)

// -----

#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#HYB = #ta.sum<[#ELL, #COO]>
// expected-error@+1 {{what is stored in several parts is cut by coordinates only}}
func.func private @parts(tensor<?x?xf64, #ta.distributed<#HYB, <"M", [entries(0, 1)]>>>)

// -----

#V = #ta.format<(i) -> (i : dense)>
// expected-error@+2 {{dimension 0 is cut or listed twice}}
// expected-error@+1 {{failed to parse}}
func.func private @listed(tensor<?xf64, #ta.distributed<#V, <"M", [share(0)], listed(0)>>>)

// -----

#V = #ta.format<(i) -> (i : dense)>
func.func @needs(%x: tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>) {
  // expected-error@+1 {{is of dimensions of tensors that are placed on a machine}}
  %u = ta.needs (%x) at [1] : (tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>)
      -> tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
func.func @needs(%x: tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>) {
  // expected-error@+1 {{makes a vector of 64-bit integers whose dimension is listed}}
  %u = ta.needs (%x) at [0] : (tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>)
      -> tensor<?xi64, #ta.distributed<#V, <"M", [all]>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
func.func @fetch(%x: tensor<?xf64>, %u: !u) {
  // expected-error@+1 {{needs a list for each dimension that its result's placement lists}}
  %y = ta.fetch %x at [0] by (%u : !u) : tensor<?xf64> to tensor<?xf64, #ta.distributed<#V, <"M", [all]>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
func.func @fetch(%x: tensor<?xf32>, %u: !u) {
  // expected-error@+1 {{changes more than the placement}}
  %y = ta.fetch %x at [0] by (%u : !u) : tensor<?xf32> to tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
!p = tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>
func.func @scatter(%p: !p, %u: !u) {
  // expected-error@+1 {{has a result whose coordinates are listed}}
  %y = ta.scatter %p at [0] by (%u : !u) : !p to !p
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
!p = tensor<?xf64, #ta.distributed<#V, <"M", [all]>>>
func.func @scatter(%p: !p, %u: !u) {
  // expected-error@+1 {{needs a list for each dimension that its operand's placement lists}}
  %y = ta.scatter %p at [0] by (%u : !u) : !p to tensor<?xf64>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
func.func @scatter(%p: tensor<?xf32, #ta.distributed<#V, <"M", [all], listed(0)>>>, %u: !u) {
  // expected-error@+1 {{changes more than the placement, and what is stored}}
  %y = ta.scatter %p at [0] by (%u : !u) : tensor<?xf32, #ta.distributed<#V, <"M", [all], listed(0)>>>
      to tensor<?xf64, #ta.distributed<#V, <"M", [all]>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!x = tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>
func.func @pieces(%x: !x, %n: index) {
  // expected-error@+1 {{needs a region from pieces of its operands to a piece of its result}}
  %y = ta.distribute (%x : !x) sizes(%n) -> !x {
  ^bb0(%p: tensor<?xf32>):
    ta.next %p : tensor<?xf32>
  }
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
func.func @whole(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{is of tensors, one or more, that are placed on one machine}}
  %y = ta.distribute (%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>> {
  ^bb0(%p: tensor<?xf64>):
    ta.next %p : tensor<?xf64>
  }
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
!u = tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
func.func @scatter(%p: tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>, %u: !u, %y: tensor<?xf64>) {
  // expected-error@+1 {{puts what cells have into a tensor of its result's type, on these cells, that has a place for everything}}
  %s = ta.scatter %p at [0] by (%u : !u) into %y : tensor<?xf64> : tensor<?xf64, #ta.distributed<#V, <"M", [all], listed(0)>>>
      to tensor<?xf64, #ta.distributed<#V, <"M", [share(0)]>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
func.func @reach(%n: index) {
  // expected-error@+1 {{makes a vector of 64-bit integers whose dimension is listed}}
  %l = ta.reach %n of %n by 0 shifted 1 to %n from 0 width 3 : tensor<?xi64, #ta.distributed<#V, <"M", [all]>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
func.func @reach(%n: index) {
  // expected-error@+1 {{needs an axis of the machine}}
  %l = ta.reach %n of %n by 1 shifted 1 to %n from 0 width 3 : tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  return
}

// -----

#V = #ta.format<(i) -> (i : dense)>
func.func @reach(%n: index) {
  // expected-error@+1 {{reaches a coordinate or more}}
  %l = ta.reach %n of %n by 0 shifted 1 to %n from 0 width 0 : tensor<?xi64, #ta.distributed<#V, <"M", [all], listed(0)>>>
  return
}
