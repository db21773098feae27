// Statements from their texts to ta.
#include "strata/api/EmitStatement.h"

#include "strata/api/Analysis.h"
#include "strata/api/ResultFormat.h"
#include "strata/compile/ProgramKernels.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/runtime/Counted.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;

std::string strata::api::nameOfArgument(BlockArgument argument) {
  auto named = dyn_cast<NameLoc>(argument.getLoc());
  return named ? named.getName().str() : "";
}

// The program for these operands. Without a result's type, that is dense, has the expression's
// elements, and no schedule is looked at.
static strata_error *
emitFor(strata_session &session, const char *text, llvm::ArrayRef<strata_operand> operands,
        const strata_statement_options &options, llvm::ArrayRef<Handle<strata_machine>> machines,
        std::optional<RankedTensorType> result, OwningOpRef<ModuleOp> &module) {
  Analysis analysis(session, /*unscheduled=*/!result);
  analysis.declare(machines);
  if (strata_error *error = analysis.parse(text, operands, options))
    return error;
  for (const strata_operand &operand : operands)
    if (strata_error *error =
            analysis.describe(operand.name, operand.format->type(), /*given=*/true))
      return error;
  if (result)
    if (strata_error *error =
            analysis.describe(analysis.resultName().str(), *result,
                              llvm::any_of(operands, [&](const strata_operand &operand) {
                                return analysis.resultName() == operand.name;
                              })))
      return error;
  return analysis.emit(module);
}

// The type of the only result in a module, which is dense there, in a format of its own choice.
static RankedTensorType typeFor(ModuleOp module) {
  auto type = cast<RankedTensorType>(mainOf(module).getResultTypes().front());
  module.walk([&](Operation *op) {
    if (auto statement = dyn_cast<ta::ComputeOp>(op)) {
      type = ta::withFormat(type, resultFormatOf(statement));
      const bool isFull = ta::formatOf(type).isFull();
      type = ta::withPlacement(type, resultPlacementOf(statement, isFull));
    } else if (auto concat = dyn_cast<ta::ConcatOp>(op)) {
      type = ta::withFormat(type, resultFormatOf(concat.getTensors()));
    } else if (auto order = dyn_cast<ta::LexiOrderOp>(op); order && !order.getDim()) {
      type = ta::withFormat(type, resultFormatOf(ValueRange(order.getTensor())));
    }
  });
  return type;
}

// The type of a result that nobody chose: that of what is updated; else the statement is emitted
// once with a dense result, to see along which dimensions absent operands leave nothing.
static strata_error *chooseResult(strata_session &session, const char *text,
                                  llvm::ArrayRef<strata_operand> operands,
                                  const strata_statement_options &options,
                                  std::optional<RankedTensorType> &result) {
  Analysis analysis(session, /*unscheduled=*/true);
  if (strata_error *error = analysis.parse(text, operands, options))
    return error;
  for (const strata_operand &operand : operands)
    if (analysis.resultName() == operand.name) {
      result = operand.format->type();
      return nullptr;
    }
  OwningOpRef<ModuleOp> module;
  if (strata_error *error = emitFor(session, text, operands, options, {}, std::nullopt, module))
    return error;
  result = typeFor(*module);
  return nullptr;
}

// The machines of a statement, which are all that its formats name.
static strata_error *takeMachines(llvm::ArrayRef<strata_operand> operands, RankedTensorType result,
                                  const strata_statement_options &options,
                                  std::vector<Handle<strata_machine>> &machines) {
  for (strata_machine *machine :
       llvm::ArrayRef(options.machines, size_t(std::max(options.machine_count, 0))))
    if (strata_error *error = addMachine(machines, machine))
      return error;
  auto isGiven = [&](RankedTensorType type) {
    ta::PlacementAttr placement = ta::placementOf(type);
    return !placement || findMachine(machines, placement.getMachine());
  };
  auto missing = [](const llvm::Twine &what, RankedTensorType type) {
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Machine,
                     what + " is on the machine '" + ta::placementOf(type).getMachine() +
                         "', which is none of the statement's");
  };
  for (const strata_operand &operand : operands)
    if (!isGiven(operand.format->type()))
      return missing("'" + llvm::Twine(operand.name) + "'", operand.format->type());
  return isGiven(result) ? nullptr : missing("the result", result);
}

// A dense operand has as many dimensions as the statement gives it indices; those of other formats
// have been compared.
strata_error *strata::api::checkOrders(func::FuncOp main, llvm::ArrayRef<strata_operand> operands) {
  for (BlockArgument argument : main.getArguments())
    for (const strata_operand &operand : operands) {
      int64_t indices = cast<RankedTensorType>(argument.getType()).getRank();
      int64_t order = operand.format->type().getRank();
      if (nameOfArgument(argument) == operand.name && indices != order)
        return makeError(STRATA_ERROR_SHAPE, runtime::Error::Order,
                         llvm::formatv("'{0}' has {1} in the statement, but its format is for {2}",
                                       operand.name, counted(indices, "dimension"), order)
                             .str());
    }
  return nullptr;
}

strata_error *strata::api::emitStatement(strata_session &session, const char *text,
                                         llvm::ArrayRef<strata_operand> operands,
                                         const strata_statement_options &options,
                                         EmittedStatement &made) {
  std::optional<RankedTensorType> result;
  if (options.result)
    result = options.result->type();
  else if (strata_error *error = chooseResult(session, text, operands, options, result))
    return error;
  if (strata_error *error = takeMachines(operands, *result, options, made.machines))
    return error;
  made.result = *result;
  return emitFor(session, text, operands, options, made.machines, result, made.module);
}
