// The order of each statement's loops, and how its result is assembled.
// RUN: strata-opt %s --print-loop-orders -o /dev/null | FileCheck %s
// RUN: strata-opt %s --print-access-paths -o /dev/null | FileCheck %s --check-prefix=PATH
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>

// The columns of A outermost: the left side does not come first.
// CHECK-LABEL: columns:
// CHECK-NEXT:   loops: j, i
// CHECK-NEXT:   assembly: in order
// PATH-LABEL: columns:
// PATH-NEXT:   operand 0:
// PATH-NEXT:     j: walk level 0; gives w0; full; can be located
// PATH-NEXT:     i: walk level 1; gives w0; restricts
// PATH-NEXT:   operand 1:
// PATH-NEXT:     j: walk level 0; gives w0; full; can be located
// PATH-NEXT:   result:
// PATH-NEXT:     i: walk level 0; gives w0; full; can be located
func.func @columns(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSC>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// Rows of the product are gathered.
// CHECK-LABEL: product:
// CHECK-NEXT:   loops: i, k, j
// CHECK-NEXT:   assembly: gathered
// PATH-LABEL: product:
// PATH-NEXT:   operand 0:
// PATH-NEXT:     i: walk level 0; gives w0; full; can be located
// PATH-NEXT:     k: walk level 1; gives w0; restricts
// PATH-NEXT:   operand 1:
// PATH-NEXT:     k: walk level 0; gives w0; full; can be located
// PATH-NEXT:     j: walk level 1; gives w0; restricts
// PATH-NEXT:   result:
// PATH-NEXT:     i: walk level 0; gives w0; full; can be located
// PATH-NEXT:     j: walk level 1; gives w0; restricts
func.func @product(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// A list is walked as one.
// CHECK-LABEL: list:
// CHECK-NEXT:   loops: i, j
// CHECK-NEXT:   assembly: in order
// PATH-LABEL: list:
// PATH-NEXT:   operand 0:
// PATH-NEXT:     i: walk level 0; gives w0; restricts; repeats
// PATH-NEXT:     j: walk level 1; gives w0; restricts
// PATH-NEXT:   operand 1:
// PATH-NEXT:     j: walk level 0; gives w0; full; can be located
// PATH-NEXT:   result:
// PATH-NEXT:     i: walk level 0; gives w0; full; can be located
func.func @list(%A: tensor<?x?xf64, #COO>, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #COO>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #COO>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// One level of blocks is walked, and what lies in them: j = 4 c1 + c3.
// CHECK-LABEL: blocks:
// CHECK-NEXT:   loops: i, j
// CHECK-NEXT:   assembly: in order
// CHECK-NEXT:   one walk binds: i, j
// PATH-LABEL: blocks:
// PATH-NEXT:   operand 0:
// PATH-NEXT:     i: walk level 0; full; can be located
// PATH-NEXT:     j: walk level 1, locate level 2 at i mod 4, walk level 3; gives w0 * 4 + w1; restricts
// PATH-NEXT:   operand 1:
// PATH-NEXT:     j: walk level 0; gives w0; full; can be located
// PATH-NEXT:   result:
// PATH-NEXT:     i: walk level 0; gives w0; full; can be located
func.func @blocks(%A: tensor<?x?xf64, #BCSR>, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #BCSR>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #BCSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// No order walks both.
// CHECK-LABEL: conflict:
// CHECK-NEXT:   none: the result's format takes its coordinates in another order
// PATH-LABEL: conflict:
// PATH-NEXT:   none: the result's format takes its coordinates in another order
func.func @conflict(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>, %n: index, %m: index)
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSC>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// Diagonals that may come again are not a list: their entries do not come to a column in order.
// CHECK-LABEL: repeated_diagonals:
// CHECK-NEXT:   loops: i, j
// CHECK-NEXT:   assembly: counted
// CHECK-NOT:    one walk
#Diagonals = #ta.format<(i, j) -> (j - i : compressed(nonunique), i : range, j : offset)>
func.func @repeated_diagonals(%A: tensor<?x?xf64, #Diagonals>, %n: index, %m: index)
    -> tensor<?x?xf64, #CSC> attributes {strata.kernel, strata.policy = #ta.policy<counted>} {
  %B = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #Diagonals>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSC> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #Diagonals>
    ta.yield %a : f64
  }
  return %B : tensor<?x?xf64, #CSC>
}

// Fibres of the result are whole: the sum may be outside the loop over one, which it adds to.
// CHECK-LABEL: fibres:
// CHECK-NEXT:   loops: i, j, l, k
// CHECK-NEXT:   assembly: in order
// PATH-LABEL: fibres:
#CSF = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#Fibres = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : dense)>
func.func @fibres(%B: tensor<?x?x?xf64, #CSF>, %D: tensor<?x?xf64>, %n: index, %m: index, %r: index,
                  %s: index) -> tensor<?x?x?xf64, #Fibres> attributes {strata.kernel} {
  %C = ta.compute [%i = %n, %j = %m, %k = %r] ins(%B, %D : tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>)
      sizes(%n, %m, %r) -> tensor<?x?x?xf64, #Fibres> out [%i, %j, %k]
      attributes {names = ["i", "j", "k"]} {
    %t = ta.reduce add [%l = %s] attributes {names = ["l"]} : f64 {
      %b = ta.access %B[%i, %j, %l] : tensor<?x?x?xf64, #CSF>
      %d = ta.access %D[%l, %k] : tensor<?x?xf64>
      %p = arith.mulf %b, %d : f64
      ta.yield %p : f64
    }
    ta.yield %t : f64
  }
  return %C : tensor<?x?x?xf64, #Fibres>
}
