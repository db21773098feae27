// Table 3.2 of 004: which properties each level format can be configured with, and what is said of the others.
// What is a choice there and not here: dense, range and offset levels are always ordered and unique, since a
// coordinate follows from its position; hashed levels are always unique, since the table finds one entry.
// (That what may be configured works is the conformance suite's; which properties hold anyway, Properties.Table32's.)
// RUN: strata-opt %s --split-input-file --verify-diagnostics

func.func private @compressed(
    tensor<?xf64, #ta.format<(i) -> (i : compressed(nonunique))>>,
    tensor<?xf64, #ta.format<(i) -> (i : compressed(unordered))>>,
    tensor<?xf64, #ta.format<(i) -> (i : compressed(nonunique, unordered))>>)
func.func private @singleton(
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(unordered))>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique, unordered))>>)
func.func private @hashed(tensor<?xf64, #ta.format<(i) -> (i : hashed(unordered))>>)

// -----
// expected-error@+1 {{a level that is dense cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense(nonunique), j : compressed)>>)

// -----
// expected-error@+1 {{a level that is dense cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense(unordered), j : compressed)>>)

// -----
// expected-error@+1 {{a level that is range cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (j - i : compressed, i : range(nonunique), j : offset)>>)

// -----
// expected-error@+1 {{a level that is range cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (j - i : compressed, i : range(unordered), j : offset)>>)

// -----
// expected-error@+1 {{a level that is offset cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset(nonunique))>>)

// -----
// expected-error@+1 {{a level that is offset cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset(unordered))>>)

// -----
// expected-error@+1 {{a level that is ragged cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : ragged(nonunique))>>)

// -----
// expected-error@+1 {{a level that is ragged cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : ragged(unordered))>>)

// -----
// expected-error@+1 {{a level that is structured cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : structured(2, nonunique))>>)

// -----
// expected-error@+1 {{a level that is structured cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : structured(2, unordered))>>)

// -----
// expected-error@+1 {{a level that is padded cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, slot(i) : dense, j : padded(nonunique))>>)

// -----
// expected-error@+1 {{a level that is padded cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, slot(i) : dense, j : padded(unordered))>>)

// -----
// expected-error@+1 {{a level that is bitmap cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : bitmap(nonunique))>>)

// -----
// expected-error@+1 {{a level that is bitmap cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : bitmap(unordered))>>)

// -----
// expected-error@+1 {{a level that is band cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : band(nonunique))>>)

// -----
// expected-error@+1 {{a level that is band cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : band(unordered))>>)

// -----
// expected-error@+1 {{a level that is block_list cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : block_list(nonunique))>>)

// -----
// expected-error@+1 {{a level that is block_list cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : block_list(unordered))>>)

// -----
// expected-error@+1 {{a level that is run_length cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : run_length(nonunique))>>)

// -----
// expected-error@+1 {{a level that is run_length cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : run_length(unordered))>>)

// -----
// expected-error@+1 {{a level that is batch cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : batch(nonunique), j : compressed)>>)

// -----
// expected-error@+1 {{a level that is batch cannot be unordered}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : batch(unordered), j : compressed)>>)

// -----
// expected-error@+1 {{a level that is hashed cannot be nonunique}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : hashed(nonunique))>>)

// -----
// expected-error@+1 {{a level that is compressed takes no number}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed(2))>>)

// -----
// expected-error@+1 {{a level that is structured needs a number from 1 to 1024: its number of places below each parent}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : structured)>>)

// -----
// expected-error@+1 {{a level that is singleton needs a level above it}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : singleton, j : compressed)>>)

// -----
// expected-error@+1 {{level 2 (singleton) stores a coordinate for each place above it, and level 1 (dense) has places that hold none}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : singleton)>>)

// -----
// expected-error@+1 {{level 1 (run_length) shares values and can only stand at the leaf}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : run_length, j : dense)>>)

// -----
// expected-error@+1 {{level 2 (batch) can only stand around all others, at the root}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed, j : batch)>>)

// -----
// expected-error@+1 {{level 2 (offset) needs a coordinate that the levels above it determine}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : offset)>>)

// -----
// expected-error@+1 {{a level that is singleton cannot be aos: it has no coordinates among which those of levels below could lie}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : singleton(aos))>>)
