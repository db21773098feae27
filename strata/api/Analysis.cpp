// The checks of statements.
#include "strata/api/Analysis.h"

#include "strata/frontend/EmitTa.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;
namespace ast = strata::frontend::ast;

strata_error *Analysis::parse(const char *statement, llvm::ArrayRef<strata_operand> operands,
                              const strata_statement_options &given) {
  tree = frontend::parseOneLiner(add(statement, "<statement>"), diagnostics);
  if (!tree || diagnostics.hasErrors())
    return makeError(STRATA_ERROR_EXPRESSION, diagnostics);
  // The name of the result is known when accesses are spelled in one way.
  frontend::GivenNames names;
  for (const strata_operand &operand : operands) {
    names.tensors.insert(operand.name);
    llvm::StringRef word = elementTypeWord(operand.format->type().getElementType());
    if (auto type = frontend::findElementType(word); type && frontend::isInteger(*type))
      names.pointers.insert(operand.name);
  }
  options.windows = frontend::respellAccesses(*tree, names, diagnostics);
  if (diagnostics.hasErrors())
    return makeError(STRATA_ERROR_EXPRESSION, diagnostics);
  if (unscheduled)
    tree->schedule.reset();
  if (unscheduled || !given.schedule)
    return nullptr;
  std::optional<ast::Schedule> schedule =
      frontend::parseSchedule(add(given.schedule, "<schedule>"), diagnostics);
  if (!schedule || diagnostics.hasErrors())
    return makeError(STRATA_ERROR_SCHEDULE, diagnostics);
  if (!tree->schedule)
    tree->schedule = std::move(schedule);
  else
    llvm::append_range(tree->schedule->commands, schedule->commands);
  return nullptr;
}

strata_error *Analysis::describe(const std::string &name, RankedTensorType type, bool given) {
  frontend::TensorOptions &tensor = options.tensors[name];
  if (given)
    tensor.source = frontend::TensorOptions::Source::Caller;
  tensor.type = frontend::findElementType(elementTypeWord(type.getElementType()));
  if (!type.getEncoding())
    return nullptr;
  std::string format = formatOf(session, type)->facts->text;
  tensor.format = frontend::parseFormat(add(format, name), diagnostics);
  return diagnostics.hasErrors() ? makeError(STRATA_ERROR_FORMAT, diagnostics) : nullptr;
}

strata_error *Analysis::emit(OwningOpRef<ModuleOp> &module) {
  options.returns = true;
  frontend::TaFormats formats(&session.context);
  frontend::OneLinerResult result = frontend::analyze(*tree, options, formats, diagnostics);
  if (result.program)
    module = frontend::emitTa(*result.program, &session.context, diagnostics);
  if (module)
    return nullptr;
  return makeError(result.wrongOption ? STRATA_ERROR_ARGUMENT : STRATA_ERROR_EXPRESSION,
                   diagnostics);
}

strata_error *Analysis::differentiate(llvm::ArrayRef<std::string> by,
                                      frontend::Gradients &gradients) {
  options.returns = true;
  frontend::TaFormats formats(&session.context);
  frontend::OneLinerResult result = frontend::analyze(*tree, options, formats, diagnostics);
  std::optional<frontend::Gradients> made;
  if (result.program)
    made = frontend::differentiate(*result.program, by, formats, diagnostics);
  if (!made)
    return makeError(result.wrongOption ? STRATA_ERROR_ARGUMENT : STRATA_ERROR_EXPRESSION,
                     diagnostics);
  gradients = std::move(*made);
  return nullptr;
}
