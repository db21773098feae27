// Operands and results whose level order conflicts with the others' are converted.
// RUN: strata-opt %s --ta-resolve-conflicts | FileCheck %s
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>
#DCSC = #ta.format<(i, j) -> (j : compressed, i : compressed)>
#H = #ta.format<(i) -> (i : hashed)>
#V = #ta.format<(i) -> (i : compressed)>
#BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>
#COO = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton)>
#UNORDERED = #ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))>

// Rows against columns: the second operand follows the first.
// CHECK-LABEL: @csr_plus_csc
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf64, #[[CSR:.*]]>, %[[B:.*]]: tensor<?x?xf64, #[[CSC:.*]]>, %
// CHECK: %[[C:.*]] = ta.convert %[[B]] {reason = "{{.*}}cannot be iterated"} : tensor<?x?xf64, #[[CSC]]> to tensor<?x?xf64, #[[CSR]]>
// CHECK: ta.compute {{.*}} ins(%[[A]], %[[C]] :
// CHECK-DAG: ta.access %[[A]]
// CHECK-DAG: ta.access %[[C]]
func.func @csr_plus_csc(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSC>, %n: index, %m: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSC>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSC>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// A dense result takes its values in any order: nothing to do.
// CHECK-LABEL: @csc_spmv
// CHECK-NOT: ta.convert
// CHECK: return
func.func @csc_spmv(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSC>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %s = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// A result that can be counted first takes its rows in any order: nothing to do.
// CHECK-LABEL: @csc_from_csr
// CHECK-NOT: ta.convert
// CHECK: return
func.func @csc_from_csr(%A: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #CSC> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSC> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #CSC>
}

// Only the result conflicts: it is computed in the operand's order, then converted.
// CHECK-LABEL: @dcsc_from_csr
// CHECK: %[[Y:.*]] = ta.compute
// CHECK: ta.convert %[[Y]] {reason = "results cannot be appended to DCSC in the order of the loops"}
func.func @dcsc_from_csr(%A: tensor<?x?xf64, #CSR>, %n: index, %m: index) -> tensor<?x?xf64, #DCSC> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A : tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #DCSC> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %y : tensor<?x?xf64, #DCSC>
}

// Rows times rows: a row's entries are gathered. Nothing to do.
// CHECK-LABEL: @csr_times_csr
// CHECK-NOT: ta.convert
// CHECK: return
func.func @csr_times_csr(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// Columns times rows: no order of loops completes one row of the result after the other. The columns
// are converted, unless there are so few terms that listing and sorting them costs less.
// CHECK-LABEL: @transposed_times_csr
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK-NEXT: %[[Y:.*]] = ta.if %[[NEVER]]
// CHECK: %[[L:.*]] = ta.compute {{.*}} out
// CHECK: %[[S:.*]] = ta.convert %[[L]] {reason = "the result is assembled as unsorted COO{{.*}}"}
// CHECK: ta.next %[[S]]
// CHECK: } else {
// CHECK: %[[C:.*]] = ta.convert %{{.*}} {reason = "{{.*}}cannot be iterated"} : tensor<?x?xf64, #[[CSR]]> to tensor<?x?xf64, #[[CSC]]>
// CHECK: %[[P:.*]] = ta.compute {{.*}} ins(%{{.*}}, %[[C]] :
// CHECK: ta.next %[[P]]
// CHECK: } {strata.few_terms}
// CHECK-NEXT: return %[[Y]]
func.func @transposed_times_csr(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%k, %i] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// What comes in no order is gathered.
// CHECK-LABEL: @compressed_from_hashed
// CHECK-NOT: ta.convert
// CHECK: return
func.func @compressed_from_hashed(%A: tensor<?xf64, #H>, %n: index) -> tensor<?xf64, #V> {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #H>) sizes(%n) -> tensor<?xf64, #V> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #H>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64, #V>
}

// An update of a sparse tensor makes it anew.
// CHECK-LABEL: @sparse_update
// CHECK: ta.compute
// CHECK-NOT: init(
// CHECK: arith.addf
// CHECK: return
func.func @sparse_update(%A: tensor<?xf64, #V>, %y: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V> {
  %0 = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) init(%y : tensor<?xf64, #V>) combine add
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %0 : tensor<?xf64, #V>
}

// No order of loops walks the diagonal of rows of entries: those on it are listed by loops that
// leave out the others, and gathered by i.
// CHECK-LABEL: @diagonal(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<{{.*}}>, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[E:[a-z0-9]+]] = ta.compute {{.*}} ins(%[[A]], {{.*}}reason = "the diagonal of 'A', since CSR cannot be iterated along it"}
// CHECK: ta.compare eq %{{.*}}, %{{.*}} {strata.of_labels}
// CHECK: %[[T:[a-z0-9]+]] = ta.gather %[[E]] by #{{.*}}(%[[N]]) {reason = "its entries are taken along the labels of the statement"} : tensor<?x?xf64, #{{.*}}> to tensor<?xf64, #{{.*}}>
// CHECK: ta.compute {{.*}} ins(%[[T]] :
// CHECK: ta.access %[[T]]
func.func @diagonal(%A: tensor<?x?xf64, #CSR>, %n: index) -> tensor<?xf64> {
  %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #CSR>) sizes(%n) -> tensor<?xf64> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[%i, %i] : tensor<?x?xf64, #CSR>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64>
}

#BCSC = #ta.format<(i, j) -> (j floordiv 4 : dense, i floordiv 4 : compressed, j mod 4 : dense, i mod 4 : dense)>

// Columns of blocks cannot follow rows: they become rows, which is announced. Since the other
// operand has a place for each row, this one has, too.
// CHECK-LABEL: @csr_plus_columns_of_blocks
// CHECK: ta.convert %{{.*}} {reason = "the loops run over {{.*}}, an order in which {{.*}} cannot be iterated"} {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
func.func @csr_plus_columns_of_blocks(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #BCSC>, %n: index, %m: index)
    -> tensor<?x?xf64, #CSR> {
  %C = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #BCSC>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #BCSC>
    %c = arith.addf %a, %b : f64
    ta.yield %c : f64
  }
  return %C : tensor<?x?xf64, #CSR>
}

// What is converted for another's sake does not always serve: two vectors in no order both are.
#U = #ta.format<(i) -> (i : compressed(unordered))>
// CHECK-LABEL: func.func @both_unordered
// CHECK: %[[A:.*]] = ta.convert %arg0
// CHECK: %[[B:.*]] = ta.convert %arg1
// CHECK: ta.compute {{.*}} ins(%[[A]], %[[B]] :
func.func @both_unordered(%A: tensor<?xf64, #U>, %B: tensor<?xf64, #U>, %n: index) -> tensor<?xf64, #V> {
  %y = ta.compute [%i = %n] ins(%A, %B : tensor<?xf64, #U>, tensor<?xf64, #U>) sizes(%n)
      -> tensor<?xf64, #V> out [%i] attributes {names = ["i"]} {
    %a = ta.access %A[%i] : tensor<?xf64, #U>
    %b = ta.access %B[%i] : tensor<?xf64, #U>
    %p = arith.mulf %a, %b : f64
    ta.yield %p : f64
  }
  return %y : tensor<?xf64, #V>
}

// A fixed entry that no level locates is looked up before the loops, as a window of one coordinate.
// CHECK-LABEL: func.func @fixed_entry
// CHECK: %[[T:.*]] = ta.gather %arg0 {{.*}}reason = "its entry is looked up before the loops{{.*}} to tensor<?xf64, #{{.*}}>
// CHECK: ta.access %[[T]][0]
func.func @fixed_entry(%A: tensor<?xf64, #V>, %n: index) -> tensor<?xf64, #V> {
  %y = ta.compute [%i = %n] ins(%A : tensor<?xf64, #V>) sizes(%n) -> tensor<?xf64, #V> out [%i]
      attributes {names = ["i"]} {
    %a = ta.access %A[2] : tensor<?xf64, #V>
    ta.yield %a : f64
  }
  return %y : tensor<?xf64, #V>
}

// A part of a tensor without a place for everything is a tensor of its own, which replaces what is stored
// there.
// CHECK-LABEL: @writes_a_part
// CHECK-SAME: (%[[A:.*]]: tensor<8x8xf64, #[[CSR:.*]]>, %[[B:.*]]: tensor<8x8xf64, #[[CSR]]>)
// CHECK: %[[PART:.*]] = ta.compute {{.*}} -> tensor<?x?xf64, #[[CSR]]> out [%{{.*}}, %{{.*}}]
// CHECK: ta.insert_part %[[PART]] over %[[A]] by #[[MAP:.*]](%{{.*}}, %{{.*}}) {reason = "a part of it is written, {{.*}}"}
func.func @writes_a_part(%A: tensor<8x8xf64, #CSR>, %B: tensor<8x8xf64, #CSR>) -> tensor<8x8xf64, #CSR> {
  %n = arith.constant 3 : index
  %m = arith.constant 8 : index
  %y = ta.compute [%i = %n, %j = %m] ins(%B : tensor<8x8xf64, #CSR>) init(%A : tensor<8x8xf64, #CSR>)
      -> tensor<8x8xf64, #CSR> out [%i + 2, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<8x8xf64, #CSR>
    ta.yield %b : f64
  }
  return %y : tensor<8x8xf64, #CSR>
}

// The first rows are a part, too.
// CHECK-LABEL: @adds_to_the_first_rows
// CHECK: ta.insert_part
func.func @adds_to_the_first_rows(%A: tensor<8x8xf64, #CSR>, %B: tensor<8x8xf64, #CSR>)
    -> tensor<8x8xf64, #CSR> {
  %n = arith.constant 3 : index
  %m = arith.constant 8 : index
  %y = ta.compute [%i = %n, %j = %m] ins(%B : tensor<8x8xf64, #CSR>) init(%A : tensor<8x8xf64, #CSR>)
      combine add -> tensor<8x8xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<8x8xf64, #CSR>
    ta.yield %b : f64
  }
  return %y : tensor<8x8xf64, #CSR>
}

// All of it is none.
// CHECK-LABEL: @adds_to_all
// CHECK-NOT: ta.insert_part
// CHECK: return
func.func @adds_to_all(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR> {
  %n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>
  %m0 = ta.dim %A, 1 : tensor<?x?xf64, #CSR>
  %m1 = ta.dim %B, 1 : tensor<?x?xf64, #CSR>
  %m = ta.same_size "j"(%m1, %m0) ["B", "A"]
  %y = ta.compute [%i = %n, %j = %m] ins(%B : tensor<?x?xf64, #CSR>) sizes(%n, %m0)
      init(%A : tensor<?x?xf64, #CSR>)
      combine add -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    ta.yield %b : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// Entries times entries: the second matrix would be walked from its beginning for each row of the
// first. Its rows are looked up in a table, or in places for all rows; unless the rows of the first
// are so few that the walks cost less, as the operands alone can tell.
// CHECK-LABEL: @coo_times_coo
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK-NEXT: %[[Y:.*]] = ta.if %[[NEVER]]
// CHECK-NOT: ta.convert
// CHECK: %[[W:.*]] = ta.compute
// CHECK: ta.next %[[W]]
// CHECK: } else {
// CHECK: %[[C:.*]] = ta.convert %{{.*}} {reason = "the loops run over i, k, j, an order in which COO would be walked again and again; or to CSR, where this has few places for its entries", strata.places = #ta.format<(i, j) -> (i : dense, j : compressed)>} : {{.*}}j : singleton)>> to tensor<?x?xf64, #ta.format<(i, j) -> (i : hashed, j : compressed)>>
// CHECK: %[[P:.*]] = ta.compute {{.*}} ins(%{{.*}}, %[[C]] :
// CHECK: ta.next %[[P]]
// CHECK: } {strata.few_steps}
// CHECK-NEXT: return %[[Y]]
func.func @coo_times_coo(%A: tensor<?x?xf64, #COO>, %B: tensor<?x?xf64, #COO>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #COO>, tensor<?x?xf64, #COO>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #COO>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #COO>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// What no loops can walk beside the other operand is converted in any case: to rows that are looked
// up, with a place for each where an operand has one (x), else in a table.
// CHECK-LABEL: @csr_times_unordered
// CHECK-NOT: ta.if
// CHECK: ta.convert %{{.*}} : {{.*}}unordered{{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
// CHECK: return
func.func @csr_times_unordered(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #UNORDERED>, %x: tensor<?xf64>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B, %x : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #UNORDERED>, tensor<?xf64>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #UNORDERED>
      %c = ta.access %x[%k] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.mulf %p, %c : f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// Under a complemented mask the entries of a row of the mask are looked up for each term.
// CHECK-LABEL: @excluded
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK: ta.if %[[NEVER]]
// CHECK: } else {
// CHECK-DAG: ta.convert %arg2 {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : hashed)>>
// CHECK-DAG: ta.convert %arg1 {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : hashed, j : compressed)>>
// CHECK: } {strata.few_steps}
func.func @excluded(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #COO>, %M: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #COO>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {missing, names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #COO>
      %p = arith.mulf %a, %b : f64
      %m0 = ta.access %M[%i, %j] {missing} : tensor<?x?xf64, #CSR>
      %q = ta.unmasked %p by %m0 : f64, f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// A mask samples the result, perhaps at a few places: where the operands are not known, nothing is
// converted.
// CHECK-LABEL: @masked
// CHECK: %[[ALWAYS:.*]] = arith.constant true
// CHECK: ta.if %[[ALWAYS]]
// CHECK: } {strata.few_steps}
func.func @masked(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #COO>, %M: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B, %M : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #COO>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {missing, names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #COO>
      %p = arith.mulf %a, %b : f64
      %m0 = ta.access %M[%i, %j] {missing} : tensor<?x?xf64, #CSR>
      %q = ta.masked %p by %m0 : f64, f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// A vector with a place for each value, as a dense one has, is a bitmap: what it stores is told from
// what it does not.
// CHECK-LABEL: @times_vector
// CHECK: ta.convert %arg1 {{.*}} to tensor<?xf64, #ta.format<(i) -> (i : bitmap)>>
// CHECK: } {strata.few_steps}
func.func @times_vector(%A: tensor<?x?xf64, #CSC>, %x: tensor<?xf64, #V>, %w: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64, #V> {
  %y = ta.compute [%j = %m] ins(%A, %x, %w : tensor<?x?xf64, #CSC>, tensor<?xf64, #V>, tensor<?xf64>)
      sizes(%m) -> tensor<?xf64, #V> out [%j] attributes {names = ["j"]} {
    %s = ta.reduce add [%i = %n] attributes {names = ["i"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
      %b = ta.access %x[%i] : tensor<?xf64, #V>
      %c = ta.access %w[%i] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.mulf %p, %c : f64
      ta.yield %q : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?xf64, #V>
}

// Rows of blocks would be walked with their padding for each entry of the first matrix. Where most of
// what the blocks store is padding, as the operands alone can tell, the entries are listed first.
// CHECK-LABEL: @rows_of_blocks
// CHECK-SAME: (%[[A:arg0]]: {{.*}}, %[[B:arg1]]: tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 4
// CHECK: %[[ALWAYS:.*]] = arith.constant true
// CHECK: ta.if %[[ALWAYS]]
// CHECK: ta.compute {{.*}} ins(%[[A]], %[[B]] :
// CHECK: } else {
// CHECK: %[[C:.*]] = ta.convert %[[B]] {reason = "its padding would be walked again and again"} : {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : hashed, j : compressed)>>
// CHECK: ta.compute {{.*}} ins(%[[A]], %[[C]] :
// CHECK: } {strata.few_steps}
func.func @rows_of_blocks(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #BCSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #BCSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #CSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #BCSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// Blocks that each entry is read of once stay, and so do those that loops go through as blocks.
// CHECK-LABEL: @blocks_once
// CHECK-NOT: ta.convert
// CHECK: return
func.func @blocks_once(%A: tensor<?x?xf64, #BCSR>, %B: tensor<?x?xf64, #CSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #BCSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #BCSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #CSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// CHECK-LABEL: @blocks_as_blocks
// CHECK-NOT: ta.convert
// CHECK: return
func.func @blocks_as_blocks(%A: tensor<?x?xf64, #BCSR>, %B: tensor<?x?xf64, #BCSR>, %n: index, %m: index, %l: index)
    -> tensor<?x?xf64, #BCSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #BCSR>, tensor<?x?xf64, #BCSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #BCSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %s = ta.reduce add [%k = %l] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%i, %k] : tensor<?x?xf64, #BCSR>
      %b = ta.access %B[%k, %j] : tensor<?x?xf64, #BCSR>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #BCSR>
}

// A union of which an operand is converted in any case is computed in the order of the result: one
// conversion more costs less than entries that come in another order.
// CHECK-LABEL: @union_in_order
// CHECK-DAG: ta.convert %arg0 {reason = "the loops run over i, j, {{.*}}"} : {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
// CHECK-DAG: ta.convert %arg1 {reason = "the loops run over i, j, {{.*}}"} : {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
// CHECK: return
func.func @union_in_order(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64, #UNORDERED>, %n: index, %m: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSC>, tensor<?x?xf64, #UNORDERED>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #UNORDERED>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// Of a product the result may have few entries.
// CHECK-LABEL: @product_out_of_order
// CHECK-NOT: ta.convert %arg0
// CHECK: ta.convert %arg1
// CHECK-NOT: ta.convert
// CHECK: return
func.func @product_out_of_order(%A: tensor<?x?xf64, #CSC>, %B: tensor<?x?xf64, #UNORDERED>, %n: index, %m: index)
    -> tensor<?x?xf64, #CSR> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSC>, tensor<?x?xf64, #UNORDERED>)
      sizes(%n, %m) -> tensor<?x?xf64, #CSR> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSC>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #UNORDERED>
    %s = arith.mulf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #CSR>
}

// A result that is no larger than its operands counts as one of them: here it alone is converted.
// CHECK-LABEL: @result_alone
// CHECK-NOT: ta.convert %arg
// CHECK: %[[Y:.*]] = ta.compute {{.*}} -> tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed, j : compressed)>>
// CHECK: %[[Z:.*]] = ta.convert %[[Y]] {{.*}} to tensor<?x?xf64, #ta.format<(i, j) -> (j : compressed, i : compressed)>>
// CHECK-NEXT: return %[[Z]]
func.func @result_alone(%A: tensor<?x?xf64, #CSR>, %B: tensor<?x?xf64, #CSR>, %n: index, %m: index)
    -> tensor<?x?xf64, #DCSC> {
  %y = ta.compute [%i = %n, %j = %m] ins(%A, %B : tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR>)
      sizes(%n, %m) -> tensor<?x?xf64, #DCSC> out [%i, %j] attributes {names = ["i", "j"]} {
    %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
    %b = ta.access %B[%i, %j] : tensor<?x?xf64, #CSR>
    %s = arith.addf %a, %b : f64
    ta.yield %s : f64
  }
  return %y : tensor<?x?xf64, #DCSC>
}

// Each of the factors A could be looked up at what the other stores, but not both: beside the term A,
// both are walked.
// CHECK-LABEL: func @several
// CHECK: %[[A:.*]] = ta.convert %arg0 {{.*}} to tensor<4x6xf64, #ta.format<(i, j) -> (j : dense, i : compressed)>>
// CHECK: ta.compute {{.*}} ins(%arg1, %[[A]], %{{.*}} :
func.func @several(%A: tensor<4x6xf64, #CSR>, %x: tensor<5xf64, #V>, %C: tensor<5x6xf64, #CSR>)
    -> tensor<5x6xf64, #CSR> {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %R = ta.compute [%j = %c5, %l = %c6] ins(%A, %x, %C : tensor<4x6xf64, #CSR>, tensor<5xf64, #V>, tensor<5x6xf64, #CSR>)
      -> tensor<5x6xf64, #CSR> out [%j, %l] attributes {names = ["j", "l"]} {
    %s = ta.reduce add [%k = %c4] attributes {names = ["k"]} : f64 {
      %a = ta.access %A[%k, %l] : tensor<4x6xf64, #CSR>
      %b = ta.access %x[%j] : tensor<5xf64, #V>
      %c = ta.access %A[%k, %l] : tensor<4x6xf64, #CSR>
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      %d = ta.access %A[%k, %l] : tensor<4x6xf64, #CSR>
      %e = arith.subf %d, %abc : f64
      ta.yield %e : f64
    }
    %f = ta.access %C[%j, %l] : tensor<5x6xf64, #CSR>
    %g = arith.addf %f, %s : f64
    ta.yield %g : f64
  }
  return %R : tensor<5x6xf64, #CSR>
}
