// Schedules that say which tensors there are.
// RUN: strata-opt %s --ta-schedule-tensors --split-input-file --verify-diagnostics | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>

// An operand in another format.
// CHECK-LABEL: @operand
// CHECK: %[[A:.*]] = ta.convert %arg0 {reason = "its schedule says so"}
// CHECK: ta.compute {{.*}} ins(%arg1, %arg2, %[[A]]
// CHECK-SAME: schedule = #ta.schedule<reorder(i, j)>
// CHECK:   ta.access %[[A]][
func.func @operand(%A: tensor<?x?xf64, #CSC> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSC>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSC>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSC>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert(A, CSR), reorder(i, j)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSC>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// The result, from the format in which it is assembled.
// CHECK-LABEL: @result
// CHECK: %[[D:.*]] = ta.compute
// CHECK-SAME: (j : dense, i : compressed)
// CHECK-SAME: schedule = #ta.schedule<>
// CHECK: %[[CONVERTED:.*]] = ta.convert %[[D]] {reason = "its schedule says so"}
// CHECK: return %[[CONVERTED]]
func.func @result(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert(D, "(i, j) -> (j : dense, i : compressed)")>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Factors, with the sum that only they have: a tensor over what the others have, too.
// CHECK-LABEL: @part
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg0, %arg1 :
// CHECK-SAME: names = ["i", "l"], reason = "its schedule says so"
// CHECK:   ta.reduce add {{.*}}names = ["k"]
// CHECK: ta.compute {{.*}} ins(%arg2, %[[T]]
// CHECK-SAME: schedule = #ta.schedule<reorder(i, l, j)>
// CHECK:   ta.reduce add {{.*}}names = ["l"]
// CHECK:     ta.access %[[T]][
func.func @part(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<materialize("A(i, k) * B(k, l)", t, CSR), reorder(i, l, j)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Levels of the dimensions, one word for each; no label has a sum of its own.
// CHECK-LABEL: @last
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg1, %arg2 :
// CHECK-SAME: (i : dense, j : compressed)
// CHECK-SAME: names = ["k", "j"]
func.func @last(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<materialize("B(k,l) * C(l,j)", t, {D, CU})>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{'convert(E, CSR)' is not possible: the statement has no tensor 'E'}}
func.func @unknown(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert(E, CSR)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{CSX}}
func.func @no_format(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert(A, CSX)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{a number is no format}}
func.func @number(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert(A, 3)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{it takes a tensor and a format}}
func.func @incomplete(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert(A)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{there is no part of a product or a sum 'A(i,k) * C(l,j)'}}
// expected-note @unknown {{the right side is}}
func.func @no_part(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<materialize("A(i,k) * C(l,j)", t, CSR)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{there is a tensor 'A' already}}
func.func @taken(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<materialize("A(i,k) * B(k,l)", A, CSR)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{it takes an expression, a name and a format}}
func.func @nameless(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<materialize("A(i,k) * B(k,l)")>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error @unknown {{SparseVector}}
func.func @order(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64, #CSR> loc("C"))
    -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %o = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %p = ta.dim %C, 1 : tensor<?x?xf64, #CSR>
  %D = ta.compute [%i = %n, %j = %p] ins(%A, %B, %C : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %p) -> tensor<?x?xf64, #CSR> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<materialize("A(i,k) * B(k,l)", t, SparseVector)>} {
    %s = ta.reduce add [%k = %m, %l = %o] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %l] : tensor<?x?xf64, #CSR>
      %c = ta.access %C[%l, %j] : tensor<?x?xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      ta.yield %abc : f64
    }
    ta.yield %s : f64
  } loc("D")
  return %D : tensor<?x?xf64, #CSR>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// One access to an operand; the others read it as it is stored.
// CHECK-LABEL: @access
// CHECK: %[[A:.*]] = ta.convert %arg0
// CHECK: ta.compute {{.*}} ins(%arg0, %[[A]]
// CHECK:   ta.access %arg0[%[[I:.*]], %[[J:.*]]]
// CHECK:   ta.access %[[A]][%{{.*}}, %[[J]]]
func.func @access(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index) -> tensor<?x?xf64> {
  %C = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<convert("A(k, j)", CSC)>} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %b = ta.access %A[%k, %j] : tensor<?x?xf64, #CSR>
      ta.yield %b : f64
    }
    %p = arith.mulf %a, %s : f64
    ta.yield %p : f64
  } loc("C")
  return %C : tensor<?x?xf64>
}

// -----
// Each contraction gets a sum of its own, and what is none, too.
// CHECK-LABEL: @separate
// CHECK: ta.compute {{.*}} attributes {names = ["i", "j"], schedule = #ta.schedule<contract(i, j, k, k2)>}
// CHECK: %[[FIRST:.*]] = ta.reduce add
// CHECK: arith.mulf
// CHECK: %[[SECOND:.*]] = ta.reduce add
// CHECK: arith.addf
// CHECK: arith.subf %[[FIRST]], %[[SECOND]]
func.func @separate(%A: tensor<?x?xf64> loc("A"), %B: tensor<?x?xf64> loc("B"), %x: tensor<?xf64> loc("x"), %y: tensor<?xf64> loc("y"),
                    %n: index, %m: index, %r: index) -> tensor<?x?xf64> {
  %C = ta.compute [%i = %n, %j = %r] ins(%A, %B, %x, %y : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) sizes(%n, %r)
      -> tensor<?x?xf64> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<separate(), contract(i, j, k, k2)>} {
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      %c = ta.access %x[%k] : tensor<?xf64>
      %d = ta.access %y[%k] : tensor<?xf64>
      %e = arith.addf %c, %d : f64
      %q = arith.subf %p, %e : f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  } loc("C")
  return %C : tensor<?x?xf64>
}

// -----
// CHECK-NOT: @nothing_to_separate
// expected-error @unknown {{'separate()' is not possible: no sum of a dense result adds up several terms}}
func.func @nothing_to_separate(%A: tensor<?x?xf64> loc("A"), %B: tensor<?x?xf64> loc("B"), %n: index, %m: index, %r: index) -> tensor<?x?xf64> {
  %C = ta.compute [%i = %n, %j = %r] ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>) sizes(%n, %r) -> tensor<?x?xf64> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<separate()>} {
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  } loc("C")
  return %C : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-NOT: @infinite
// expected-error @unknown {{another operand is not finite, and 0 in the temporary would not annihilate it}}
func.func @infinite(%A: tensor<?xf64> loc("A"), %n: index) -> tensor<?xf64> {
  %D = ta.compute [%i = %n] ins(%A : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<materialize("A(i) * A(i)", t)>} {
    %a = ta.access %A[%i] : tensor<?xf64>
    %aa = arith.mulf %a, %a : f64
    %inf = arith.constant 0x7FF0000000000000 : f64
    %p = arith.mulf %inf, %aa : f64
    ta.yield %p : f64
  } loc("D")
  return %D : tensor<?xf64>
}
