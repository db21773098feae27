// Writing zip archives, member after member, then the directory.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <zlib.h>

namespace strata::runtime {
namespace {

/// Appends a number in little-endian order.
void put(std::string &record, uint64_t number, int bytes) {
  for (int b = 0; b < bytes; ++b)
    record += static_cast<char>(number >> (8 * b) & 255);
}

/// What the header of a member and its entry in the directory share, after the version made by.
void putShared(std::string &record, uint32_t checksum, uint64_t bytes, size_t nameLength,
               size_t extraLength, bool wide) {
  constexpr uint64_t midnight = 33 << 16; // the first of January 1980: files are reproducible
  put(record, wide ? 45 : 20, 2);         // the version needed
  put(record, 0, 4);                      // no flags, no compression
  put(record, midnight, 4);
  put(record, checksum, 4);
  const uint64_t shown = wide ? 0xffffffff : bytes;
  put(record, shown, 4);
  put(record, shown, 4);
  put(record, nameLength, 2);
  put(record, extraLength, 2);
}

/// The extra field of 64-bit sizes; the directory's has the offset, too.
std::string extra64(uint64_t bytes, std::optional<uint64_t> offset) {
  std::string field;
  put(field, 1, 2);
  put(field, offset ? 24 : 16, 2);
  put(field, bytes, 8);
  put(field, bytes, 8);
  if (offset)
    put(field, *offset, 8);
  return field;
}

constexpr uint64_t widest = 0xfffffffe;

} // namespace

Result<ZipWriter> ZipWriter::create(const std::string &path) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  return ZipWriter(std::move(*file));
}

Status ZipWriter::write(std::string_view bytes) {
  position += bytes.size();
  return file.write(bytes);
}

Status ZipWriter::add(const std::string &name, std::span<const std::string_view> pieces) {
  Written member{name, static_cast<uint32_t>(crc32_z(0, nullptr, 0)), 0, position};
  for (std::string_view piece : pieces) {
    member.checksum = static_cast<uint32_t>(
        crc32_z(member.checksum, reinterpret_cast<const Bytef *>(piece.data()), piece.size()));
    member.bytes += piece.size();
  }
  const bool wide = member.bytes > widest;
  const std::string extra = wide ? extra64(member.bytes, std::nullopt) : "";
  std::string header = "PK\x03\x04";
  putShared(header, member.checksum, member.bytes, name.size(), extra.size(), wide);
  if (Status written = write(header + name + extra); !written.ok())
    return written;
  for (std::string_view piece : pieces)
    if (Status written = write(piece); !written.ok())
      return written;
  members.push_back(std::move(member));
  return {};
}

Status ZipWriter::commit() {
  const uint64_t begin = position;
  for (const Written &member : members) {
    const bool wide = member.bytes > widest || member.offset > widest;
    const std::string extra = wide ? extra64(member.bytes, member.offset) : "";
    std::string entry = "PK\x01\x02";
    put(entry, wide ? 45 : 20, 2);
    putShared(entry, member.checksum, member.bytes, member.name.size(), extra.size(), wide);
    put(entry, 0, 6); // no comment, the first disk, no attributes
    put(entry, 0, 4);
    put(entry, wide ? 0xffffffff : member.offset, 4);
    if (Status written = write(entry + member.name + extra); !written.ok())
      return written;
  }
  const uint64_t end = position, count = members.size();
  const bool wide = end > widest || count > 0xfffe;
  std::string record;
  if (wide) {
    record += "PK\x06\x06";
    put(record, 44, 8);
    put(record, 45, 2);
    put(record, 45, 2);
    put(record, 0, 8);
    put(record, count, 8);
    put(record, count, 8);
    put(record, end - begin, 8);
    put(record, begin, 8);
    record += "PK\x06\x07";
    put(record, 0, 4);
    put(record, end, 8);
    put(record, 1, 4);
  }
  record += "PK\x05\x06";
  put(record, 0, 4);
  put(record, std::min<uint64_t>(count, 0xffff), 2);
  put(record, std::min<uint64_t>(count, 0xffff), 2);
  put(record, wide ? 0xffffffff : end - begin, 4);
  put(record, wide ? 0xffffffff : begin, 4);
  put(record, 0, 2);
  if (Status written = write(record); !written.ok())
    return written;
  return file.commit();
}

} // namespace strata::runtime
