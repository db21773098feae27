// Every operation, type and attribute of ta, printed and read again.
// RUN: strata-opt %s | strata-opt | FileCheck %s
// RUN: strata-opt %s --mlir-print-op-generic | strata-opt | FileCheck %s

// CHECK-DAG: module attributes {test.level = #ta.level<compressed(nonunique)>}
module attributes {test.level = #ta.level<compressed(nonunique)>} {

// Formats: levels, properties, maps, widths, fills.

// CHECK-LABEL: @formats(
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (j : dense, i : compressed)>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 64, crd = 32>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset)>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(pos = 16, crd = 8), j : compressed(pos = 32)), fill = 2.000000e+00 : f64>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(signed, crd = 16), j : compressed(crd = 8)), pos = 32>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 8>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i sorted, j sorted(64)) -> (i : dense, j : compressed)>>
// CHECK-SAME: tensor<?xf64, #ta.format<(i) -> (i : hashed)>>
// CHECK-SAME: tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique, aos), j : singleton), crd = 16>>
// CHECK-SAME: tensor<?xi64, #ta.format<(i) -> (i : compressed(nonunique, unordered)), fill = 7 : i64>>
// CHECK-SAME: tensor<?xf64, #ta.format<(i) -> (i : compressed), fill = 0x7FF8000000000000 : f64>>
// CHECK-SAME: tensor<?xcomplex<f64>, #ta.format<(i) -> (i : compressed), fill = #complex.number<:f64 1.000000e+00, 0.000000e+00> : complex<f64>>>
func.func private @formats(
    tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>,
    tensor<?x?xf64, #ta.format<(row, col) -> (col : dense, row : compressed)>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton), pos = 64, crd = 32>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense)>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset)>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(pos = 16, crd = 8), j : compressed(pos = 32)), fill = 2.0 : f64>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(signed), j : compressed(crd = 8)), pos = 32, crd = 16>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed(crd = 8)), pos = 32>>,
    tensor<?x?xf64, #ta.format<(i sorted, j sorted(64)) -> (i : dense, j : compressed)>>,
    tensor<?xf64, #ta.format<(i) -> (i : hashed)>>,
    tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(aos, nonunique), j : singleton(crd = 16))>>,
    tensor<?xi64, #ta.format<(i) -> (i : compressed(unordered, nonunique)), fill = 7 : i64>>,
    tensor<?xf64, #ta.format<(i) -> (i : compressed), fill = 0xFFF8000000000005 : f64>>,
    tensor<?xcomplex<f64>, #ta.format<(i) -> (i : compressed), fill = #complex.number<:f64 1.0, -0.0> : complex<f64>>>)

