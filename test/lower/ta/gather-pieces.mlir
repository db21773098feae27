// What needs a distributed tensor whole gets it so; copies, loops and branches take pieces.
// RUN: strata-opt %s --ta-gather-pieces | FileCheck %s
// RUN: strata-opt %s --ta-gather-pieces=returns-pieces | FileCheck %s --check-prefix=RETURNS

#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>
#V = #ta.format<(i) -> (i : dense)>
#rows = #ta.placement<"M", [share(0)]>
#entries = #ta.placement<"M", [entries(0, 1)]>
!A = tensor<?x?xf64, #ta.distributed<#CSR, #rows>>
!B = tensor<?x?xf64, #ta.distributed<#CSC, #entries>>
!x = tensor<?xf64, #ta.distributed<#V, #rows>>

ta.machine @M(x = 4)

// CHECK-LABEL: func @main
func.func @main() {
  // A file is read into pieces.
  // CHECK: %[[A:.*]] = ta.read "m.mtx" : tensor<?x?xf64, #ta.distributed<#[[CSR:.*]], <"M", [share(0)]>>>
  %A = ta.read "m.mtx" : !A
  %n = ta.dim %A, 0 : !A
  %m = ta.dim %A, 1 : !A

  // A copy moves pieces.
  // CHECK: ta.convert %[[A]] : {{.*}} to tensor<?x?xf64, #ta.distributed<#{{.*}}, <"M", [entries(0, 1)]>>>
  %B = ta.compute [%i = %n, %j = %m] ins(%A : !A) sizes(%n, %m) -> !B out [%i, %j] {
    %a = ta.access %A[%i, %j] : !A
    ta.yield %a : f64
  }

  // A statement works on whole tensors.
  // CHECK: %[[WHOLE:.*]] = ta.convert %[[A]] {reason = "every cell needs all of it"} : {{.*}} to tensor<?x?xf64, #[[CSR]]>
  // CHECK: %[[Y:.*]] = ta.compute {{.*}} ins(%[[WHOLE]]
  // CHECK: ta.access %[[WHOLE]]
  // CHECK: ta.convert %[[Y]] : tensor<?xf64>
  %y = ta.compute [%i = %n] ins(%A : !A) sizes(%n) -> !x out [%i] {
    %s = ta.reduce add [%j = %m] : f64 {
      %a = ta.access %A[%i, %j] : !A
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  // Pieces are written as they are; what is printed is whole.
  // CHECK: ta.write %{{.*}}, "B.mtx" : tensor<?x?xf64, #ta.distributed<
  ta.write %B, "B.mtx" : !B
  // CHECK: ta.print
  ta.print %y "y" : !x
  ta.print %B "B" : !B
  return
}

// Who calls a function from a program gets what is whole, unless it knows pieces.
// CHECK-LABEL: func @hands
// CHECK-SAME: -> tensor<?xf64>
// CHECK: ta.convert %{{.*}} to tensor<?xf64>
// RETURNS-LABEL: func @hands
// RETURNS-SAME: -> tensor<?xf64, #ta.distributed<
// RETURNS-NOT: ta.convert
func.func @hands(%x: !x) -> !x {
  return %x : !x
}
