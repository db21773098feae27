// Every operation of cin, printed and read again.
// RUN: strata-opt %s | strata-opt | FileCheck %s
// RUN: strata-opt %s --mlir-print-op-generic | strata-opt | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @spmv
// CHECK-SAME: (%[[Y:.*]]: !ta.storage<tensor<?xf64>>, %[[A:.*]]: !ta.storage<tensor<?x?xf64, #{{.*}}>>, %[[X:.*]]: !ta.storage<tensor<?xf64>>, %[[N:.*]]: index, %[[M:.*]]: index)
func.func @spmv(%y: !ta.storage<tensor<?xf64>>, %A: !ta.storage<tensor<?x?xf64, #CSR>>,
                %x: !ta.storage<tensor<?xf64>>, %n: index, %m: index) {
  // CHECK: cin.build %[[Y]] like(%[[A]]) : !ta.storage<tensor<?xf64>>, !ta.storage<tensor<?x?xf64, #{{.*}}>>
  cin.build %y like(%A) : !ta.storage<tensor<?xf64>>, !ta.storage<tensor<?x?xf64, #CSR>>
  // CHECK: cin.forall %[[I:.*]] = %[[N]] {name = "i"} {
  cin.forall %i = %n {name = "i"} {
    // CHECK: %[[T:.*]] = cin.temp add : <tensor<f64>>
    %t = cin.temp add : <tensor<f64>>
    // CHECK: cin.where {
    cin.where {
      // CHECK: cin.forall %[[J:.*]] = %[[M]] {name = "j"} {
      cin.forall %j = %m {name = "j"} {
        // CHECK: cin.assign %[[T]][] combine add {
        // CHECK-NEXT: %[[P:.*]] = cin.access %[[A]][%[[I]], %[[J]]] : !ta.storage<tensor<?x?xf64, #{{.*}}>>
        // CHECK-NEXT: %[[Q:.*]] = cin.access %[[X]][%[[J]]] : !ta.storage<tensor<?xf64>>
        // CHECK-NEXT: %[[R:.*]] = arith.mulf %[[P]], %[[Q]] : f64
        // CHECK-NEXT: cin.yield %[[R]] : f64
        // CHECK-NEXT: } : !ta.storage<tensor<f64>>
        cin.assign %t[] combine add {
          %a = cin.access %A[%i, %j] : !ta.storage<tensor<?x?xf64, #CSR>>
          %b = cin.access %x[%j] : !ta.storage<tensor<?xf64>>
          %p = arith.mulf %a, %b : f64
          cin.yield %p : f64
        } : !ta.storage<tensor<f64>>
      }
      // CHECK: } do {
    } do {
      // CHECK: cin.assign %[[Y]][%[[I]]] {
      // CHECK-NEXT: cin.access %[[T]][] : !ta.storage<tensor<f64>>
      cin.assign %y[%i] {
        %s = cin.access %t[] : !ta.storage<tensor<f64>>
        cin.yield %s : f64
      } : !ta.storage<tensor<?xf64>>
    }
  }
  return
}

// CHECK-LABEL: @parts
func.func @parts(%y: !ta.storage<tensor<?xf64>>, %A: !ta.storage<tensor<?x?xf64, #CSR>>, %n: index, %m: index) {
  // CHECK: cin.forall %[[C:.*]] = %[[N:.*]] by 8 of %[[A:.*]] : !ta.storage<tensor<?x?xf64, #{{.*}}>> {chunks, name = "c"} {
  // CHECK-NEXT: cin.forall %{{.*}} = %[[N]] in %[[C]] {group = "q", name = "i"} {
  // CHECK-NEXT: cin.forall %[[J:.*]] = %{{.*}} in %[[C]] {group = "q", name = "j"} {
  cin.forall %c = %n by 8 of %A : !ta.storage<tensor<?x?xf64, #CSR>> {chunks, name = "c"} {
    cin.forall %i = %n in %c {group = "q", name = "i"} {
      cin.forall %j = %m in %c {group = "q", name = "j"} {
        cin.assign %y[%i] combine add {
          %a = cin.access %A[%i, %j] : !ta.storage<tensor<?x?xf64, #CSR>>
          cin.yield %a : f64
        } : !ta.storage<tensor<?xf64>>
      }
    }
  }
  // CHECK: cin.forall %[[IO:.*]] = %[[N]] into 4 {name = "io"} {
  // CHECK-NEXT: cin.forall %{{.*}} = %[[N]] into 4 in %[[IO]] {name = "ii"} {
  cin.forall %io = %n into 4 {name = "io"} {
    cin.forall %ii = %n into 4 in %io {name = "ii"} {
    }
  }
  return
}

// CHECK-LABEL: @marks
func.func @marks(%n: index) {
  // CHECK: cin.forall %{{.*}} = %{{.*}} into 4 {mark = #ta.mark<thread with temporary>, name = "io"} {
  // CHECK-NEXT: cin.forall %{{.*}} {mark = #ta.mark<serial by 4>, name = "ii"} {
  // CHECK-NEXT: cin.forall %{{.*}} {mark = #ta.mark<vector>, name = "j"} {
  cin.forall %io = %n into 4 {name = "io", mark = #ta.mark<thread with temporary>} {
    cin.forall %ii = %n into 4 in %io {name = "ii", mark = #ta.mark<serial by 4>} {
      cin.forall %j = %n {name = "j", mark = #ta.mark<vector>} {
      }
    }
  }
  return
}

// CHECK-LABEL: @places
func.func @places(%y: !ta.storage<tensor<?xf64>>, %x: !ta.storage<tensor<?xf64>>, %n: index) {
  // CHECK: cin.require "i" %{{.*}} in 0 to 32
  cin.require "i" %n in 0 to 32
  // CHECK: cin.build %{{.*}} : !ta.storage<tensor<?xf64>>
  cin.build %y : !ta.storage<tensor<?xf64>>
  // CHECK: cin.forall %[[I:.*]] = %{{.*}} {accumulates, gallop = true, name = "i"} {
  cin.forall %i = %n {accumulates, gallop = true, name = "i"} {
    // CHECK: cin.assign %{{.*}}[%[[I]] + 1] combine min {
    // CHECK-NEXT: cin.access %{{.*}}[%[[I]] * 2] : !ta.storage<tensor<?xf64>>
    cin.assign %y[%i + 1] combine min {
      %a = cin.access %x[%i * 2] : !ta.storage<tensor<?xf64>>
      cin.yield %a : f64
    } : !ta.storage<tensor<?xf64>>
  }
  return
}
