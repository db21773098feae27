// Every operation and type of lvl, printed and read again.
// RUN: strata-opt %s | strata-opt | FileCheck %s
// RUN: strata-opt %s --mlir-print-op-generic | strata-opt | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>

// CHECK-LABEL: @types(!lvl.path, !lvl.iterator, !lvl.builder)
func.func private @types(!lvl.path, !lvl.iterator, !lvl.builder)

// CHECK-LABEL: @walks
// CHECK-SAME: (%[[A:.*]]: !ta.storage<tensor<?x?xf64, #{{.*}}>>, %[[I:.*]]: index, %[[N:.*]]: index)
func.func @walks(%A: !ta.storage<tensor<?x?xf64, #CSR>>, %i: index, %n: index) -> f64 {
  // CHECK: %[[R:.*]] = lvl.root %[[A]] : <tensor<?x?xf64, #{{.*}}>>
  %r = lvl.root %A : <tensor<?x?xf64, #CSR>>
  // CHECK: %[[P:.*]], %[[FOUND:.*]] = lvl.locate %[[R]][0] at %[[I]]
  %p, %found = lvl.locate %r[0] at %i
  // CHECK: %[[IT:.*]] = lvl.iterator %[[P]][1] fixed() steps [unit] compose #{{.*}}
  // CHECK: %[[IU:.*]] = lvl.iterator %[[P]][1] fixed(%[[I]]) steps [unit, #{{.*}}] compose #{{.*}} extent %[[N]] dedup
  %it = lvl.iterator %p[1] fixed() steps [unit] compose affine_map<()[s0] -> (s0)>
  %iu = lvl.iterator %p[1] fixed(%i) steps [unit, affine_map<(d0)[s0] -> (d0 mod 4)>]
      compose affine_map<(d0)[s0] -> (s0 * 4 - d0)> extent %n dedup
  // CHECK: lvl.iterator %[[P]][1] fixed() steps [unit] compose #{{.*}} ranks [0]
  // CHECK: lvl.rank %[[R]][0] of %[[I]]
  %iv = lvl.iterator %p[1] fixed() steps [unit] compose affine_map<()[s0] -> (s0)> ranks [0]
  %rank = lvl.rank %r[0] of %i
  // Positions, and a walk of some of them.
  // CHECK: %[[AT:.*]], %[[BEHIND:.*]] = lvl.position %[[P]]
  // CHECK: %[[FIRST:.*]], %[[LAST:.*]] = lvl.children %[[R]][1] of %[[AT]] to %[[BEHIND]]
  // CHECK: lvl.parent %[[R]][1] of %[[FIRST]] among %[[AT]] to %[[N]]
  // CHECK: lvl.coordinate %[[R]][1] of %[[FIRST]] below %[[AT]]
  // CHECK: lvl.iterator %[[P]][1] fixed() steps [unit] compose #{{.*}} within %[[FIRST]] to %[[LAST]]
  %at, %behind = lvl.position %p
  %first, %last = lvl.children %r[1] of %at to %behind
  %parent = lvl.parent %r[1] of %first among %at to %n
  %coordinate = lvl.coordinate %r[1] of %first below %at
  %iw = lvl.iterator %p[1] fixed() steps [unit] compose affine_map<()[s0] -> (s0)> within %first to %last
  // CHECK: lvl.iterator %[[P]][1] fixed() steps [unit] compose #{{.*}} windows [0, 1] from(%[[FIRST]], %[[LAST]]) to(%[[LAST]], %[[LAST]])
  %windows = lvl.iterator %p[1] fixed() steps [unit] compose affine_map<()[s0] -> (s0)>
      windows [0, 1] from (%first, %last) to (%last, %last)
  // CHECK: lvl.iterator {{.*}} within %[[FIRST]] to %[[LAST]] dedup whole
  %runs = lvl.iterator %p[1] fixed() steps [unit] compose affine_map<()[s0] -> (s0)> within %first to %last dedup whole
  // CHECK: %[[ZERO:.*]] = arith.constant
  %zero = arith.constant 0.0 : f64
  // CHECK: %[[SUM:.*]] = lvl.coiterate "j" over (%[[IT]], %[[IU]]) inits(%[[ZERO]] : f64)
  // CHECK-SAME: case [0, 1] (%[[J:.*]], %[[Q:.*]], %{{.*}}, %[[T:.*]]) {
  // CHECK-NEXT: %[[V:.*]] = lvl.value %[[Q]] : f64
  // CHECK: lvl.yield %{{.*}} : f64
  // CHECK: } case [0] (%{{.*}}, %{{.*}}, %[[U:.*]]) {
  // CHECK-NEXT: lvl.yield %[[U]] : f64
  %sum = lvl.coiterate "j" over (%it, %iu) inits(%zero : f64) case [0, 1] (%j, %q, %s, %t) {
    %v = lvl.value %q : f64
    %w = arith.addf %t, %v : f64
    lvl.yield %w : f64
  } case [0] (%j, %q, %t) {
    lvl.yield %t : f64
  }
  // A universe, and nothing carried.
  // CHECK: lvl.coiterate "k" universe %[[N]] over () case [] (%{{.*}}) {
  // CHECK-NEXT: lvl.yield
  lvl.coiterate "k" universe %n over () case [] (%k) {
    lvl.yield
  }
  return %sum : f64
}

