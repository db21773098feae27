// Opening, mapping and recognizing input files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/InputFile.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Compression.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strata::runtime {
namespace {

constexpr int64_t streamHead = int64_t{1} << 16; ///< read of a stream before it is examined
constexpr int64_t headBytes = 4096;

/// How much of a stream, which may never end, may lie in memory at once.
int64_t memoryForStreams() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? pages / 2 * sysconf(_SC_PAGESIZE) : int64_t{1} << 32;
}

/// Opens the file in a directory that describes what the directory holds; negative if there is
/// none.
int openDescription(int directory) {
  int opened = -1;
  for (const char *name : {"zarr.json", ".zgroup"})
    if (opened < 0)
      opened = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return opened;
}

/// The name of a compression that is recognized only to refuse it, or null.
const char *unknownCompression(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("BZh"sv) && bytes.size() > 9 && bytes.substr(4, 3) == "1AY"sv)
    return "bzip2";
  return bytes.starts_with("\xfd"
                           "7zXZ\0"sv)
             ? "xz"
             : nullptr;
}

} // namespace

InputFile::~InputFile() {
  if (reserved > 0)
    munmap(const_cast<char *>(start), static_cast<size_t>(reserved));
  if (descriptor >= 0)
    close(descriptor);
}

void InputFile::swap(InputFile &other) {
  std::swap(label, other.label);
  std::swap(selected, other.selected);
  std::swap(content, other.content);
  std::swap(reserved, other.reserved);
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  std::swap(descriptor, other.descriptor);
  std::swap(packing, other.packing);
  std::swap(beginning, other.beginning);
  std::swap(collected, other.collected);
}

Result<InputFile> InputFile::open(const std::string &name) {
  Result<SelectedFile> named = selectedFile(name);
  if (!named)
    return named.takeStatus();
  const std::string &path = named->file;
  const bool standard = isStandardStream(path);
  int opened = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                        : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0)
    return systemError("open", path);
  InputFile file;
  file.label = path == "-" ? "<stdin>" : path;
  file.selected = std::move(named->selection);
  struct stat facts;
  bool known = fstat(opened, &facts) == 0;
  if (known && S_ISDIR(facts.st_mode))
    if (const int inside = openDescription(opened); inside >= 0) {
      close(opened);
      opened = inside;
      known = fstat(opened, &facts) == 0;
    }
  file.descriptor = opened;
  Status outcome;
  if (!known)
    outcome = systemError("examine", path);
  else if (S_ISDIR(facts.st_mode))
    outcome =
        Error{Error::FileAccess, "this is a directory", "a file, or a store of Zarr", path, 0};
  else if (S_ISREG(facts.st_mode) && facts.st_size > 0 && lseek(opened, 0, SEEK_CUR) == 0) {
    outcome = file.map(opened, facts.st_size);
    file.descriptor = -1;
    close(opened);
  } else {
    outcome = file.readBeginning();
  }
  if (outcome.ok())
    outcome = file.examine();
  if (!outcome.ok())
    return outcome;
  return file;
}

Result<InputFile> InputFile::fromText(std::string name, std::string text) {
  InputFile file;
  file.label = std::move(name);
  file.content = std::move(text);
  if (Status fine = file.examine(); !fine.ok())
    return fine;
  return file;
}

Status InputFile::map(int from, int64_t size) {
  // The last page is filled up with zeros. Where there is nothing to fill, the page of zeros that
  // follows is reserved here and not covered by the file.
  const int64_t page = sysconf(_SC_PAGESIZE);
  const int64_t total = (size / page + 1) * page;
  void *space =
      mmap(nullptr, static_cast<size_t>(total), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (space == MAP_FAILED)
    return systemError("reserve memory to map", label);
  if (mmap(space, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE | MAP_FIXED, from, 0) ==
      MAP_FAILED) {
    Error failure = systemError("map", label);
    munmap(space, static_cast<size_t>(total));
    return failure;
  }
  (void)madvise(space, static_cast<size_t>(size), MADV_WILLNEED);
  start = static_cast<const char *>(space);
  bytes = size;
  reserved = total;
  return {};
}

Status InputFile::readBeginning() {
  content.resize(streamHead);
  int64_t size = 0;
  while (size < streamHead) {
    Result<int64_t> got = readOn(content.data() + size, streamHead - size);
    if (!got)
      return got.takeStatus();
    if (*got == 0)
      break;
    size += *got;
  }
  content.resize(static_cast<size_t>(size));
  return {};
}

Result<int64_t> InputFile::readOn(char *to, int64_t room) const {
  while (descriptor >= 0) {
    const ssize_t got = read(descriptor, to, static_cast<size_t>(room));
    if (got >= 0)
      return got;
    if (errno != EINTR)
      return systemError("read", label);
  }
  return 0;
}

Status InputFile::examine() {
  if (const char *name = unknownCompression(raw()))
    return errorAt(0, Error::UnsupportedFile,
                   std::string("files compressed by ") + name + " cannot be read",
                   "plain text, or compression by gzip or zstd");
  packing = compressionOf(raw());
  beginning = raw().substr(0, headBytes);
  if (packing == Compression::none)
    return {};
  // What is wrong with the compressed data is told when all of it is read.
  beginning.resize(headBytes);
  ByteReader reader(*this, ByteReader::Extent::raw);
  Result<int64_t> got = reader.fill(beginning.data(), headBytes);
  beginning.resize(got ? static_cast<size_t>(*got) : 0);
  return {};
}

Result<std::string_view> InputFile::whole(bool (*begins)(std::string_view head)) const {
  if (isInMemory())
    return raw();
  if (collected.count() > 0)
    return std::string_view(static_cast<const char *>(collected.data()),
                            static_cast<size_t>(collected.count()));
  if (!begins(head()))
    return errorAt(0, Error::FileKind, "the content does not begin as such a file does",
                   "another format");
  ByteReader reader(*this);
  Buffer all(STRATA_I8);
  const int64_t most = isMapped() ? INT64_MAX : memoryForStreams();
  int64_t size = 0;
  for (;;) {
    if (size > most)
      return errorAt(0, Error::MemoryLimit, "the stream has more than " + counted(most, "byte"),
                     "no more than half of this machine's memory, or a file");
    if (size == all.capacity())
      if (Status grown = all.resize(std::max<int64_t>(streamHead, 2 * size)); !grown.ok())
        return grown;
    const int64_t room = all.count() - size;
    Result<int64_t> got = reader.fill(static_cast<char *>(all.data()) + size, room);
    if (!got)
      return got.takeStatus();
    size += *got;
    if (*got < room)
      break;
  }
  if (Status trimmed = all.resize(size); !trimmed.ok())
    return trimmed;
  collected = std::move(all);
  return std::string_view(static_cast<const char *>(collected.data()), static_cast<size_t>(size));
}

} // namespace strata::runtime
