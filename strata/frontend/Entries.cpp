// Functions of a program by themselves, for callers that are no program.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Fills.h"

namespace strata::frontend {

bool declaresAll(const ast::Function &function) {
  return llvm::all_of(function.parameters, [](const ast::FunctionParameter &parameter) {
    return parameter.elementType && (parameter.format || parameter.dimensions.empty());
  });
}

std::optional<Program> analyzeFunction(const ast::Module &module, const ast::Function &function,
                                       const Parameters &parameters,
                                       const FormatVocabulary &formats, Diagnostics &diagnostics) {
  Analyzer analyzer(parameters, formats, diagnostics);
  analyzer.entry(module, function);
  if (diagnostics.hasErrors())
    return std::nullopt;
  Program program = analyzer.takeProgram();
  inferFills(program, formats, diagnostics);
  return program;
}

// A tensor that the caller gives, as a parameter declares it.
TensorId Analyzer::given(const ast::FunctionParameter &parameter) {
  Tensor tensor;
  tensor.name = parameter.name.text;
  tensor.range = parameter.name.range;
  tensor.type = elementTypeOf(*parameter.elementType);
  if (!parameter.dimensions.empty())
    tensor.format = parameter.format;
  TensorState state;
  for (const ast::Bound &bound : parameter.dimensions) {
    tensor.sizes.push_back(bound.number);
    Label label;
    label.size = bound.number;
    state.labels.push_back(addLabel(std::move(label)));
  }
  TensorId id = addTensor(std::move(tensor), std::move(state));
  add(parameter.name.range, Given{id});
  setValue(id, /*isSource=*/true);
  return id;
}

void Analyzer::entry(const ast::Module &module, const ast::Function &entry) {
  currentModule = &module;
  if (!checkFunctions(module))
    return;
  std::vector<TensorId> arguments;
  for (const ast::FunctionParameter &parameter : entry.parameters)
    arguments.push_back(given(parameter));
  if (function(entry, arguments, entry.name.range) && returned)
    add(entry.name.range, Return{*returned});
}

} // namespace strata::frontend
