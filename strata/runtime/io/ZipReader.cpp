// Finding and unpacking the members of zip archives.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/Zip.h"
#include "strata/runtime/storage/GrowingBuffer.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>

namespace strata::runtime {
namespace {

/// libarchive counts the bytes of a checksum in 32 bits.
constexpr size_t mostAtOnce = size_t{1} << 30;

/// An archive in memory, as libarchive walks it: member after member, and their blocks.
class Walk {
public:
  explicit Walk(std::string_view bytes) : source{bytes} {}
  Walk(const Walk &) = delete;
  ~Walk() { archive_read_free(handle); }

  Status open() {
    if (!handle)
      return outOfMemory("an archive", 0);
    archive_read_support_format_zip_seekable(handle);
    archive_read_set_callback_data(handle, &source);
    archive_read_set_read_callback(handle, read);
    archive_read_set_skip_callback(handle, skip);
    archive_read_set_seek_callback(handle, seek);
    if (archive_read_open1(handle) != ARCHIVE_OK)
      return Error{Error::CutOff, "the archive is damaged: it has no directory; was it cut off?"};
    return {};
  }

  /// Goes to the next member; null at the end.
  Result<archive_entry *> next() {
    archive_entry *entry = nullptr;
    const int code = archive_read_next_header(handle, &entry);
    if (code == ARCHIVE_EOF)
      return nullptr;
    if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
      return Error{Error::Damaged, "the archive is damaged: " + reason()};
    return entry;
  }

  /// Goes to a member of the directory.
  Status goTo(const ZipMember &member) {
    for (int64_t number = 0; number <= member.number; ++number) {
      Result<archive_entry *> entry = next();
      if (!entry)
        return entry.takeStatus();
      if (!*entry)
        return Error{Error::CutOff, "the archive is damaged: its directory ends too early"};
    }
    return {};
  }

  /// The next bytes of the member's content, valid until the next call; nothing at its end.
  Result<std::optional<std::string_view>> block(const ZipMember &member) {
    const void *data = nullptr;
    size_t bytes = 0;
    la_int64_t offset = 0;
    const int code = archive_read_data_block(handle, &data, &bytes, &offset);
    if (code == ARCHIVE_EOF)
      return std::optional<std::string_view>();
    if (code != ARCHIVE_OK) {
      const std::string &name = member.name;
      return Error{Error::Damaged,
                   "the member " + quoteToken(name) + " cannot be read: " + reason()};
    }
    return std::optional(std::string_view(static_cast<const char *>(data), bytes));
  }

private:
  struct Source {
    std::string_view bytes;
    size_t at = 0;

    la_int64_t moveTo(la_int64_t to) {
      at = std::min(static_cast<size_t>(std::max<la_int64_t>(to, 0)), bytes.size());
      return static_cast<la_int64_t>(at);
    }
  };
  static la_ssize_t read(archive *, void *data, const void **out) {
    auto &source = *static_cast<Source *>(data);
    const std::string_view next = source.bytes.substr(source.at, mostAtOnce);
    *out = next.data();
    source.at += next.size();
    return static_cast<la_ssize_t>(next.size());
  }
  static la_int64_t skip(archive *, void *data, la_int64_t bytes) {
    auto &source = *static_cast<Source *>(data);
    const auto before = static_cast<la_int64_t>(source.at);
    return source.moveTo(before + bytes) - before;
  }
  static la_int64_t seek(archive *, void *data, la_int64_t offset, int origin) {
    auto &source = *static_cast<Source *>(data);
    const size_t base = origin == SEEK_SET   ? 0
                        : origin == SEEK_CUR ? source.at
                                             : source.bytes.size();
    return source.moveTo(static_cast<la_int64_t>(base) + offset);
  }

  std::string reason() const {
    const char *text = archive_error_string(handle);
    return text ? text : "its members cannot be found";
  }

  Source source;
  archive *handle = archive_read_new();
};

bool liesIn(std::string_view part, std::string_view whole) {
  return std::less_equal<>()(whole.data(), part.data()) &&
         std::less_equal<>()(part.data() + part.size(), whole.data() + whole.size());
}

} // namespace

bool looksLikeZip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

Result<std::vector<ZipMember>> readZipDirectory(std::string_view archive) {
  Walk walk(archive);
  if (Status opened = walk.open(); !opened.ok())
    return opened;
  std::vector<ZipMember> members;
  for (int64_t number = 0;; ++number) {
    Result<archive_entry *> entry = walk.next();
    if (!entry)
      return entry.takeStatus();
    if (!*entry && members.empty())
      return Error{Error::Damaged, "the archive is damaged: its directory lists no members"};
    if (!*entry)
      return members;
    const char *path = archive_entry_pathname(*entry);
    const std::string name = path ? path : "";
    if (archive_entry_is_encrypted(*entry))
      return Error{Error::UnsupportedFile, "the member " + quoteToken(name) + " is encrypted"};
    members.push_back({name, number, archive_entry_size(*entry)});
  }
}

std::string readZipHead(std::string_view archive, const ZipMember &member, size_t bytes) {
  Walk walk(archive);
  std::string head;
  if (!walk.open().ok() || !walk.goTo(member).ok())
    return head;
  while (head.size() < bytes) {
    Result<std::optional<std::string_view>> block = walk.block(member);
    if (!block || !*block)
      break;
    head += (*block)->substr(0, bytes - head.size());
  }
  return head;
}

Result<ZipContent> readZipMember(std::string_view archive, const ZipMember &member) {
  Walk walk(archive);
  if (Status opened = walk.open(); !opened.ok())
    return opened;
  if (Status found = walk.goTo(member); !found.ok())
    return found;
  ZipContent content;
  GrowingBuffer<int8_t> unpacked(std::max<int64_t>(member.bytes, 0));
  for (;;) {
    Result<std::optional<std::string_view>> next = walk.block(member);
    if (!next)
      return next.takeStatus();
    if (!*next)
      break;
    const std::string_view block = **next;
    // What is not compressed stands in the archive as a whole. libarchive gives it in blocks, some
    // of which it copies.
    const bool extends = !content.bytes.empty();
    if (extends || (unpacked.count() == 0 && liesIn(block, archive)))
      content.bytes = {extends ? content.bytes.data() : block.data(),
                       content.bytes.size() + block.size()};
    else if (int8_t *to = unpacked.append(static_cast<int64_t>(block.size())))
      std::ranges::copy(block, to);
    else
      return unpacked.take().takeStatus();
  }
  if (!content.bytes.empty())
    return content;
  Result<Buffer> buffer = unpacked.take();
  if (!buffer)
    return buffer.takeStatus();
  auto owner = std::make_shared<Buffer>(std::move(*buffer));
  content.bytes = {static_cast<const char *>(owner->data()), static_cast<size_t>(owner->count())};
  content.owner = owner;
  return content;
}

} // namespace strata::runtime