// CHECK-LABEL: @storages(
// CHECK-SAME: !ta.storage<tensor<f64>>
// CHECK-SAME: !ta.storage<tensor<3x?xcomplex<f64>, #ta.format<(i, j) -> (i : dense, j : compressed)>>>
func.func private @storages(
    !ta.storage<tensor<f64>>,
    !ta.storage<tensor<3x?xcomplex<f64>, #ta.format<(i, j) -> (i : dense, j : compressed)>>>)

// CHECK-LABEL: @statements
func.func @statements(%A: tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>,
                      %x: tensor<?xf64>, %y: tensor<?xf64>, %s: tensor<f64>, %n: index, %m: index) {
  // CHECK: ta.compute [%[[I:.*]] = %[[N:.*]]] ins(%[[A:.*]], %[[X:.*]] : tensor<?x?xf64, #{{.*}}>, tensor<?xf64>) sizes(%[[N]]) -> tensor<?xf64> out [%[[I]]] attributes {names = ["i"]} {
  // CHECK-NEXT: ta.reduce add [%[[J:.*]] = %[[M:.*]]] attributes {names = ["j"]} : f64 {
  // CHECK-NEXT: ta.access %[[A]][%[[I]], %[[J]]] : tensor<?x?xf64,
  // CHECK-NEXT: ta.access %[[X]][%[[J]]] : tensor<?xf64>
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: ta.yield %{{.*}} : f64
  // CHECK: ta.yield %{{.*}} : f64
  %0 = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>, tensor<?xf64>)
      sizes(%n) -> tensor<?xf64> out [%i] attributes {names = ["i"]} {
    %t = ta.reduce add [%j = %m] attributes {names = ["j"]} : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %t : f64
  }
  // A window, a stride and an update.
  // CHECK: ta.compute [%[[I:.*]] = %{{.*}}] ins({{.*}}) sizes(%{{.*}}) init(%{{.*}} : tensor<?xf64>) combine max -> tensor<?xf64> out [%[[I]] + 1] {
  // CHECK-NEXT: ta.access %{{.*}}[%[[I]] * 2 + 3] : tensor<?xf64>
  %1 = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>) combine max
      -> tensor<?xf64> out [%i + 1] {
    %a = ta.access %x[%i * 2 + 3] : tensor<?xf64>
    ta.yield %a : f64
  }
  // A mask, and what emptied places hold; an update that joins.
  // CHECK: ta.compute [%[[I:.*]] = %{{.*}}] ins({{.*}}) sizes(%{{.*}}) init(%{{.*}} : tensor<?xf64>) mask(%{{.*}}[%[[I]] + 1] : tensor<?xf64>) -> tensor<?xf64> out [%[[I]]] attributes {complement, empty = 1.000000e+00 : f64, pull, replace, structural} {
  %masked = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>)
      mask(%x[%i + 1] : tensor<?xf64>) -> tensor<?xf64> out [%i]
      attributes {complement, empty = 1.0 : f64, pull, replace, structural} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  // CHECK: combine min -> tensor<?xf64> out [%{{.*}}] attributes {joins} {
  %joined = ta.compute [%i = %n] ins(%x : tensor<?xf64>) sizes(%n) init(%y : tensor<?xf64>) combine min
      -> tensor<?xf64> out [%i] attributes {joins} {
    %a = ta.access %x[%i] : tensor<?xf64>
    ta.yield %a : f64
  }
  // A scalar; the other operators; no variable at all.
  // CHECK: ta.compute [] ins({{.*}} : tensor<?xf64>, tensor<f64>) -> tensor<f64> out [] {
  // CHECK-NEXT: ta.reduce min [%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}] : f64 {
  // CHECK: ta.reduce mul [
  // CHECK: ta.reduce max [
  // CHECK: ta.access %{{.*}}[] : tensor<f64>
  %2 = ta.compute [] ins(%x, %s : tensor<?xf64>, tensor<f64>) -> tensor<f64> out [] {
    %a = ta.reduce min [%i = %n, %j = %m] : f64 {
      %b = ta.reduce mul [%k = %n] : f64 {
        %c = ta.reduce max [%l = %n] : f64 {
          %d = ta.access %x[%l] : tensor<?xf64>
          ta.yield %d : f64
        }
        ta.yield %c : f64
      }
      ta.yield %b : f64
    }
    %e = ta.access %s[] : tensor<f64>
    %f = arith.addf %a, %e : f64
    ta.yield %f : f64
  }
  return
}

