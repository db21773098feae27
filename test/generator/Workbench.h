// A context with all dialects, a compiler for kernels, and its diagnostics.
#ifndef STRATA_TEST_GENERATOR_WORKBENCH_H
#define STRATA_TEST_GENERATOR_WORKBENCH_H

#include "generator/Dialects.h"
#include "generator/Formats.h"
#include "generator/TensorData.h"
#include "strata/conversion/Conversion.h"
#include "strata/conversion/Unpacking.h"
#include "strata/lower/Pipeline.h"
#include "strata/tensor/ElementTypes.h"

#include <gtest/gtest.h>

namespace strata::test {

/// One for all tests of the process, so that kernels are compiled once.
class Workbench {
public:
  static Workbench &instance() {
    static Workbench bench;
    return bench;
  }

  mlir::RankedTensorType type(const NamedFormat &format, unsigned order, strata_type element) {
    auto shape = mlir::RankedTensorType::get(
        std::vector<int64_t>(order, mlir::ShapedType::kDynamic), compilerType(&context, element));
    mlir::Attribute attribute = parseFormat(&context, format, order);
    EXPECT_TRUE(attribute) << format.name << ": " << format.text;
    return ta::withFormat(shape, attribute);
  }

  mlir::MLIRContext context;
  KernelCompiler compiler;

private:
  Workbench() : context(allDialects(), mlir::MLIRContext::Threading::DISABLED), compiler(&context) {
    context.loadAllAvailableDialects();
  }
};

/// The tensor, or the parts of a sum.
inline std::vector<const TensorValue *> storagesOf(const TensorValue &tensor) {
  if (tensor.parts.empty())
    return {&tensor};
  std::vector<const TensorValue *> storages;
  for (const TensorValue &part : tensor.parts)
    storages.push_back(&part);
  return storages;
}

using Content = std::map<Coordinate, std::complex<double>>;

/// What unpacking a tensor in this format must give.
inline Content expectedContent(const TensorData &data, mlir::RankedTensorType type) {
  return contentOf(data, keepsZeros(type));
}

inline std::string text(const Content &content) {
  std::string text;
  for (const auto &[at, value] : content) {
    for (int64_t c : at)
      text += std::to_string(c) + " ";
    text += ": " + std::to_string(value.real()) +
            (value.imag() != 0 ? " + " + std::to_string(value.imag()) + "i" : "") + "\n";
  }
  return text;
}

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_WORKBENCH_H
