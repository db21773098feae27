// Writing zip archives, member after member, then the directory.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>

namespace strata::runtime {

/// An archive under way: what goes wrong in writing its file is kept in `outcome`.
struct ZipWriter::Archive {
  OutputFile file;
  Status outcome = {};
  struct archive *handle = archive_write_new();

  explicit Archive(OutputFile output) : file(std::move(output)) {}
  Archive(const Archive &) = delete;
  ~Archive() { archive_write_free(handle); }

  Status open() {
    if (!handle)
      return outOfMemory("an archive", 0);
    archive_write_set_format_zip(handle);
    archive_write_zip_set_compression_store(handle);
    archive_write_set_bytes_per_block(handle, 0); // written at once, and not padded
    return check(archive_write_open(handle, this, nullptr, write, nullptr));
  }

  /// The outcome of a call of libarchive.
  Status check(int code) {
    if (code == ARCHIVE_OK && outcome.ok())
      return {};
    if (!outcome.ok())
      return std::move(outcome);
    const char *text = archive_error_string(handle);
    return Error{Error::FileAccess,
                 std::string("cannot write the archive") + (text ? ": " : "") + (text ? text : "")};
  }

private:
  static la_ssize_t write(struct archive *, void *data, const void *from, size_t bytes) {
    auto &self = *static_cast<Archive *>(data);
    if (self.outcome.ok())
      self.outcome = self.file.write({static_cast<const char *>(from), bytes});
    return self.outcome.ok() ? static_cast<la_ssize_t>(bytes) : -1;
  }
};

Result<ZipWriter> ZipWriter::create(const std::string &path) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  auto archive = std::make_shared<Archive>(std::move(*file));
  if (Status opened = archive->open(); !opened.ok())
    return opened;
  return ZipWriter(std::move(archive));
}

Status ZipWriter::add(const std::string &name, std::span<const std::string_view> pieces) {
  constexpr size_t step = size_t{1} << 30; // libarchive counts the bytes of a checksum in 32 bits
  int64_t bytes = 0;
  for (std::string_view piece : pieces)
    bytes += static_cast<int64_t>(piece.size());
  const std::unique_ptr<archive_entry, void (*)(archive_entry *)> entry(archive_entry_new(),
                                                                        archive_entry_free);
  if (!entry)
    return outOfMemory("a member of an archive", 0);
  // Without a time, so that files are reproducible.
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_size(entry.get(), bytes);
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  if (Status begun = archive->check(archive_write_header(archive->handle, entry.get()));
      !begun.ok())
    return begun;
  for (std::string_view piece : pieces)
    for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), step))) {
      const size_t count = std::min(piece.size(), step);
      const la_ssize_t written = archive_write_data(archive->handle, piece.data(), count);
      if (written != static_cast<la_ssize_t>(count))
        return archive->check(ARCHIVE_FATAL);
    }
  return archive->check(archive_write_finish_entry(archive->handle));
}

Status ZipWriter::commit() {
  if (Status closed = archive->check(archive_write_close(archive->handle)); !closed.ok())
    return closed;
  return archive->file.commit();
}

} // namespace strata::runtime
