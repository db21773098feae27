// Functions of MLIR: read and compiled once, called with tensors.
#include "strata/api/Outcome.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/interop/ImportLinalg.h"
#include "strata/interop/ReadModule.h"
#include "strata/lower/Pipeline.h"
#include "strata/run/Executor.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;

struct strata_function {
  Handle<strata_session> session;
  OwningOpRef<ModuleOp> module; ///< whose main it is
  std::vector<std::string> names;
  std::vector<Handle<strata_format>> operands, results;
  std::string text;
  llvm::raw_string_ostream printed{text};
  std::optional<Executor> executor; ///< keeps the kernels that it has prepared

  strata_error *create(const char *source, const char *name, const char *entry);
  strata_error *check(llvm::ArrayRef<strata_tensor *> tensors) const;
  strata_error *run(llvm::ArrayRef<strata_tensor *> tensors, unsigned width, strata_outcome &made);
};

strata_error *strata_function::create(const char *source, const char *name, const char *entry) {
  Reports reports(*session, Refusal::Module);
  module = interop::readModule(source, name, &session->context);
  llvm::StringRef wanted = entry ? entry : "";
  func::FuncOp found = module ? interop::findEntry(*module, wanted) : func::FuncOp();
  if (module && !found)
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Argument,
                     interop::entryMissing(*module, wanted));
  if (!found || failed(interop::makeProgram(*module, found)))
    return withText(reports.error(STRATA_ERROR_EXPRESSION, "the module could not be read"), source);
  PassManager passes(&session->context);
  addProgramPasses(passes, {.maxMemory = session->compiler.memoryLimit(), .returnsPieces = true});
  if (failed(passes.run(*module)))
    return withText(reports.error(STRATA_ERROR_UNSUPPORTED, "the function could not be compiled"),
                    source);
  func::FuncOp main = mainOf(*module);
  for (BlockArgument argument : main.getArguments()) {
    auto named = dyn_cast<NameLoc>(argument.getLoc());
    names.push_back(named ? named.getName().str() : "");
    operands.push_back(formatOf(*session, cast<RankedTensorType>(argument.getType())));
  }
  for (Type result : main.getResultTypes())
    results.push_back(formatOf(*session, cast<RankedTensorType>(result)));
  executor.emplace(session->compiler, RunOptions{}, printed);
  return nullptr;
}

// The storage of an operand is that of the function, but for widths that one of them leaves open.
static bool fits(RankedTensorType wanted, RankedTensorType given) {
  if (wanted.getRank() != given.getRank() || wanted.getElementType() != given.getElementType() ||
      ta::placementOf(wanted) != ta::placementOf(given))
    return false;
  for (auto [size, own] : llvm::zip(wanted.getShape(), given.getShape()))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(own) && size != own)
      return false;
  if (ta::sumOf(wanted) || ta::sumOf(given))
    return ta::formatName(wanted) == ta::formatName(given);
  auto plain = [](RankedTensorType type) { return ta::formatOf(type).withWidths(0, 0); };
  return plain(wanted) == plain(given);
}

strata_error *strata_function::check(llvm::ArrayRef<strata_tensor *> tensors) const {
  if (tensors.size() != operands.size())
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Operands,
                     llvm::formatv("the function takes {0}, not {1}",
                                   counted(int64_t(operands.size()), "operand"), tensors.size())
                         .str());
  ArrayRef<Type> types = mainOf(*module).getArgumentTypes();
  for (auto [number, tensor] : llvm::enumerate(tensors)) {
    auto wanted = cast<RankedTensorType>(types[number]);
    if (!fits(wanted, tensor->value.type))
      return makeError(STRATA_ERROR_FORMAT, Refusal::Operands,
                       llvm::formatv("'{0}' is {1} with elements of {2}: the function takes {3} "
                                     "with elements of {4}",
                                     names[number], tensor->format->name(),
                                     elementTypeWord(tensor->value.type.getElementType()),
                                     operands[number]->name(),
                                     elementTypeWord(wanted.getElementType()))
                           .str());
    for (auto [dim, size] : llvm::enumerate(wanted.getShape()))
      if (int64_t own = tensor->value.sizes()[dim]; !ShapedType::isDynamic(size) && own != size)
        return makeError(
            STRATA_ERROR_SHAPE, runtime::Error::Extent,
            llvm::formatv("dimension {0} of '{1}' has size {2}, the function takes {3}", dim + 1,
                          names[number], own, size)
                .str());
  }
  return nullptr;
}

strata_error *strata_function::run(llvm::ArrayRef<strata_tensor *> tensors, unsigned width,
                                   strata_outcome &made) {
  Reports reports(*session);
  llvm::scope_exit forget([&] { executor->forget(); });
  text.clear();
  func::FuncOp main = mainOf(*module);
  executor->setWidths(width);
  for (auto [argument, tensor] : llvm::zip(main.getArguments(), tensors))
    executor->define(argument, tensor->value);
  if (failed(executor->run(main)))
    return reports.error(executor->sizesDisagree() ? STRATA_ERROR_SHAPE : errorKind(*session),
                         "the function could not be run");
  made.printed = text;
  for (Value value : main.getBody().front().getTerminator()->getOperands()) {
    made.names.push_back(std::to_string(made.names.size()));
    made.tensors.push_back(tensorOf(*session, *executor->value(value)));
  }
  return nullptr;
}

strata_error *strata_function_create(strata_session *session, const char *text, const char *name,
                                     const char *entry, strata_function **function) {
  Turn turn(session->turn);
  auto made = std::make_unique<strata_function>();
  made->session = Handle<strata_session>(session);
  if (strata_error *error = made->create(text, name, entry))
    return error;
  *function = made.release();
  return nullptr;
}

void strata_function_release(strata_function *function) {
  if (!function)
    return;
  Handle<strata_session> session = function->session;
  Turn turn(session->turn);
  delete function;
}

static strata_format *formatAt(llvm::ArrayRef<Handle<strata_format>> list, int32_t index) {
  if (index < 0 || size_t(index) >= list.size())
    return nullptr;
  return Handle<strata_format>(list[size_t(index)]).release();
}

strata_format *strata_function_operand(const strata_function *function, int32_t index) {
  return formatAt(function->operands, index);
}

strata_format *strata_function_result(const strata_function *function, int32_t index) {
  return formatAt(function->results, index);
}

strata_error *strata_function_run(strata_function *function, strata_tensor *const *operands,
                                  int32_t count, strata_outcome **outcome) {
  return inTurn(*function->session, [&]() -> strata_error * {
    llvm::ArrayRef<strata_tensor *> tensors(operands, size_t(std::max(count, 0)));
    if (strata_error *error = function->check(tensors))
      return error;
    unsigned width = 32;
    for (strata_tensor *tensor : tensors)
      width = std::max(width, widthFor(tensor->value.sizes(), tensor->value.storedCount()));
    auto made = std::make_unique<strata_outcome>();
    strata_error *error = function->run(tensors, width, *made);
    if (error && width == 32 && error->kind == STRATA_ERROR_WIDTH) {
      // There are more entries than were to be expected.
      strata_error_free(error);
      *made = {};
      error = function->run(tensors, 64, *made);
    }
    if (!error)
      *outcome = made.release();
    return error;
  });
}
