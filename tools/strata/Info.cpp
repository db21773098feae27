// strata info: statistics of a matrix or tensor in a file.
#include "strata/runtime/io/Info.h"
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "Messages.h"
#include "Report.h"

#include "strata/host/Print.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/PatternPicture.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
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
  strata info --spy m.mtx                         also a picture of the pattern
  strata info --json t.tns

Entries that a symmetric file leaves out are counted; entries with equal coordinates count once,
but for 'stored' and 'duplicates'.
)",
                              info::table, "FILE",
                              "statistics of a matrix or tensor that help to choose its format"};

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

// A format that suits most products with dense vectors and matrices, and why.
struct Suggestion {
  std::string format, reason;
};

static Suggestion suggestionFor(const TensorInfo &info) {
  constexpr double mostlyFull = 0.5, nearlyFull = 0.7;
  auto percent = [](double share) { return llvm::formatv("{0:F0} %", 100 * share).str(); };
  if (!info.sizes.empty() && info.stored == 0)
    return {"COO", "nothing is stored"};
  if (info.sizes.empty() || info.density >= mostlyFull)
    return {"Dense", percent(info.density) + " of all elements are stored"};
  if (info.sizes.size() == 1)
    return {"SparseVector", "few elements are stored"};
  if (!info.matrix)
    return {"CSF", "few elements of a tensor are stored"};
  const MatrixInfo &matrix = *info.matrix;
  const auto entries = double(info.stored - info.duplicates);
  const double inDiagonals = entries / (double(matrix.diagonals) * double(info.sizes[0]));
  if (inDiagonals >= nearlyFull)
    return {"DIA", counted(matrix.diagonals, "diagonal") + ", filled to " + percent(inDiagonals)};
  if (matrix.blockSize > 1 && matrix.blockFill >= nearlyFull) {
    std::string size = std::to_string(matrix.blockSize);
    return {"BCSR:" + size + "x" + size,
            "blocks of that size are filled to " + percent(matrix.blockFill)};
  }
  if (double(info.slices.empty) >= 0.9 * double(info.sizes[0]))
    return {"DCSR",
            percent(double(info.slices.empty) / double(info.sizes[0])) + " of the rows are empty"};
  return {"CSR", "the entries follow no simple pattern"};
}

//===------------------------------------------------------------------------------------------===//
// As text
//===------------------------------------------------------------------------------------------===//

static llvm::raw_ostream &row(const llvm::Twine &what) {
  std::string name = what.str();
  return outs() << "  " << llvm::left_justify(name, 16);
}

static void printMatrix(const TensorInfo &info) {
  const MatrixInfo &matrix = *info.matrix;
  row("symmetry") << symmetryOf(info);
  if (info.sizes[0] == info.sizes[1])
    outs() << format("; pattern symmetry %.4g %%, numerical symmetry %.4g %%",
                     100 * matrix.patternSymmetry, 100 * matrix.numericSymmetry);
  outs() << "\n";
  row("bandwidth") << matrix.bandwidth << " (" << matrix.lowerBandwidth << " below the diagonal, "
                   << matrix.upperBandwidth << " above)\n";
  row("diagonals") << matrix.diagonals << " nonzero; " << counted(matrix.onDiagonal, "entry")
                   << " on the main one\n";
  if (matrix.blockSize > 1)
    row("blocks") << matrix.blockSize << " x " << matrix.blockSize
                  << format(", filled to %.4g %%\n", 100 * matrix.blockFill);
}

static void printLengths(StringRef what, const runtime::SliceLengths &lengths) {
  row(what.str() + " lengths") << "min " << lengths.least << format(", mean %.4g", lengths.mean)
                               << ", max " << lengths.greatest << "\n";
  row("empty " + what.str() + "s") << lengths.empty << "\n";
}

static void printText(StringRef file, const TensorFileContent &content, const TensorInfo &info) {
  outs() << file << ": " << content.format;
  if (!content.header.empty())
    outs() << ", " << content.header;
  if (content.entriesInFile)
    outs() << ", " << counted(*content.entriesInFile, "entry") << " in the file";
  outs() << "\n";
  llvm::raw_ostream &sizes = row("size");
  for (auto [at, size] : llvm::enumerate(info.sizes))
    sizes << (at ? " x " : "") << size;
  sizes << (info.sizes.empty() ? "order 0\n" : "\n");
  row("stored") << info.stored << format(" (density %.4g)\n", info.density);
  if (content.fill != 0.0)
    row("elsewhere") << host::fillText(content.fill) << "\n";
  row("explicit zeros") << info.explicitZeros << "\n";
  row("duplicates") << info.duplicates << "\n";
  if (!info.sizes.empty())
    printLengths(info.matrix ? "row" : "slice", info.slices);
  if (info.matrix)
    printLengths("column", info.matrix->columns);
  if (info.matrix)
    printMatrix(info);
  Suggestion suggestion = suggestionFor(info);
  row("suggested") << suggestion.format << ": " << suggestion.reason << "\n";
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
  json.attribute("block_size", matrix.blockSize);
  json.attribute("block_fill", matrix.blockFill);
}

static void writeLengths(llvm::json::OStream &json, StringRef name,
                         const runtime::SliceLengths &lengths) {
  json.attributeObject(name, [&] {
    json.attribute("min", lengths.least);
    json.attribute("mean", lengths.mean);
    json.attribute("max", lengths.greatest);
    json.attribute("empty", lengths.empty);
  });
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
        writeNumber(json, content.fill.real());
        writeNumber(json, content.fill.imag());
      });
    json.attribute("explicit_zeros", info.explicitZeros);
    json.attribute("duplicates", info.duplicates);
    writeLengths(json, "slices", info.slices);
    if (info.matrix)
      writeLengths(json, "columns", info.matrix->columns);
    if (info.matrix)
      writeMatrix(json, info);
    json.attribute("suggested_format", suggestionFor(info).format);
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
  std::optional<int64_t> base = parseBase(args.list, OPT_base);
  if (!base)
    return exitMisuse;
  runtime::Result<TensorFileContent> content = readData(*file, {.base = *base});
  if (!content)
    return fail(content.error().sentence());
  runtime::Result<TensorInfo> facts = runtime::describe(content->list);
  if (!facts)
    return fail(facts.error().sentence());
  if (args.list.hasArg(OPT_json))
    printJson(*file, *content, *facts);
  else
    printText(*file, *content, *facts);
  if (args.list.hasArg(OPT_spy) && !args.list.hasArg(OPT_json) && facts->matrix)
    llvm::outs() << runtime::patternText(content->list);
  return exitSuccess;
}

} // namespace strata::tool
