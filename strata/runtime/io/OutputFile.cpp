// Writing files atomically, and numbers as text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/io/Unfinished.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace strata::runtime {

/// Why no file can be made at this path.
static Error cannotCreate(const std::string &path) {
  const int code = errno;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (code == ENOENT && !folder.empty() && !std::filesystem::exists(folder, ignored))
    return {Error::FileAccess, "the folder '" + folder.string() + "' does not exist", "", path, 0};
  errno = code;
  return systemError("create a file beside this one", path);
}

Result<OutputFile> OutputFile::create(const std::string &path, Order order) {
  OutputFile file;
  if (Status opened = file.open(path); !opened.ok())
    return opened;
  if (order == Order::forwards || (!file.temporary.empty() && file.packing == Compression::none))
    return file;
  OutputFile scratch;
  scratch.path = path;
  if (Status opened = scratch.openScratch(); !opened.ok())
    return opened;
  scratch.target = std::make_unique<OutputFile>(std::move(file));
  return scratch;
}

bool OutputFile::canBeShared(const std::string &path) {
  struct stat facts;
  return !isStandardStream(path) && compressionForName(path) == Compression::none &&
         (stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode));
}

Result<OutputFile> OutputFile::join(const std::string &placeholder, const std::string &path) {
  OutputFile file;
  file.path = path;
  file.isJoined = true;
  file.descriptor = ::open(placeholder.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.descriptor < 0)
    return systemError("open", path);
  return file;
}

Status OutputFile::open(const std::string &name) {
  path = name;
  packing = compressionForName(name);
  if (isStandardStream(name)) {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    return descriptor < 0 ? Status(systemError("open", name)) : Status();
  }
  if (char *resolved = realpath(name.c_str(), nullptr)) { // a link stays one
    path = resolved;
    std::free(resolved);
  }
  struct stat facts;
  const bool exists = stat(path.c_str(), &facts) == 0;
  if (exists && S_ISDIR(facts.st_mode))
    return Error{Error::FileAccess, "this is a directory", "the name of a file", name, 0};
  if (exists && !S_ISREG(facts.st_mode)) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return descriptor < 0 ? Status(systemError("open", name)) : Status();
  }
  if (exists && access(path.c_str(), W_OK) != 0)
    return systemError("write", name);
  const UnfinishedHold hold = holdUnfinished();
  std::string beside;
  do { // what a process of the same number has left behind may have that name
    beside = unfinishedName(path);
    descriptor = ::open(beside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                        exists ? facts.st_mode & 0777 : 0666);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0)
    return cannotCreate(name);
  noteUnfinished(beside);
  if (exists) // what the umask has taken away; where that fails, the file is still the writer's
    fchmod(descriptor, facts.st_mode & 0777);
  temporary = std::move(beside);
  return {};
}

Status OutputFile::openScratch() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  std::string name = (failed ? "/tmp" : folder) / "strata-XXXXXX";
  const UnfinishedHold hold = holdUnfinished();
  descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0)
    return systemError("create a temporary file", name);
  noteUnfinished(name);
  temporary = std::move(name);
  return {};
}

Status OutputFile::copyScratch() {
  std::string text(size_t{1} << 20, '\0');
  for (off_t at = 0;;) {
    const ssize_t got = pread(descriptor, text.data(), text.size(), at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("read", temporary);
    if (got == 0)
      return target->commit();
    at += got;
    if (Status written = target->write({text.data(), static_cast<size_t>(got)}); !written.ok())
      return written;
  }
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      descriptor(other.descriptor), isJoined(other.isJoined), packing(other.packing),
      target(std::move(other.target)) {
  other.descriptor = -1;
  other.temporary.clear();
}

void OutputFile::discard() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty()) {
    unlink(temporary.c_str());
    forgetUnfinished(temporary);
  }
  descriptor = -1;
  temporary.clear();
}

Status OutputFile::write(std::string_view text) {
  if (packing == Compression::none)
    return writeBytes(text);
  // A member or frame each, so that memory does not go with the text.
  constexpr size_t pieceBytes = size_t{4} << 20;
  for (std::string piece; !text.empty(); text.remove_prefix(std::min(pieceBytes, text.size()))) {
    piece = text.substr(0, pieceBytes);
    if (Status done = compress(packing, piece); !done.ok())
      return done;
    if (Status written = writeBytes(piece); !written.ok())
      return written;
  }
  return {};
}

