// The rows of the table of file formats, and how one is chosen.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileFormats.h"

#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/MatrixMarket.h"

#include <algorithm>

namespace strata::runtime {
namespace {

using Endings = std::string_view[];

//===------------------------------------------------------------------------------------------===//
// Matrix Market
//===------------------------------------------------------------------------------------------===//

constexpr Endings matrixMarketEndings = {".mtx"};

Result<TensorFileContent> readMatrixMarketFile(const InputFile &file,
                                               const TensorFileOptions &options) {
  Result<MatrixMarketContent> content =
      readMatrixMarket(file, {.valueType = options.valueType, .progress = options.progress});
  if (!content)
    return content.takeStatus();
  return TensorFileContent{.list = std::move(content->list),
                           .header = describe(content->facts),
                           .entriesInFile = content->facts.storedCount};
}

std::optional<strata_type> matrixMarketValueType(const InputFile &file) {
  TextReader reader(file);
  Result<MatrixMarketHeader> header = readMatrixMarketHeader(reader);
  if (!header)
    return std::nullopt;
  return header->facts.field == MatrixMarketFacts::Field::complex ? STRATA_C128 : STRATA_F64;
}

Status writeMatrixMarketFile(const std::string &path, const Coordinates &list,
                             const Progress &progress) {
  return writeMatrixMarket(path, list, {.progress = progress});
}

Status writeMatrixMarketDense(const std::string &path, const DenseValues &values,
                              const Progress &progress) {
  return writeMatrixMarketArray(path, values, {.progress = progress});
}

//===------------------------------------------------------------------------------------------===//
// FROSTT
//===------------------------------------------------------------------------------------------===//

constexpr Endings frosttEndings = {".tns"};

Result<TensorFileContent> readFrosttFile(const InputFile &file, const TensorFileOptions &options) {
  Result<Coordinates> list =
      readFrostt(file, {.valueType = options.valueType, .progress = options.progress});
  if (!list)
    return list.takeStatus();
  return TensorFileContent{.list = std::move(*list)};
}

Status writeFrosttFile(const std::string &path, const Coordinates &list, const Progress &progress) {
  return writeFrostt(path, list, {.progress = progress});
}

//===------------------------------------------------------------------------------------------===//
// The table
//===------------------------------------------------------------------------------------------===//

constexpr FileFormat table[] = {
    {.name = "Matrix Market",
     .endings = matrixMarketEndings,
     .recognizes = looksLikeMatrixMarket,
     .read = readMatrixMarketFile,
     .valueType = matrixMarketValueType,
     .write = writeMatrixMarketFile,
     .writeDense = writeMatrixMarketDense},
    {.name = "FROSTT", .endings = frosttEndings, .read = readFrosttFile, .write = writeFrosttFile},
};

/// The row of files without a mark.
constexpr const FileFormat &unmarked = table[1];

bool endsWith(std::string_view path, std::string_view ending) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  path = withoutCompressionEnding(path);
  return path.size() >= ending.size() &&
         std::ranges::equal(path.substr(path.size() - ending.size()), ending, {}, lower);
}

bool hasEnding(const FileFormat &format, std::string_view path) {
  return std::ranges::any_of(format.endings,
                             [&](std::string_view ending) { return endsWith(path, ending); });
}

} // namespace

std::span<const FileFormat> fileFormats() { return table; }

const FileFormat &formatOf(const InputFile &file) {
  for (const FileFormat &format : table)
    if (format.recognizes && format.recognizes(file.head()))
      return format;
  for (const FileFormat &format : table)
    if (format.read && hasEnding(format, file.name()))
      return format;
  return unmarked;
}

const FileFormat *formatForWriting(std::string_view path) {
  for (const FileFormat &format : table)
    if (format.write && hasEnding(format, path))
      return &format;
  return nullptr;
}

std::string writableEndings() {
  std::string text;
  for (const FileFormat &format : table)
    if (format.write)
      text += (text.empty() ? "'" : ", '") + std::string(format.endings.front()) + "'";
  return text;
}

} // namespace strata::runtime
