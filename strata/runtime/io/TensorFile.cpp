// Tensors in files: what the table of formats says is done.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/TensorFile.h"

#include "strata/runtime/io/FileFormats.h"

namespace strata::runtime {

Result<TensorFileContent> readTensorFile(const std::string &path,
                                         const TensorFileOptions &options) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  const FileFormat &format = formatOf(*file);
  Result<TensorFileContent> content = format.read(*file, options);
  if (content)
    content->format = format.name;
  return content;
}

Status writeTensorFile(const std::string &path, const Coordinates &list, const Progress &progress) {
  if (const FileFormat *format = formatForWriting(path))
    return format->write(path, list, progress);
  return Error{"the ending names no format that can be written", "one of " + writableEndings(),
               path, 0};
}

std::optional<Status> writeDenseTensorFile(const std::string &path, const DenseValues &values,
                                           const Progress &progress) {
  const FileFormat *format = formatForWriting(path);
  if (!format || !format->writeDense)
    return std::nullopt;
  return format->writeDense(path, values, progress);
}

std::optional<Status> writeLevelsFile(const std::string &path, const LevelArrays &arrays) {
  const FileFormat *format = formatForWriting(path);
  if (!format || !format->writeLevels)
    return std::nullopt;
  return format->writeLevels(path, arrays);
}

std::optional<strata_type> valueTypeOfFile(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return std::nullopt;
  const FileFormat &format = formatOf(*file);
  return format.valueType ? format.valueType(*file) : std::nullopt;
}

} // namespace strata::runtime
