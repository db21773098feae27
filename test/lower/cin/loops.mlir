// What all passes on loops together make of statements.
// RUN: strata-opt %s --strata-kernel="stage=cin" --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// A sum inside its row: a scalar before the assignment.
// CHECK-LABEL: @spmv
// CHECK: cin.build %out like(%A)
// CHECK: cin.forall %[[I:.*]] = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK: %[[T:.*]] = cin.temp add
// CHECK: cin.where {
// CHECK: cin.forall %[[J:.*]] = %m {name = "j"}
// CHECK: cin.assign %[[T]][] combine add {
// CHECK: } do {
// CHECK: cin.assign %out[%[[I]]] {
// CHECK: cin.access %[[T]][]
func.func @spmv(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x"), %n: index loc("n"),
                %m: index loc("m")) -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// The sum's loop comes before one of the result: accumulation in place.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @spmm
// CHECK-NOT: cin.where
// CHECK: cin.forall %[[I:.*]] = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK: cin.forall %[[K:.*]] = %m {name = "k"}
// CHECK: cin.forall %[[J:.*]] = %r {name = "j"}
// CHECK: cin.assign %out[%[[I]], %[[J]]] combine add {
func.func @spmm(%A: tensor<?x?xf64, #CSR> loc("A"), %B: tensor<?x?xf64> loc("B"), %n: index loc("n"),
                %m: index loc("m"), %r: index loc("r")) -> tensor<?x?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %r] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64>) sizes(%n, %r)
      -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %m] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// Coordinates: the loop over rows runs once for each entry.
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
// CHECK-LABEL: @coo_spmv
// CHECK: cin.forall %[[I:.*]] = %n {accumulates, mark = #ta.mark<thread>, name = "i"}
// CHECK: cin.forall %{{.*}} = %m {name = "j"}
// CHECK: cin.assign %out[%[[I]]] combine add {
func.func @coo_spmv(%A: tensor<?x?xf64, #COO> loc("A"), %x: tensor<?xf64> loc("x"), %n: index loc("n"),
                    %m: index loc("m")) -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #COO>, tensor<?xf64>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
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

// -----
// y = b - A x: the sum is a scalar, the rest one assignment.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @residual
// CHECK: cin.forall %[[I:.*]] = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK: %[[T:.*]] = cin.temp add
// CHECK: cin.forall %{{.*}} = %m {name = "j"}
// CHECK: } do {
// CHECK: cin.assign %out[%[[I]]] {
// CHECK-DAG: cin.access %b[%[[I]]]
// CHECK-DAG: cin.access %[[T]][]
// CHECK: arith.subf
func.func @residual(%A: tensor<?x?xf64, #CSR> loc("A"), %x: tensor<?xf64> loc("x"), %b: tensor<?xf64> loc("b"),
                    %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x, %b : tensor<?x?xf64, #CSR>, tensor<?xf64>, tensor<?xf64>) sizes(%n)
      -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %c = ta.access %b[%i] : tensor<?xf64>
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %d = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %d : f64
      ta.yield %p : f64
    }
    %r = arith.subf %c, %s : f64
    ta.yield %r : f64
  }
  return %y : tensor<?xf64>
}

