// A file to read: mapped into memory, or a stream such as a pipe; plain or compressed.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_INPUTFILE_H
#define STRATA_RUNTIME_IO_INPUTFILE_H

#include "strata/runtime/io/FileSelection.h"
#include "strata/runtime/storage/Buffer.h"

#include <string>
#include <string_view>

namespace strata::runtime {

/// How the bytes of a file are compressed, as its first bytes show.
enum class Compression { none, gzip, zstd };

/// Does a name stand for standard input or output? So do `-`, and `-.mtx` with an ending that says
/// the format.
inline bool isStandardStream(std::string_view path) {
  return path == "-" || path.starts_with("-.");
}

/// A file that is open for reading, with the name that errors show. A mapped file must not shrink
/// while it is read; a stream can be read once.
class InputFile {
public:
  /// Maps a regular file; of a directory the file in it that describes a store of Zarr, under the
  /// directory's name; of anything else (a pipe, a terminal) only the beginning is read; `-` and
  /// `-.mtx` are standard input. Fails if it cannot be opened, is another directory, or is
  /// compressed in a way that is not known.
  /// What follows `::` in a name is kept as the selection.
  static Result<InputFile> open(const std::string &path);
  /// Bytes in memory, plain or compressed.
  static Result<InputFile> fromText(std::string name, std::string text);

  InputFile(InputFile &&other) noexcept { swap(other); }
  InputFile &operator=(InputFile &&other) noexcept {
    swap(other);
    return *this;
  }
  ~InputFile();

  const std::string &name() const { return label; }
  /// What of the file is meant.
  const FileSelection &selection() const { return selected; }
  Compression compression() const { return packing; }
  /// The beginning, decompressed: up to 4096 bytes to recognize a format by.
  std::string_view head() const { return beginning; }
  /// Is raw() the content? Then the byte behind it is readable and 0.
  bool isInMemory() const { return descriptor < 0 && packing == Compression::none; }
  /// The bytes as they lie in the file: all, or of a stream its beginning.
  std::string_view raw() const {
    return start ? std::string_view(start, static_cast<size_t>(bytes)) : std::string_view(content);
  }
  /// Is raw() all that there is?
  bool isMapped() const { return descriptor < 0; }
  /// Reads what follows raw() in a stream: at most `room` bytes, 0 at the end.
  Result<int64_t> readOn(char *to, int64_t room) const;

  /// All bytes, decompressed, for formats that cannot be read piece by piece; they live as long as
  /// the file. Memory is in proportion to them, unless they are mapped. What must be read for that
  /// is read only if `begins` accepts head(): a stream may never end.
  Result<std::string_view> whole(bool (*begins)(std::string_view head)) const;

  /// An error at a line of this file (0: at none).
  Error errorAt(int64_t line, Error::Code code, std::string message,
                std::string expected = {}) const {
    return {code, std::move(message), std::move(expected), label, line};
  }

  /// Says that a failure is about this file, unless it says about which.
  Status about(Status failed) const {
    if (failed.error().file.empty())
      failed.error().file = label;
    return failed;
  }

private:
  InputFile() = default;
  void swap(InputFile &other);
  Status map(int from, int64_t size);
  Status readBeginning();
  Status examine();

  std::string label;
  FileSelection selected;
  std::string content;         ///< a given text, or the beginning of a stream
  int64_t reserved = 0;        ///< or that many mapped bytes
  const char *start = nullptr; ///< of the latter
  int64_t bytes = 0;
  int descriptor = -1; ///< of a stream
  Compression packing = Compression::none;
  std::string beginning;
  mutable Buffer collected; ///< what whole() had to read
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_INPUTFILE_H