// CHECK-LABEL: @builds
// CHECK-SAME: (%[[Y:.*]]: !ta.storage<tensor<?x?xf64, #{{.*}}>>, %[[X:.*]]: !ta.storage<tensor<?xf64>>, %[[I:.*]]: index, %[[V:.*]]: f64)
func.func @builds(%y: !ta.storage<tensor<?x?xf64, #CSR>>, %x: !ta.storage<tensor<?xf64>>, %i: index, %v: f64) {
  // CHECK: %[[R:.*]] = lvl.root
  %r = lvl.root %y : <tensor<?x?xf64, #CSR>>
  // CHECK: %[[B:.*]] = lvl.build %[[Y]] like(%[[X]]) : !ta.storage<tensor<?x?xf64, #{{.*}}>>, !ta.storage<tensor<?xf64>>
  %b = lvl.build %y like(%x) : !ta.storage<tensor<?x?xf64, #CSR>>, !ta.storage<tensor<?xf64>>
  // CHECK: %[[C:.*]], %[[P:.*]] = lvl.insert %[[B]][0] below %[[R]] at %[[I]]
  // CHECK: %[[M:.*]] = lvl.mark %[[C]][1]
  // CHECK: %[[D:.*]], %[[Q:.*]] = lvl.insert %[[C]][1] at %[[I]]
  %c, %p = lvl.insert %b[0] below %r at %i
  %m = lvl.mark %c[1]
  %d, %q = lvl.insert %c[1] at %i
  // CHECK: lvl.store %[[D]] at %[[Q]], %[[V]] : f64
  lvl.store %d at %q, %v : f64
  // CHECK: %[[E:.*]] = lvl.close %[[D]][1] below %[[P]] since %[[M]]
  %e = lvl.close %d[1] below %p since %m
  // CHECK: lvl.finalize %[[E]]
  lvl.finalize %e
  // CHECK: %[[U:.*]] = lvl.update %[[X]] : <tensor<?xf64>>
  %u = lvl.update %x : <tensor<?xf64>>
  // CHECK: lvl.store %[[U]] at %{{.*}}, %[[V]] combine add : f64
  %s = lvl.root %x : <tensor<?xf64>>
  %z, %f = lvl.locate %s[0] at %i
  lvl.store %u at %z, %v combine add : f64
  lvl.finalize %u
  return
}

// CHECK-LABEL: @refills
// CHECK-SAME: (%[[Y:.*]]: !ta.storage<tensor<?x?xf64, #{{.*}}>>, %[[I:.*]]: index, %[[V:.*]]: f64)
func.func @refills(%y: !ta.storage<tensor<?x?xf64, #CSR>>, %i: index, %v: f64) {
  // CHECK: lvl.require %{{.*}} in 32 to 32
  lvl.require %i in 32 to 32
  %r = lvl.root %y : <tensor<?x?xf64, #CSR>>
  // CHECK: %[[B:.*]] = lvl.refill %[[Y]] indexed 1 : <tensor<?x?xf64, #{{.*}}>>
  %b = lvl.refill %y indexed 1 : <tensor<?x?xf64, #CSR>>
  // CHECK: %[[C:.*]], %[[P:.*]] = lvl.insert %[[B]][0]
  // CHECK: %[[D:.*]] = lvl.index %[[C]][1] below %[[P]]
  // CHECK: lvl.insert %[[D]][1] at %[[I]]
  %c, %p = lvl.insert %b[0] below %r at %i
  %d = lvl.index %c[1] below %p
  %e, %q = lvl.insert %d[1] at %i
  lvl.store %e at %q, %v combine add : f64
  lvl.finalize %e
  // CHECK: lvl.refill %[[Y]] {initial = 1.000000e+00 : f64} : <tensor<?x?xf64, #{{.*}}>>
  %f = lvl.refill %y {initial = 1.0 : f64} : <tensor<?x?xf64, #CSR>>
  lvl.finalize %f
  return
}

// CHECK-LABEL: @contracts
// CHECK-SAME: (%[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %[[C:.*]]: memref<?xf64>, %[[N:.*]]: index, %[[S:.*]]: f64)
func.func @contracts(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: lvl.contract %[[A]][%c0] by(%[[N]], %c0, %c1), %[[B]][%c0] by(%c0, %c1, %[[N]]) into %[[C]][%c0] by(%[[N]], %c1, %c0)
  // CHECK-SAME: over (row %[[N]], column %[[N]], summed %[[N]]) pieces %[[N]] sums add of mul scaled(%[[S]] : f64) {negates, nesting = array<i64: 1, 0, 0>, overwrites}
  lvl.contract %a[%c0] by (%n, %c0, %c1), %b[%c0] by (%c0, %c1, %n) into %c[%c0] by (%n, %c1, %c0)
    over (row %n, column %n, summed %n) pieces %n sums add of mul scaled (%s : f64)
    {negates, nesting = array<i64: 1, 0, 0>, overwrites}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}
