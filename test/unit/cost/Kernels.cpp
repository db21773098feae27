// As `strata emit --stage=lvl` writes them.
#include "Kernels.h"

#include "strata/lower/Pipeline.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace strata::test {

Kernel::Kernel(const std::string &text) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

mlir::func::FuncOp Kernel::function() { return *module->getOps<mlir::func::FuncOp>().begin(); }

cost::TensorStatistics csr(double rows, double columns, double entries, double uneven) {
  cost::TensorStatistics matrix{.name = "A"};
  matrix.levels = {{.positions = rows, .extent = rows},
                   {.positions = entries,
                    .extent = columns,
                    .uneven = uneven,
                    .bytesPerParent = 4,
                    .bytesPerPosition = 4}};
  matrix.values = entries;
  return matrix;
}

cost::TensorStatistics dense(std::string name, std::vector<double> sizes) {
  cost::TensorStatistics tensor{.name = std::move(name)};
  double positions = 1;
  for (double size : sizes)
    tensor.levels.push_back({.positions = positions *= size, .extent = size});
  tensor.values = positions;
  return tensor;
}

#define CSR "#ta.format<(i, j) -> (i : dense, j : compressed), pos = 32, crd = 32>"

const char *const spmv = R"(
#map = affine_map<()[s0] -> (s0)>
func.func @kernel(%y: !ta.storage<tensor<?xf64>>, %A: !ta.storage<tensor<?x?xf64, )" CSR
                         R"(>>, %x: !ta.storage<tensor<?xf64>>, %n: index, %m: index) {
  %0 = lvl.build %y : !ta.storage<tensor<?xf64>>
  %1 = lvl.root %y : <tensor<?xf64>>
  %2 = lvl.root %A : <tensor<?x?xf64, )" CSR R"(>>
  %3 = lvl.root %x : <tensor<?xf64>>
  %4 = lvl.coiterate "i" universe %n over () inits(%0 : !lvl.builder) attributes {pieces = 0 : i64} case [] (%i, %b) {
    %row, %f = lvl.locate %2[0] at %i
    %b2, %place = lvl.insert %b[0] below %1 at %i
    %it = lvl.iterator %row[1] fixed() steps [unit] compose #map
    %5 = lvl.coiterate "j" over (%it) inits(%b2 : !lvl.builder) case [0] (%j, %entry, %b3) {
      %xj, %f2 = lvl.locate %3[0] at %j
      %a = lvl.value %entry : f64
      %v = lvl.value %xj : f64
      %p = arith.mulf %a, %v : f64
      lvl.store %b3 at %place, %p combine add : f64
      lvl.yield %b3 : !lvl.builder
    }
    lvl.yield %5 : !lvl.builder
  }
  lvl.finalize %4
  return
})";

const char *const spmm = R"(
#map = affine_map<()[s0] -> (s0)>
func.func @kernel(%C: !ta.storage<tensor<?x?xf64>>, %A: !ta.storage<tensor<?x?xf64, )" CSR
                         R"(>>, %B: !ta.storage<tensor<?x?xf64>>, %n: index, %k: index, %m: index) {
  %0 = lvl.build %C : !ta.storage<tensor<?x?xf64>>
  %1 = lvl.root %C : <tensor<?x?xf64>>
  %2 = lvl.root %A : <tensor<?x?xf64, )" CSR R"(>>
  %3 = lvl.root %B : <tensor<?x?xf64>>
  %4 = lvl.coiterate "i" universe %n over () inits(%0 : !lvl.builder) attributes {pieces = 0 : i64} case [] (%i, %b) {
    %row, %f = lvl.locate %2[0] at %i
    %b2, %place = lvl.insert %b[0] below %1 at %i
    %it = lvl.iterator %row[1] fixed() steps [unit] compose #map
    %5 = lvl.coiterate "j" over (%it) inits(%b2 : !lvl.builder) case [0] (%j, %entry, %b3) {
      %rowB, %f2 = lvl.locate %3[0] at %j
      %6 = lvl.coiterate "k" universe %k over () inits(%b3 : !lvl.builder) case [] (%c, %b4) {
        %bjk, %f3 = lvl.locate %rowB[1] at %c
        %b5, %cik = lvl.insert %b4[1] below %place at %c
        %a = lvl.value %entry : f64
        %v = lvl.value %bjk : f64
        %p = arith.mulf %a, %v : f64
        lvl.store %b5 at %cik, %p combine add : f64
        lvl.yield %b5 : !lvl.builder
      }
      lvl.yield %6 : !lvl.builder
    }
    lvl.yield %5 : !lvl.builder
  }
  lvl.finalize %4
  return
})";

