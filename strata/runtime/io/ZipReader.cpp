// Finding and unpacking the members of zip archives that lie in memory.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <minizip/unzip.h>
#include <zlib.h>

namespace strata::runtime {
namespace {

/// Bytes in memory as minizip's file.
struct MemoryFile {
  std::string_view bytes;
  uint64_t position = 0;

  static voidpf open(voidpf file, const void *, int) { return file; }
  static uLong read(voidpf, voidpf stream, void *to, uLong room) {
    auto &file = *static_cast<MemoryFile *>(stream);
    return file.bytes.substr(std::exchange(file.position, file.next(room)))
        .copy(static_cast<char *>(to), room);
  }
  static ZPOS64_T tell(voidpf, voidpf stream) {
    return static_cast<MemoryFile *>(stream)->position;
  }
  /// 0, or -1 for a place outside the bytes.
  static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
    auto &file = *static_cast<MemoryFile *>(stream);
    const uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                          : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.position
                                                             : file.bytes.size();
    uint64_t to;
    if (__builtin_add_overflow(from, offset, &to) || to > file.bytes.size())
      return -1;
    file.position = to;
    return 0;
  }
  static int close(voidpf, voidpf) { return 0; }
  static int failed(voidpf, voidpf) { return 0; }

private:
  uint64_t next(uint64_t room) const { return position + std::min(room, bytes.size() - position); }
};

Error broken(const char *what) { return {std::string("the archive is damaged: ") + what}; }

} // namespace

struct ZipReader::Archive {
  MemoryFile file;
  unzFile handle = nullptr;

  explicit Archive(std::string_view bytes) : file{bytes} {
    zlib_filefunc64_def functions = {.zopen64_file = MemoryFile::open,
                                     .zread_file = MemoryFile::read,
                                     .zwrite_file = nullptr,
                                     .ztell64_file = MemoryFile::tell,
                                     .zseek64_file = MemoryFile::seek,
                                     .zclose_file = MemoryFile::close,
                                     .zerror_file = MemoryFile::failed,
                                     .opaque = &file};
    handle = unzOpen2_64("", &functions);
  }
  Archive(const Archive &) = delete;
  ~Archive() {
    if (handle)
      unzClose(handle);
  }

  /// Where the packed bytes of the member at hand lie.
  Result<std::string_view> packed(uint64_t size) {
    int method, level;
    if (unzOpenCurrentFile2(handle, &method, &level, /*raw=*/1) != UNZ_OK)
      return broken("a member is not where the directory says");
    const uint64_t start = unzGetCurrentFileZStreamPos64(handle);
    unzCloseCurrentFile(handle);
    if (start > file.bytes.size() || size > file.bytes.size() - start)
      return broken("a member ends behind the end of the file");
    return file.bytes.substr(start, size);
  }

  Result<ZipMember> member() {
    unz_file_info64 facts;
    unz64_file_pos place;
    auto readEntry = [&](std::string &name) {
      return unzGetCurrentFileInfo64(handle, &facts, name.data(), name.size(), nullptr, 0, nullptr,
                                     0) == UNZ_OK;
    };
    std::string name;
    bool fine = readEntry(name) && unzGetFilePos64(handle, &place) == UNZ_OK;
    name.resize(fine ? facts.size_filename : 0);
    if (!fine || !readEntry(name))
      return broken("its directory ends too early");
    const std::string shown = quoted(name.data(), name.data() + name.size());
    if (facts.flag & 1)
      return Error{"the member " + shown + " is encrypted"};
    if (facts.compression_method != 0 && facts.compression_method != Z_DEFLATED)
      return Error{"the member " + shown + " is compressed by method " +
                       std::to_string(facts.compression_method),
                   "none or deflation"};
    Result<std::string_view> content = packed(facts.compressed_size);
    if (!content)
      return content.takeStatus();
    return ZipMember{.name = std::move(name),
                     .deflated = facts.compression_method == Z_DEFLATED,
                     .checksum = static_cast<uint32_t>(facts.crc),
                     .packed = *content,
                     .bytes = facts.uncompressed_size,
                     .entry = place.num_of_file,
                     .directory = place.pos_in_zip_directory};
  }