Status OutputFile::writeBytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      Error failure = systemError("write", path);
      discard();
      return failure;
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status OutputFile::writeAt(int64_t offset, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = pwrite(descriptor, text.data(), text.size(), offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("write", path);
    text.remove_prefix(static_cast<size_t>(written));
    offset += written;
  }
  return {};
}

Status OutputFile::commit() {
  if (target) {
    Status copied = copyScratch();
    discard();
    return copied;
  }
  // A crash of the machine must not leave the new name with nothing behind it.
  Status outcome;
  if ((!temporary.empty() || isJoined) && fsync(descriptor) != 0)
    outcome = systemError("write", path);
  if (close(descriptor) != 0 && outcome.ok())
    outcome = systemError("write", path);
  descriptor = -1;
  if (outcome.ok() && !temporary.empty() && rename(temporary.c_str(), path.c_str()) != 0)
    outcome = systemError("replace", path);
  if (outcome.ok() && !temporary.empty()) {
    forgetUnfinished(temporary);
    temporary.clear();
  }
  discard();
  return outcome;
}

Status OutputFile::writeItems(int64_t items, const ItemText &format,
                              const std::function<void(double)> &progress) {
  constexpr int64_t perText = 1 << 14;
  std::vector<std::string> texts(static_cast<size_t>(4 * threadCount()));
  std::vector<Status> outcomes(texts.size());
  const int64_t perRound = perText * static_cast<int64_t>(texts.size());
  for (int64_t first = 0; first < items; first += perRound) {
    parallelFor(size_t{0}, texts.size(), [&](size_t t) {
      const int64_t begin = first + static_cast<int64_t>(t) * perText;
      texts[t].clear();
      if (begin < items)
        format(texts[t], begin, std::min(items, begin + perText));
      outcomes[t] = compress(packing, texts[t]);
    });
    for (size_t t = 0; t < texts.size(); ++t) {
      if (!outcomes[t].ok())
        return std::move(outcomes[t]);
      if (Status written = writeBytes(texts[t]); !written.ok())
        return written;
    }
    if (progress)
      progress(static_cast<double>(std::min(items, first + perRound)) / static_cast<double>(items));
  }
  return {};
}

Status writeFile(const std::string &path, std::string_view header, int64_t items,
                 const ItemText &format, const std::function<void(double)> &progress) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  if (Status written = file->write(header); !written.ok())
    return written;
  if (Status written = file->writeItems(items, format, progress); !written.ok())
    return written;
  return file->commit();
}

template <typename T> static void append(std::string &text, T number) {
  char digits[40];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void appendNumber(std::string &text, int64_t number) { append(text, number); }
void appendNumber(std::string &text, int32_t number) { append(text, number); }

void appendNumber(std::string &text, uint64_t number) { append(text, number); }
void appendNumber(std::string &text, uint32_t number) { append(text, number); }

void appendNumber(std::string &text, double number) {
  // The sign of a NaN means nothing, and not every reader takes it.
  std::isnan(number) ? void(text += "nan") : append(text, number);
}

void appendNumber(std::string &text, float number) {
  std::isnan(number) ? void(text += "nan") : append(text, number);
}

// With as few digits as tell it from its neighbours.
template <typename Half> static void appendHalf(std::string &text, Half number) {
  const float value = number;
  if (!std::isfinite(value))
    return appendNumber(text, value);
  char digits[40], *end = digits;
  float read = NAN;
  for (int precision = 1; precision < 6 && static_cast<float>(Half(read)) != value; ++precision) {
    end =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, precision)
            .ptr;
    std::from_chars(digits, end, read);
  }
  text.append(digits, end);
}

void appendNumber(std::string &text, Float16 number) { appendHalf(text, number); }
void appendNumber(std::string &text, BFloat16 number) { appendHalf(text, number); }

void appendNumber(std::string &text, std::complex<float> number) {
  appendNumber(text, number.real());
  text += ' ';
  appendNumber(text, number.imag());
}

void appendNumber(std::string &text, std::complex<double> number) {
  appendNumber(text, number.real());
  text += ' ';
  appendNumber(text, number.imag());
}

} // namespace strata::runtime
