// Tensors in files: what the table of formats says is done.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TensorFile.h"

#include "strata/runtime/io/FileFormats.h"
#include "strata/runtime/io/FileRanks.h"
#include "strata/runtime/io/PackedIntegrals.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace strata::runtime {
namespace {

/// Streams whose beginning was looked at, for who reads them: they can be opened once.
class OpenStreams {
public:
  void add(const std::string &path, InputFile file) {
    const std::lock_guard lock(mutex);
    streams.emplace(path, std::move(file));
  }
  /// The stream, which is then the caller's, or the file of this name.
  Result<InputFile> open(const std::string &path) {
    const std::lock_guard lock(mutex);
    if (auto stream = streams.extract(path))
      return std::move(stream.mapped());
    return InputFile::open(path);
  }

private:
  std::mutex mutex;
  std::map<std::string, InputFile> streams;
};

OpenStreams &openStreams() {
  static OpenStreams streams;
  return streams;
}

/// Says as what a file was read whose name has another ending.
Status withGuess(Status failed, const FileFormat &format, const std::string &path) {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (name.find('.') == name.npos || isStandardStream(path) || hasEnding(format, path) ||
      format.selectsGroups)
    return failed;
  Error &error = failed.error();
  (error.expected.empty() ? error.message : error.expected) +=
      " (the file was taken for " + std::string(format.name) + ", as its ending names no format)";
  return failed;
}

/// Expands packed integrals, whose symmetry the file's selection says.
Status expandContent(TensorFileContent &content, const InputFile &file) {
  const int symmetry = file.selection().symmetry;
  if (symmetry == 1)
    return {};
  Result<Coordinates> all =
      Error{Error::FileOption, "packed integrals are stored as an array of all elements",
            "an array of NumPy, HDF5 or another such file"};
  if (content.isArray)
    all = expandPacked(std::move(content.list), symmetry);
  if (!all)
    return all.takeStatus();
  content.list = std::move(*all);
  return {};
}

} // namespace

Result<TensorFileContent> readTensorFile(const std::string &path,
                                         const TensorFileOptions &options) {
  Result<InputFile> file = openStreams().open(path);
  if (!file)
    return file.takeStatus();
  if (options.ranks)
    if (Status same = compareFiles(*file, *options.ranks); !same.ok())
      return same;
  const FileFormat &format = formatOf(*file);
  if (Status fits = checkSelection(file->selection(), format); !fits.ok())
    return file->about(std::move(fits));
  Result<TensorFileContent> content = format.read(*file, options);
  if (!content)
    return file->selection().isOfEdges() ? content.takeStatus()
                                         : withGuess(content.takeStatus(), format, file->name());
  if (Status expanded = expandContent(*content, *file); !expanded.ok())
    return file->about(std::move(expanded));
  if (content->format.empty())
    content->format = format.name;
  return content;
}

/// Writes a list; no file has bfloat16, whose numbers float holds.
template <typename Write> static Status writeList(const Coordinates &list, Write write) {
  if (list.valueType() != STRATA_BF16)
    return write(list);
  Result<Coordinates> wide = list.clone();
  if (!wide)
    return wide.takeStatus();
  if (Status converted = wide->convertValues(STRATA_F32); !converted.ok())
    return converted;
  return write(*wide);
}

Status writeTensorFile(const std::string &path, const Coordinates &list,
                       const WriteFileOptions &options) {
  if (const FileFormat *format = formatForWriting(path))
    return writeList(
        list, [&](const Coordinates &entries) { return format->write(path, entries, options); });
  return Error{Error::FileKind, "the ending names no format that can be written",
               "one of " + writableEndings(), path, 0};
}

bool canBeWrittenTogether(const std::string &path) {
  const FileFormat *format = formatForWriting(path);
  return format && format->listsLines;
}

bool keepsFill(const std::string &path) {
  const FileFormat *format = formatForWriting(path);
  return format && format->writeFilled;
}

Status writeTensorFile(const std::string &path, const Coordinates &list,
                       std::complex<double> fill) {
  if (!keepsFill(path))
    return Error{
        Error::NotInSuchFiles,
        "such a file says that what it does not list is zero, and the tensor says otherwise",
        "binsparse (.bsp.h5), or a Dense tensor", path, 0};
  return writeList(list, [&](const Coordinates &entries) {
    return formatForWriting(path)->writeFilled(path, entries, fill);
  });
}

/// The same numbers as float, which holds them all.
static Result<Buffer> widened(const DenseValues &values) {
  int64_t last = 0, places = 1;
  for (size_t d = 0; d < values.sizes.size(); ++d) {
    last += (values.sizes[d] - 1) * values.strides[d];
    places *= values.sizes[d];
  }
  Result<Buffer> wide = Buffer::allocate(STRATA_F32, places == 0 ? 0 : last + 1);
  if (wide)
    std::copy_n(static_cast<const BFloat16 *>(values.data), wide->count(), wide->as<float>());
  return wide;
}

std::optional<Status> writeDenseTensorFile(const std::string &path, const DenseValues &values,
                                           const WriteFileOptions &options) {
  const FileFormat *format = formatForWriting(path);
  if (!format || !format->writeDense)
    return std::nullopt;
  if (values.type == STRATA_BF16 && !format->hasBfloat16) {
    Result<Buffer> wide = widened(values);
    if (!wide)
      return wide.takeStatus();
    return format->writeDense(path, {values.sizes, values.strides, STRATA_F32, wide->data()},
                              options);
  }
  return format->writeDense(path, values, options);
}

std::optional<Status> writeLevelsFile(const std::string &path, const LevelArrays &arrays) {
  const FileFormat *format = formatForWriting(path);
  if (!format || !format->writeLevels)
    return std::nullopt;
  return format->writeLevels(path, arrays);
}

Result<std::vector<std::string>> tensorsOfFile(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  const FileFormat &format = formatOf(*file);
  if (!format.tensors)
    return std::vector<std::string>();
  Result<std::vector<std::string>> found = format.tensors(*file);
  return found ? std::move(found) : file->about(found.takeStatus());
}

std::optional<strata_type> valueTypeOfFile(const std::string &path) {
  Result<InputFile> file = openStreams().open(path);
  if (!file)
    return std::nullopt;
  const FileFormat &format = formatOf(*file);
  const std::optional<strata_type> type = format.valueType ? format.valueType(*file) : std::nullopt;
  if (!file->isMapped())
    openStreams().add(path, std::move(*file));
  return type;
}

} // namespace strata::runtime
