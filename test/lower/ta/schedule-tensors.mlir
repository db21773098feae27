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

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// What is stored is reduced, and counted, and the rest of the schedule stays.
// CHECK-LABEL: @fold
// CHECK: %[[V:.*]] = ta.compute
// CHECK:   ta.reduce max {{.*}} {names = ["i", "j"]}
// CHECK: %[[N:.*]] = ta.compute
// CHECK:   ta.reduce add {{.*}} {names = ["i", "j"]} : i64
// CHECK: ta.compute [] ins(%[[V]], %[[N]] :
// CHECK-SAME: schedule = #ta.schedule<reorder(i, j)>
// CHECK:   ta.select
func.func @fold(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index, %m: index) -> tensor<f64> {
  %s = ta.compute [] ins(%A : tensor<?x?xf64, #CSR>) -> tensor<f64> out []
      attributes {schedule = #ta.schedule<fold(), reorder(i, j)>} {
    %r = ta.reduce max [%i = %n, %j = %m] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %r : f64
  } loc("s")
  return %s : tensor<f64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// expected-error @unknown {{'fold()' is not possible: no reduction has the same term, one that changes its value, wherever its sparse operands store nothing}}
func.func @nothing_to_fold(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index, %m: index) -> tensor<f64> {
  %s = ta.compute [] ins(%A : tensor<?x?xf64, #CSR>) -> tensor<f64> out []
      attributes {schedule = #ta.schedule<fold()>} {
    %r = ta.reduce add [%i = %n, %j = %m] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %r : f64
  } loc("s")
  return %s : tensor<f64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// expected-error @unknown {{'fold(A)' is not possible: it takes no arguments: fold()}}
func.func @fold_of(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index, %m: index) -> tensor<f64> {
  %s = ta.compute [] ins(%A : tensor<?x?xf64, #CSR>) -> tensor<f64> out []
      attributes {schedule = #ta.schedule<fold(A)>} {
    %r = ta.reduce max [%i = %n, %j = %m] attributes {names = ["i", "j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ta.yield %r : f64
  } loc("s")
  return %s : tensor<f64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// The diagonal is a tensor of its own.
// CHECK-LABEL: @extract
// CHECK: %[[E:.*]] = ta.compute {{.*}} ins(%arg0, {{.*}}reason = "the diagonal of 'A', since CSR cannot be iterated along it"}
// CHECK: %[[D:.*]] = ta.gather %[[E]]
// CHECK: ta.compute {{.*}} ins(%[[D]] :
// CHECK-SAME: schedule = #ta.schedule<>
// CHECK:   ta.access %[[D]][
func.func @extract(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index) -> tensor<?xf64> {
  %d = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<extract()>} {
    %a = ta.access %A[%i, %i] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  } loc("d")
  return %d : tensor<?xf64>
}

// -----
// expected-error @unknown {{'extract()' is not possible: no sparse operand is read at other places than by labels, each once}}
func.func @nothing_to_extract(%A: tensor<?x?xf64> loc("A"), %n: index) -> tensor<?xf64> {
  %d = ta.compute [%i = %n] ins(%A : tensor<?x?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<extract()>} {
    %a = ta.access %A[%i, %i] : tensor<?x?xf64>
    ta.yield %a : f64
  } loc("d")
  return %d : tensor<?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Each term by loops that walk it as it is stored.
// CHECK-LABEL: @accumulate
// CHECK: %[[T:.*]] = ta.compute {{.*}} ins(%arg0 :
// CHECK: ta.compute {{.*}} ins(%arg1 : {{.*}} init(%[[T]] : {{.*}} combine add
// CHECK-SAME: schedule = #ta.schedule<reorder(j, i)>
func.func @accumulate(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %n: index) -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<accumulate(), reorder(j, i)>} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%j, %i] : tensor<?x?xf64, #CSR>
    %c = arith.addf %a, %b : f64
    ta.yield %c : f64
  } loc("R")
  return %R : tensor<?x?xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// expected-error @unknown {{'accumulate()' is not possible: the result must be dense and new}}
func.func @walked_together(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64, #CSR> loc("B"), %n: index) -> tensor<?x?xf64> {
  %R = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"], schedule = #ta.schedule<accumulate()>} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %c = arith.addf %a, %b : f64
    ta.yield %c : f64
  } loc("R")
  return %R : tensor<?x?xf64>
}

// -----
// What T is, where it is read; the other commands stay.
// CHECK-LABEL: @inline
// CHECK: ta.compute {{.*}} ins(%arg1, %arg0 :
// CHECK-SAME: fused = ["'T': its schedule says so"]
// CHECK-SAME: schedule = #ta.schedule<vectorize(i)>
// CHECK:   arith.addf
// CHECK:   arith.divf
// CHECK-NOT: ta.compute
func.func @inline(%x: tensor<?xf64> loc("x"), %y: tensor<?xf64> loc("y"), %n: index) -> tensor<?xf64> {
  %T = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %a = ta.access %x[%i] : tensor<?xf64>
    %b = arith.addf %a, %a : f64
    ta.yield %b : f64
  } loc("T")
  %z = ta.compute [%i = %n] ins(%T, %y : tensor<?xf64>, tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<inline(T), vectorize(i)>} {
    %t = ta.access %T[%i] : tensor<?xf64>
    %b = ta.access %y[%i] : tensor<?xf64>
    %c = arith.divf %t, %b : f64
    ta.yield %c : f64
  } loc("z")
  return %z : tensor<?xf64>
}

// -----
// expected-error @unknown {{'inline(T)' is not possible: 'T' is not computed where it is read: others read it}}
func.func @inline_of_two(%x: tensor<?xf64> loc("x"), %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %T = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %a = ta.access %x[%i] : tensor<?xf64>
    %b = arith.addf %a, %a : f64
    ta.yield %b : f64
  } loc("T")
  %z = ta.compute [%i = %n] ins(%T : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<inline(T)>} {
    %t = ta.access %T[%i] : tensor<?xf64>
    %c = arith.divf %t, %t : f64
    ta.yield %c : f64
  } loc("z")
  return %T, %z : tensor<?xf64>, tensor<?xf64>
}

// -----
// expected-error @unknown {{'inline(x)' is not possible: no statement computes 'x'}}
func.func @inline_of_argument(%x: tensor<?xf64> loc("x"), %n: index) -> tensor<?xf64> {
  %z = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<inline(x)>} {
    %t = ta.access %x[%i] : tensor<?xf64>
    ta.yield %t : f64
  } loc("z")
  return %z : tensor<?xf64>
}

// -----
// The second is what the first is, whose schedule does not matter; numbers may be several operations.
// CHECK-LABEL: @share
// CHECK: %[[Y:.*]] = ta.compute
// CHECK-NOT: ta.compute
// CHECK: return %[[Y]], %[[Y]]
func.func @share(%x: tensor<4xf64> loc("x")) -> (tensor<4xf64>, tensor<4xf64>) {
  %n = arith.constant 4 : index
  %m = arith.constant 4 : index
  %y = ta.compute [%i = %n] ins(%x : tensor<4xf64>) -> tensor<4xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<vectorize(i)>} {
    %t = ta.access %x[%i] : tensor<4xf64>
    %u = arith.addf %t, %t : f64
    ta.yield %u : f64
  } loc("y")
  %z = ta.compute [%k = %m] ins(%x : tensor<4xf64>) -> tensor<4xf64> out [%k]
      attributes {names = ["k"], schedule = #ta.schedule<share(y)>} {
    %t = ta.access %x[%k] : tensor<4xf64>
    %u = arith.addf %t, %t : f64
    ta.yield %u : f64
  } loc("z")
  return %y, %z : tensor<4xf64>, tensor<4xf64>
}

