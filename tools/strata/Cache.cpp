// strata cache: the compiled kernels that are kept in the cache.
#include "Cache.h"
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"

#include "strata/frontend/Suggest.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/Variables.h"
#include "strata/tensor/Quantities.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::outs;
using llvm::StringRef;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata::tool {

namespace cache {
#define STRATA_OPTIONS "CacheOptions.inc"
#include "OptionTable.def"
} // namespace cache

const Command cacheDescription{"cache", R"(
strata cache tells which compiled kernels are kept. Each statement's kernel is compiled once for its
formats and types, this processor and this version of Strata, and then found again.

  strata cache                     where they are, how many, and how large
  strata cache list                each of them: when it was last used, its size, its statement
  strata cache verify              find files that are not what was written, and remove them
  strata cache clear               remove all

STRATA_CACHE_DIR is the folder (empty: nothing is kept), else strata/kernels in $XDG_CACHE_HOME or
~/.cache. STRATA_CACHE_SIZE is the most that it may hold (256M); what was not used for the longest
time is removed first.
)",
                               cache::table, "[ACTION]",
                               "the compiled kernels that are kept in the cache"};

void useCache(KernelCompiler &compiler) {
  Result<KernelCache> opened = KernelCache::openDefault();
  if (opened)
    return compiler.use(std::move(*opened));
  // Where a user has no home that could be written to, there is nothing to mend.
  std::string folder = KernelCache::defaultFolder();
  bool chosen = runtime::variable("STRATA_CACHE_DIR") || runtime::variable("STRATA_CACHE_SIZE");
  if (!folder.empty() && (chosen || llvm::sys::fs::exists(folder)))
    warn("compiled kernels are not cached: " + opened.error().sentence());
}

static int summarize(const KernelCache &kept) {
  int64_t bytes = 0, count = 0;
  for (const KernelCache::Entry &entry : kept.entries()) {
    bytes += entry.bytes;
    ++count;
  }
  outs() << kept.path() << ": " << counted(count, "kernel") << ", " << bytesInWords(double(bytes))
         << " of at most " << bytesInWords(double(kept.byteLimit())) << "\n";
  return exitSuccess;
}

static int list(const KernelCache &kept) {
  for (const KernelCache::Entry &entry : kept.entries())
    outs() << llvm::formatv("{0:%Y-%m-%d %H:%M} {1,7} KiB  {2}\n", entry.used,
                            (entry.bytes + 1023) / 1024, entry.whole ? entry.title : "(broken)");
  return exitSuccess;
}

static int verify(const KernelCache &kept) {
  int64_t whole = 0, broken = 0;
  for (const KernelCache::Entry &entry : kept.entries()) {
    ++(entry.whole ? whole : broken);
    if (!entry.whole && llvm::sys::fs::remove(entry.path))
      return fail("'" + entry.path + "' is broken and cannot be removed");
  }
  outs() << whole << " as they were written, " << broken << " broken and removed\n";
  return exitSuccess;
}

static int clear(const KernelCache &kept) {
  int64_t removed = 0;
  for (const KernelCache::Entry &entry : kept.entries()) {
    if (llvm::sys::fs::remove(entry.path))
      return fail("'" + entry.path + "' cannot be removed");
    ++removed;
  }
  outs() << removed << " removed\n";
  return exitSuccess;
}

int cacheCommand(llvm::ArrayRef<const char *> arguments) {
  struct Action {
    StringRef name;
    int (*run)(const KernelCache &);
  };
  static constexpr Action actions[] = {
      {"", summarize}, {"list", list}, {"verify", verify}, {"clear", clear}};
  Arguments args = parseArguments(cacheDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::vector<std::string> words = args.list.getAllArgValues(cache::OPT_INPUT);
  if (words.size() > 1)
    return refuse("strata cache takes one word", "list, verify or clear");
  StringRef word = words.empty() ? "" : StringRef(words.front());
  const Action *action = llvm::find_if(actions, [&](const Action &a) { return a.name == word; });
  if (action == std::end(actions)) {
    std::string hint = frontend::didYouMean(word, {"list", "verify", "clear"});
    return refuse("strata cache cannot '" + word + "'",
                  hint.empty() ? "it can list, verify and clear" : hint);
  }
  Result<KernelCache> kept = KernelCache::openDefault();
  return kept ? action->run(*kept) : fail(kept.error().sentence());
}

} // namespace strata::tool
