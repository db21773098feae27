// The phases of a statement: the pattern alone, and the values alone of a result that has one.
// RUN: strata-opt %s --strata-kernel="stage=cin" --convert-cin-to-lvl --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s
// RUN: strata-opt %s --strata-kernel --split-input-file -o /dev/null
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// Rows are gathered as ever, but nothing is multiplied, and nothing is put.
// CHECK-LABEL: @assemble
// CHECK: lvl.build %{{.*}} gathered 1
// CHECK-NOT: arith.mulf
// CHECK: lvl.insert %{{.*}}[1] at
// CHECK-NOT: lvl.store
// CHECK: lvl.close
func.func @assemble(%A: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel, strata.phase = #ta.phase<assemble>} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%j, %k] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// A row of the pattern is indexed; its entries are then found in any order.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @product
// CHECK: %[[B:.*]] = lvl.refill %{{.*}} indexed 1
// CHECK: lvl.coiterate "i" {{.*}}inits(%[[B]] : !lvl.builder) attributes {pieces = 0 : i64}
// CHECK: %[[C:.*]], %[[ROW:.*]] = lvl.insert
// CHECK: %[[D:.*]] = lvl.index %[[C]][1] below %[[ROW]]
// CHECK: lvl.coiterate "j" {{.*}}inits(%[[D]] : !lvl.builder)
// CHECK: arith.mulf
// CHECK: lvl.store %{{.*}} combine add
// CHECK-NOT: lvl.close
// CHECK: lvl.finalize
func.func @product(%A: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel, strata.phase = #ta.phase<compute>} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%j, %k] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// -----
// Rows that are stored only if they have entries are looked for before these.
#DCSR = #ta.format<(i, j) -> (i : compressed, j : compressed)>
// CHECK-LABEL: @scaled
// CHECK: lvl.refill %{{[^ ]*}} :
// CHECK: lvl.coiterate "i"
// CHECK: %[[B:.*]], %[[ROW:.*]] = lvl.insert %{{.*}}[0] below
// CHECK: lvl.coiterate "j" {{.*}}inits(%[[B]]
// CHECK: lvl.insert %{{.*}}[1] below %[[ROW]]
// CHECK: lvl.store
func.func @scaled(%A: tensor<?x?xf64, #DCSR>, %n: index) -> tensor<?x?xf64, #DCSR>
    attributes {strata.kernel, strata.phase = #ta.phase<compute>} {
  %y = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xf64, #DCSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #DCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #DCSR>
    %p = arith.mulf %a, %a : f64
    ta.yield %p : f64
  }
  return %y : tensor<?x?xf64, #DCSR>
}

// -----
// Entries that are counted first, to be stored out of order, are looked for in one pass.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>
// CHECK-LABEL: @turned
// CHECK-NOT: lvl.count
// CHECK: lvl.coiterate "i" {{.*}}attributes {pieces = 0 : i64}
// CHECK: lvl.insert %{{.*}}[0] below
// CHECK: lvl.insert %{{.*}}[1] below
// CHECK: lvl.store
// CHECK-NOT: lvl.coiterate "i"
// CHECK: lvl.finalize
func.func @turned(%A: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSC>
    attributes {strata.kernel, strata.phase = #ta.phase<compute>} {
  %y = ta.compute [%i = %n, %j = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSC> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #CSC>
}

// -----
// A mask says which coordinates may be missing in the pattern, and dropped.
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// CHECK-LABEL: @masked
// CHECK: lvl.index
func.func @masked(%A: tensor<?x?xf64, #CSR>, %M: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?x?xf64, #CSR>
    attributes {strata.kernel, strata.phase = #ta.phase<compute>} {
  %y = ta.compute [%i = %n, %k = %n] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>) sizes(%n, %n)
      -> tensor<?x?xf64, #CSR> out [%i, %k] attributes {names = ["i", "k"]} {
    %s = ta.reduce add [%j = %n] attributes {missing, names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      %b = ta.access %A[%j, %k] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      %m = ta.access %M[%i, %k] {missing} : tensor<?x?xf64, #CSR>
      %r = ta.masked %p by %m : f64, f64
      ta.yield %r : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}
