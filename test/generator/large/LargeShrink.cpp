#include "LargeShrink.h"

#include "LargeFormats.h"

#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/MatrixMarket.h"
#include "strata/tensor/ElementTypes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <functional>

namespace strata::test {

//===------------------------------------------------------------------------------------------===//
// Smaller cases
//===------------------------------------------------------------------------------------------===//

// Reductions bind what their values have; so does the left side, in a format for what is left.
static void fit(LargeCase &c) {
  c.dropUnused();
  forEachNode(c.value, [](LargeNode &node) {
    if (node.kind != LargeNode::Kind::reduction)
      return;
    std::vector<unsigned> below = labelsOf(node.operands[0]);
    llvm::erase_if(node.labels, [&](unsigned label) { return !llvm::is_contained(below, label); });
    if (node.labels.empty()) {
      LargeNode only = std::move(node.operands[0]);
      node = std::move(only);
    }
  });
  std::vector<unsigned> found = labelsOf(c.value);
  size_t before = c.left.size();
  llvm::erase_if(c.left, [&](unsigned label) { return !llvm::is_contained(found, label); });
  for (unsigned label : found)
    if (!llvm::is_contained(c.left, label))
      c.left.push_back(label);
  if (c.left.size() != before) {
    c.mask.reset();
    c.resultFormat = plainLargeFormat(c.resultSizes(), 1e5);
  }
  for (LargeOperand &operand : c.tensors) {
    forEachNode(c.value, [&](const LargeNode &node) {
      if (node.kind != LargeNode::Kind::access || &c.tensors[node.tensor] != &operand)
        return;
      for (size_t d = 0; d < node.labels.size(); ++d)
        operand.sizes[d] = c.labels[node.labels[d]].extent;
    });
    if (c.mask && &c.tensors[c.mask->tensor] == &operand)
      for (size_t d = 0; d < c.mask->labels.size(); ++d)
        operand.sizes[d] = c.labels[c.mask->labels[d]].extent;
    if (operand.full) {
      operand.entries = 1;
      for (int64_t size : operand.sizes)
        operand.entries *= size;
    }
  }
  c.dropUnused();
}

namespace {
using Step = std::function<bool(LargeCase &)>; ///< false: it changes nothing
} // namespace

// Each node with operands becomes one of them.
static void addNodeSteps(const LargeCase &c, std::vector<Step> &steps) {
  size_t count = 0;
  forEachNode(c.value, [&](const LargeNode &) { ++count; });
  for (size_t number = count; number-- > 0;)
    for (size_t which = 0; which < 2; ++which)
      steps.push_back([number, which](LargeCase &small) {
        size_t at = 0;
        bool done = false;
        forEachNode(small.value, [&](LargeNode &node) {
          if (at++ != number || which >= node.operands.size() ||
              node.operands[which].kind == LargeNode::Kind::constant)
            return;
          LargeNode only = std::move(node.operands[which]);
          node = std::move(only);
          done = true;
        });
        return done;
      });
}

static std::vector<Step> stepsFor(const LargeCase &c) {
  std::vector<Step> steps;
  steps.push_back([](LargeCase &small) {
    bool had = small.mask.has_value();
    small.mask.reset();
    return had;
  });
  addNodeSteps(c, steps);
  steps.push_back([](LargeCase &small) {
    std::string before = small.resultFormat;
    small.resultFormat = "Dense";
    return before != "Dense";
  });
  for (size_t at = 0; at < c.tensors.size(); ++at) {
    steps.push_back([at](LargeCase &small) {
      LargeOperand &operand = small.tensors[at];
      std::string plain = plainLargeFormat(operand.sizes, double(operand.entries));
      bool same = operand.format == plain;
      operand.format = plain;
      return !same;
    });
    steps.push_back([at](LargeCase &small) {
      bool had = small.tensors[at].skewed >= 0;
      small.tensors[at].skewed = -1;
      return had;
    });
  }
  steps.push_back([](LargeCase &small) {
    bool changed = false;
    for (LargeOperand &operand : small.tensors) {
      changed |= operand.type != STRATA_F64;
      operand.type = STRATA_F64;
    }
    return changed;
  });
  steps.push_back([](LargeCase &small) {
    bool changed = false;
    for (LargeOperand &operand : small.tensors) {
      changed |= !operand.full && operand.entries > 1;
      operand.entries = std::max<int64_t>(operand.entries / 2, 1);
    }
    return changed;
  });
  for (size_t label = 0; label < c.labels.size(); ++label)
    steps.push_back([label](LargeCase &small) {
      int64_t &extent = small.labels[label].extent;
      bool changed = extent > 1;
      extent = std::max<int64_t>(extent / 4, 1);
      return changed;
    });
  return steps;
}

LargeCase shrinkLarge(LargeCase failing, llvm::function_ref<bool(const LargeCase &)> fails,
                      int tries) {
  for (bool smaller = true; smaller && tries > 0;) {
    smaller = false;
    for (const Step &step : stepsFor(failing)) {
      LargeCase small = failing;
      if (tries <= 0)
        break;
      if (!step(small))
        continue;
      fit(small);
      --tries;
      if (fails(small)) {
        failing = std::move(small);
        smaller = true;
        break; // the steps are those of what is left
      }
    }
  }
  return failing;
}

//===------------------------------------------------------------------------------------------===//
// By hand
//===------------------------------------------------------------------------------------------===//

static std::string quoted(const std::string &text) {
  return text.find_first_of(" (){}<>") == std::string::npos ? text : "'" + text + "'";
}

// Matrices and vectors of complex numbers need a file that holds them.
static std::string write(const LargeOperand &operand, const std::string &folder) {
  bool isComplex = runtime::isComplexType(operand.type);
  std::string name = folder + "/" + operand.name + (isComplex ? ".mtx" : ".tns");
  runtime::Result<runtime::Coordinates> entries = entriesOf(operand);
  if (!entries)
    return "";
  runtime::Status written = isComplex ? runtime::writeMatrixMarket(name, *entries)
                                      : runtime::writeFrostt(name, *entries, {.extended = true});
  return written.ok() ? name : "";
}

std::string commandFor(const LargeCase &c, const std::string &folder) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::complex::ComplexDialect>();
  std::string command = "strata " + quoted(c.text()) + " -f=R:" + quoted(c.resultFormat);
  std::error_code failed = llvm::sys::fs::create_directories(folder);
  for (const LargeOperand &operand : c.tensors) {
    std::string file = failed ? "" : write(operand, folder);
    command += " -f=" + operand.name + ":" + quoted(operand.format) + " -i=" + operand.name + ":" +
               (file.empty() ? "FILE" : file);
    if (operand.type != STRATA_F64)
      command +=
          " -t=" + operand.name + ":" + elementTypeWord(compilerType(&context, operand.type)).str();
  }
  return command + " -time=3 -check";
}

} // namespace strata::test
