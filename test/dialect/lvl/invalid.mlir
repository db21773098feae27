// What the verifiers and parsers of lvl say.
// RUN: strata-opt %s --split-input-file --verify-diagnostics

//===--- iterator ---===//

func.func @f(%p: !lvl.path) {
  // expected-error@+1 {{does not say for each value whether it is a rank}}
  %it = lvl.iterator %p[0] fixed() steps [unit] compose affine_map<()[s0] -> (s0)> ranks [0, 1]
  return
}

// -----

func.func @f(%p: !lvl.path) {
  // expected-error@+1 {{has a step that is neither unit nor a map from the fixed values and the coordinates walked so far to a coordinate}}
  %it = lvl.iterator %p[0] fixed() steps [3] compose affine_map<()[s0] -> (s0)>
  return
}

// -----
func.func @f(%p: !lvl.path) {
  // expected-error@+1 {{has a step that is neither unit nor a map}}
  %it = lvl.iterator %p[0] fixed() steps [affine_map<()[s0] -> (s0)>, unit] compose affine_map<()[s0] -> (s0)>
  return
}

// -----
func.func @f(%p: !lvl.path, %n: index) {
  // expected-error@+1 {{does not say where the window on each of its dimensions begins and ends}}
  %it = lvl.iterator %p[0] fixed() steps [unit] compose affine_map<()[s0] -> (s0)> windows [0, 1] from (%n) to (%n)
  return
}

// -----
func.func @f(%p: !lvl.path, %n: index) {
  // expected-error@+1 {{walks no level}}
  %it = lvl.iterator %p[0] fixed(%n) steps [affine_map<(d0) -> (d0)>] compose affine_map<(d0) -> (d0)>
  return
}

// -----
func.func @f(%p: !lvl.path, %n: index) {
  // expected-error@+1 {{does not compose values of the fixed values and the coordinates walked}}
  %it = lvl.iterator %p[0] fixed(%n) steps [unit] compose affine_map<()[s0] -> (s0)>
  return
}

// -----
func.func @f(%p: !lvl.path, %n: index) {
  // expected-error@+1 {{has an extent, but several variables}}
  %it = lvl.iterator %p[0] fixed() steps [unit] compose affine_map<()[s0] -> (s0, s0)> extent %n
  return
}

// -----
//===--- coiterate ---===//

func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{a case takes at least 2 arguments}}
  lvl.coiterate "i" over (%it) case [0] (%i) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{needs one region for each case}}
  "lvl.coiterate"(%it) <{operandSegmentSizes = array<i32: 0, 1, 0>, cases = [], name = "i"}> ({
  ^bb0(%i: index, %p: !lvl.path):
    lvl.yield
  }) : (!lvl.iterator) -> ()
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a case that is no set of iterators}}
  "lvl.coiterate"(%it) <{operandSegmentSizes = array<i32: 0, 1, 0>, cases = [0 : i64], name = "i"}> ({
  ^bb0(%i: index, %p: !lvl.path):
    lvl.yield
  }) : (!lvl.iterator) -> ()
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has an empty case but no universe}}
  lvl.coiterate "i" over (%it) case [0] (%i, %p) {
    lvl.yield
  } case [] (%i) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a case with an iterator that is not there}}
  lvl.coiterate "i" over (%it) case [1] (%i, %p) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{needs one neutral constant for each iterator}}
  lvl.coiterate "i" over (%it) attributes {neutrals = []} case [0] (%i, %p) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator, %iu: !lvl.iterator) {
  // expected-error@+1 {{has neutral constants, but not every set of iterators is a case}}
  lvl.coiterate "i" over (%it, %iu) attributes {neutrals = [0.0, 0.0]} case [0, 1] (%i, %p, %q) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator, %iu: !lvl.iterator) {
  // expected-error@+1 {{has predicates, but not one case that stands for all}}
  lvl.coiterate "i" over (%it, %iu) attributes {predicates = [array<i64: 0>]} case [0] (%i, %p, %f) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator, %iu: !lvl.iterator) {
  // expected-error@+1 {{has an empty predicate but no universe}}
  lvl.coiterate "i" over (%it, %iu) attributes {predicates = [array<i64>]} case [0, 1] (%i, %p, %q, %f, %g) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a predicate with an iterator that is not there}}
  lvl.coiterate "i" over (%it) attributes {predicates = [array<i64: 1>]} case [0] (%i, %p, %f) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has two cases whose union is none}}
  lvl.coiterate "i" over (%it, %it) case [0] (%i, %p) {
    lvl.yield
  } case [1] (%i, %p) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a case whose iterators do not ascend}}
  lvl.coiterate "i" over (%it, %it) case [1, 0] (%i, %p, %q) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a case that does not take a coordinate of each variable, a path for each iterator and what is carried}}
  "lvl.coiterate"(%it) <{operandSegmentSizes = array<i32: 0, 1, 0>, cases = [array<i64: 0>], name = "i"}> ({
  ^bb0(%i: index):
    lvl.yield
  }) : (!lvl.iterator) -> ()
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a case that does not end with lvl.yield}}
  "lvl.coiterate"(%it) <{operandSegmentSizes = array<i32: 0, 1, 0>, cases = [array<i64: 0>], name = "i"}> ({
  ^bb0(%i: index, %p: !lvl.path):
  }) : (!lvl.iterator) -> ()
  return
}

