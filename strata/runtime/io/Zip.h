// Zip archives, as `.npz` files are, read and written by minizip.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ZIP_H
#define STRATA_RUNTIME_IO_ZIP_H

#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/storage/Buffer.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata::runtime {

struct ZipMember {
  std::string name;
  bool deflated = false;
  uint32_t checksum = 0;        ///< CRC-32 of the content
  std::string_view packed = {}; ///< its bytes in the archive
  uint64_t bytes = 0;           ///< of the content, as the archive says
  uint64_t entry = 0;           ///< its number in the archive's directory,
  uint64_t directory = 0;       ///< and where its entry lies there
};

/// The content of a member: bytes of the archive, or of `owner`.
struct ZipContent {
  std::string_view bytes;
  std::shared_ptr<const void> owner = nullptr;
};

bool looksLikeZip(std::string_view bytes);

/// An archive whose bytes stay where they are; plain members are not copied.
class ZipReader {
public:
  /// Finds the members. Nothing is unpacked yet.
  static Result<ZipReader> open(std::string_view archive);

  const std::vector<ZipMember> &members() const { return list; }
  /// Unpacks a member and compares its checksum. Memory is in proportion to the packed bytes (at
  /// most 1032 times them, which is what deflation can reach), whatever the archive says.
  Result<ZipContent> read(const ZipMember &member) const;
  /// The first bytes of a member, as far as they can be unpacked.
  std::string head(const ZipMember &member, size_t bytes) const;

private:
  struct Archive;
  explicit ZipReader(std::shared_ptr<Archive> archive) : archive(std::move(archive)) {}
  Status inflate(const ZipMember &member, Buffer &content) const;

  std::shared_ptr<Archive> archive;
  std::vector<ZipMember> list;
};

/// Writes an archive of plain members, whose sizes have 64 bits where they need them.
class ZipWriter {
public:
  static Result<ZipWriter> create(const std::string &path);
  /// One member, given in pieces that are written one after the other.
  Status add(const std::string &name, std::span<const std::string_view> pieces);
  /// Writes the directory and makes the file appear.
  Status commit();

private:
  struct Archive;
  explicit ZipWriter(std::shared_ptr<Archive> archive) : archive(std::move(archive)) {}

  std::shared_ptr<Archive> archive;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ZIP_H