// What is stored, masks, and operators beyond arithmetic.
// CHECK-LABEL: @presence
func.func @presence(%A: tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>,
                    %M: tensor<?x?xi32, #ta.format<(i, j) -> (i : dense, j : compressed)>>,
                    %n: index) -> tensor<?xf64> {
  %r = ta.compute [%i = %n] ins(%A, %M : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>, tensor<?x?xi32, #ta.format<(i, j) -> (i : dense, j : compressed)>>) sizes(%n) -> tensor<?xf64> out [%i] {
    // CHECK: ta.reduce lor [%{{.*}} = %{{.*}}] attributes {missing} : f64 {
    %t = ta.reduce lor [%j = %n] attributes {missing} : f64 {
      // CHECK-NEXT: %[[X:.*]] = ta.access %{{.*}}[%{{.*}}, %{{.*}}] {missing} : tensor<?x?xf64,
      %x = ta.access %A[%i, %j] {missing} : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
      %m = ta.access %M[%i, %j] {missing} : tensor<?x?xi32, #ta.format<(i, j) -> (i : dense, j : compressed)>>
      // CHECK: %[[C:.*]] = ta.compare lt %[[X]], %[[X]] : f64
      %c = ta.compare lt %x, %x : f64
      // CHECK-NEXT: ta.select %[[C]], %[[X]], %[[X]] : f64
      %s = ta.select %c, %x, %x : f64
      // CHECK-NEXT: ta.to_integer %[[X]] {is_unsigned} : f64 to i8
      %z = ta.to_integer %x {is_unsigned} : f64 to i8
      // CHECK-NEXT: ta.compare ult %{{.*}}, %{{.*}} : i8
      %v = ta.compare ult %z, %z : i8
      // CHECK-NEXT: ta.union %{{.*}}, %[[X]], %[[X]] : f64
      %e = ta.union %s, %x, %x : f64
      // CHECK-NEXT: ta.filter %{{.*}} if %{{.*}} : f64, i32
      %f = ta.filter %e if %m : f64, i32
      // CHECK-NEXT: ta.masked %{{.*}} by %{{.*}} : f64, i32
      %k = ta.masked %f by %m : f64, i32
      // CHECK-NEXT: ta.unmasked %{{.*}} by %{{.*}} : f64, i32
      %u = ta.unmasked %k by %m : f64, i32
      ta.yield %u : f64
    }
    ta.yield %t : f64
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: @host
func.func @host(%n: index) {
  // CHECK: ta.parameter "N" : index
  // CHECK: ta.parameter "alpha" : tensor<f64>
  %N = ta.parameter "N" : index
  %alpha = ta.parameter "alpha" : tensor<f64>
  // CHECK: ta.read "a.mtx" : tensor<?x?xf64, #{{.*}}>
  // CHECK: ta.read "a.mtx" {part = 3 : i64} : tensor<?x?xf64, #{{.*}}>
  %A = ta.read "a.mtx" : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
  %L = ta.read "a.mtx" {part = 3 : i64} : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
  // CHECK: ta.write %{{.*}}, "b.mtx" : tensor<?x?xf64,
  ta.write %A, "b.mtx" : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
  // CHECK: ta.fill 1.000000e+00 : f64(%{{.*}}) : tensor<?x32xf64>
  // CHECK: ta.fill 0 : i64() : tensor<4xi64, #{{.*}}>
  // CHECK: ta.fill #complex.number<:f64 1.000000e+00, 2.000000e+00> : complex<f64>() : tensor<2xcomplex<f64>>
  %B = ta.fill 1.0 : f64 (%n) : tensor<?x32xf64>
  %C = ta.fill 0 : i64 () : tensor<4xi64, #ta.format<(i) -> (i : compressed)>>
  %D = ta.fill #complex.number<:f64 1.0, 2.0> : complex<f64> () : tensor<2xcomplex<f64>>
  // CHECK: ta.random(%{{.*}}) : tensor<?x32xf64>
  // CHECK: ta.random() {density = 1.000000e-01 : f64, seed = 7 : i64} : tensor<8xf64, #{{.*}}>
  %E = ta.random (%n) : tensor<?x32xf64>
  %F = ta.random () {density = 0.1 : f64, seed = 7 : i64} : tensor<8xf64, #ta.format<(i) -> (i : compressed)>>
  // CHECK: ta.stencil 33 : tensor<?x?xf64,
  %G = ta.stencil 33 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
  // CHECK: ta.iota from 1 step 2(%{{.*}}) : tensor<?xi64>
  %c = ta.iota from 1 step 2 (%n) : tensor<?xi64>
  // CHECK: ta.one_hot %{{.*}}(%{{.*}}) : tensor<?xi64> to tensor<?x?xi8>
  %s = ta.one_hot %c (%n) : tensor<?xi64> to tensor<?x?xi8>
  // CHECK: ta.inside #{{.*}}(%{{.*}}) in %{{.*}} : tensor<?x?xi8>
  %inside = ta.inside affine_map<(d0) -> (d0 - 1)> (%n) in %n : tensor<?x?xi8>
  // CHECK: ta.print_text "norm "
  ta.print_text "norm "
  // CHECK: ta.print %{{.*}} "c" {storage}
  ta.print %c "c" {storage} : tensor<?xi64>
  // CHECK: ta.dense_algebra "pseudoinverse"(%{{.*}}) sizes(%{{.*}}) : (tensor<?x32xf64>) -> tensor<32x?xf64>
  %p = ta.dense_algebra "pseudoinverse" (%B) sizes (%n) : (tensor<?x32xf64>) -> tensor<32x?xf64>
  // CHECK: ta.concat 1(%{{.*}}, %{{.*}}) : (tensor<?x32xf64>, tensor<?x32xf64>) -> tensor<?x64xf64>
  %both = ta.concat 1 (%B, %B) : (tensor<?x32xf64>, tensor<?x32xf64>) -> tensor<?x64xf64>
  // CHECK: ta.lexi_order %{{.*}} : (tensor<?x32xf64>) -> tensor<?x32xf64>
  %moved = ta.lexi_order %B : (tensor<?x32xf64>) -> tensor<?x32xf64>
  // CHECK: ta.lexi_order %{{.*}} {dim = 1 : i64} : (tensor<?x32xf64>) -> tensor<32xi64>
  %order = ta.lexi_order %B {dim = 1} : (tensor<?x32xf64>) -> tensor<32xi64>
  // CHECK: ta.fit #{{.*}}(%{{.*}})
  %fit = ta.fit affine_map<(d0) -> (d0, d0 - 1)> (%n)
  // CHECK: ta.convert %{{.*}} {reason = "why"} : tensor<?x32xf64> to tensor<?x32xf32, #{{.*}}>
  %H = ta.convert %B {reason = "why"} : tensor<?x32xf64> to tensor<?x32xf32, #ta.format<(i, j) -> (j : dense, i : compressed)>>
  // CHECK: %[[R:.*]] = ta.dim %{{.*}}, 0 : tensor<?x?xf64,
  // CHECK: ta.same_size "i"(%[[R]], %{{.*}}) ["A", "x"]
  %r = ta.dim %A, 0 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
  %k = ta.same_size "i" (%r, %n) ["A", "x"]
  // CHECK: ta.gather %[[A:.*]] by #{{.*}}(%{{.*}}) : tensor<?x?xf64, {{.*}}> to tensor<?xf64>
  %diagonal = ta.gather %A by affine_map<(d0) -> (d0, d0)> (%n) : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>> to tensor<?xf64>
  // CHECK: ta.insert_part %{{.*}} over %{{.*}} by #{{.*}}(%{{.*}}) : tensor<?xf64>, tensor<?xf64> to tensor<?xf64>
  %over = ta.insert_part %diagonal over %diagonal by affine_map<(d0) -> (d0)> (%n) : tensor<?xf64>, tensor<?xf64> to tensor<?xf64>
  // CHECK: ta.print %{{.*}} "B" : tensor<?x32xf64>
  ta.print %B "B" : tensor<?x32xf64>
  // CHECK: ta.time : tensor<f64>
  // CHECK: ta.print_elapsed %{{.*}}, %{{.*}} : tensor<f64>, tensor<f64>
  %t0 = ta.time : tensor<f64>
  %t1 = ta.time : tensor<f64>
  ta.print_elapsed %t0, %t1 : tensor<f64>, tensor<f64>
  // CHECK: ta.checkpoint %{{.*}}, 7 : tensor<f64>
  ta.checkpoint %t0, 7 : tensor<f64>
  // CHECK: ta.convert %{{.*}} : tensor<?x?xf64, #{{.*}}> to tensor<?x?xf64, #ta.sum<[{{.*}}slot(i) : dense, i : dense, j : padded), crd = 16>, #ta.format<{{.*}}singleton(crd = 8))>], limits = [3]>>
  // CHECK: ta.component %{{.*}}, 1 : tensor<?x?xf64, #ta.sum<{{.*}}>> to tensor<?x?xf64, #{{.*}}>
  %S = ta.convert %A : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>> to tensor<?x?xf64, #ta.sum<[#ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(crd = 8))>], limits = [3], crd = 16>>
  %P = ta.component %S, 1 : tensor<?x?xf64, #ta.sum<[#ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded), crd = 16>, #ta.format<(i, j) -> (i : compressed(nonunique, crd = 16), j : singleton(crd = 8))>], limits = [3]>> to tensor<?x?xf64, #ta.format<(i, j) -> (i : compressed(nonunique, crd = 16), j : singleton(crd = 8))>>
  // CHECK: ta.values %{{.*}}, 0 : tensor<?x?xf64, #{{.*}}> to tensor<?xf64>
  // CHECK: ta.values %{{.*}}, 1 : tensor<?x?xf64, #ta.sum<{{.*}}>> to tensor<?xf64>
  // CHECK: ta.with_values %{{.*}}(%{{.*}}) : (tensor<?x?xf64, #{{.*}}>, tensor<?xf64>) -> tensor<?x?xf64, #{{.*}}>
  // CHECK: ta.with_values %{{.*}}(%{{.*}}, %{{.*}}) {moved = array<i64: 0, 2>} : (tensor<?x?xf64, #ta.sum<{{.*}}>>, tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64, #ta.sum<{{.*}}>>
  %V = ta.values %A, 0 : tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>> to tensor<?xf64>
  %W = ta.values %S, 1 : tensor<?x?xf64, #ta.sum<[#ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(crd = 8))>], limits = [3], crd = 16>> to tensor<?xf64>
  %AV = ta.with_values %A(%V) : (tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>, tensor<?xf64>) -> tensor<?x?xf64, #ta.format<(i, j) -> (i : dense, j : compressed)>>
  %SW = ta.with_values %S(%W, %V) {moved = array<i64: 0, 2>} : (tensor<?x?xf64, #ta.sum<[#ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(crd = 8))>], limits = [3], crd = 16>>, tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64, #ta.sum<[#ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>, #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(crd = 8))>], limits = [3], crd = 16>>
  return
}

} // module
