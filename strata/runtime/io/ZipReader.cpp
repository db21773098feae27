// Finding and unpacking the members of zip archives.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <zlib.h>

namespace strata::runtime {
namespace {

constexpr uint32_t memberMark = 0x04034b50, directoryMark = 0x02014b50, endMark = 0x06054b50,
                   end64Mark = 0x06064b50, locator64Mark = 0x07064b50;

/// Little-endian numbers of an archive; 0 beyond its end, which `fits` tells.
struct Bytes {
  std::string_view all;

  bool fits(uint64_t at, uint64_t count) const {
    return at <= all.size() && count <= all.size() - at;
  }
  uint64_t number(uint64_t at, int bytes) const {
    uint64_t value = 0;
    for (int b = 0; b < bytes && fits(at, static_cast<uint64_t>(b) + 1); ++b)
      value |= uint64_t{static_cast<unsigned char>(all[at + static_cast<uint64_t>(b)])} << (8 * b);
    return value;
  }
};

Error broken(const char *what) { return {std::string("the archive is damaged: ") + what}; }

struct Directory {
  uint64_t entries, offset;
};

/// The record at the end that says where the directory is: it may be followed by a comment.
Result<Directory> findDirectory(const Bytes &archive) {
  constexpr uint64_t length = 22, longestComment = 65535;
  if (archive.all.size() < length)
    return broken("it ends before its directory");
  uint64_t at = archive.all.size() - length;
  const uint64_t least = at > longestComment ? at - longestComment : 0;
  while (archive.number(at, 4) != endMark) {
    if (at == least)
      return broken("it has no directory; was it cut off?");
    --at;
  }
  Directory found{archive.number(at + 10, 2), archive.number(at + 16, 4)};
  if ((found.entries == 0xffff || found.offset == 0xffffffff) && at >= 20 &&
      archive.number(at - 20, 4) == locator64Mark) {
    const uint64_t record = archive.number(at - 12, 8);
    if (!archive.fits(record, 56) || archive.number(record, 4) != end64Mark)
      return broken("its 64-bit directory is not where it should be");
    found = {archive.number(record + 32, 8), archive.number(record + 48, 8)};
  }
  return found;
}

/// Replaces sizes and offset by those of 64 bits, which stand in an extra field.
void readExtra64(const Bytes &archive, uint64_t at, uint64_t end, uint64_t &bytes, uint64_t &packed,
                 uint64_t &offset) {
  while (at + 4 <= end) {
    const uint64_t kind = archive.number(at, 2), length = archive.number(at + 2, 2);
    uint64_t field = at + 4;
    at = field + length;
    if (kind != 1)
      continue;
    for (uint64_t *value : {&bytes, &packed, &offset})
      if (*value == 0xffffffff && field + 8 <= std::min(at, end)) {
        *value = archive.number(field, 8);
        field += 8;
      }
  }
}

/// The packed bytes of a member, which follow a header of its own.
Result<std::string_view> packedBytes(const Bytes &archive, uint64_t offset, uint64_t packed) {
  if (!archive.fits(offset, 30) || archive.number(offset, 4) != memberMark)
    return broken("a member is not where the directory says");
  const uint64_t start =
      offset + 30 + archive.number(offset + 26, 2) + archive.number(offset + 28, 2);
  if (!archive.fits(start, packed))
    return broken("a member ends behind the end of the file");
  return archive.all.substr(start, packed);
}

} // namespace

bool looksLikeZip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

Result<std::vector<ZipMember>> readZipDirectory(std::string_view bytes) {
  const Bytes archive{bytes};
  Result<Directory> directory = findDirectory(archive);
  if (!directory)
    return directory.takeStatus();
  std::vector<ZipMember> members;
  uint64_t at = directory->offset;
  for (uint64_t entry = 0; entry < directory->entries; ++entry) {
    if (!archive.fits(at, 46) || archive.number(at, 4) != directoryMark)
      return broken("its directory ends too early");
    const uint64_t flags = archive.number(at + 8, 2), method = archive.number(at + 10, 2);
    const uint64_t nameLength = archive.number(at + 28, 2),
                   extraLength = archive.number(at + 30, 2);
    uint64_t packed = archive.number(at + 20, 4), size = archive.number(at + 24, 4),
             offset = archive.number(at + 42, 4);
    if (!archive.fits(at + 46, nameLength + extraLength))
      return broken("its directory ends too early");
    ZipMember member{.name = std::string(bytes.substr(at + 46, nameLength)),
                     .deflated = method == 8,
                     .checksum = static_cast<uint32_t>(archive.number(at + 16, 4))};
    const std::string shown = quoted(member.name.data(), member.name.data() + member.name.size());
    if (flags & 1)
      return Error{"the member " + shown + " is encrypted"};
    if (method != 0 && method != 8)
      return Error{"the member " + shown + " is compressed by method " + std::to_string(method),
                   "none or deflation"};
    const uint64_t extra = at + 46 + nameLength;
    readExtra64(archive, extra, extra + extraLength, size, packed, offset);
    Result<std::string_view> content = packedBytes(archive, offset, packed);
    if (!content)
      return content.takeStatus();
    member.packed = *content;
    member.bytes = size;
    members.push_back(std::move(member));
    at = extra + extraLength + archive.number(at + 32, 2);
  }
  return members;
}

/// Inflates into a buffer of exactly the size that the archive says.
static Status inflateMember(const ZipMember &member, Buffer &content) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return outOfMemory("inflating", 0);
  const char *from = member.packed.data();
  auto *to = static_cast<unsigned char *>(content.data());
  uint64_t fromLeft = member.packed.size(), toLeft = member.bytes;
  int code = Z_OK;
  do {
    constexpr uint64_t step = 1 << 30;
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(from));
    stream.avail_in = static_cast<uInt>(std::min(fromLeft, step));
    stream.next_out = to;
    stream.avail_out = static_cast<uInt>(std::min(toLeft, step));
    const uInt in = stream.avail_in, out = stream.avail_out;
    code = inflate(&stream, Z_NO_FLUSH);
    from += in - stream.avail_in;
    fromLeft -= in - stream.avail_in;
    to += out - stream.avail_out;
    toLeft -= out - stream.avail_out;
  } while (code == Z_OK && (fromLeft > 0 || toLeft > 0));
  inflateEnd(&stream);
  if (code != Z_STREAM_END || toLeft > 0)
    return broken("a member cannot be inflated to the size that the directory says");
  return {};
}

