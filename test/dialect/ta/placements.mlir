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
