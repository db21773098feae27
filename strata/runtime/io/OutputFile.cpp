// Writing files atomically, and numbers as text.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/OutputFile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>
#include <vector>

namespace strata::runtime {

static Error systemError(const std::string &path, const char *what) {
  return {std::string("cannot ") + what + ": " + std::strerror(errno), "", path, 0};
}

/// A name beside `path` that no other writer of this or another process uses.
static std::string temporaryName(const std::string &path) {
  static std::atomic<int64_t> serial = 0;
  return path + ".part-" + std::to_string(getpid()) + "-" + std::to_string(serial++);
}

Result<OutputFile> OutputFile::create(const std::string &path) {
  OutputFile file;
  file.path = path;
  file.packing = compressionForName(path);
  if (char *resolved = realpath(path.c_str(), nullptr)) { // a link stays one
    file.path = resolved;
    std::free(resolved);
  }
  struct stat facts;
  const bool exists = stat(file.path.c_str(), &facts) == 0;
  if (exists && S_ISDIR(facts.st_mode))
    return Error{"this is a directory", "the name of a file", path, 0};
  if (exists && !S_ISREG(facts.st_mode)) {
    file.descriptor = ::open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.descriptor < 0)
      return systemError(path, "open");
    return file;
  }
  if (exists && access(file.path.c_str(), W_OK) != 0)
    return systemError(path, "write");
  file.temporary = temporaryName(file.path);
  file.descriptor = ::open(file.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           exists ? facts.st_mode & 0777 : 0666);
  if (file.descriptor < 0) {
    Error failure = systemError(path, "create a file beside this one");
    file.temporary.clear();
    return failure;
  }
  return file;
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      descriptor(other.descriptor), packing(other.packing) {
  other.descriptor = -1;
  other.temporary.clear();
}

void OutputFile::discard() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
  descriptor = -1;
  temporary.clear();
}

Status OutputFile::write(std::string_view text) {
  if (packing == Compression::none)
    return writeBytes(text);
  std::string packed(text);
  if (Status done = compress(packing, packed); !done.ok())
    return done;
  return writeBytes(packed);
}

Status OutputFile::writeBytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      Error failure = systemError(path, "write");
      discard();
      return failure;
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status OutputFile::commit() {
  // A crash of the machine must not leave the new name with nothing behind it.
  Status outcome;
  if (!temporary.empty() && fsync(descriptor) != 0)
    outcome = systemError(path, "write");
  if (close(descriptor) != 0 && outcome.ok())
    outcome = systemError(path, "write");
  descriptor = -1;
  if (outcome.ok() && !temporary.empty() && rename(temporary.c_str(), path.c_str()) != 0)
    outcome = systemError(path, "replace");
  if (outcome.ok())
    temporary.clear();
  discard();
  return outcome;
}

Status
OutputFile::writeItems(int64_t items,
                       const std::function<void(std::string &, int64_t begin, int64_t end)> &format,
                       const std::function<void(double)> &progress) {
  constexpr int64_t perText = 1 << 14;
  std::vector<std::string> texts(static_cast<size_t>(4 * tbb::this_task_arena::max_concurrency()));
  std::vector<Status> outcomes(texts.size());
  const int64_t perRound = perText * static_cast<int64_t>(texts.size());
  for (int64_t first = 0; first < items; first += perRound) {
    tbb::parallel_for(size_t{0}, texts.size(), [&](size_t t) {
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
