// strata info: the facts of a matrix or tensor in a file.
#include "strata/runtime/io/Info.h"
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "Progress.h"

#include "strata/execution/Fill.h"
#include "strata/runtime/io/TensorFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using llvm::format;
using llvm::outs;
using llvm::StringRef;

namespace strata::tool {

namespace info {
#define STRATA_OPTIONS "InfoOptions.inc"
#include "OptionTable.def"
} // namespace info

const Command infoDescription{"info", R"(
strata info reads a matrix or tensor and tells what helps to choose its format: sizes, how many
entries are stored and where.

  strata info m.mtx
  strata info --json t.tns

Entries that a symmetric file leaves out are counted; entries with equal coordinates count once,
but for 'stored' and 'duplicates'.
)",
                              info::table, "FILE",
                              "the facts of a matrix or tensor that help to choose its format"};

using runtime::MatrixInfo;
using runtime::TensorFileContent;
using runtime::TensorInfo;

// What the values show, whatever the header says.
static StringRef symmetryOf(const TensorInfo &info) {
  const MatrixInfo &matrix = *info.matrix;
  if (info.sizes[0] != info.sizes[1])
    return "not square";
  if (matrix.numericSymmetry == 1)
    return matrix.hermitian && runtime::isComplexType(info.valueType) ? "symmetric and hermitian"
                                                                      : "symmetric";
  if (matrix.hermitian)
    return "hermitian";
  if (matrix.skewSymmetric)
    return "skew-symmetric";
  return matrix.patternSymmetry == 1 ? "symmetric pattern" : "none";
}

//===------------------------------------------------------------------------------------------===//
// As text
//===------------------------------------------------------------------------------------------===//

static llvm::raw_ostream &row(StringRef name) {
  return outs() << "  " << llvm::left_justify(name, 16);
}

static void printMatrix(const TensorInfo &info) {
  const MatrixInfo &matrix = *info.matrix;
  row("symmetry") << symmetryOf(info);
  if (info.sizes[0] == info.sizes[1])
    outs() << format("; off the diagonal %.4g %% of the places and %.4g %% of the values are "
                     "mirrored",
                     100 * matrix.patternSymmetry, 100 * matrix.numericSymmetry);
  outs() << "\n";
  row("bandwidth") << matrix.bandwidth << " (" << matrix.lowerBandwidth << " below the diagonal, "
                   << matrix.upperBandwidth << " above)\n";
  row("diagonals") << matrix.diagonals << " have entries; " << matrix.onDiagonal
                   << " entries on the main one\n";
}

static void printText(StringRef file, const TensorFileContent &content, const TensorInfo &info) {
  outs() << file << ": " << content.format;
  if (!content.header.empty())
    outs() << ", " << content.header;
  if (content.entriesInFile)
    outs() << ", " << *content.entriesInFile << " entries in the file";
  outs() << "\n";
  llvm::raw_ostream &sizes = row("size");
  for (auto [at, size] : llvm::enumerate(info.sizes))
    sizes << (at ? " x " : "") << size;
  sizes << "\n";
  row("stored") << info.stored << format(" (density %.4g)\n", info.density);
  if (content.fill != 0.0)
    row("elsewhere") << fillText(content.fill) << "\n";
  row("explicit zeros") << info.explicitZeros << "\n";
  row("duplicates") << info.duplicates << "\n";
  row(info.matrix ? "row lengths" : "slice lengths")
      << "min " << info.slices.least << format(", mean %.4g", info.slices.mean) << ", max "
      << info.slices.greatest << "\n";
  row(info.matrix ? "empty rows" : "empty slices") << info.slices.empty << "\n";
  if (info.matrix)
    printMatrix(info);
}

//===------------------------------------------------------------------------------------------===//
// As JSON
//===------------------------------------------------------------------------------------------===//

static void writeMatrix(llvm::json::OStream &json, const TensorInfo &info) {
  const MatrixInfo &matrix = *info.matrix;
  json.attribute("symmetry", symmetryOf(info));
  json.attribute("pattern_symmetry", matrix.patternSymmetry);
  json.attribute("numeric_symmetry", matrix.numericSymmetry);
  json.attribute("bandwidth", matrix.bandwidth);
  json.attribute("lower_bandwidth", matrix.lowerBandwidth);
  json.attribute("upper_bandwidth", matrix.upperBandwidth);
  json.attribute("diagonals", matrix.diagonals);
  json.attribute("on_diagonal", matrix.onDiagonal);
}

static void printJson(StringRef file, const TensorFileContent &content, const TensorInfo &info) {
  llvm::json::OStream json(outs(), /*IndentSize=*/2);
  json.object([&] {
    json.attribute("file", llvm::json::fixUTF8(file));
    json.attribute("format", content.format);
    if (!content.header.empty())
      json.attribute("header", content.header);
    if (content.entriesInFile)
      json.attribute("entries_in_file", *content.entriesInFile);
    json.attributeArray("sizes", [&] {
      for (int64_t size : info.sizes)
        json.value(size);
    });
    json.attribute("stored", info.stored);
    json.attribute("density", info.density);
    if (content.fill != 0.0)
      json.attributeArray("fill", [&] {
        json.value(content.fill.real());
        json.value(content.fill.imag());
      });
    json.attribute("explicit_zeros", info.explicitZeros);
    json.attribute("duplicates", info.duplicates);
    json.attributeObject("slices", [&] {
      json.attribute("min", info.slices.least);
      json.attribute("mean", info.slices.mean);
      json.attribute("max", info.slices.greatest);
      json.attribute("empty", info.slices.empty);
    });
    if (info.matrix)
      writeMatrix(json, info);
  });
  outs() << "\n";
}

int infoCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace info;
  Arguments args = parseArguments(infoDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("info", "one file");
  if (!file)
    return *args.exitCode;
  runtime::Result<TensorFileContent> content =
      runtime::readTensorFile(*file, {.progress = progressOf(*file)});
  if (!content)
    return fail(content.error().sentence());
  runtime::Result<TensorInfo> facts = runtime::describe(content->list);
  if (!facts)
    return fail(facts.error().sentence());
  if (args.list.hasArg(OPT_json))
    printJson(*file, *content, *facts);
  else
    printText(*file, *content, *facts);
  return exitSuccess;
}

} // namespace strata::tool
