// What the verifiers and parsers of ta say.
// RUN: strata-opt %s --split-input-file --verify-diagnostics

//===--- formats ---===//

// expected-error-re@+1 {{unknown level format 'sparse'; valid level formats are {{.*}}dense}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : sparse)>>)

// -----
// expected-error@+1 {{unknown property 'sorted'; a level can be nonunique, unordered, signed or aos, and have widths pos and crd}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : compressed(sorted))>>)

// -----
// expected-error@+1 {{a dimension is sorted, though every coordinate has a place}}
func.func private @f(tensor<?x?xf64, #ta.format<(i sorted, j) -> (i : dense, j : dense)>>)

// -----
// expected-error@+1 {{a window is above 0}}
func.func private @f(tensor<?x?xf64, #ta.format<(i sorted(0), j) -> (i : dense, j : compressed)>>)

// -----
// expected-error@+1 {{level 2 (singleton) stores a coordinate for each place above it, and level 1 (dense) has places that hold none}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : singleton)>>)

// -----
// expected-error@+1 {{a level that is dense cannot be nonunique}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : dense(nonunique))>>)

// -----
// expected-error@+1 {{a level that is dense cannot be unordered}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : dense(unordered))>>)

// -----
// expected-error@+1 {{a level that is dense cannot be aos: it has no coordinates among which those of levels below could lie}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense(aos), j : compressed)>>)

// -----
// expected-error@+1 {{level 1 (compressed) is aos, and no level below it stores one coordinate for each of its own, as a singleton would}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(aos), j : compressed)>>)

// -----
// expected-error@+1 {{the coordinates of levels 0 and 1 lie in one buffer, and have widths of 32 and 16 bits}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique, aos, crd = 32), j : singleton(crd = 16))>>)

// -----
// expected-error@+1 {{the levels do not determine dimension 'j'}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense)>>)

// -----
// expected-error@+1 {{the levels do not determine dimension 'i'}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i floordiv 4 : dense)>>)

// -----
// expected-error@+1 {{positions and coordinates have 8, 16, 32 or 64 bits, not 12}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : compressed), pos = 12>>)

// -----
// expected-error@+1 {{positions and coordinates have 8, 16, 32 or 64 bits, not 24}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : compressed(crd = 24))>>)

// -----
// expected-error@+1 {{a level that is dense stores no positions}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : dense(pos = 8))>>)

// -----
// expected-error@+1 {{a level that is dense stores no coordinates}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : dense(crd = 8))>>)

// -----
// expected-error@+1 {{unknown property 'size'; a level can be nonunique, unordered, signed or aos, and have widths pos and crd}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : compressed(size = 8))>>)

// -----
// expected-error@+1 {{expected pos, crd or fill}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : compressed), width = 8>>)

// -----
// expected-error@+1 {{level 2 (offset) needs a coordinate that the levels above it determine}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed, j : offset)>>)

// -----
// expected-error@+1 {{level 1 (run_length) shares values and can only stand at the leaf}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : run_length, j : compressed)>>)

// -----
// expected-error@+1 {{level 2 (batch) can only stand around all others, at the root}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : batch)>>)

// -----
// expected-error@+1 {{a level that is singleton needs a level above it}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : singleton)>>)

// -----
// expected-error@+1 {{a format of 1 dimensions on a tensor of 2}}
func.func private @f(tensor<?x?xf64, #ta.format<(i) -> (i : compressed)>>)

// -----
// expected-error@+1 {{the fill is 'f32', the elements are 'f64'}}
func.func private @f(tensor<?xf64, #ta.format<(i) -> (i : compressed), fill = 1.0 : f32>>)

// -----
//===--- compute ---===//

func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{has 'replace' and no mask}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {replace} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %m: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{has a mask that is not among its inputs}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) mask(%m[%i] : tensor<?xf64>) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{joins what it does not combine}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {joins} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{gives emptied places a value in a format that does not store them}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64, #ta.format<(i) -> (i : compressed)>> out [%i] attributes {empty = 1.0 : f64} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{empties elements of 'f64' with 'f32'}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] attributes {empty = 1.0 : f32} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{has 2 index variables and 1 extents}}
  %0 = "ta.compute"(%n, %x, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, out_map = affine_map<(d0, d1) -> (d0)>}> ({
  ^bb0(%i: index, %j: index):
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }) : (index, tensor<?xf64>, index) -> tensor<?xf64>
  return
}

// -----
func.func @f(%n: index) {
  // expected-error@+1 {{has an index variable that is no index}}
  %0 = "ta.compute"(%n, %n) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>, out_map = affine_map<(d0) -> (d0)>}> ({
  ^bb0(%i: f64):
    ta.yield %i : f64
  }) : (index, index) -> tensor<?xf64>
  return
}

// -----
func.func @f(%n: index) {
  // expected-error@+1 {{expects a non-empty block}}
  %0 = "ta.compute"(%n, %n) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>, out_map = affine_map<(d0) -> (d0)>}> ({
  ^bb0(%i: index):
  }) : (index, index) -> tensor<?xf64>
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{needs a region that ends with ta.yield}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    %t = ta.time : tensor<f64>
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{needs a region that ends with ta.yield}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    scf.yield
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{has an out map that does not send its variables to a coordinate}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i, %i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{out uses a name that is no index variable of the statement}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%n] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{out is a function of index variables, not of symbols}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [symbol(%i)] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{needs one size for each dynamic dimension of its result}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %y: tensor<8xf64>, %n: index) {
  // expected-error@+1 {{has an init whose type is not that of the result}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) init(%y : tensor<8xf64>) -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{combines with an init that is not given}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) combine add -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{expected an operator: add, mul, min, max, umin, umax, any, lor, land or lxor}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) combine sub -> tensor<?xf64> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{yields 'f64' for elements of 'f32'}}
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf32> out [%i] {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [%i = %n] sizes(%n) -> tensor<?xf64> out [%i] {
    // expected-error@+1 {{reads a tensor that is not among the statement's inputs}}
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    // expected-error@+1 {{reads at an index that is no index variable of the statement}}
    %a = ta.access %x[%n] : tensor<?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
//===--- reduce ---===//

func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [] ins(%x : tensor<?xf64>) -> tensor<f64> out [] {
    // expected-error@+1 {{expected an operator: add, mul, min, max, umin, umax, any, lor, land or lxor}}
    %s = ta.reduce sub [%j = %n] : f64 {
      %a = ta.access %x[%j] : tensor<?xf64>
      ta.yield %a : f64
    }
    ta.yield %s : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [] ins(%x : tensor<?xf64>) -> tensor<f32> out [] {
    // expected-error@+1 {{yields 'f64' for a result of 'f32'}}
    %s = ta.reduce add [%j = %n] : f32 {
      %a = ta.access %x[%j] : tensor<?xf64>
      ta.yield %a : f64
    }
    ta.yield %s : f32
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [] ins(%x : tensor<?xf64>) -> tensor<f64> out [] {
    // expected-error@+1 {{needs a region that ends with ta.yield}}
    %s = ta.reduce add [%j = %n] : f64 {
      scf.yield
    }
    ta.yield %s : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [] ins(%x : tensor<?xf64>) -> tensor<f64> out [] {
    // expected-error@+1 {{has 1 index variables and 0 extents}}
    %s = "ta.reduce"() <{combine = 0 : i32}> ({
    ^bb0(%j: index):
      %a = ta.access %x[%j] : tensor<?xf64>
      ta.yield %a : f64
    }) : () -> f64
    ta.yield %s : f64
  }
  return
}

// -----
//===--- access ---===//

func.func @f(%x: tensor<?x?xf64>, %n: index) {
  %0 = ta.compute [%i = %n] ins(%x : tensor<?x?xf64>) sizes(%n) -> tensor<?xf64> out [%i] {
    // expected-error@+1 {{has a map that does not send its indices to a coordinate of the tensor}}
    %a = ta.access %x[%i] : tensor<?x?xf64>
    ta.yield %a : f64
  }
  return
}

// -----
func.func @f(%x: tensor<?xf64>, %n: index) {
  %0 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) -> tensor<?xf32> out [%i] {
    // expected-error@+1 {{gives 'f32' from elements of 'f64'}}
    %a = "ta.access"(%x, %i) <{map = affine_map<(d0) -> (d0)>}> : (tensor<?xf64>, index) -> f32
    ta.yield %a : f32
  }
  return
}

// -----
//===--- the host program ---===//

func.func @f() {
  // expected-error@+1 {{needs one size for each dynamic dimension}}
  %0 = ta.fill 1.0 : f64 () : tensor<?xf64>
  return
}

// -----
func.func @f() {
  // expected-error@+1 {{fills 'f64' with 'f32'}}
  %0 = ta.fill 1.0 : f32 () : tensor<4xf64>
  return
}

// -----
func.func @f() {
  // expected-error@+1 {{would store a value everywhere in a format that stores some places only}}
  %0 = ta.fill 1.0 : f64 () : tensor<4xf64, #ta.format<(i) -> (i : compressed)>>
  return
}

// -----
func.func @f(%x: tensor<?xf64>) {
  // expected-error@+1 {{changes the number of dimensions}}
  %0 = ta.convert %x : tensor<?xf64> to tensor<?x?xf64>
  return
}

// -----
func.func @f(%x: tensor<?x4xf64>) {
  // expected-error@+1 {{changes a size from 4 to 5}}
  %0 = ta.convert %x : tensor<?x4xf64> to tensor<3x5xf64>
  return
}

// -----
func.func @f(%x: tensor<?xf64>) {
  // expected-error@+1 {{asks for dimension 1 of a tensor of 1}}
  %0 = ta.dim %x, 1 : tensor<?xf64>
  return
}

// -----
func.func @f() {
  // expected-error@+1 {{needs a size}}
  %0 = ta.same_size "i" () []
  return
}

// -----
func.func @f(%n: index) {
  // expected-error@+1 {{needs one use for each size}}
  %0 = ta.same_size "i" (%n) ["A", "x"]
  return
}

// -----
func.func @reindex_open(%A: tensor<?x?xf64>, %n: index) {
  // expected-error@+1 {{has a map that leaves an index variable open}}
  %0 = ta.gather %A by affine_map<(d0, d1) -> (d0, d0 * 2)> (%n, %n) : tensor<?x?xf64> to tensor<?x?xf64>
  return
}

// -----
func.func @reindex_sizes(%A: tensor<?x?xf64>, %n: index) {
  // expected-error@+1 {{needs a size for each dimension of the result}}
  %0 = ta.gather %A by affine_map<(d0) -> (d0, d0 * 2)> () : tensor<?x?xf64> to tensor<?xf64>
  return
}

//===--- sums of storages ---===//

// -----
// expected-error@+1 {{a sum has two parts or more}}
func.func private @f(tensor<?x?xf64, #ta.sum<[#ta.format<(i, j) -> (i : dense, j : compressed)>]>>)

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
// expected-error@+1 {{a part stored as CSR takes whatever comes: nothing is left for the parts behind it}}
func.func private @f(tensor<?x?xf64, #ta.sum<[#CSR, #CSR]>>)

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#DIA = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
// expected-error@+1 {{the limit of a part stored as DIA is how many percent of its places hold an entry, at most 100}}
func.func private @f(tensor<?x?xf64, #ta.sum<[#DIA, #CSR], limits = [101]>>)

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#NM = #ta.format<(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured(2))>
// expected-error@+1 {{a part stored as NM takes no limit: its levels have room for so many entries}}
func.func private @f(tensor<?x?xf64, #ta.sum<[#NM, #CSR], limits = [3]>>)

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
// expected-error@+1 {{a sum of 2 parts has a limit for each but the last}}
func.func private @f(tensor<?x?xf64, #ta.sum<[#ELL, #CSR], limits = [3, 4]>>)

// -----
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
// expected-error@+1 {{a part has a place for everything, and so has the sum}}
func.func private @f(tensor<?x?xf64, #ta.sum<[#ELL, #ta.format<(i, j) -> (i : dense, j : dense)>]>>)

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
func.func @f(%A: tensor<?x?xf64, #ta.sum<[#ELL, #CSR]>>) {
  // expected-error@+1 {{takes part 2 of 2}}
  %p = ta.component %A, 2 : tensor<?x?xf64, #ta.sum<[#ELL, #CSR]>> to tensor<?x?xf64, #CSR>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>) {
  // expected-error@+1 {{takes a part of a tensor that is not stored in a hybrid format}}
  %p = ta.component %A, 0 : tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSR>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>) {
  // expected-error@+1 {{takes the values of part 1 of 1}}
  %v = ta.values %A, 1 : tensor<?x?xf64, #CSR> to tensor<?xf64>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>) {
  // expected-error@+1 {{has values in a tensor that is no dense vector of dynamic size}}
  %v = ta.values %A, 0 : tensor<?x?xf64, #CSR> to tensor<8xf64>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>) {
  // expected-error@+1 {{has values of another type than the tensor's elements}}
  %v = ta.values %A, 0 : tensor<?x?xf64, #CSR> to tensor<?xf32>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#M = #ta.distributed<#CSR, <"M", [share(0)]>>
ta.machine @M(x = 2)
func.func @f(%A: tensor<?x?xf64, #M>) {
  // expected-error@+1 {{takes a tensor in pieces}}
  %v = ta.values %A, 0 : tensor<?x?xf64, #M> to tensor<?xf64>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#CSC = #ta.format<(i, j) -> (j : dense, i : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>, %w: tensor<?xf64>) {
  // expected-error@+1 {{has a result that is not stored as the tensor is}}
  %B = ta.with_values %A(%w) : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?x?xf64, #CSC>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
#ELL = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
#SUM = #ta.sum<[#ELL, #CSR]>
func.func @f(%A: tensor<?x?xf64, #SUM>, %w: tensor<?xf64>) {
  // expected-error@+1 {{needs values for each of 2 storages, and has 1}}
  %B = ta.with_values %A(%w) : (tensor<?x?xf64, #SUM>, tensor<?xf64>) -> tensor<?x?xf64, #SUM>
  return
}

// -----
#CSR = #ta.format<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #CSR>, %w: tensor<?xf64>) {
  // expected-error@+1 {{takes over operand 2 of 2}}
  %B = ta.with_values %A(%w) {moved = array<i64: 0, 2>} : (tensor<?x?xf64, #CSR>, tensor<?xf64>) -> tensor<?x?xf64, #CSR>
  return
}

// -----
func.func @fit_map(%n: index) {
  // expected-error@+1 {{needs a size for each dimension of its map}}
  %0 = ta.fit affine_map<(d0, d1) -> (d0, d1)> (%n)
  return
}

// -----
func.func @fit_bound(%n: index) {
  // expected-error@+1 {{needs a bound}}
  %0 = ta.fit affine_map<(d0) -> ()> (%n)
  return
}

// -----
func.func @count_up(%n: index) {
  // expected-error@+1 {{makes a dense vector of integers}}
  %0 = ta.iota from 0 step 1 (%n) : tensor<?xf64>
  return
}

// -----
func.func @selector_of_reals(%p: tensor<?xf64>, %n: index) {
  // expected-error@+1 {{needs a tensor of integers}}
  %0 = ta.one_hot %p (%n) : tensor<?xf64> to tensor<?x?xi8>
  return
}

// -----
func.func @inside_order(%n: index) {
  // expected-error@+1 {{makes a tensor of one dimension more than variables, all of them dynamic}}
  %0 = ta.inside affine_map<(d0) -> (d0 - 1)> (%n) in %n : tensor<?xi8>
  return
}

// -----
func.func @inside_map(%n: index) {
  // expected-error@+1 {{needs a map from its index variables to one coordinate}}
  %0 = ta.inside affine_map<(d0) -> (d0, d0)> (%n) in %n : tensor<?x?xi8>
  return
}

// -----
func.func @selector_order(%p: tensor<?xi64>, %n: index) {
  // expected-error@+1 {{makes a tensor of one dimension more, all of them dynamic}}
  %0 = ta.one_hot %p (%n) : tensor<?xi64> to tensor<?xi8>
  return
}

// -----
func.func @dense_algebra_unknown(%A: tensor<?x?xf64>, %n: index) {
  // expected-error@+1 {{knows no function "invert"}}
  %0 = ta.dense_algebra "invert" (%A) sizes (%n, %n) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----
func.func @dense_algebra_operands(%A: tensor<?x?xf64>, %n: index) {
  // expected-error@+1 {{needs 2 operands}}
  %0 = ta.dense_algebra "solve" (%A) sizes (%n) : (tensor<?x?xf64>) -> tensor<?xf64>
  return
}

// -----
func.func @dense_algebra_sizes(%A: tensor<?x?xf64>) {
  // expected-error@+1 {{needs a size for each dynamic dimension}}
  %0 = ta.dense_algebra "inverse" (%A) sizes () : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----
func.func @concat_nothing() {
  // expected-error@+1 {{needs a tensor}}
  %0 = ta.concat 0 () : () -> tensor<?xf64>
  return
}

// -----
func.func @concat_dimension(%A: tensor<?x?xf64>) {
  // expected-error@+1 {{joins along dimension 2, the result has 2 dimensions}}
  %0 = ta.concat 2 (%A) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return
}

// -----
func.func @concat_order(%A: tensor<?x?xf64>, %x: tensor<?xf64>) {
  // expected-error@+1 {{tensor 1 has order 1, the result 2}}
  %0 = ta.concat 0 (%A, %x) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return
}

// -----
func.func @concat_other_sizes(%A: tensor<?x4xf64>) {
  // expected-error@+1 {{tensor 0 has another size in dimension 1 than the result}}
  %0 = ta.concat 0 (%A) : (tensor<?x4xf64>) -> tensor<?x5xf64>
  return
}

// -----
func.func @concat_sum(%A: tensor<4xf64>) {
  // expected-error@+1 {{the sizes in dimension 0 add up to 8, the result has 9}}
  %0 = ta.concat 0 (%A, %A) : (tensor<4xf64>, tensor<4xf64>) -> tensor<9xf64>
  return
}

// -----

func.func @order_of_no_dimension(%A: tensor<?x?xf64>) {
  // expected-error @+1 {{gives the order of dimension 2, the tensor has 2 dimensions}}
  %0 = ta.lexi_order %A {dim = 2} : (tensor<?x?xf64>) -> tensor<?xi64>
  return
}

// -----

func.func @reordered_to_a_vector(%A: tensor<?x?xf64>) {
  // expected-error @+1 {{gives a tensor of order 2, the result has order 1}}
  %0 = ta.lexi_order %A : (tensor<?x?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @reordered_to_other_sizes(%A: tensor<4x5xf64>) {
  // expected-error @+1 {{has another size in dimension 0 than the result}}
  %0 = ta.lexi_order %A : (tensor<4x5xf64>) -> tensor<5x4xf64>
  return
}

// -----
// expected-error@+1 {{level 2 is a slot, which numbers the entries of level 4; a dense level does not say which coordinate an entry has}}
func.func private @f(tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 4 : dense, slot(i mod 4) : dense, i mod 4 : compressed, j : dense)>>)

// -----
func.func @parameter_of_tensor() {
  // expected-error@+1 {{gives a size or a scalar, which is no complex number}}
  %0 = ta.parameter "x" : tensor<?xf64>
  return
}

// -----
func.func @parameter_of_complex() {
  // expected-error@+1 {{gives a size or a scalar, which is no complex number}}
  %0 = ta.parameter "x" : tensor<complex<f64>>
  return
}
