// The walk over functions and statements.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Fills.h"
#include "strata/frontend/Suggest.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace strata::frontend {

FormatVocabulary::~FormatVocabulary() = default;

// Functions are inlined, so nesting and repetition of calls are bounded.
static constexpr unsigned maxStatements = 100000;

std::optional<Program> analyze(const ast::Module &module, const Parameters &parameters,
                               const FormatVocabulary &formats, Diagnostics &diagnostics,
                               Outputs *outputs) {
  Analyzer analyzer(parameters, formats, diagnostics);
  analyzer.module(module, outputs);
  if (diagnostics.hasErrors())
    return std::nullopt;
  analyzer.warnAboutUnusedParameters();
  Program program = analyzer.takeProgram();
  inferFills(program, formats, diagnostics);
  return program;
}

void Analyzer::module(const ast::Module &module, Outputs *outputs) {
  currentModule = &module;
  requested = outputs;
  for (const ast::Machine &machine : module.machines)
    declareMachine(machine);
  if (!checkFunctions(module))
    return;
  const ast::Function *main = findFunction("main");
  if (!main) {
    std::vector<llvm::StringRef> names;
    for (const ast::Function &function : module.functions)
      names.push_back(function.name.text);
    diagnostics.error({}, "the program has no function 'main'")
        .note(names.empty() ? "a program begins with def main() { ... }"
              : closestName("main", names).empty()
                  ? "execution begins there"
                  : "is it '" + closestName("main", names).str() + "'?");
    return;
  }
  if (!main->parameters.empty())
    diagnostics.error(main->parameters.front().name.range, "'main' takes no parameters")
        .note("what -D NAME=VALUE gives needs no declaration");
  else
    function(*main, {}, main->name.range);
  // What is never called is still checked.
  for (const ast::Function &other : module.functions) {
    if (analyzed.contains(other.name.text) || !other.parameters.empty())
      continue; // what its parameters are, calls decide
    Program kept = std::move(program);
    std::vector<TensorState> keptStates = std::move(states);
    program = {};
    program.machines = kept.machines;
    states.clear();
    function(other, {}, other.name.range);
    program = std::move(kept);
    states = std::move(keptStates);
  }
}

bool Analyzer::checkFunctions(const ast::Module &module) {
  llvm::StringMap<llvm::SMRange> seen;
  bool ok = true;
  for (const ast::Function &function : module.functions) {
    const ast::Name &name = function.name;
    auto [previous, isNew] = seen.try_emplace(name.text, name.range);
    if (!isNew)
      diagnostics.error(name.range, "function '" + name.text + "' is defined twice")
          .note("it is defined here first", previous->second);
    if (findBuiltin(name.text))
      diagnostics.error(name.range, "'" + name.text + "' is a built-in function")
          .note("choose another name");
    ok &= isNew && !findBuiltin(name.text);
  }
  return ok;
}

const ast::Function *Analyzer::findFunction(llvm::StringRef name) const {
  if (!currentModule)
    return nullptr;
  auto found = llvm::find_if(currentModule->functions, [&](const ast::Function &function) {
    return function.name.text == name;
  });
  return found == currentModule->functions.end() ? nullptr : &*found;
}

// The statements of a function or of a block in it, up to one that ends them.
void Analyzer::statements(const std::vector<ast::StmtPtr> &statements) {
  ended = false;
  for (const ast::StmtPtr &step : statements) {
    if (diagnostics.full() || numStatements > maxStatements)
      break;
    statement(*step);
    bool returns = step->kind == ast::Stmt::Kind::Return;
    if (!returns && !ended)
      continue;
    if (step != statements.back()) {
      const ast::StmtPtr &next = *(llvm::find(statements, step) + 1);
      diagnostics.warning(next->range, returns ? "nothing after 'return' is executed"
                                               : "nothing after 'break' is executed");
    }
    break;
  }
}

void Analyzer::statement(const ast::Stmt &statement) {
  using Kind = ast::Stmt::Kind;
  if (++numStatements == maxStatements)
    diagnostics.error(statement.range, "the program has more than " + llvm::Twine(maxStatements) +
                                           " statements, those of called functions included");
  switch (statement.kind) {
  case Kind::Labels:
    return declareLabels(llvm::cast<ast::LabelsStmt>(statement));
  case Kind::Tensor:
    return declareTensor(llvm::cast<ast::TensorStmt>(statement));
  case Kind::Scalar:
    return declareScalar(llvm::cast<ast::ScalarStmt>(statement));
  case Kind::Assign:
    return assign(llvm::cast<ast::AssignStmt>(statement));
  case Kind::Call: {
    const ast::CallExpr &call = *llvm::cast<ast::CallStmt>(statement).call;
    const ast::Function *callee = findFunction(call.callee.text);
    if (!callee)
      return callStatement(call);
    callFunction(*callee, call);
    return;
  }
  case Kind::Return:
    if (depth != functionDepth)
      diagnostics.error(statement.range, "'return' ends a function; it cannot be in a block")
          .note(loops.empty() ? "put what is not to be executed into the 'else' of an 'if'"
                              : "'break' leaves a loop");
    else
      returnValue(llvm::cast<ast::ReturnStmt>(statement));
    return;
  case Kind::For:
    return forLoop(llvm::cast<ast::ForStmt>(statement));
  case Kind::Loop:
    return loop(llvm::cast<ast::LoopStmt>(statement));
  case Kind::If:
    return branch(llvm::cast<ast::IfStmt>(statement));
  case Kind::Break:
    return breakLoop(statement.range);
  }
}

void Analyzer::add(llvm::SMRange range, decltype(Operation::kind) kind) {
  program.operations.push_back({range, std::move(kind)});
}

void Analyzer::setValue(TensorId tensor, bool isSource) {
  states[tensor].hasValue = true;
  states[tensor].isSource |= isSource;
  dropDeferred(tensor);
  addDeferred();
}

void Analyzer::warnAboutUnusedParameters() {
  for (const auto &[name, value] : parameters)
    if (!usedParameters.contains(name))
      diagnostics.warning({}, "the parameter '" + name + "' is not used by the program");
}

} // namespace strata::frontend
