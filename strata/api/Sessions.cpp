// Sessions: a context of the compiler, its kernels, its turns.
#include "strata/Version.h"
#include "strata/api/Handles.h"
#include "strata/lower/Pipeline.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

using namespace strata;
using namespace strata::api;

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

strata_session::strata_session()
    : context(allDialects(), mlir::MLIRContext::Threading::DISABLED), compiler(&context) {
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  compiler.interruptBy(&interrupt);
}

const char *strata_version() { return STRATA_VERSION; }

strata_error *strata_session_create(strata_session **session) {
  auto created = Handle<strata_session>::adopt(new strata_session);
  // Without a folder that can be written to nothing is kept, which is no error.
  if (runtime::Result<KernelCache> cache = KernelCache::openDefault())
    created->compiler.use(std::move(*cache));
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

void strata_session_limit_memory(strata_session *session, int64_t bytes) {
  Turn turn(session->turn);
  session->compiler.limitMemory(bytes < 0 ? -1 : bytes);
}

void strata_session_interrupt(strata_session *session) { session->interrupt = 1; }

int64_t strata_session_compiled(strata_session *session) {
  Turn turn(session->turn);
  return session->compiler.compiledCount();
}

static std::mutex threadsMutex;
static std::unique_ptr<tbb::global_control> threadLimit;

void strata_set_threads(int32_t count) {
  std::lock_guard<std::mutex> lock(threadsMutex);
  threadLimit.reset();
  if (count > 0)
    threadLimit = std::make_unique<tbb::global_control>(
        tbb::global_control::max_allowed_parallelism, size_t(count));
}

int32_t strata_threads() {
  std::lock_guard<std::mutex> lock(threadsMutex);
  size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min(int32_t(allowed), tbb::this_task_arena::max_concurrency());
}
