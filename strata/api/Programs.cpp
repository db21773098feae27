// Programs of the language: run as a whole, with their results as tensors.
#include "strata/api/Handles.h"

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

struct strata_outcome {
  std::string printed;
  std::vector<std::string> names;
  std::vector<Handle<strata_tensor>> tensors;
};

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

strata_error *strata_program_run(strata_session *session, const char *text, const char *name,
                                 const strata_parameter *parameters, int32_t parameter_count,
                                 const char *const *results, int32_t result_count,
                                 strata_outcome **outcome) {
  return inTurn(*session, [&]() -> strata_error * {
    frontend::Parameters given;
    for (int32_t at = 0; at < parameter_count; ++at)
      given[parameters[at].name] = parameters[at].value;
    frontend::Outputs outputs;
    outputs.all = !results;
    for (int32_t at = 0; results && at < result_count; ++at)
      outputs.list.push_back({results[at]});
    Reports reports(*session);
    OwningOpRef<ModuleOp> module;
    if (strata_error *error = emitProgram(*session, text, name, given, outputs, module))
      return error;
    PassManager passes(&session->context);
    addProgramPasses(passes, {.maxMemory = session->compiler.memoryLimit()});
    if (failed(passes.run(*module)))
      return reports.error(STRATA_ERROR_UNSUPPORTED, "the program could not be compiled");
    auto made = std::make_unique<strata_outcome>();
    llvm::raw_string_ostream printed(made->printed);
    Executor executor(session->compiler, {}, printed);
    func::FuncOp main = mainOf(*module);
    if (failed(executor.run(main)))
      return reports.error(executor.sizesDisagree() ? STRATA_ERROR_SHAPE : errorKind(*session),
                           "the program could not be run");
    Operation *end = main.getBody().front().getTerminator();
    for (auto [output, value] : llvm::zip(outputs.list, end->getOperands())) {
      made->names.push_back(output.name);
      made->tensors.push_back(tensorOf(*session, *executor.value(value)));
    }
    *outcome = made.release();
    return nullptr;
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
