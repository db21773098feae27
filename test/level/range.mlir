// The range level: the rows of a diagonal that lie inside the matrix, each with a place.
// RUN: strata-opt %s --strata-kernel=stage=scf --mlir-use-nameloc-as-prefix --split-input-file | FileCheck %s

// locate(p, c) -> p * N + c, found if lo <= c < hi; which rows a diagonal has, its offset says.
#F = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset), pos = 32, crd = 32>
// CHECK-LABEL: func.func @locate
// CHECK: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: scf.for %[[P:[^ ]*]] =
// CHECK: memref.load %A1_crd{{.*}}[%[[P]]]
// CHECK: %[[D:.*]] = arith.index_cast
// CHECK: %[[FIRST:.*]] = arith.subi %c0, %[[D]]
// CHECK: %[[PAST:.*]] = arith.subi %A2_size, %[[D]]
// CHECK: %[[LO:.*]] = arith.maxsi %[[FIRST]], %c0
// CHECK: %[[HI:.*]] = arith.minsi %A1_size, %[[PAST]]
// CHECK: arith.cmpi sge, %[[I]], %[[LO]]
// CHECK: arith.cmpi slt, %[[I]], %[[HI]]
// CHECK: %[[FOUND:.*]] = arith.andi
// CHECK: arith.muli %[[P]], %A1_size
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[I]]
// CHECK: scf.if %[[FOUND]]
// CHECK: memref.load %A_vals{{.*}}[%[[AT]]]
func.func @locate(%A: tensor<?x?xf64, #F> loc("A"), %x: tensor<?xf64> loc("x"), %n: index loc("n"), %m: index loc("m"))
    -> tensor<?xf64> attributes {strata.kernel} {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #F>, tensor<?xf64>) sizes(%n) -> tensor<?xf64>
      out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
      ta.yield %a : f64
    }
    %b = ta.access %x[%i] : tensor<?xf64>
    %p = arith.mulf %s, %b : f64
    ta.yield %p : f64
  }
  return %y : tensor<?xf64>
}

// -----
// Alone it is walked as it is stored: diagonal by diagonal, in each piece a block of their rows.
#F = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset), pos = 32, crd = 32>
// CHECK-LABEL: func.func @walk
// CHECK: %[[LONGEST:.*]] = arith.minui %A1_size, %A2_size
// CHECK: %[[SIZE:.*]] = call @strata_kernel_block(%context, %A1_size, %[[LONGEST]])
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %A1_size, %[[SIZE]]
// CHECK: scf.parallel (%[[BLOCK:.*]]) = (%c0) to (%[[BLOCKS]])
// CHECK: %[[BEGIN:.*]] = arith.muli %[[BLOCK]], %[[SIZE]]
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[SIZE]]
// CHECK: scf.for %[[P:p[^ ]*]] =
// CHECK: memref.load %A1_crd{{.*}}[%[[P]]]
// CHECK: %[[D:.*]] = arith.index_cast
// CHECK: %[[FIRST:.*]] = arith.subi %c0, %[[D]]
// CHECK: %[[PAST:.*]] = arith.subi %A2_size, %[[D]]
// CHECK: %[[LO:.*]] = arith.maxsi %[[FIRST]], %c0
// CHECK: %[[HI:.*]] = arith.minsi %A1_size, %[[PAST]]
// CHECK: %[[FROM:.*]] = arith.maxsi %[[LO]], %[[BEGIN]]
// CHECK: %[[TO:.*]] = arith.minsi %[[HI]], %[[END]]
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
func.func @walk(%A: tensor<?x?xf64, #F> loc("A"), %n: index loc("n"), %m: index loc("m")) -> tensor<?x?xf64>
    attributes {strata.kernel} {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #F>) sizes(%n, %m) -> tensor<?x?xf64>
      out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #F>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64>
}
