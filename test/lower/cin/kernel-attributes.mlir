// What stands on a kernel is typed; what no pass knows is refused.
// RUN: strata-opt %s --convert-ta-to-cin --split-input-file --verify-diagnostics | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// The policy decides which workspace the result asks for.
// CHECK-LABEL: @table
// CHECK-SAME: strata.schedule = #ta.schedule<{{.*}}assemble({{[a-z]+}}, Gather, table)>
func.func @table(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> attributes {strata.kernel, strata.policy = #ta.policy<counted, table>} {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] {
    %s = ta.reduce add [%k = %l] : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// -----
// expected-error@+1 {{'strata.windowed' is not an attribute of kernels, or not of this type; there are strata.phase = #ta.phase<...>, strata.assumptions = #ta.assumptions<...>, strata.policy = #ta.policy<...> and strata.schedule = #ta.schedule<...>}}
func.func @unknown(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> attributes {strata.kernel, strata.windowed} {
  %y = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

// -----
// expected-error@+1 {{'strata.phase' is not an attribute of kernels, or not of this type}}
func.func @untyped(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> attributes {strata.kernel, strata.phase = "assemble"} {
  %y = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}