// -----
func.func @f(%it: !lvl.iterator) {
  // expected-error@+1 {{has a case that does not end with lvl.yield}}
  lvl.coiterate "i" over (%it) case [0] (%i, %p) {
    %v = lvl.value %p : f64
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator, %t: f64) {
  // expected-error@+1 {{has a case that yields other types than it carries}}
  %0 = lvl.coiterate "i" over (%it) inits(%t : f64) case [0] (%i, %p, %s) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%it: !lvl.iterator, %t: f64) {
  // expected-error@+1 {{gives other types than it carries}}
  %0 = "lvl.coiterate"(%it, %t) <{operandSegmentSizes = array<i32: 0, 1, 1>, cases = [], name = "i"}> : (!lvl.iterator, f64) -> f32
  return
}

// -----
func.func @f(%p: !lvl.path) {
  %a = lvl.iterator %p[0] fixed() steps [unit, unit] compose affine_map<()[s0, s1] -> (s1, s0 + s1)>
  %b = lvl.iterator %p[0] fixed() steps [unit] compose affine_map<()[s0] -> (s0)>
  // expected-error@+1 {{merges iterators over different numbers of variables}}
  lvl.coiterate "i" over (%a, %b) case [0, 1] (%i, %q, %r) {
    lvl.yield
  }
  return
}

// -----
func.func @f(%p: !lvl.path, %n: index) {
  %a = lvl.iterator %p[0] fixed() steps [unit, unit] compose affine_map<()[s0, s1] -> (s0, s1)>
  // expected-error@+1 {{has a universe, but several variables}}
  lvl.coiterate "i, j" universe %n over (%a) case [] (%i, %j) {
    lvl.yield
  } case [0] (%i, %j, %q) {
    lvl.yield
  }
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @workspace_of_nothing(%C: !ta.storage<tensor<?x?xf64, #CSR>>) {
  // expected-error@+1 {{gathers a level in a workspace, or does neither}}
  %0 = "lvl.build"(%C) {gathered = 1 : i64} : (!ta.storage<tensor<?x?xf64, #CSR>>) -> !lvl.builder
  return
}

// -----
func.func @whole_without_runs(%p: !lvl.path, %i: index) {
  // expected-error@+1 {{walks whole runs, which takes duplicates together and a range of positions}}
  %a = lvl.iterator %p[0] fixed() steps [unit] compose affine_map<()[s0] -> (s0)> within %i to %i whole
  return
}

// -----
func.func @within_levels(%p: !lvl.path, %i: index) {
  // expected-error@+1 {{is within a range of positions, which takes both its ends and one level}}
  %a = lvl.iterator %p[0] fixed() steps [unit, unit] compose affine_map<()[s0, s1] -> (s1)> within %i to %i
  return
}

// -----
func.func @contraction_without_columns(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{has no label that is a column}}
  lvl.contract %a[%c0] by (%n, %c1), %a[%c0] by (%c0, %c1) into %c[%c0] by (%c1, %c0)
    over (row %n, summed %n) sums add of mul {nesting = array<i64: 0, 0>}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// -----
func.func @operand_of_a_wider_type(%a: memref<?xf64>, %c: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has elements of several types, of which the result's is not the widest}}
  lvl.contract %a[%c0] by (%n, %c0, %n), %c[%c0] by (%c0, %n, %n) into %c[%c0] by (%n, %n, %c0)
    over (row %n, column %n, summed %n) sums add of mul {nesting = array<i64: 0, 0, 0>}
    : memref<?xf64>, memref<?xf32>, memref<?xf32>
  return
}

// -----
func.func @scaled_by_another_type(%a: memref<?xf64>, %c: memref<?xf64>, %n: index, %s: f32) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is scaled by numbers of another type than its elements}}
  lvl.contract %a[%c0] by (%n, %c0, %n), %a[%c0] by (%c0, %n, %n) into %c[%c0] by (%n, %n, %c0)
    over (row %n, column %n, summed %n) sums add of mul scaled (%s : f32) {nesting = array<i64: 0, 0, 0>}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// -----
func.func @strides_for_some_labels(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{needs a role, a size, a stride in each buffer and a nesting for each label}}
  lvl.contract %a[%c0] by (%n), %a[%c0] by (%n) into %c[%c0] by (%n)
    over (row %n, column %n, summed %n) sums add of mul {nesting = array<i64: 0>}
    : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// -----
func.func @role_that_is_none(%a: memref<?xf64>, %n: index) {
  // expected-error@+1 {{'depth' is no role of a label}}
  lvl.contract %a[%n] by (%n), %a[%n] by (%n) into %a[%n] by (%n) over (depth %n) sums add of mul {nesting = array<i64: 0>} : memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}
