// Several statements as one program, whose statements the passes then join, share and fuse.
#include "strata/api/EmitStatement.h"
#include "strata/api/Statement.h"
#include "strata/compile/ProgramKernels.h"
#include "strata/run/Output.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;

namespace {

// The program, as far as it has been put together.
class Joined {
public:
  Joined(strata_session &session, llvm::ArrayRef<const strata_format *> operands)
      : session(session), module(ModuleOp::create(UnknownLoc::get(&session.context))) {
    OpBuilder b(&session.context);
    b.setInsertionPointToEnd(module->getBody());
    main = func::FuncOp::create(b, module->getLoc(), "main", b.getFunctionType({}, {}));
    main.addEntryBlock();
    for (auto [number, operand] : llvm::enumerate(operands)) {
      Location loc = NameLoc::get(b.getStringAttr("T" + llvm::Twine(number)));
      given.push_back(main.getBody().addArgument(operand->type(), loc));
      names.push_back("T" + std::to_string(number));
    }
  }

  strata_error *add(const strata_step &step);
  strata_error *finish(llvm::ArrayRef<int32_t> returned);

  OwningOpRef<ModuleOp> takeModule() { return std::move(module); }
  RankedTensorType typeOf(int32_t step) const { return types[size_t(step)]; }
  std::string text; ///< of all statements, as messages show it

private:
  strata_error *operandsOf(const strata_step &step, std::vector<strata_operand> &operands);
  strata_error *append(const strata_step &step, EmittedStatement &emitted);
  // The value that an operand is; null if there is none of that number.
  Value valueOf(int32_t source) const {
    const std::vector<Value> &values = source < 0 ? made : given;
    size_t number = source < 0 ? size_t(-int64_t(source) - 1) : size_t(source);
    return number < values.size() ? values[number] : Value();
  }

  strata_session &session;
  OwningOpRef<ModuleOp> module;
  func::FuncOp main;
  std::vector<std::string> names;
  std::vector<Value> given, made;             ///< operands, and results of steps
  std::vector<RankedTensorType> types;        ///< of those results
  std::vector<Handle<strata_format>> formats; ///< that operands of steps refer to
};

} // namespace

strata_error *Joined::operandsOf(const strata_step &step, std::vector<strata_operand> &operands) {
  for (int32_t at = 0; at < step.count; ++at) {
    Value value = valueOf(step.sources[at]);
    if (!value)
      return makeError(STRATA_ERROR_ARGUMENT, Refusal::Steps,
                       "'" + llvm::Twine(step.names[at]) + "' is nothing that the program has yet");
    formats.push_back(formatOf(session, cast<RankedTensorType>(value.getType())));
    operands.push_back({step.names[at], formats.back().get()});
  }
  return nullptr;
}

strata_error *Joined::add(const strata_step &step) {
  std::vector<strata_operand> operands;
  if (strata_error *error = operandsOf(step, operands))
    return error;
  EmittedStatement emitted;
  strata_statement_options options = {};
  options.result = step.result;
  if (strata_error *error = emitStatement(session, step.text, operands, options, emitted))
    return error;
  if (!emitted.machines.empty())
    return makeError(STRATA_ERROR_UNSUPPORTED, Refusal::Pieces,
                     "statements of tensors in pieces are not joined");
  if (strata_error *error = checkOrders(mainOf(*emitted.module), operands))
    return error;
  text += (text.empty() ? "" : "\n") + std::string(step.text);
  types.push_back(emitted.result);
  return append(step, emitted);
}

