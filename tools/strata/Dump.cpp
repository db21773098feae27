// strata dump: how a file's tensor is stored in a format, level by level.
#include "Arguments.h"
#include "Cache.h"
#include "Commands.h"
#include "DataFile.h"
#include "FormatArgument.h"
#include "Messages.h"
#include "Session.h"

#include "strata/conversion/Packing.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/StorageDump.h"

using namespace mlir;

namespace strata::tool {

namespace dump {
#define STRATA_OPTIONS "DumpOptions.inc"
#include "OptionTable.def"
} // namespace dump

const Command dumpDescription{"dump", R"(
strata dump stores a matrix or tensor from a file in a format and shows how it lies there: the buffers
of every level, the values, and the tree of coordinates.

  strata dump m.mtx --format=CSR
  strata dump m.mtx --format='(i,j) -> (j - i : compressed, i : range, j : offset)'
)",
                              dump::table, "FILE",
                              "how a tensor is stored in a format, level by level"};

int dumpCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace dump;
  Arguments args = parseArguments(dumpDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("dump", "one file");
  if (!file)
    return *args.exitCode;
  std::optional<Processor> processor = parseProcessor(args.list, OPT_cpu);
  if (!processor)
    return exitMisuse;
  if (runtime::Status runs = processor->runsHere(); !runs.ok())
    return fail(runs.error().message, cannotRunHint);
  Session session;
  runtime::TensorFileOptions options;
  options.valueType = runtime::valueTypeOfFile(*file);
  runtime::Result<runtime::TensorFileContent> content = runtime::readTensorFile(*file, options);
  if (!content)
    return fail(content.error().sentence());
  auto order = unsigned(content->list.order());
  Attribute format = parseFormatArgument(session, args.list.getLastArg(OPT_format), order);
  if (!format)
    return exitMisuse;
  Type element = compilerType(&session.context, content->list.valueType());
  RankedTensorType type = ta::withFormat(
      RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic), element), format);
  if (runtime::Status dropped = dropFills(*content, type); !dropped.ok())
    return fail(dropped.error().sentence());
  KernelCompiler compiler(&session.context);
  compiler.compileFor(std::move(*processor));
  if (!args.list.hasArg(OPT_no_cache))
    useCache(compiler);
  runtime::Result<TensorValue> stored =
      pack(compiler, std::move(content->list), type, nullptr, args.list.hasArg(OPT_force));
  if (!stored)
    return fail(stored.error().sentence());
  dumpStorage(*stored, *file, llvm::outs());
  return exitSuccess;
}

} // namespace strata::tool