  /// Begins to unpack a member.
  bool enter(const ZipMember &member) {
    const unz64_file_pos place = {member.directory, member.entry};
    return unzGoToFilePos64(handle, &place) == UNZ_OK && unzOpenCurrentFile(handle) == UNZ_OK;
  }

  /// Unpacks what comes next; fewer bytes at the end or where the data is damaged.
  uint64_t unpack(char *to, uint64_t room) {
    uint64_t done = 0;
    while (done < room) {
      const auto step = static_cast<unsigned>(std::min<uint64_t>(room - done, 1 << 30));
      const int got = unzReadCurrentFile(handle, to + done, step);
      if (got <= 0)
        break;
      done += static_cast<uint64_t>(got);
    }
    return done;
  }
};

bool looksLikeZip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

Result<ZipReader> ZipReader::open(std::string_view bytes) {
  ZipReader reader(std::make_shared<Archive>(bytes));
  const unzFile handle = reader.archive->handle;
  unz_global_info64 facts;
  if (!handle || unzGetGlobalInfo64(handle, &facts) != UNZ_OK)
    return broken("it has no directory; was it cut off?");
  for (uint64_t entry = 0; entry < facts.number_entry; ++entry) {
    if ((entry == 0 ? unzGoToFirstFile(handle) : unzGoToNextFile(handle)) != UNZ_OK)
      return broken("its directory ends too early");
    Result<ZipMember> member = reader.archive->member();
    if (!member)
      return member.takeStatus();
    reader.list.push_back(std::move(*member));
  }
  return reader;
}

/// Inflates into a buffer of exactly the size that the archive says.
Status ZipReader::inflate(const ZipMember &member, Buffer &content) const {
  if (!archive->enter(member))
    return broken("a member is not where the directory says");
  const bool whole =
      archive->unpack(static_cast<char *>(content.data()), member.bytes) == member.bytes;
  const int closed = unzCloseCurrentFile(archive->handle);
  if (!whole)
    return broken("a member cannot be inflated to the size that the directory says");
  return closed == UNZ_OK ? Status() : broken("a member's checksum is wrong");
}

std::string ZipReader::head(const ZipMember &member, size_t bytes) const {
  if (!member.deflated)
    return std::string(member.packed.substr(0, bytes));
  std::string head(std::min<uint64_t>(bytes, member.bytes), '\0');
  head.resize(archive->enter(member) ? archive->unpack(head.data(), head.size()) : 0);
  unzCloseCurrentFile(archive->handle);
  return head;
}

Result<ZipContent> ZipReader::read(const ZipMember &member) const {
  if (!member.deflated) {
    if (member.bytes != member.packed.size())
      return broken("a member's two sizes differ, though it is not compressed");
    const auto *data = reinterpret_cast<const Bytef *>(member.packed.data());
    if (crc32_z(crc32_z(0, nullptr, 0), data, member.packed.size()) != member.checksum)
      return broken("a member's checksum is wrong");
    return ZipContent{member.packed};
  }
  constexpr uint64_t bestRatio = 1032;
  if (member.bytes / bestRatio > member.packed.size() + 1)
    return broken("a member's size is more than its compressed bytes can hold");
  Result<Buffer> buffer = Buffer::allocate(STRATA_I8, static_cast<int64_t>(member.bytes));
  if (!buffer)
    return buffer.takeStatus();
  if (Status inflated = inflate(member, *buffer); !inflated.ok())
    return inflated;
  auto owner = std::make_shared<Buffer>(std::move(*buffer));
  const std::string_view content(static_cast<const char *>(owner->data()), member.bytes);
  return ZipContent{content, owner};
}

} // namespace strata::runtime