// Puts the statement behind the others. Its names are its own: what it calls A is another tensor in
// another statement, so that each tensor of the program has a new name.
strata_error *Joined::append(const strata_step &step, EmittedStatement &emitted) {
  func::FuncOp from = mainOf(*emitted.module);
  OpBuilder b(&session.context);
  b.setInsertionPointToEnd(&main.getBody().front());
  IRMapping mapping;
  for (BlockArgument argument : from.getArguments()) {
    std::string name = nameOfArgument(argument);
    llvm::ArrayRef<const char *> all(step.names, size_t(step.count));
    const auto *found = llvm::find_if(all, [&](const char *one) { return name == one; });
    Value value = found == all.end() ? Value() : valueOf(step.sources[found - all.begin()]);
    if (!value || value.getType() != argument.getType())
      return makeError(STRATA_ERROR_UNSUPPORTED, Refusal::Steps,
                       "'" + name + "' has sizes of its own here");
    mapping.map(argument, value);
  }
  for (Operation &op : from.getBody().front().without_terminator())
    b.clone(op, mapping);
  Value result = mapping.lookup(from.getBody().front().getTerminator()->getOperand(0));
  result.setLoc(NameLoc::get(b.getStringAttr("S" + llvm::Twine(made.size()))));
  made.push_back(result);
  return nullptr;
}

strata_error *Joined::finish(llvm::ArrayRef<int32_t> returned) {
  OpBuilder b(&session.context);
  b.setInsertionPointToEnd(&main.getBody().front());
  std::vector<Value> results;
  for (int32_t step : returned) {
    Value result = step < 0 ? Value() : valueOf(-step - 1);
    if (!result || llvm::is_contained(results, result))
      return makeError(STRATA_ERROR_ARGUMENT, Refusal::Steps,
                       "a result is none of the steps', or is there twice");
    results.push_back(result);
  }
  func::ReturnOp::create(b, main.getLoc(), results);
  main.setType(
      b.getFunctionType(main.getBody().getArgumentTypes(), ValueRange(results).getTypes()));
  return nullptr;
}

size_t strata_statement::resultCount() const { return mainOf(*module).getNumResults(); }

runtime::Status strata_statement::separate(llvm::SmallVectorImpl<TensorValue> &results) {
  auto isSame = [](const TensorValue &one, const TensorValue &other) {
    if (one.parts.empty() || other.parts.empty())
      return one.storage && one.storage == other.storage;
    return one.parts.front().storage == other.parts.front().storage;
  };
  for (size_t at = 1; at < results.size(); ++at) {
    if (llvm::none_of(ArrayRef<TensorValue>(results).take_front(at),
                      [&](const TensorValue &before) { return isSame(before, results[at]); }))
      continue;
    runtime::Result<TensorValue> copy = cloned(results[at]);
    if (!copy)
      return copy.takeStatus();
    results[at] = std::move(*copy);
  }
  return runtime::Status();
}

strata_error *strata_statement::refuseSeveral() const {
  return resultCount() == 1
             ? nullptr
             : makeError(STRATA_ERROR_ARGUMENT, Refusal::Steps, "the program has several results");
}

strata_error *strata_statement_join(strata_session *session, const strata_step *steps,
                                    int32_t step_count, const strata_format *const *operands,
                                    int32_t operand_count, const int32_t *returned,
                                    int32_t returned_count, int32_t deterministic,
                                    strata_statement **program) {
  Turn turn(session->turn);
  Reports reports(*session);
  auto listOf = [](auto *first, int32_t count) {
    return llvm::ArrayRef(first, size_t(std::max(count, 0)));
  };
  llvm::ArrayRef<int32_t> results = listOf(returned, returned_count);
  if (results.empty())
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Steps, "a program without results");
  Joined joined(*session, listOf(operands, operand_count));
  for (const strata_step &step : listOf(steps, step_count))
    if (strata_error *error = joined.add(step))
      return error;
  if (strata_error *error = joined.finish(results))
    return error;
  auto made = Handle<strata_statement>::adopt(new strata_statement);
  made->session = Handle<strata_session>(session);
  made->source = joined.text;
  made->module = joined.takeModule();
  made->result = formatOf(*session, joined.typeOf(results.front()));
  if (strata_error *error = made->planAtFirst(deterministic))
    return error;
  *program = made.release();
  return nullptr;
}
