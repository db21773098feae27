// The rows of the table of file formats, and how one is chosen.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileFormats.h"

#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/EdgeList.h"
#include "strata/runtime/io/Fcidump.h"
#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/HarwellBoeing.h"
#include "strata/runtime/io/Hdf5.h"
#include "strata/runtime/io/MatrixMarket.h"
#include "strata/runtime/io/Npy.h"
#include "strata/runtime/io/Npz.h"
#include "strata/runtime/io/NumberText.h"
#include "strata/runtime/io/Safetensors.h"
#include "strata/runtime/io/Smtx.h"
#include "strata/runtime/io/StoredTensor.h"
#include "strata/runtime/io/Zarr.h"

#include <algorithm>

namespace strata::runtime {
namespace {

using Endings = std::string_view[];

/// The header of a text file; of a stream only what is in memory already is read.
template <typename Header>
Result<Header> headerOf(const InputFile &file, Result<Header> (*read)(TextReader &)) {
  if (!file.isMapped()) {
    Result<InputFile> beginning = InputFile::fromText(file.name(), std::string(file.raw()));
    return beginning ? headerOf(*beginning, read) : beginning.takeStatus();
  }
  TextReader reader(file);
  return read(reader);
}

//===------------------------------------------------------------------------------------------===//
// Matrix Market
//===------------------------------------------------------------------------------------------===//

constexpr Endings matrixMarketEndings = {".mtx"}, tensorMarketEndings = {".ttx"};

Result<TensorFileContent> readMatrixMarketFile(const InputFile &file,
                                               const TensorFileOptions &options) {
  Result<MatrixMarketContent> content =
      readMatrixMarket(file, {.valueType = options.valueType,
                              .checkPromises = options.checkPromises,
                              .progress = options.progress,
                              .ranks = options.ranks});
  if (!content)
    return content.takeStatus();
  TensorFileContent result{.list = std::move(content->list),
                           .isPart = content->isPart,
                           .isArray = content->facts.layout == MatrixMarketFacts::Layout::array,
                           .header = describe(content->facts),
                           .entriesInFile = content->facts.storedCount};
  if (!content->remark.empty())
    result.remarks.push_back(std::move(content->remark));
  return result;
}

std::optional<strata_type> matrixMarketValueType(const InputFile &file) {
  Result<MatrixMarketHeader> header = headerOf(file, readMatrixMarketHeader);
  if (!header)
    return std::nullopt;
  return naturalType(header->facts.field);
}

template <MatrixMarketFacts::Object object>
Status writeMarketFile(const std::string &path, const Coordinates &list,
                       const WriteFileOptions &options) {
  return writeMatrixMarket(
      path, list, {.object = object, .progress = options.progress, .shared = options.shared});
}

template <MatrixMarketFacts::Object object>
Status writeMarketDense(const std::string &path, const DenseValues &values,
                        const WriteFileOptions &options) {
  return writeMatrixMarketArray(path, values, {.object = object, .progress = options.progress});
}

//===------------------------------------------------------------------------------------------===//
// FROSTT
//===------------------------------------------------------------------------------------------===//

constexpr Endings frosttEndings = {".tns"}, extendedFrosttEndings = {".etns"};

template <FrosttOptions::Header header>
Result<TensorFileContent> readFrosttFile(const InputFile &file, const TensorFileOptions &options) {
  Result<FrosttContent> read = readFrostt(file, {.header = header,
                                                 .comet = options.comet,
                                                 .sizes = options.sizes,
                                                 .base = options.base,
                                                 .valueType = options.valueType,
                                                 .progress = options.progress,
                                                 .ranks = options.ranks});
  if (!read)
    return read.takeStatus();
  return TensorFileContent{.list = std::move(read->list),
                           .isPart = read->isPart,
                           .header = std::move(read->header),
                           .remarks = std::move(read->remarks)};
}

template <bool extended>
Status writeFrosttFile(const std::string &path, const Coordinates &list,
                       const WriteFileOptions &options) {
  return writeFrostt(path, list,
                     {.extended = extended,
                      .base = options.base,
                      .progress = options.progress,
                      .shared = options.shared});
}

//===------------------------------------------------------------------------------------------===//
// Others
//===------------------------------------------------------------------------------------------===//

constexpr Endings edgeEndings = {".edges", ".edgelist", ".el", ".wel", ".csv", ".tsv"};
constexpr Endings smtxEndings = {".smtx"}, fcidumpEndings = {".fcidump", "fcidump"};
constexpr Endings harwellEndings = {".hb", ".rua", ".rra", ".cua", ".cra"},
                  rutherfordEndings = {".rb"};

Result<TensorFileContent> readSmtxFile(const InputFile &file, const TensorFileOptions &options) {
  Result<Coordinates> list = readSmtx(file, options);
  if (!list)
    return list.takeStatus();
  return TensorFileContent{.list = std::move(*list)};
}

Status writeSmtxFile(const std::string &path, const Coordinates &list,
                     const WriteFileOptions &options) {
  return writeSmtx(path, list, options.progress);
}

std::optional<strata_type> boeingValueType(const InputFile &file) {
  Result<HarwellBoeingFacts> facts = headerOf(file, readHarwellBoeingHeader);
  if (!facts)
    return std::nullopt;
  switch (facts->field) {
  case HarwellBoeingFacts::Field::pattern:
    return STRATA_BOOL;
  case HarwellBoeingFacts::Field::real:
    return STRATA_F64;
  case HarwellBoeingFacts::Field::complex:
    return STRATA_C128;
  case HarwellBoeingFacts::Field::integer:
    break; // which the values decide: with a sign or without
  }
  return std::nullopt;
}

template <BoeingDialect dialect>
Status writeBoeingFile(const std::string &path, const Coordinates &list,
                       const WriteFileOptions &options) {
  return writeHarwellBoeing(path, list, dialect, options.progress);
}

//===------------------------------------------------------------------------------------------===//
// NumPy, SciPy, PyData
//===------------------------------------------------------------------------------------------===//

constexpr Endings npyEndings = {".npy"}, npzEndings = {".npz"},
                  safetensorsEndings = {".safetensors"};

Status refuseSparseNpy(const std::string &path, const Coordinates &, const WriteFileOptions &) {
  return Error{Error::NotInSuchFiles,
               "an array of NumPy has all its places, this tensor stores some of them",
               "a dense tensor, or a file that ends in .npz", path, 0};
}

Status writeNpyDense(const std::string &path, const DenseValues &values, const WriteFileOptions &) {
  return writeNpy(path, values);
}

Status refuseSparseSafetensors(const std::string &path, const Coordinates &,
                               const WriteFileOptions &) {
  return Error{Error::NotInSuchFiles,
               "safetensors have all their places, this tensor stores some of them",
               "a dense tensor, or a file that ends in .npz", path, 0};
}

Status writeSafetensorsDense(const std::string &path, const DenseValues &values,
                             const WriteFileOptions &) {
  return writeSafetensors(path, values);
}

Status writeNpzFile(const std::string &path, const Coordinates &list, const WriteFileOptions &) {
  return writeNpz(path, list);
}

//===------------------------------------------------------------------------------------------===//
// binsparse
//===------------------------------------------------------------------------------------------===//

constexpr Endings matlabEndings = {".mat"};

bool looksLikeOldMatlab(std::string_view head) { return head.starts_with("MATLAB 5.0 MAT-file"); }

Result<TensorFileContent> refuseOldMatlab(const InputFile &file, const TensorFileOptions &) {
  return file.errorAt(0, Error::UnsupportedFile, "this is no file of MATLAB's version 7.3",
                      "one that is saved by save(..., '-v7.3')");
}

constexpr Endings arrowEndings = {".parquet", ".arrow", ".feather"};

bool looksLikeArrow(std::string_view head) {
  return head.starts_with("PAR1") || head.starts_with("ARROW1");
}

Result<TensorFileContent> refuseArrow(const InputFile &file, const TensorFileOptions &) {
  return file.errorAt(0, Error::UnsupportedFile,
                      "tables of Parquet and Arrow are read in Python alone", "strata.read");
}

constexpr Endings binsparseEndings = {".bsp.h5", ".h5", ".hdf5"},
                  binsparseArchiveEndings = {".bsp.npz"}, zarrEndings = {".zarr"};

template <GroupWriter write>
std::optional<Status> writeBinsparseLevels(const std::string &path, const LevelArrays &arrays) {
  return writeBinsparse(path, arrays, write);
}

template <GroupWriter write>
Status writeBinsparseFile(const std::string &path, const Coordinates &list,
                          const WriteFileOptions &) {
  return writeBinsparse(path, list, 0, write);
}

template <GroupWriter write>
Status writeBinsparseFilled(const std::string &path, const Coordinates &list,
                            std::complex<double> fill) {
  return writeBinsparse(path, list, fill, write);
}

//===------------------------------------------------------------------------------------------===//
// The table
//===------------------------------------------------------------------------------------------===//

using Object = MatrixMarketFacts::Object;

/// A row that recognizes less than another by the same mark comes first.
constexpr FileFormat table[] = {
    // FROSTT files have no mark: what nothing else recognizes is one.
    {.name = "FROSTT",
     .endings = frosttEndings,
     .reader = readFrosttFile<FrosttOptions::Header::detect>,
     .write = writeFrosttFile<false>,
     .listsLines = true},
    {.name = "extended FROSTT",
     .endings = extendedFrosttEndings,
     .recognizes = looksLikeExtendedFrostt,
     .reader = readFrosttFile<FrosttOptions::Header::extended>,
     .write = writeFrosttFile<true>,
     .listsLines = true},
    {.name = "TensorMarket",
     .endings = tensorMarketEndings,
     .recognizes = looksLikeTensorMarket,
     .reader = readMatrixMarketFile,
     .valueType = matrixMarketValueType,
     .write = writeMarketFile<Object::tensor>,
     .listsLines = true,
     .writeDense = writeMarketDense<Object::tensor>},
    {.name = "Matrix Market",
     .endings = matrixMarketEndings,
     .recognizes = looksLikeMatrixMarket,
     .reader = readMatrixMarketFile,
     .valueType = matrixMarketValueType,
     .write = writeMarketFile<Object::matrix>,
     .listsLines = true,
     .writeDense = writeMarketDense<Object::matrix>},
    {.name = "smtx",
     .endings = smtxEndings,
     .recognizes = looksLikeSmtx,
     .isGuess = true,
     .reader = readSmtxFile,
     .write = writeSmtxFile},
    {.name = "Rutherford-Boeing",
     .endings = rutherfordEndings,
     .recognizes = looksLikeRutherfordBoeing,
     .reader = readHarwellBoeing,
     .valueType = boeingValueType,
     .write = writeBoeingFile<BoeingDialect::rutherford>},
    {.name = "Harwell-Boeing",
     .endings = harwellEndings,
     .recognizes = looksLikeHarwellBoeing,
     .reader = readHarwellBoeing,
     .valueType = boeingValueType,
     .write = writeBoeingFile<BoeingDialect::harwell>},
    {.name = "edge list",
     .endings = edgeEndings,
     .recognizes = looksLikeEdgeList,
     .reader = readEdgeList,
     .selectsEdges = true},
    {.name = "FCIDUMP",
     .endings = fcidumpEndings,
     .recognizes = looksLikeFcidump,
     .reader = readFcidump},
    {.name = "NumPy array",
     .endings = npyEndings,
     .recognizes = looksLikeNpy,
     .reader = readNpy,
     .valueType = npyValueType,
     .selectsRanges = true,
     .write = refuseSparseNpy,
     .writeDense = writeNpyDense},
    {.name = "safetensors",
     .endings = safetensorsEndings,
     .recognizes = looksLikeSafetensors,
     .reader = readSafetensors,
     .valueType = safetensorsValueType,
     .tensors = safetensorsNames,
     .selectsGroups = true,
     .selectsRanges = true,
     .write = refuseSparseSafetensors,
     .writeDense = writeSafetensorsDense,
     .hasBfloat16 = true,
     .writesNamed = true},
    // Has no mark of its own at the beginning: it is read as an archive.
    {.name = "binsparse (NPZ)",
     .endings = binsparseArchiveEndings,
     .reader = readNpz,
     .valueType = npzValueType,
     .write = writeBinsparseFile<writeNpzGroup>,
     .writeFilled = writeBinsparseFilled<writeNpzGroup>,
     .writeLevels = writeBinsparseLevels<writeNpzGroup>},
    {.name = "NumPy archive",
     .endings = npzEndings,
     .recognizes = looksLikeNpz,
     .reader = readNpz,
     .valueType = npzValueType,
     .write = writeNpzFile,
     .writeLevels = writeNpz},
    // Those of version 7.3 are recognized as HDF5.
    {.name = "MATLAB",
     .endings = matlabEndings,
     .recognizes = looksLikeOldMatlab,
     .reader = refuseOldMatlab,
     .selectsGroups = true,
     .selectsRanges = true},
    {.name = "Arrow", .endings = arrowEndings, .recognizes = looksLikeArrow, .reader = refuseArrow},
    {.name = "binsparse",
     .endings = binsparseEndings,
     .recognizes = looksLikeHdf5,
     .reader = readHdf5,
     .valueType = hdf5ValueType,
     .tensors = hdf5Tensors,
     .selectsGroups = true,
     .selectsRanges = true,
     .write = writeBinsparseFile<writeHdf5Group>,
     .writeFilled = writeBinsparseFilled<writeHdf5Group>,
     .writeLevels = writeBinsparseLevels<writeHdf5Group>},
    // A directory: the file is the one in it that describes it.
    {.name = "binsparse (Zarr)",
     .endings = zarrEndings,
     .recognizes = looksLikeZarr,
     .reader = readZarr,
     .valueType = zarrValueType,
     .tensors = zarrTensors,
     .selectsGroups = true,
     .selectsRanges = true,
     .write = writeBinsparseFile<writeZarrGroup>,
     .writeFilled = writeBinsparseFilled<writeZarrGroup>,
     .writeLevels = writeBinsparseLevels<writeZarrGroup>},
};

/// The row of files without a mark.
constexpr const FileFormat &unmarked = table[0];

bool endsWith(std::string_view path, std::string_view ending) {
  path = withoutCompressionEnding(path);
  return path.size() >= ending.size() &&
         std::ranges::equal(path.substr(path.size() - ending.size()), ending, {}, lowerCase);
}

} // namespace

bool hasEnding(const FileFormat &format, std::string_view path) {
  if (format.writesNamed)
    path = path.substr(0, path.find("::"));
  return std::ranges::any_of(format.endings,
                             [&](std::string_view ending) { return endsWith(path, ending); });
}

Result<TensorFileContent> FileFormat::read(const InputFile &file,
                                           const TensorFileOptions &options) const {
  Result<TensorFileContent> content = reader(file, options);
  return content ? std::move(content) : file.about(content.takeStatus());
}

std::span<const FileFormat> fileFormats() { return table; }

const FileFormat *formatShownBy(std::string_view head) {
  for (const FileFormat &format : table)
    if (format.recognizes && format.recognizes(head))
      return &format;
  return nullptr;
}

const FileFormat &formatOf(const InputFile &file) {
  const FileFormat *shown = formatShownBy(file.head());
  if (shown && !shown->isGuess)
    return *shown;
  if (file.selection().isOfEdges())
    return *std::ranges::find_if(table, &FileFormat::selectsEdges);
  for (const FileFormat &format : table)
    if (format.reader && hasEnding(format, file.name()))
      return format;
  return shown ? *shown : unmarked;
}

const FileFormat *formatForWriting(std::string_view path) {
  for (const FileFormat &format : table)
    if (format.write && hasEnding(format, path))
      return &format;
  return nullptr;
}

Status checkSelection(const FileSelection &selection, const FileFormat &format) {
  const std::string name(format.name);
  if (selection.isOfEdges() && !format.selectsEdges)
    return Error{Error::FileOption, "a file of the format " + name + " is no edge list",
                 "no options of edge lists: edges, ids, header, weight"};
  if (!selection.group.empty() && !format.selectsGroups)
    return Error{Error::FileOption,
                 "a file of the format " + name + " has no parts with names such as '" +
                     selection.group + "'",
                 "HDF5, Zarr or safetensors"};
  if (selection.isPart() && !format.selectsRanges)
    return Error{Error::FileOption,
                 "of a file of the format " + name + ", ranges of indices cannot be read",
                 "HDF5, Zarr, safetensors or NumPy's array"};
  if (selection.isPart() && selection.symmetry != 1)
    return Error{Error::FileOption, "of packed integrals, ranges of indices cannot be read",
                 "all integrals"};
  return {};
}

std::string writableEndings() {
  std::string text;
  for (const FileFormat &format : table)
    if (format.write)
      text += (text.empty() ? "'" : ", '") + std::string(format.endings.front()) + "'";
  return text;
}

} // namespace strata::runtime
