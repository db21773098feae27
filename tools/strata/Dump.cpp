// strata dump: how a file's tensor is stored in a format, level by level.
#include "Arguments.h"
#include "Cache.h"
#include "Commands.h"
#include "DataFile.h"
#include "FormatArgument.h"
#include "GridPicture.h"
#include "Messages.h"
#include "OutputFile.h"
#include "Session.h"

#include "strata/conversion/Packing.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/page/PiecesPicture.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/dist/Placement.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/StorageDump.h"
#include "strata/translate/ProgramTypes.h"

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
  strata dump m.mtx --format=CSR --svg -o csr.svg    the tree and the arrays as a picture
  strata dump m.mtx --format='CSR on M(~(i,j))' -D M=3    the pieces of the cells of a machine
  strata dump m.mtx --format='CSR on M(i)' -D M=3 --svg -o m.svg    as a picture, in their colours
  strata dump m.mtx --format='CSR on M(~(i,j))' -D M=3 --grid    and which entries they are
)",
                              dump::table, "FILE",
                              "how a tensor is stored in a format, level by level"};

namespace {

/// Stores lists of entries in a format, and shows them.
class Dumper {
public:
  /// What is not listed is worth `fill`; zero, if that is null.
  Dumper(const llvm::opt::InputArgList &list, Session &session, Processor processor, Attribute fill)
      : compiler(&session.context), fill(fill), force(list.hasArg(dump::OPT_force)),
        draws(list.hasArg(dump::OPT_grid)), isPicture(list.hasArg(dump::OPT_svg)),
        output(list.getLastArgValue(dump::OPT_output, "-")) {
    compiler.compileFor(std::move(processor));
    if (!list.hasArg(dump::OPT_no_cache))
      useCache(compiler);
  }

  int show(runtime::Coordinates list, RankedTensorType type, llvm::StringRef title) {
    runtime::Result<TensorValue> stored =
        pack(compiler, std::move(list), type, nullptr, force, fill);
    if (!stored)
      return fail(stored.error().sentence());
    if (isPicture)
      return writeTo(output, page::storageSvg(*stored, title, page::Ground::Own));
    dumpStorage(*stored, title, llvm::outs());
    return exitSuccess;
  }

  /// Cell by cell, each piece with coordinates that count from where its box begins; or a picture.
  int showPieces(const runtime::Coordinates &list, RankedTensorType type,
                 const FormatArgument &format, llvm::StringRef title);

private:
  KernelCompiler compiler;
  Attribute fill;
  bool force, draws, isPicture;
  std::string output;
};

} // namespace

// "cell 1 of M, i in [2, 3], j in [0, 3]", with the first and the last coordinate.
static std::string cellText(const frontend::Machine &machine, const runtime::dist::Grid &grid,
                            int64_t cell, const runtime::dist::Box &box) {
  std::string text = "cell " + std::to_string(cell) + " of " + machine.name;
  if (grid.axes().size() > 1)
    for (auto [axis, at] : llvm::zip(machine.axes, grid.coordinates(cell)))
      text += ", " + axis.name + " = " + std::to_string(at);
  for (auto [name, lo, hi] : llvm::zip(ta::indexNames(box.lo.size()), box.lo, box.hi))
    text += ", " + name + " in [" +
            (hi > lo ? std::to_string(lo) + ", " + std::to_string(hi - 1) : std::string()) + "]";
  return text;
}

int Dumper::showPieces(const runtime::Coordinates &list, RankedTensorType type,
                       const FormatArgument &format, llvm::StringRef title) {
  std::vector<int64_t> axes;
  for (const frontend::Machine::Axis &axis : format.machine->axes)
    axes.push_back(axis.cells);
  const runtime::dist::Grid grid(std::move(axes), /*ranks=*/1);
  const runtime::dist::Places places = placesOf(format.placement);
  const bool isFull = !ta::sumOf(type) && ta::formatOf(type).isFull();
  runtime::Result<runtime::dist::Cut> cut = runtime::dist::Cut::make(list, grid, places, isFull);
  if (!cut)
    return fail(cut.error().sentence());
  std::vector<std::string> names;
  for (int64_t cell = 0; cell < grid.cells(); ++cell)
    names.push_back(cellText(*format.machine, grid, cell, cut->boxOf(cell)));
  if (isPicture) {
    const bool hasBoxes = !runtime::dist::Cut::storedDims(places, isFull);
    runtime::Result<std::string> svg =
        page::piecesSvg(compiler, type, {list, *cut, hasBoxes, std::move(names), fill, force},
                        title, page::Ground::Own);
    return svg ? writeTo(output, *svg) : fail(svg.error().sentence());
  }
  if (draws) {
    llvm::outs() << title << ": " << ta::formatName(ta::withPlacement(type, format.placement))
                 << ", " << counted(grid.cells(), "cell") << "\n";
    runtime::Status drawn = drawCells(list, *cut, grid.cells(), llvm::outs());
    return drawn.ok() ? exitSuccess : fail(drawn.error().sentence());
  }
  for (int64_t cell = 0; cell < grid.cells(); ++cell) {
    runtime::Result<runtime::Coordinates> piece = cut->entriesOf(cell);
    if (!piece)
      return fail(piece.error().sentence());
    if (int code = show(std::move(*piece), type, (title + ": " + names[size_t(cell)]).str()))
      return code;
  }
  return exitSuccess;
}

int dumpCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace dump;
  Arguments args = parseArguments(dumpDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("dump", "one file");
  if (!file)
    return *args.exitCode;
  std::optional<Processor> processor = parseProcessor(args.list, OPT_cpu);
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  if (!processor || !parameters || isInput(args.list.getLastArgValue(OPT_output, "-"), *file))
    return exitMisuse;
  if (runtime::Status runs = processor->runsHere(); !runs.ok())
    return fail(runs.error().message + runs.error().mark(), cannotRunHint);
  Session session;
  runtime::TensorFileOptions options;
  options.valueType = runtime::valueTypeOfFile(*file);
  runtime::Result<runtime::TensorFileContent> content = readData(*file, options);
  if (!content)
    return fail(content.error().sentence());
  auto order = unsigned(content->list.order());
  std::optional<FormatArgument> format =
      parseFormatArgument(session, args.list.getLastArg(OPT_format), order, &*parameters);
  if (!format)
    return exitMisuse;
  Type element = compilerType(&session.context, content->list.valueType());
  RankedTensorType type = ta::withFormat(
      RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic), element),
      format->stored);
  std::optional<Attribute> fill = takeFill(*content, type);
  if (!fill)
    return exitMisuse;
  if (runtime::Status dropped = dropFills(*content, type); !dropped.ok())
    return fail(dropped.error().sentence());
  if (args.list.hasArg(OPT_grid) && !format->placement)
    return refuse("--grid draws which cells have what, and the format names none",
                  "a placement names them: --format='CSR on M(i)'");
  if (args.list.hasArg(OPT_svg) && args.list.hasArg(OPT_grid))
    return refuse("--svg draws how entries are stored, and --grid where they are",
                  "one of them at a time");
  if (args.list.hasArg(OPT_output) && !args.list.hasArg(OPT_svg))
    return refuse("-o is for a picture", "--svg draws one");
  Dumper dumper(args.list, session, std::move(*processor), *fill);
  return format->placement ? dumper.showPieces(content->list, type, *format, *file)
                           : dumper.show(std::move(content->list), type, *file);
}

} // namespace strata::tool
