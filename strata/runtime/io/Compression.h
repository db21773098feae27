// gzip and zstd: the bytes of a compressed file, and compressing what is written.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_COMPRESSION_H
#define STRATA_RUNTIME_IO_COMPRESSION_H

#include "strata/runtime/io/InputFile.h"

namespace strata::runtime {

/// By the first bytes of a file.
Compression compressionOf(std::string_view bytes);

/// Turns compressed bytes into plain ones, piece by piece.
class Decompressor {
public:
  struct Step {
    int64_t taken, made; ///< bytes of the input, and of the output
  };
  static Result<std::unique_ptr<Decompressor>> create(Compression kind);
  virtual ~Decompressor() = default;
  /// Decompresses as much of the input as fits. Goes on with the next member or frame after the
  /// end of one. The error says what is wrong with the data, without the file.
  virtual Result<Step> run(std::string_view input, char *to, int64_t room) = 0;
  /// May the input end here?
  virtual bool atBoundary() const = 0;
};

/// The bytes of a file from the first on, decompressed if need be.
class ByteReader {
public:
  /// `raw` stops at the end of InputFile::raw(), which takes nothing from a stream, and where the
  /// data is damaged.
  enum class Extent { all, raw };
  explicit ByteReader(const InputFile &file, Extent extent = Extent::all)
      : file(file), extent(extent), rest(file.raw()) {}

  /// Reads `room` bytes, or fewer if the end comes before.
  Result<int64_t> fill(char *to, int64_t room);
  /// How much of the file was read, from 0 to 1; 0 while that is unknown.
  double share() const;

private:
  Status refill();
  Result<int64_t> fillPlain(char *to, int64_t room);
  Result<int64_t> fillDecompressed(char *to, int64_t room);
  Error damaged(Error why) const;

  const InputFile &file;
  Extent extent;
  std::string_view rest; ///< read but not used
  int64_t used = 0;      ///< bytes of the file
  Buffer buffer;         ///< where the rest of a compressed stream lies
  std::unique_ptr<Decompressor> decompressor;
};

/// How a file of this name is written: by the endings `.gz`, `.zst` and `.zstd`.
Compression compressionForName(std::string_view path);
/// The name without such an ending.
std::string_view withoutCompressionEnding(std::string_view path);

/// Replaces a text by a compressed member or frame of its own; those of several texts, one behind
/// the other, are the compressed form of the joined texts.
Status compress(Compression kind, std::string &text);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_COMPRESSION_H
