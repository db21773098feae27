// What is forbidden is not done; if nothing else helps, the message says what would.
// RUN: not strata-opt %s --ta-forbid-resolutions=what=conversion,sort --ta-resolve-conflicts --split-input-file 2>&1 | FileCheck %s
// RUN: not strata-opt %s --ta-forbid-resolutions=what=order,conversion --ta-resolve-conflicts --split-input-file 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not strata-opt %s --ta-forbid-resolutions=what=magic --split-input-file 2>&1 | FileCheck %s --check-prefix=WORD
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// CHECK: error: cannot compute this statement:
// CHECK: note: it can be if 'conversion' is allowed: 'B' is then converted from CSC to CSR
// WORD: error: 'magic' cannot be forbidden; valid words are fusion, split, grouping, order, workspace, conversion, sort, gather
func.func @orders(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC> loc("B"), %n: index)
    -> tensor<?x?xf64, #CSR> {
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>)
      sizes(%n, %n) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSC>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// -----
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// As it is written, y is computed row by row, and CSC has columns.
// ORDER: error: cannot compute this statement: the loops are to run in the order in which the labels are written
// ORDER: note: it can be if 'order' is allowed: the loops run over j, i then
func.func @columns(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSC>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}
