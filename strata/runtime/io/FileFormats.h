// The table of file formats: how each is named, recognized, read and written.
//
// A new format is one row in FileFormats.cpp. Part of Strata, under the Apache License v2.0 with
// LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FILEFORMATS_H
#define STRATA_RUNTIME_IO_FILEFORMATS_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/LevelArrays.h"
#include "strata/runtime/io/TensorFile.h"

#include <string_view>

namespace strata::runtime {

/// One row. What a format cannot do is null.
struct FileFormat {
  std::string_view name; ///< as users know it: `Matrix Market`
  /// With the dot, in lower case; the first is the usual one. Several formats may share an ending:
  /// content decides when reading, the first row that can write when writing.
  std::span<const std::string_view> endings;
  /// Does the beginning of a file (InputFile::head) show this format? Must not mistake another.
  bool (*recognizes)(std::string_view head) = nullptr;
  bool isGuess = false; ///< files of others may begin so: the ending of a name counts more
  /// Its errors need not say which file they are about: call `read`.
  Result<TensorFileContent> (*reader)(const InputFile &file,
                                      const TensorFileOptions &options) = nullptr;
  /// The type in which the file holds its values, found without reading them all. Takes nothing
  /// from a stream that `read` could not have later.
  std::optional<strata_type> (*valueType)(const InputFile &file) = nullptr;
  /// The names of its tensors, of a file that may have several.
  Result<std::vector<std::string>> (*tensors)(const InputFile &file) = nullptr;
  /// What of a file's selection (FileSelection.h) it understands.
  bool selectsGroups = false, selectsRanges = false, selectsEdges = false;
  Status (*write)(const std::string &path, const Coordinates &list,
                  const WriteFileOptions &options) = nullptr;
  bool listsLines = false; ///< it writes a line for each entry, so that ranks can write together
  /// Writes a tensor that is worth `fill` where nothing is listed.
  Status (*writeFilled)(const std::string &path, const Coordinates &list,
                        std::complex<double> fill) = nullptr;
  /// Writes a tensor with all its places, without coordinates.
  Status (*writeDense)(const std::string &path, const DenseValues &values,
                       const WriteFileOptions &options) = nullptr;
  bool hasBfloat16 = false; ///< writeDense takes elements of this type
  bool writesNamed = false; ///< the name of the tensor to write may follow `::`
  /// Writes a stack of levels as it lies; nothing if the format has no such form for it.
  std::optional<Status> (*writeLevels)(const std::string &path,
                                       const LevelArrays &arrays) = nullptr;

  /// Reads a file of this format, which has a reader; an error says about which file it is.
  Result<TensorFileContent> read(const InputFile &file, const TensorFileOptions &options) const;
};

std::span<const FileFormat> fileFormats();

/// The format that the beginning of a file shows; null if it shows none.
const FileFormat *formatShownBy(std::string_view head);

/// The format of a file to read: by content, then by ending, then FROSTT, which has no mark.
const FileFormat &formatOf(const InputFile &file);

/// Refuses a selection that a format does not understand.
Status checkSelection(const FileSelection &selection, const FileFormat &format);

/// Is the name, without `.gz` and the like, one that files of this format have?
bool hasEnding(const FileFormat &format, std::string_view path);

/// The format to write under a name, by its ending; null if none can be written so.
const FileFormat *formatForWriting(std::string_view path);

/// The endings that can be written: `'.mtx', '.tns'`.
std::string writableEndings();

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FILEFORMATS_H
