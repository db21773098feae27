// Parsing statements, making tensors, reading expected results.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"
#include "Naive.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

namespace strata::reference {

static const char *formats = R"(
#Sparse1 = #ta.format<(i) -> (i : compressed)>
#Sparse2 = #ta.format<(i, j) -> (i : dense, j : compressed)>
#Sparse3 = #ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>
#Inf1 = #ta.format<(i) -> (i : compressed), fill = 0x7FF0000000000000 : f64>
#NaN1 = #ta.format<(i) -> (i : compressed), fill = 0x7FF8000000000000 : f64>
#Inf2 = #ta.format<(i, j) -> (i : dense, j : compressed), fill = 0x7FF0000000000000 : f64>
)";

Program::Program(const std::string &arguments, const std::string &body)
    : text(formats + std::string("func.func @f(") + arguments + ") {\n" + body +
           "\n  return\n}\n") {
  context.loadDialect<mlir::arith::ArithDialect, mlir::complex::ComplexDialect,
                      mlir::func::FuncDialect, mlir::math::MathDialect, ta::TaDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "mistakes in the test's program:\n" << text;
    std::abort();
  }
}

ta::ComputeOp Program::statement() {
  ta::ComputeOp found;
  module->walk([&](ta::ComputeOp op) { found = op; });
  return found;
}

runtime::Result<Expected> Program::tryEvaluate(const std::vector<Tensor> &inputs,
                                               const Tensor *init, const Options &options) {
  return reference::evaluate(statement(), inputs, init, nullptr, options);
}

Expected Program::evaluate(const std::vector<Tensor> &inputs, const Tensor *init,
                           const Options &options) {
  runtime::Result<Expected> result = tryEvaluate(inputs, init, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text()) << "\n" << text;
  return result.ok() ? std::move(*result) : Expected();
}

Expected Program::check(const std::vector<Tensor> &inputs, const Tensor *init) {
  Expected expected = evaluate(inputs, init);
  EXPECT_TRUE(expected.complete);
  EXPECT_EQ(differences(expected, naive(statement(), inputs, init)), "") << text;
  return expected;
}

runtime::Coordinates coordinatesOf(const Coordinate &sizes, const std::vector<Item> &items,
                                   strata_type type) {
  auto list = runtime::Coordinates::create(sizes, type, static_cast<int64_t>(items.size()));
  for (size_t e = 0; e < items.size(); ++e) {
    for (size_t d = 0; d < sizes.size(); ++d)
      runtime::withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
        list->column(static_cast<int>(d)).as<C>()[e] = static_cast<C>(items[e].at[d]);
      });
    runtime::withValueType(type, [&]<typename V>(V *) {
      if constexpr (std::is_same_v<V, std::complex<double>>)
        list->values().as<V>()[e] = items[e].value;
      else
        list->values().as<V>()[e] = static_cast<V>(items[e].value.real());
    });
  }
  return std::move(*list);
}

Tensor sparse(const Coordinate &sizes, const std::vector<Item> &items, strata_type type) {
  return std::move(*Tensor::fromCoordinates(coordinatesOf(sizes, items, type)));
}

Tensor filled(const Coordinate &sizes, const std::vector<double> &values) {
  EXPECT_EQ(countCoordinates(sizes), static_cast<int64_t>(values.size()));
  return std::move(*Tensor::fromValues(sizes, STRATA_F64, values.data()));
}

static const Expected::Entry *entryAt(const Expected &expected, const Coordinate &coordinate) {
  for (size_t entry = 0; entry < expected.entries.size(); ++entry)
    if (std::ranges::equal(expected.coordinate(entry), coordinate))
      return &expected.entries[entry];
  return nullptr;
}

std::complex<double> valueAt(const Expected &expected, const Coordinate &coordinate) {
  const Expected::Entry *entry = entryAt(expected, coordinate);
  const Number &number = entry ? entry->value : expected.fill;
  return expected.type.isInteger() ? static_cast<double>(number.integer) : number.value;
}

bool storedAt(const Expected &expected, const Coordinate &coordinate) {
  const Expected::Entry *entry = entryAt(expected, coordinate);
  return entry ? entry->stored : expected.full;
}

std::vector<Coordinate> pattern(const Expected &expected) {
  std::vector<Coordinate> result;
  for (size_t entry = 0; entry < expected.entries.size(); ++entry)
    if (expected.entries[entry].stored)
      result.emplace_back(expected.coordinate(entry).begin(), expected.coordinate(entry).end());
  return result;
}

} // namespace strata::reference