std::string readZipHead(const ZipMember &member, size_t bytes) {
  if (!member.deflated)
    return std::string(member.packed.substr(0, bytes));
  std::string head(bytes, 0);
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return {};
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(member.packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(member.packed.size(), 1 << 20));
  stream.next_out = reinterpret_cast<Bytef *>(head.data());
  stream.avail_out = static_cast<uInt>(bytes);
  (void)inflate(&stream, Z_SYNC_FLUSH);
  head.resize(bytes - stream.avail_out);
  inflateEnd(&stream);
  return head;
}

Result<ZipContent> readZipMember(const ZipMember &member) {
  constexpr uint64_t bestRatio = 1032;
  ZipContent content;
  if (!member.deflated) {
    if (member.bytes != member.packed.size())
      return broken("a member's two sizes differ, though it is not compressed");
    content.bytes = member.packed;
  } else {
    if (member.bytes / bestRatio > member.packed.size() + 1)
      return broken("a member's size is more than its compressed bytes can hold");
    Result<Buffer> buffer = Buffer::allocate(STRATA_I8, static_cast<int64_t>(member.bytes));
    if (!buffer)
      return buffer.takeStatus();
    if (Status inflated = inflateMember(member, *buffer); !inflated.ok())
      return inflated;
    auto owner = std::make_shared<Buffer>(std::move(*buffer));
    content.bytes = {static_cast<const char *>(owner->data()), member.bytes};
    content.owner = owner;
  }
  const auto *data = reinterpret_cast<const Bytef *>(content.bytes.data());
  if (crc32_z(crc32_z(0, nullptr, 0), data, content.bytes.size()) != member.checksum)
    return broken("a member's checksum is wrong");
  return content;
}

} // namespace strata::runtime
