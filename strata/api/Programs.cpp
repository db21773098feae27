// Programs of the language: run as a whole, with their results as tensors.
#include "strata/api/Outcome.h"
#include "strata/api/Ranks.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/frontend/EmitTa.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/lower/Pipeline.h"
#include "strata/run/Executor.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace strata;
using namespace strata::api;

// From text to ta; `outputs` then lists what is returned.
static strata_error *emitProgram(strata_session &session, const char *text, const char *name,
                                 const frontend::Parameters &parameters, frontend::Outputs &outputs,
                                 OwningOpRef<ModuleOp> &module) {
  llvm::SourceMgr sources;
  unsigned id =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  frontend::Diagnostics diagnostics(sources);
  frontend::ast::Module tree = frontend::parseProgram(id, diagnostics);
  std::optional<frontend::Program> program;
  if (!diagnostics.hasErrors())
    program = frontend::analyze(tree, parameters, frontend::TaFormats(&session.context),
                                diagnostics, &outputs);
  if (program)
    module = frontend::emitTa(*program, &session.context, diagnostics);
  if (module)
    return nullptr;
  return makeError(outputs.unknown ? STRATA_ERROR_ARGUMENT : STRATA_ERROR_EXPRESSION, diagnostics);
}

namespace {

// A run of a program, by itself or with other ranks.
class ProgramRun {
public:
  ProgramRun(strata_session &session, strata_ranks *ranks)
      : session(session), ranks(ranks), together(ranks) {}

  strata_error *compile(const char *text, const char *name,
                        llvm::ArrayRef<strata_parameter> parameters, frontend::Outputs &outputs) {
    frontend::Parameters given;
    std::string all = text;
    for (const strata_parameter &parameter : parameters) {
      given[parameter.name] = parameter.value;
      all += std::string("\n") + parameter.name + "=" + parameter.value;
    }
    if (strata_error *error = together.agree(all))
      return error;
    Reports reports(session);
    if (strata_error *error = emitProgram(session, text, name, given, outputs, module))
      return error;
    PassManager passes(&session.context);
    addProgramPasses(passes, {.maxMemory = session.compiler.memoryLimit(), .returnsPieces = true});
    return failed(passes.run(*module))
               ? reports.error(STRATA_ERROR_UNSUPPORTED, "the program could not be compiled")
               : nullptr;
  }

  strata_error *run(const frontend::Outputs &outputs, strata_outcome &made) {
    Reports reports(session);
    llvm::raw_string_ostream printed(made.printed);
    Executor executor(session.compiler, {.job = together.job()}, printed);
    func::FuncOp main = mainOf(*module);
    if (failed(executor.run(main)))
      return reports.error(executor.sizesDisagree() ? STRATA_ERROR_SHAPE : errorKind(session),
                           "the program could not be run");
    Operation *end = main.getBody().front().getTerminator();
    for (auto [output, value] : llvm::zip(outputs.list, end->getOperands())) {
      made.names.push_back(output.name);
      made.tensors.push_back(tensorOf(session, *executor.value(value)));
      const std::string &machine = made.tensors.back()->format->facts->machine;
      if (!machine.empty())
        made.tensors.back()->machine = machineOf(machine, executor.cellsOf(machine));
    }
    return nullptr;
  }

  strata_error *end(strata_error *error) { return together.end(error); }

private:
  // A machine that the program declares.
  Handle<strata_machine> machineOf(const std::string &name, std::vector<int64_t> cells) {
    if (strata_machine *known = findMachine(machines, name))
      return Handle(known);
    auto made = Handle<strata_machine>::adopt(new strata_machine);
    made->ranks = ranks ? Handle(ranks) : aloneIn(session);
    made->name = name;
    made->cells = std::move(cells);
    machines.push_back(made);
    return made;
  }

  strata_session &session;
  strata_ranks *ranks;
  Together together;
  OwningOpRef<ModuleOp> module;
  std::vector<Handle<strata_machine>> machines;
};

} // namespace

strata_error *strata_program_run(strata_session *session, const char *text, const char *name,
                                 const strata_parameter *parameters, int32_t parameter_count,
                                 const char *const *results, int32_t result_count,
                                 strata_ranks *ranks, strata_outcome **outcome) {
  return inTurn(*session, [&]() -> strata_error * {
    frontend::Outputs outputs;
    outputs.all = !results;
    for (int32_t at = 0; results && at < result_count; ++at)
      outputs.list.push_back({results[at]});
    auto made = std::make_unique<strata_outcome>();
    ProgramRun run(*session, ranks);
    strata_error *error = run.compile(
        text, name, llvm::ArrayRef(parameters, size_t(std::max(parameter_count, 0))), outputs);
    if (!error)
      error = run.run(outputs, *made);
    error = run.end(error);
    if (!error)
      *outcome = made.release();
    return error;
  });
}

void strata_outcome_release(strata_outcome *outcome) { delete outcome; }

const char *strata_outcome_printed(const strata_outcome *outcome) {
  return outcome->printed.c_str();
}

const char *strata_outcome_name(const strata_outcome *outcome, int32_t index) {
  return index >= 0 && index < int32_t(outcome->names.size())
             ? outcome->names[size_t(index)].c_str()
             : nullptr;
}

strata_tensor *strata_outcome_tensor(const strata_outcome *outcome, int32_t index) {
  return index >= 0 && index < int32_t(outcome->tensors.size())
             ? outcome->tensors[size_t(index)].get()
             : nullptr;
}
