// strata check: does a file keep what its format promises?
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "Messages.h"

#include "strata/runtime/Counted.h"

using llvm::outs;
using llvm::StringRef;

namespace strata::tool {

namespace check {
#define STRATA_OPTIONS "CheckOptions.inc"
#include "OptionTable.def"
} // namespace check

const Command checkDescription{"check", R"(
strata check reads files and verifies all that their formats promise: counts, the range of indices,
pointers that ascend, and also what readers do not rely on: the order of entries, that none is there
twice, which triangle of a symmetric matrix is stored. It names the first place that breaks a promise.

  strata check m.mtx
  strata check --quiet *.bsp.h5

Entries with equal coordinates are counted where a format allows them.
)",
                               check::table, "FILE...",
                               "verify that files keep what their formats promise"};

// How many entries have the coordinates of an earlier one.
static runtime::Result<int64_t> countDuplicates(runtime::Coordinates list) {
  if (list.order() == 0)
    return std::max<int64_t>(list.count() - 1, 0);
  if (runtime::Status sorted = list.sort(); !sorted.ok())
    return sorted;
  int64_t duplicates = 0;
  for (int64_t entry = 1; entry < list.count(); ++entry) {
    bool same = true;
    for (int dim = 0; dim < list.order() && same; ++dim)
      same = list.coordinate(dim, entry) == list.coordinate(dim, entry - 1);
    duplicates += same;
  }
  return duplicates;
}

static int checkFile(const std::string &file, int64_t base, bool quiet) {
  runtime::Result<runtime::TensorFileContent> content =
      readData(file, {.base = base, .checkPromises = true});
  if (!content)
    return fail(content.error().sentence());
  if (quiet)
    return exitSuccess;
  outs() << file << ": " << content->format;
  if (!content->header.empty())
    outs() << ", " << content->header;
  for (auto [dim, size] : llvm::enumerate(content->list.sizes()))
    outs() << (dim ? " x " : ", ") << size;
  if (content->list.order() == 0)
    outs() << ", order 0";
  int64_t entries = content->list.count();
  runtime::Result<int64_t> duplicates = countDuplicates(std::move(content->list));
  if (!duplicates)
    return fail(duplicates.error().sentence());
  outs() << ", " << counted(entries, "entry");
  if (*duplicates > 0)
    outs() << ", of which " << *duplicates << (*duplicates == 1 ? " has" : " have")
           << " the coordinates of others";
  outs() << ": valid\n";
  return exitSuccess;
}

int checkCommand(llvm::ArrayRef<const char *> arguments) {
  Arguments args = parseArguments(checkDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::vector<std::string> files = args.list.getAllArgValues(check::OPT_INPUT);
  if (files.empty())
    return refuse("strata check needs a file", "");
  std::optional<int64_t> base = parseBase(args.list, check::OPT_base);
  if (!base)
    return exitMisuse;
  int code = exitSuccess;
  for (const std::string &file : files)
    code = std::max(code, checkFile(file, *base, args.list.hasArg(check::OPT_quiet)));
  return code;
}

} // namespace strata::tool
