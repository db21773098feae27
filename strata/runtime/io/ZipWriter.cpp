// Writing zip archives, member after member, then the directory.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <minizip/zip.h>

namespace strata::runtime {

/// An archive under way, as minizip's file: what goes wrong in writing is kept in `outcome`.
struct ZipWriter::Archive {
  OutputFile file;
  uint64_t position = 0, end = 0;
  Status outcome = {};
  zipFile handle = nullptr;

  explicit Archive(OutputFile output) : file(std::move(output)) {
    zlib_filefunc64_def functions = {.zopen64_file = open,
                                     .zread_file = nullptr,
                                     .zwrite_file = write,
                                     .ztell64_file = tell,
                                     .zseek64_file = seek,
                                     .zclose_file = close,
                                     .zerror_file = failed,
                                     .opaque = this};
    handle = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  }
  Archive(const Archive &) = delete;
  ~Archive() {
    if (handle)
      zipClose(handle, nullptr);
  }

  /// The outcome of a call of minizip.
  Status check(bool fine) {
    if (fine && outcome.ok())
      return {};
    return outcome.ok() ? Status(Error{"cannot write the archive"}) : std::move(outcome);
  }

private:
  static Archive &of(voidpf stream) { return *static_cast<Archive *>(stream); }
  static voidpf open(voidpf archive, const void *, int) { return archive; }
  static uLong write(voidpf, voidpf stream, const void *from, uLong size) {
    Archive &archive = of(stream);
    if (archive.outcome.ok())
      archive.outcome = archive.file.writeAt(static_cast<int64_t>(archive.position),
                                             {static_cast<const char *>(from), size});
    if (!archive.outcome.ok())
      return 0;
    archive.position += size;
    archive.end = std::max(archive.end, archive.position);
    return size;
  }
  static ZPOS64_T tell(voidpf, voidpf stream) { return of(stream).position; }
  static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
    Archive &archive = of(stream);
    archive.position = offset + (origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                                 : origin == ZLIB_FILEFUNC_SEEK_CUR ? archive.position
                                                                    : archive.end);
    return 0;
  }
  static int close(voidpf, voidpf) { return 0; }
  static int failed(voidpf, voidpf stream) { return of(stream).outcome.ok() ? 0 : 1; }
};

Result<ZipWriter> ZipWriter::create(const std::string &path) {
  Result<OutputFile> file = OutputFile::create(path, OutputFile::Order::any);
  if (!file)
    return file.takeStatus();
  auto archive = std::make_shared<Archive>(std::move(*file));
  if (!archive->handle)
    return outOfMemory("an archive", 0);
  return ZipWriter(std::move(archive));
}

Status ZipWriter::add(const std::string &name, std::span<const std::string_view> pieces) {
  constexpr uint64_t widest = 0xfffffffe, step = 1 << 30;
  uint64_t bytes = 0;
  for (std::string_view piece : pieces)
    bytes += piece.size();
  zip_fileinfo facts = {};
  facts.dosDate = 33 << 16; // the first of January 1980: files are reproducible
  bool fine = zipOpenNewFileInZip64(archive->handle, name.c_str(), &facts, nullptr, 0, nullptr, 0,
                                    nullptr, /*method=*/0, /*level=*/0, bytes > widest) == ZIP_OK;
  for (std::string_view piece : pieces)
    for (; fine && !piece.empty(); piece.remove_prefix(std::min(piece.size(), step)))
      fine = zipWriteInFileInZip(archive->handle, piece.data(),
                                 static_cast<unsigned>(std::min(piece.size(), step))) == ZIP_OK;
  fine = fine && zipCloseFileInZip(archive->handle) == ZIP_OK;
  return archive->check(fine);
}

Status ZipWriter::commit() {
  const bool fine = zipClose(std::exchange(archive->handle, nullptr), nullptr) == ZIP_OK;
  if (Status closed = archive->check(fine); !closed.ok())
    return closed;
  return archive->file.commit();
}

} // namespace strata::runtime
