// Sessions: a context of the compiler, its kernels, its turns.
#include "strata/Version.h"
#include "strata/api/Handles.h"
#include "strata/lower/Pipeline.h"
#include "strata/machine/Choices.h"
#include "strata/machine/KnownProcessors.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

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
  compiler.interruptBy(&interrupt);
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
  session->compiler.limitMemory(bytes < 0 ? -1 : bytes);
}

void strata_session_interrupt(strata_session *session) { session->interrupt = 1; }

int64_t strata_session_compiled(strata_session *session) {
  Turn turn(session->turn);
  return session->compiler.compiledCount();
}

int64_t strata_session_repeated(strata_session *session) {
  Turn turn(session->turn);
  return session->repeated;
}

//===------------------------------------------------------------------------------------------===//
// Threads
//===------------------------------------------------------------------------------------------===//

static std::mutex arenaMutex;

static int32_t threadsInEnvironment() {
  int32_t count = 0;
  const char *given = getenv("STRATA_NUM_THREADS");
  return given && !StringRef(given).getAsInteger(10, count) ? count : 0;
}

// Threads that somebody asked for work in an arena of their own, beside what the process has; null
// is the process's. oneTBB warns on standard error of arenas for more threads than it would start.
static std::shared_ptr<tbb::task_arena> arenaOf(int32_t count) {
  constexpr auto parallelism = tbb::global_control::max_allowed_parallelism;
  auto most = static_cast<int32_t>(tbb::global_control::active_value(parallelism));
  return count > 0 ? std::make_shared<tbb::task_arena>(std::min(count, most)) : nullptr;
}

static std::shared_ptr<tbb::task_arena> &chosenArena() {
  static std::shared_ptr<tbb::task_arena> arena = arenaOf(threadsInEnvironment());
  return arena;
}

static std::shared_ptr<tbb::task_arena> arena() {
  std::lock_guard<std::mutex> lock(arenaMutex);
  return chosenArena();
}

void strata_set_threads(int32_t count) {
  std::lock_guard<std::mutex> lock(arenaMutex);
  chosenArena() = arenaOf(count > 0 ? count : threadsInEnvironment());
}

int32_t strata_threads() {
  std::shared_ptr<tbb::task_arena> used = arena();
  return used ? used->max_concurrency() : tbb::this_task_arena::max_concurrency();
}

strata_error *strata::api::inTurn(strata_session &session,
                                  llvm::function_ref<strata_error *()> body) {
  Turn turn(session.turn);
  session.interrupt = 0;
  session.compiler.clearStatus();
  std::shared_ptr<tbb::task_arena> used = arena();
  return used ? used->execute([&] { return body(); }) : body();
}