// -----
// SDDMM: the sampling matrix drives the outer loops, the sum is innermost.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @sddmm
// CHECK: cin.forall %[[I:.*]] = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK: cin.forall %[[J:.*]] = %m {name = "j"}
// CHECK: cin.temp add
// CHECK: cin.forall %{{.*}} = %r {name = "k"}
// CHECK: cin.assign %out[%[[I]], %[[J]]] {
func.func @sddmm(%B: tensor<?x?xf64, #CSR> loc("B"), %C: tensor<?x?xf64> loc("C"), %D: tensor<?x?xf64> loc("D"),
                 %n: index loc("n"), %m: index loc("m"), %r: index loc("r"))
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%B, %C, %D : tensor<?x?xf64, #CSR>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %r] attributes {names = ["k"]} : f64 {
      %a = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %C[%i, %k] : tensor<?x?xf64>
      %c = ta.access %D[%k, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.mulf %p, %c : f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// MTTKRP: two sums in storage order, the dense column last.
#CSF = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
// CHECK-LABEL: @mttkrp
// CHECK: cin.forall %[[I:.*]] = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK: cin.forall %{{.*}} = %m {name = "k"}
// CHECK: cin.forall %{{.*}} = %l {name = "l"}
// CHECK: cin.forall %[[J:.*]] = %r {name = "j"}
// CHECK: cin.assign %out[%[[I]], %[[J]]] combine add {
func.func @mttkrp(%B: tensor<?x?x?xf64, #CSF> loc("B"), %C: tensor<?x?xf64> loc("C"), %D: tensor<?x?xf64> loc("D"),
                  %n: index loc("n"), %m: index loc("m"), %l: index loc("l"), %r: index loc("r"))
    -> tensor<?x?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %r] ins(%B, %C, %D : tensor<?x?x?xf64, #CSF>, tensor<?x?xf64>, tensor<?x?xf64>)
      sizes(%n, %r) -> tensor<?x?xf64> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %m, %o = %l] attributes {names = ["k", "l"]} : f64 {
      %a = ta.access %B[%i, %k, %o] : tensor<?x?x?xf64, #CSF>
      %b = ta.access %C[%k, %j] : tensor<?x?xf64>
      %c = ta.access %D[%o, %j] : tensor<?x?xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.mulf %p, %c : f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// Three operands in one assignment.
#V = #ta.format<(i) -> (i : compressed)>
// CHECK-LABEL: @add3
// CHECK: cin.build %out like(%A, %B, %C)
// CHECK: cin.forall %[[I:.*]] = %n {name = "i"}
// CHECK-NEXT: cin.assign %out[%[[I]]] {
// CHECK-NEXT: cin.access %A
// CHECK-NEXT: cin.access %B
// CHECK-NEXT: arith.addf
// CHECK-NEXT: cin.access %C
// CHECK-NEXT: arith.addf
func.func @add3(%A: tensor<?xf64, #V> loc("A"), %B: tensor<?xf64, #V> loc("B"), %C: tensor<?xf64, #V> loc("C"),
                %n: index loc("n")) -> tensor<?xf64, #V> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %B, %C : tensor<?xf64, #V>, tensor<?xf64, #V>, tensor<?xf64, #V>)
      sizes(%n) -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    %b = ta.access %B[%i] : tensor<?xf64, #V>
    %c = ta.access %C[%i] : tensor<?xf64, #V>
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    ta.yield %t : f64
  }
  return %y : tensor<?xf64, #V>
}

// -----
// A variable that the value does not use is looped over all the same.
// CHECK-LABEL: @broadcast
// CHECK-DAG: cin.forall %{{.*}} = %n {mark = #ta.mark<thread>, name = "i"}
// CHECK-DAG: cin.forall %{{.*}} = %m {name = "j"}
// CHECK: cin.access %x
func.func @broadcast(%x: tensor<?xf64> loc("x"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%x : tensor<?xf64>) sizes(%n, %m) -> tensor<?x?xf64> out [%i, %j]
      attributes {names = ["i", "j"]} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}

// -----
// So is one of a sum: m * x.
// CHECK-LABEL: @unused_sum
// CHECK-DAG: cin.forall %{{.*}} = %n {name = "i"}
// CHECK-DAG: cin.forall %{{.*}} = %m {name = "j"}
// CHECK: combine add
func.func @unused_sum(%x: tensor<?xf64> loc("x"), %n: index loc("n"), %m: index loc("m")) -> tensor<?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %x[%i] : tensor<?xf64>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----
// One loop over the entries of a list is the way to a result that counts them first; but not to one
// that takes them in another order.
#Slices = #ta.format<(i, j, k) -> (i : compressed(nonunique), j : singleton, k : dense)>
#Turned = #ta.format<(i, j, k) -> (k : compressed(nonunique), i : singleton, j : dense)>
// CHECK-LABEL: @another_order
// CHECK: cin.forall {{.*}} {mark = #ta.mark<thread>, name = "k"}
// CHECK: cin.forall {{.*}} {name = "i"}
func.func @another_order(%A: tensor<?x?x?xf64, #Slices>, %n: index, %m: index, %o: index)
    -> tensor<?x?x?xf64, #Turned> attributes {strata.kernel, strata.policy = #ta.policy<counted>} {
  %y = ta.compute [%i = %n, %j = %m, %k = %o] ins(%A : tensor<?x?x?xf64, #Slices>) sizes(%n, %m, %o)
      -> tensor<?x?x?xf64, #Turned> out [%i, %j, %k] attributes {names = ["i", "j", "k"]} {
    %a = ta.access %A[%i, %j, %k] {missing} : tensor<?x?x?xf64, #Slices>
    ta.yield %a : f64
  }
  return %y : tensor<?x?x?xf64, #Turned>
}

// -----
// A grid of blocks, in each a list: the entries of each block are counted.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSB = #ta.format<(i, j) -> (i floordiv 64 : dense, j floordiv 64 : dense,
                             i mod 64 : compressed(nonunique), j mod 64 : singleton)>
// CHECK-LABEL: @grid_of_blocks
// CHECK: cin.build {{.*}} counted
// CHECK: cin.forall {{.*}} {mark = #ta.mark<thread>, name = "i"}
// CHECK: cin.forall {{.*}} {name = "j"}
func.func @grid_of_blocks(%A: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #CSB>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %m)
      -> tensor<?x?xf64, #CSB> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] {missing} : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #CSB>
}
