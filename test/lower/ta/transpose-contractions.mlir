// Contractions become transposes and products of matrices (TTGT).
// RUN: strata-opt %s --ta-forbid-resolutions=what=packing --ta-transpose-contractions | FileCheck %s
// RUN: strata-opt %s --ta-forbid-resolutions=what=packing,permutation --ta-transpose-contractions | FileCheck %s --check-prefix=WRITTEN
// RUN: strata-opt %s --ta-transpose-contractions | FileCheck %s --check-prefix=SCHEDULED

#Columns = #ta.format<(i, j) -> (j : dense, i : dense)>

// C[a, b, c] = A[a, d, c] * B[d, b]: (a, c) are the rows, which stand together in neither A nor C. c
// stays the last label of both.
// CHECK-LABEL: func @rows
// CHECK: %[[A:.*]] = ta.compute [%[[I0:.*]] = %c20, %[[I1:.*]] = %c10, %[[I2:.*]] = %c9] ins(%arg0
// CHECK-SAME: names = ["d", "a", "c"], reason = "A[d, a, c], a transpose for a product of matrices; 4500 elements are moved by all of its transposes"
// CHECK-NEXT: ta.access %arg0[%[[I1]], %[[I0]], %[[I2]]]
// CHECK: %[[C:.*]] = ta.compute [%[[J0:.*]] = %c30, %[[J1:.*]] = %c10, %[[J2:.*]] = %c9] ins(%[[A]], %arg1
// CHECK-SAME: reason = "a product of matrices, of which the result is the transpose"
// CHECK: ta.reduce add [%[[D:.*]] = %c20]
// CHECK: ta.access %[[A]][%[[D]], %[[J1]], %[[J2]]]
// CHECK: ta.access %arg1[%[[D]], %[[J0]]]
// CHECK: ta.compute [%[[K0:.*]] = %c10, %[[K1:.*]] = %c30, %[[K2:.*]] = %c9] ins(%[[C]]
// CHECK-NEXT: ta.access %[[C]][%[[K1]], %[[K0]], %[[K2]]]
func.func @rows(%A: tensor<10x20x9xf64> loc("A"), %B: tensor<20x30xf64> loc("B")) -> tensor<10x30x9xf64> {
  %c10 = arith.constant 10 : index
  %c30 = arith.constant 30 : index
  %c9 = arith.constant 9 : index
  %c20 = arith.constant 20 : index
  %C = ta.compute [%a = %c10, %b = %c30, %c = %c9] ins(%A, %B : tensor<10x20x9xf64>, tensor<20x30xf64>)
      -> tensor<10x30x9xf64> out [%a, %b, %c] attributes {names = ["a", "b", "c"]} {
    %s = ta.reduce add [%d = %c20] attributes {names = ["d"]} : f64 {
      %x = ta.access %A[%a, %d, %c] : tensor<10x20x9xf64>
      %y = ta.access %B[%d, %b] : tensor<20x30xf64>
      %p = arith.mulf %x, %y : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  } loc("C")
  return %C : tensor<10x30x9xf64>
}

// Matrices are multiplied as they are stored: B by columns, and what is added stays outside. As it
// is written, the operand that is stored by columns is transposed.
// CHECK-LABEL: func @matrices
// CHECK-COUNT-1: ta.compute
// CHECK-NOT: ta.compute
// CHECK: return
// WRITTEN-LABEL: func @matrices
// WRITTEN: %[[B:.*]] = ta.compute [%[[K:.*]] = %arg3, %[[J:.*]] = %arg3] ins(%arg1
// WRITTEN: ta.access %arg1[%[[K]], %[[J]]]
// WRITTEN: ta.compute [{{.*}}] ins(%arg0, %arg2, %[[B]]
// WRITTEN: arith.subf
func.func @matrices(%A: tensor<?x?xf64> loc("A"), %B: tensor<?x?xf64, #Columns> loc("B"),
                    %D: tensor<?x?xf64> loc("D"), %n: index) -> tensor<?x?xf64> {
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B, %D : tensor<?x?xf64>, tensor<?x?xf64, #Columns>,
      tensor<?x?xf64>) sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %n] attributes {names = ["k"]} : f64 {
      %x = ta.access %A[%i, %k] : tensor<?x?xf64>
      %y = ta.access %B[%k, %j] : tensor<?x?xf64, #Columns>
      %p = arith.mulf %x, %y : f64
      ta.yield %p : f64
    }
    %d = ta.access %D[%i, %j] : tensor<?x?xf64>
    %e = arith.subf %d, %s : f64
    ta.yield %e : f64
  } loc("C")
  return %C : tensor<?x?xf64>
}

// A schedule asks for it, and keeps its other commands.
// SCHEDULED-LABEL: func @rows
// SCHEDULED-COUNT-1: ta.compute
// SCHEDULED-NOT: ta.compute
// SCHEDULED-LABEL: func @matrices
// SCHEDULED-LABEL: func @scheduled
// SCHEDULED: %[[A:.*]] = ta.compute {{.*}} ins(%arg0
// SCHEDULED-SAME: reason = "A[i, k, l], a transpose for a product of matrices; 262144 elements are moved by all of its transposes, if labels of unknown size have 64 values"
// SCHEDULED: ta.compute {{.*}} ins(%arg1, %[[A]]
// SCHEDULED-SAME: schedule = #ta.schedule<reorder(j, i)>
func.func @scheduled(%A: tensor<?x?x?xf64> loc("A"), %B: tensor<?x?x?xf64> loc("B"), %n: index)
    -> tensor<?x?xf64> {
  %C = ta.compute [%i = %n, %j = %n] ins(%A, %B : tensor<?x?x?xf64>, tensor<?x?x?xf64>)
      sizes(%n, %n) -> tensor<?x?xf64> out [%i, %j]
      attributes {names = ["i", "j"], schedule = #ta.schedule<ttgt(), reorder(j, i)>} {
    %s = ta.reduce add [%k = %n, %l = %n] attributes {names = ["k", "l"]} : f64 {
      %x = ta.access %A[%k, %i, %l] : tensor<?x?x?xf64>
      %y = ta.access %B[%k, %l, %j] : tensor<?x?x?xf64>
      %p = arith.mulf %x, %y : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  } loc("C")
  return %C : tensor<?x?xf64>
}
