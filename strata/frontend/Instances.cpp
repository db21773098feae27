// Calls of the program's functions. A call is replaced by the function's statements, with the
// parameters as names for the arguments: so each call has an instance for the element types,
// formats and sizes of its arguments, and what a function does to a parameter stays inside it.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/AstPrinter.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <utility>

namespace strata::frontend {

static constexpr unsigned maxCallDepth = 100;

//===------------------------------------------------------------------------------------------===//
// Bodies
//===------------------------------------------------------------------------------------------===//

bool Analyzer::function(const ast::Function &function, llvm::ArrayRef<TensorId> arguments,
                        llvm::SMRange call) {
  returned.reset();
  if (llvm::is_contained(calls, &function)) {
    diagnostics.error(call, "function '" + function.name.text + "' calls itself")
        .note("a call is replaced by the function's statements, so it would never end");
    return false;
  }
  if (calls.size() >= maxCallDepth) {
    diagnostics.error(call, "functions call each other too deeply (more than " +
                                llvm::Twine(maxCallDepth) + " levels)");
    return false;
  }
  analyzed.insert(function.name.text);
  calls.push_back(&function);
  Scope local;
  Scope *caller = std::exchange(scope, &local);
  std::vector<OpenLoop> callersLoops = std::exchange(loops, {});
  unsigned callersDepth = std::exchange(functionDepth, ++depth);
  bool bound = true;
  for (auto [parameter, argument] : llvm::zip(function.parameters, arguments))
    bound = bindParameter(parameter, argument, call) && bound;
  if (bound)
    statements(function.body);
  if (requested && calls.size() == 1 && function.name.text == "main")
    writeRequested(function.name.range);
  refuseDeferred();
  scope = caller;
  loops = std::move(callersLoops);
  functionDepth = callersDepth;
  --depth;
  calls.pop_back();
  return bound;
}

void Analyzer::returnValue(const ast::ReturnStmt &statement) {
  if (!statement.value)
    return;
  if (calls.size() == 1 && calls.front()->name.text == "main")
    diagnostics.error(statement.range, "'main' returns no value")
        .note("print it, or write it to a file");
  else
    returned = tensorArgument(*statement.value);
}

//===------------------------------------------------------------------------------------------===//
// Parameters
//===------------------------------------------------------------------------------------------===//

static std::string storedAs(const Tensor &tensor) {
  return tensor.format ? formatText(*tensor.format) : "Dense";
}

// Does the argument have what the parameter asks for?
bool Analyzer::checkParameter(const ast::FunctionParameter &parameter, TensorId argument,
                              llvm::SMRange call) {
  const Tensor &tensor = program.tensors[argument];
  auto refuse = [&](const llvm::Twine &has, const llvm::Twine &needs) {
    diagnostics
        .error(call, "'" + tensor.name + "' " + has + ", but '" + calls.back()->name.text +
                         "' takes " + needs)
        .note("'" + parameter.name.text + "' is declared here", parameter.name.range);
    return false;
  };
  auto dimensions = [](size_t count) {
    return count == 0 ? std::string("a scalar") : counted(count, "dimension");
  };
  if (tensor.order() != parameter.dimensions.size())
    return refuse((tensor.order() ? "has " : "is ") + dimensions(tensor.order()),
                  dimensions(parameter.dimensions.size()) + " there");
  if (parameter.elementType && elementTypeOf(*parameter.elementType) != tensor.type)
    return refuse("holds " + elementTypeName(tensor.type),
                  elementTypeName(elementTypeOf(*parameter.elementType)));
  if (!parameter.format || tensor.order() == 0)
    return true;
  if (!checkFormat(*parameter.format, tensor.order(), tensor.type, quoted(parameter.name.text)))
    return false;
  std::string wanted = formatText(*parameter.format);
  std::string found = storedAs(tensor);
  return llvm::StringRef(wanted).equals_insensitive(found) ||
         refuse("is stored as " + found, wanted);
}

// The label that a parameter's dimension has: a new one, or that of an earlier parameter, whose
// size must agree.
std::optional<LabelId> Analyzer::labelOfParameter(const ast::Bound &bound, TensorId argument,
                                                  unsigned dimension, llvm::SMRange call) {
  std::optional<int64_t> size = program.tensors[argument].sizes[dimension];
  const Symbol *known = bound.number ? nullptr : scope->find(bound.name);
  if (known && known->kind != Symbol::Kind::Label) {
    diagnostics.error(bound.range, "'" + bound.name + "' is not a label");
    return std::nullopt;
  }
  std::optional<int64_t> wanted = known ? labels[known->id].size : bound.number;
  if (wanted && size && *wanted != *size) {
    diagnostics
        .error(call, "dimension " + llvm::Twine(dimension + 1) + " of '" +
                         program.tensors[argument].name + "' has size " + llvm::Twine(*size) +
                         ", but '" + calls.back()->name.text + "' takes " + llvm::Twine(*wanted))
        .note("it is declared here", bound.range);
    return std::nullopt;
  }
  if (known)
    return known->id;
  Label label;
  label.name = bound.number ? std::to_string(*bound.number) : bound.name;
  label.range = bound.range;
  label.size = size;
  LabelId id = addLabel(std::move(label));
  if (!bound.number)
    declareName({bound.name, bound.range}, Symbol::Kind::Label, id);
  return id;
}

// Makes the parameter a name for the argument's value.
bool Analyzer::bindParameter(const ast::FunctionParameter &parameter, TensorId argument,
                             llvm::SMRange call) {
  if (!checkParameter(parameter, argument, call))
    return false;
  TensorState state;
  for (auto [dimension, bound] : llvm::enumerate(parameter.dimensions)) {
    std::optional<LabelId> label = labelOfParameter(bound, argument, dimension, call);
    if (!label)
      return false;
    state.labels.push_back(*label);
  }
  Tensor tensor = program.tensors[argument];
  tensor.name = parameter.name.text;
  tensor.range = parameter.name.range;
  tensor.temporary = false;
  bool isSource = states[argument].isSource;
  TensorId id = addTensor(std::move(tensor), std::move(state));
  declareName(parameter.name, Symbol::Kind::Tensor, id);
  add(call, Share{id, argument});
  setValue(id, isSource);
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Calls
//===------------------------------------------------------------------------------------------===//

const ast::Function *Analyzer::calledFunction(const ast::Expr &expr) const {
  const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr);
  return call && !isTensor(call->callee.text) ? findFunction(call->callee.text) : nullptr;
}

bool Analyzer::callFunction(const ast::Function &called, const ast::CallExpr &call) {
  size_t given = call.arguments.size(), wanted = called.parameters.size();
  if (given != wanted) {
    diagnostics
        .error(call.range, "'" + called.name.text + "' takes " + counted(wanted, "argument") +
                               ", " + std::to_string(given) +
                               (given == 1 ? " is given" : " are given"))
        .note("it is defined here", called.name.range);
    return false;
  }
  std::vector<TensorId> arguments;
  for (const ast::ExprPtr &argument : call.arguments) {
    std::optional<TensorId> tensor = tensorArgument(*argument);
    if (!tensor)
      return false;
    arguments.push_back(*tensor);
  }
  return function(called, arguments, call.range);
}

// What a call returns.
std::optional<TensorId> Analyzer::valueOfCall(const ast::Function &called,
                                              const ast::CallExpr &call) {
  const auto *last =
      called.body.empty() ? nullptr : llvm::dyn_cast<ast::ReturnStmt>(called.body.back().get());
  if (last && last->value)
    return callFunction(called, call) ? std::exchange(returned, std::nullopt) : std::nullopt;
  diagnostics.error(call.range, "function '" + called.name.text + "' returns no value")
      .note("it is defined here; 'return e;' gives one", called.name.range);
  return std::exchange(returned, std::nullopt);
}

// x[i] = f(A, b), or x = f(A, b): a name for what f returns where that is stored as the left side
// is; else a copy.
bool Analyzer::assignCall(const ast::AssignStmt &statement, const Symbol &symbol) {
  const auto &call = llvm::cast<ast::CallExpr>(*statement.value);
  std::optional<TensorId> value = valueOfCall(*calledFunction(call), call);
  if (!value)
    return false;
  TensorId target = tensorOf(symbol);
  if (!statement.hasLabels && program.tensors[*value].order() != orderOf(symbol)) {
    diagnostics.error(statement.target, "'" + statement.tensor.text + "' needs its labels")
        .note("'" + call.callee.text + "' returns " +
              (program.tensors[*value].order() ? "a tensor of another order" : "a scalar"));
    return false;
  }
  const Tensor &from = program.tensors[*value], &to = program.tensors[target];
  if (!statement.hasLabels && statement.op == ast::AssignOp::Set && from.type == to.type &&
      from.sizes == to.sizes && storedAs(from) == storedAs(to) && !states[target].typeIsOpen) {
    if (refuseSchedule(statement.schedule))
      return false;
    add(statement.range, Share{target, *value});
    setValue(target, false);
    return true;
  }
  // In this scope alone, the function's name stands for what it returned.
  Scope local(scope);
  Scope *around = std::exchange(scope, &local);
  local.declare(call.callee.text, {Symbol::Kind::Tensor, *value, call.range});
  std::vector<ast::Coordinate> places = statement.labels;
  llvm::SmallDenseSet<LabelId> used;
  for (unsigned dimension = 0; !statement.hasLabels && dimension < orderOf(symbol); ++dimension) {
    LabelId label = labelOf(symbol, dimension);
    std::string name = llvm::isDigit(labels[label].name.front()) ? "i" : labels[label].name;
    // One that selects would do so in what the function returns; one that repeats is a diagonal.
    if (!used.insert(label).second || labels[label].selects) {
      Label fresh;
      fresh.name = name;
      fresh.size = sizeOf(symbol, dimension);
      label = addLabel(std::move(fresh));
    }
    const Symbol *known = local.find(name);
    if (!known || known->kind != Symbol::Kind::Label || known->id != label)
      while (!local.declare(name, {Symbol::Kind::Label, label, statement.target}))
        name += '_';
    places.push_back({{name, statement.target}});
  }
  ast::AccessExpr tensor(call.range, call.callee, places);
  ast::NameExpr scalar(call.callee);
  bool isScalar = from.order() == 0;
  Notation notation;
  ResolvedAccess place;
  bool ok = checkOrder(symbol, statement.tensor, places.size(), statement.target) &&
            resolve({&statement.tensor, places, statement.target}, notation, place) &&
            compute(place, statement.op, isScalar ? static_cast<const ast::Expr &>(scalar) : tensor,
                    statement.range, notation, statement.schedule, &statement);
  scope = around;
  return ok;
}

} // namespace strata::frontend