#define LIST "#ta.format<(i) -> (i : compressed), pos = 32, crd = 32>"

const char *const spmspv = R"(
#map = affine_map<()[s0] -> (s0)>
func.func @kernel(%y: !ta.storage<tensor<?xf64>>, %A: !ta.storage<tensor<?x?xf64, )" CSR
                           R"(>>, %x: !ta.storage<tensor<?xf64, )" LIST
                           R"(>>, %n: index, %m: index) {
  %0 = lvl.build %y : !ta.storage<tensor<?xf64>>
  %1 = lvl.root %y : <tensor<?xf64>>
  %2 = lvl.root %A : <tensor<?x?xf64, )" CSR R"(>>
  %3 = lvl.root %x : <tensor<?xf64, )" LIST R"(>>
  %4 = lvl.coiterate "i" universe %n over () inits(%0 : !lvl.builder) case [] (%i, %b) {
    %row, %f = lvl.locate %2[0] at %i
    %b2, %place = lvl.insert %b[0] below %1 at %i
    %zero = arith.constant 0.0 : f64
    %one = lvl.iterator %row[1] fixed() steps [unit] compose #map
    %other = lvl.iterator %3[0] fixed() steps [unit] compose #map
    %5 = lvl.coiterate "j" over (%one, %other) inits(%zero : f64) case [0, 1] (%j, %entry, %xj, %sum) {
      %a = lvl.value %entry : f64
      %v = lvl.value %xj : f64
      %p = arith.mulf %a, %v : f64
      %s = arith.addf %sum, %p : f64
      lvl.yield %s : f64
    }
    lvl.store %b2 at %place, %5 : f64
    lvl.yield %b2 : !lvl.builder
  }
  lvl.finalize %4
  return
})";

const char *const biasedProduct = R"(
func.func @kernel(%R: !ta.storage<tensor<?x?xf64>>, %C: !ta.storage<tensor<?x?xf64>>, %A: !ta.storage<tensor<?x?xf64>>, %B: !ta.storage<tensor<?x?xf64>>, %n: index, %k: index, %m: index) {
  %0 = lvl.build %R : !ta.storage<tensor<?x?xf64>>
  %1 = lvl.root %R : <tensor<?x?xf64>>
  %2 = lvl.root %A : <tensor<?x?xf64>>
  %3 = lvl.root %B : <tensor<?x?xf64>>
  %4 = lvl.root %C : <tensor<?x?xf64>>
  %5 = lvl.coiterate "i" universe %n over () inits(%0 : !lvl.builder) case [] (%i, %b) {
    %rowA, %f = lvl.locate %2[0] at %i
    %rowC, %f2 = lvl.locate %4[0] at %i
    %b2, %rowR = lvl.insert %b[0] below %1 at %i
    %6 = lvl.coiterate "k" universe %k over () inits(%b2 : !lvl.builder) case [] (%c, %b3) {
      %cik, %f3 = lvl.locate %rowC[1] at %c
      %b4, %place = lvl.insert %b3[1] below %rowR at %c
      %zero = arith.constant 0.0 : f64
      %7 = lvl.coiterate "j" universe %m over () inits(%zero : f64) case [] (%j, %sum) {
        %aij, %f4 = lvl.locate %rowA[1] at %j
        %rowB, %f5 = lvl.locate %3[0] at %j
        %bjk, %f6 = lvl.locate %rowB[1] at %c
        %a = lvl.value %aij : f64
        %v = lvl.value %bjk : f64
        %p = arith.mulf %a, %v : f64
        %s = arith.addf %sum, %p : f64
        lvl.yield %s : f64
      }
      %bias = lvl.value %cik : f64
      %r = arith.addf %bias, %7 : f64
      lvl.store %b4 at %place, %r : f64
      lvl.yield %b4 : !lvl.builder
    }
    lvl.yield %6 : !lvl.builder
  }
  lvl.finalize %5
  return
})";

