// What the tests of the reference are written with: statements as text, tensors as lists.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_REFERENCE_PROGRAM_H
#define STRATA_TEST_UNIT_REFERENCE_PROGRAM_H

#include "strata/reference/Compare.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

namespace strata::reference {

using Coordinate = std::vector<int64_t>;

/// A module of one statement. In its text the formats #Sparse1, #Sparse2, #Sparse3 store nothing
/// but what is there, as #Inf1 and #Inf2 with fill +infinity; without a format all is stored.
class Program {
public:
  /// The body of a function with these arguments. Ends the test if the text has mistakes.
  Program(const std::string &arguments, const std::string &body);

  ta::ComputeOp statement();
  runtime::Result<Expected> tryEvaluate(const std::vector<Tensor> &inputs,
                                        const Tensor *init = nullptr, const Options &options = {});
  /// The same where it has to succeed.
  Expected evaluate(const std::vector<Tensor> &inputs, const Tensor *init = nullptr,
                    const Options &options = {});
  /// Evaluates, and compares with looping over all values of all variables.
  Expected check(const std::vector<Tensor> &inputs, const Tensor *init = nullptr);

  const std::string text;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

struct Item {
  Coordinate at;
  std::complex<double> value;
};

runtime::Coordinates coordinatesOf(const Coordinate &sizes, const std::vector<Item> &items,
                                   strata_type type = STRATA_F64);
/// Stored entries.
Tensor sparse(const Coordinate &sizes, const std::vector<Item> &items,
              strata_type type = STRATA_F64);
/// All values in row-major order.
Tensor filled(const Coordinate &sizes, const std::vector<double> &values);

/// The expected value at a coordinate.
std::complex<double> valueAt(const Expected &expected, const Coordinate &coordinate);
/// Whether the expected result stores a coordinate.
bool storedAt(const Expected &expected, const Coordinate &coordinate);
/// The coordinates that the expected result stores.
std::vector<Coordinate> pattern(const Expected &expected);

} // namespace strata::reference
#endif // STRATA_TEST_UNIT_REFERENCE_PROGRAM_H
