// The choice between the file formats.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

Result<TensorFileContent> readTensorFile(const std::string &path,
                                         const TensorFileOptions &options) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  if (path.ends_with(".mtx") || looksLikeMatrixMarket(*file)) {
    Result<MatrixMarketContent> content =
        readMatrixMarket(*file, {.valueType = options.valueType, .progress = options.progress});
    if (!content)
      return content.takeStatus();
    return TensorFileContent{std::move(content->list), std::move(content->facts)};
  }
  Result<Coordinates> list =
      readFrostt(*file, {.valueType = options.valueType, .progress = options.progress});
  if (!list)
    return list.takeStatus();
  return TensorFileContent{std::move(*list), std::nullopt};
}

Status writeTensorFile(const std::string &path, const Coordinates &list, const Progress &progress) {
  if (path.ends_with(".mtx"))
    return writeMatrixMarket(path, list, {.progress = progress});
  if (path.ends_with(".tns"))
    return writeFrostt(path, list, {.progress = progress});
  return Error{"the ending names no known format", "'.mtx' or '.tns'", path, 0};
}

} // namespace strata::runtime