const char *const scaledInBlocks = R"(
func.func @kernel(%y: !ta.storage<tensor<?xf64>>, %x: !ta.storage<tensor<?xf64>>, %n: index) {
  %0 = lvl.build %y : !ta.storage<tensor<?xf64>>
  %1 = lvl.root %y : <tensor<?xf64>>
  %2 = lvl.root %x : <tensor<?xf64>>
  %size = arith.constant 1024 : index
  %3 = arith.ceildivui %n, %size : index
  %4 = lvl.coiterate "io" universe %3 over () inits(%0 : !lvl.builder) case [] (%io, %b) {
    %first = arith.muli %io, %size : index
    %left = arith.subi %n, %first : index
    %own = arith.minui %size, %left : index
    %5 = lvl.coiterate "ii" universe %own over () inits(%b : !lvl.builder) case [] (%ii, %b2) {
      %i = arith.addi %first, %ii : index
      %xi, %f = lvl.locate %2[0] at %i
      %b3, %yi = lvl.insert %b2[0] below %1 at %i
      %v = lvl.value %xi : f64
      %p = arith.mulf %v, %v : f64
      lvl.store %b3 at %yi, %p : f64
      lvl.yield %b3 : !lvl.builder
    }
    lvl.yield %5 : !lvl.builder
  }
  lvl.finalize %4
  return
})";

#define PAIRS                                                                                      \
  "#ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique)), pos = 32, crd = "   \
  "32>"

const char *const gramOfPairs = R"(
#map = affine_map<()[s0] -> (s0)>
func.func @kernel(%R: !ta.storage<tensor<?x?xf64>>, %A: !ta.storage<tensor<?x?xf64, )" PAIRS
                                R"(>>, %n: index, %m: index) {
  %0 = lvl.build %R : !ta.storage<tensor<?x?xf64>>
  %1 = lvl.root %R : <tensor<?x?xf64>>
  %2 = lvl.root %A : <tensor<?x?xf64, )" PAIRS R"(>>
  %3 = lvl.iterator %2[0] fixed() steps [unit] compose #map dedup
  %4 = lvl.iterator %2[0] fixed() steps [unit] compose #map dedup
  %5 = lvl.coiterate "i" over (%3, %4) inits(%0 : !lvl.builder) case [0, 1] (%i, %p, %q, %b) {
    %6 = lvl.iterator %p[1] fixed() steps [unit] compose #map dedup
    %7 = lvl.coiterate "j" over (%6) inits(%b : !lvl.builder) case [0] (%j, %aij, %b2) {
      %v = lvl.value %aij : f64
      %b3, %row = lvl.insert %b2[0] below %1 at %j
      %8 = lvl.iterator %q[1] fixed() steps [unit] compose #map dedup
      %9 = lvl.coiterate "k" over (%8) inits(%b3 : !lvl.builder) case [0] (%k, %aik, %b4) {
        %w = lvl.value %aik : f64
        %b5, %place = lvl.insert %b4[1] below %row at %k
        %x = arith.mulf %v, %w : f64
        lvl.store %b5 at %place, %x combine add : f64
        lvl.yield %b5 : !lvl.builder
      }
      lvl.yield %9 : !lvl.builder
    }
    lvl.yield %7 : !lvl.builder
  }
  lvl.finalize %5
  return
})";

} // namespace strata::test
