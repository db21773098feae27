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

} // namespace strata::test
