// Which level determines which dimension, and what follows from the levels above.
// RUN: strata-opt %s --print-format-maps -o /dev/null | FileCheck %s
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>
#BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#DIA = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
#SUM = #ta.format<(i, j) -> (i + j : compressed, i : compressed, j : offset)>
// CHECK:      format of 2 dimensions, 2 levels
// CHECK-NEXT:   c0, dense: j; j = c0
// CHECK-NEXT:   c1, compressed: i; i = c1
// CHECK-NEXT: format of 2 dimensions, 4 levels
// CHECK-NEXT:   c0, dense: i floordiv 4
// CHECK-NEXT:   c1, compressed: j floordiv 4
// CHECK-NEXT:   c2, dense: i mod 4; i = c0 * 4 + c2
// CHECK-NEXT:   c3, dense: j mod 4; j = c1 * 4 + c3
// CHECK-NEXT: format of 2 dimensions, 3 levels
// CHECK-NEXT:   c0, compressed: j - i
// CHECK-NEXT:   c1, range: i; i = c1; j = c0 + c1
// CHECK-NEXT:   c2, offset: j; implied: c0 + c1
// CHECK-NEXT: format of 2 dimensions, 3 levels
// CHECK-NEXT:   c0, dense: slot
// CHECK-NEXT:   c1, dense: i; i = c1
// CHECK-NEXT:   c2, padded: j; j = c2
// CHECK-NEXT: format of 2 dimensions, 3 levels
// CHECK-NEXT:   c0, compressed: i + j
// CHECK-NEXT:   c1, compressed: i; i = c1; j = c0 - c1
// CHECK-NEXT:   c2, offset: j; implied: c0 - c1
func.func private @f(tensor<?x?xf64, #CSC>, tensor<?x?xf64, #BCSR>, tensor<?x?xf64, #DIA>, tensor<?x?xf64, #ELL>, tensor<?x?xf64, #SUM>)
