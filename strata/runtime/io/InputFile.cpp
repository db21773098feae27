// Opening, mapping and recognizing input files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/InputFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strata::runtime {
namespace {

Error systemError(const std::string &path, const char *what) {
  return {std::string("cannot ") + what + ": " + std::strerror(errno), "", path, 0};
}

/// The name of the compression that a file begins with, or null.
const char *compression(std::string_view text) {
  struct Magic {
    std::string_view bytes;
    const char *name;
  };
  static constexpr Magic known[] = {{"\x1f\x8b", "gzip"},
                                    {"BZh", "bzip2"},
                                    {"\xfd"
                                     "7zXZ",
                                     "xz"},
                                    {"\x28\xb5\x2f\xfd", "zstd"}};
  for (const Magic &magic : known)
    if (text.starts_with(magic.bytes))
      return magic.name;
  return nullptr;
}

} // namespace

InputFile::~InputFile() {
  if (reserved > 0)
    munmap(const_cast<char *>(start), static_cast<size_t>(reserved));
}

void InputFile::swap(InputFile &other) {
  std::swap(label, other.label);
  std::swap(content, other.content);
  std::swap(piped, other.piped);
  std::swap(reserved, other.reserved);
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  std::swap(ending, other.ending);
}

Result<InputFile> InputFile::open(const std::string &path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError(path, "open");
  InputFile file;
  file.label = path;
  struct stat facts;
  Status outcome;
  if (fstat(descriptor, &facts) != 0)
    outcome = systemError(path, "examine");
  else if (S_ISDIR(facts.st_mode))
    outcome = Error{"this is a directory", "a file", path, 0};
  else if (S_ISREG(facts.st_mode) && facts.st_size > 0)
    outcome = file.map(descriptor, facts.st_size);
  else
    outcome = file.readAll(descriptor);
  close(descriptor);
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

Status InputFile::map(int descriptor, int64_t size) {
  // The last page is filled up with zeros. Where there is nothing to fill, the page of zeros that
  // follows is reserved here and not covered by the file.
  const int64_t page = sysconf(_SC_PAGESIZE);
  const int64_t total = (size / page + 1) * page;
  void *space =
      mmap(nullptr, static_cast<size_t>(total), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (space == MAP_FAILED)
    return systemError(label, "reserve memory to map");
  if (mmap(space, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) ==
      MAP_FAILED) {
    Error failure = systemError(label, "map");
    munmap(space, static_cast<size_t>(total));
    return failure;
  }
  (void)madvise(space, static_cast<size_t>(size), MADV_WILLNEED);
  start = static_cast<const char *>(space);
  bytes = size;
  reserved = total;
  return {};
}

Status InputFile::readAll(int descriptor) {
  constexpr int64_t step = int64_t{1} << 16;
  piped = Buffer(STRATA_I8);
  for (;;) {
    if (piped.capacity() - bytes <= step)
      if (Status grown = piped.resize(2 * piped.capacity() + 2 * step); !grown.ok())
        return grown;
    char *free = static_cast<char *>(piped.data()) + bytes;
    const ssize_t got = read(descriptor, free, step);
    if (got < 0 && errno != EINTR)
      return systemError(label, "read");
    bytes += got > 0 ? got : 0;
    *(static_cast<char *>(piped.data()) + bytes) = 0;
    start = static_cast<const char *>(piped.data());
    if (got == 0)
      return {};
  }
}

Status InputFile::examine() {
  const std::string_view text(begin(), static_cast<size_t>(end() - begin()));
  if (const char *name = compression(text))
    return errorAt(0, std::string("compressed files are not read yet (this one is ") + name + ")",
                   "plain text");
  if (text.find('\n') == text.npos && text.find('\r') != text.npos)
    ending = '\r';
  return {};
}

} // namespace strata::runtime
