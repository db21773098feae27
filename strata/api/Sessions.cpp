// Sessions: a context of the compiler, and its kernels.
#include "strata/Version.h"
#include "strata/api/Handles.h"
#include "strata/lower/Pipeline.h"
#include "strata/machine/Choices.h"
#include "strata/machine/KnownProcessors.h"
#include "strata/settings/Settings.h"
#include "strata/tensor/Quantities.h"

using namespace strata;
using namespace strata::api;
using llvm::StringRef;

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

strata_session::strata_session()
    : context(allDialects(), mlir::MLIRContext::Threading::DISABLED), compiler(&context) {
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  compiler.interruptBy(interrupt.address());
}

const char *strata_version() { return STRATA_VERSION; }

strata_error *strata_session_create(strata_session **session) {
  auto created = Handle<strata_session>::adopt(new strata_session);
  // Without a folder that can be written to nothing is kept, which is no error.
  if (runtime::Result<KernelCache> cache = KernelCache::openDefault())
    created->compiler.use(std::move(*cache));
  runtime::Result<machine::Machine> measured = machine::readMachine(machine::machineFile());
  machine::Choices choices =
      machine::choicesFor(measured ? *measured : machine::expectedHere().machine);
  runtime::setThresholds(choices.thresholds);
  created->compiler.gatherElements(choices.gathers);
  if (const settings::Setting *memory = settings::find("max-memory"); settings::wasRead())
    if (std::optional<settings::Value> value = settings::valueOf(*memory))
      strata_session_limit_memory(created.get(), parseBytes(value->text).value_or(-1));
  *session = created.release();
  return nullptr;
}

strata_session *strata_session_retain(strata_session *session) {
  session->retain();
  return session;
}

void strata_session_release(strata_session *session) {
  if (session)
    session->release();
}

strata_error *strata_session_keep_kernels(strata_session *session, const char *folder) {
  Turn turn(session->turn);
  if (!folder) {
    session->compiler.use(std::nullopt);
    return nullptr;
  }
  runtime::Result<KernelCache> cache = KernelCache::open(folder);
  if (!cache)
    return makeError(STRATA_ERROR_FILE, cache.error());
  session->compiler.use(std::move(*cache));
  return nullptr;
}

void strata_session_limit_memory(strata_session *session, int64_t bytes) {
  Turn turn(session->turn);
  session->mostBytes = std::max<int64_t>(bytes, -1);
  session->compiler.limitMemory(session->mostBytes);
}

void strata_session_interrupt(strata_session *session) {
  session->interrupt.raise();
  session->running.raiseAll();
}

int64_t strata_session_compiled(strata_session *session) {
  Turn turn(session->turn);
  return session->compiler.compiledCount();
}

int64_t strata_session_repeated(strata_session *session) { return session->repeated; }