// -----
// expected-error @unknown {{'share(y)' is not possible: the statement that computes 'y' is another one}}
func.func @share_other(%x: tensor<4xf64> loc("x")) -> (tensor<4xf64>, tensor<4xf64>) {
  %n = arith.constant 4 : index
  %y = ta.compute [%i = %n] ins(%x : tensor<4xf64>) -> tensor<4xf64> out [%i] attributes {names = ["i"]} {
    %t = ta.access %x[%i] : tensor<4xf64>
    %u = arith.addf %t, %t : f64
    ta.yield %u : f64
  } loc("y")
  %z = ta.compute [%i = %n] ins(%x : tensor<4xf64>) -> tensor<4xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<share(y)>} {
    %t = ta.access %x[%i] : tensor<4xf64>
    %u = arith.mulf %t, %t : f64
    ta.yield %u : f64
  } loc("z")
  return %y, %z : tensor<4xf64>, tensor<4xf64>
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// The first way walks A as it is stored, the second one a copy by columns.
// CHECK-LABEL: @specialize
// CHECK: ta.if
// CHECK:   ta.compute {{.*}} ins(%arg0 : {{.*}} schedule = #ta.schedule<reorder(j, i)>
// CHECK:   ta.next
// CHECK: } else {
// CHECK:   %[[A:.*]] = ta.convert %arg0 {reason = "its schedule says so"}
// CHECK:   ta.compute {{.*}} ins(%[[A]] : {{.*}} schedule = #ta.schedule<>
// CHECK:   ta.next
// CHECK: } {strata.few_steps}
func.func @specialize(%A: tensor<?x?xf64, #CSR> loc("A"), %n: index) -> tensor<?x?xf64> {
  %R = ta.compute [%j = %n, %i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %n) -> tensor<?x?xf64> out [%j, %i]
      attributes {names = ["j", "i"], schedule = #ta.schedule<reorder(j, i), specialize(FewSteps), convert(A, CSC)>} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  } loc("R")
  return %R : tensor<?x?xf64>
}

// -----
// expected-error @unknown {{'specialize(FewApples)' is not possible: it takes a condition, one of FewSteps, FewTerms, FewReads, FewUses, FewEntries, AbsentZeros}}
func.func @no_condition(%x: tensor<?xf64> loc("x"), %n: index) -> tensor<?xf64> {
  %z = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<specialize(FewApples)>} {
    %t = ta.access %x[%i] : tensor<?xf64>
    ta.yield %t : f64
  } loc("z")
  return %z : tensor<?xf64>
}

// -----
// expected-error @unknown {{'specialize(FewSteps)' is not possible: a statement has two ways at most}}
func.func @three_ways(%x: tensor<?xf64> loc("x"), %n: index) -> tensor<?xf64> {
  %z = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"], schedule = #ta.schedule<specialize(FewSteps), specialize(FewReads)>} {
    %t = ta.access %x[%i] : tensor<?xf64>
    ta.yield %t : f64
  } loc("z")
  return %z : tensor<?xf64>
}
