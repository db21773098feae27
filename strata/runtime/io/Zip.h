// Zip archives, as `.npz` files are, read and written by libarchive: members found through the
// central directory, plain or compressed, also with 64-bit sizes.
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
  int64_t number; ///< among the members, in the order of the archive
  int64_t bytes;  ///< of the content, as the archive says
};

/// The content of a member: bytes of the archive, or of `owner`.
struct ZipContent {
  std::string_view bytes;
  std::shared_ptr<const void> owner = nullptr;
};

bool looksLikeZip(std::string_view bytes);

/// The members of an archive. Nothing is unpacked yet.
Result<std::vector<ZipMember>> readZipDirectory(std::string_view archive);

/// Unpacks a member and compares its checksum; what is not compressed stays where it is in the
/// archive. Memory is in proportion to what is unpacked, whatever the archive says.
Result<ZipContent> readZipMember(std::string_view archive, const ZipMember &member);

/// The first bytes of a member, as far as they can be unpacked.
std::string readZipHead(std::string_view archive, const ZipMember &member, size_t bytes);

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
