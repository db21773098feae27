// PNG: a signature and three chunks, the second of which is the pixels, compressed by zlib.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/PngWriter.h"
#include "strata/runtime/InternalError.h"
#include "strata/runtime/io/OutputFile.h"

#include <vector>
#include <zlib.h>

namespace strata::runtime {
namespace {

void appendBigEndian(std::string &text, uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8)
    text += static_cast<char>(number >> shift & 0xff);
}

/// The length, the name, the data, and the check sum of name and data.
std::string chunk(std::string_view name, std::string_view data) {
  std::string text;
  appendBigEndian(text, static_cast<uint32_t>(data.size()));
  text.append(name).append(data);
  const auto *checked = reinterpret_cast<const Bytef *>(text.data()) + 4;
  appendBigEndian(text, static_cast<uint32_t>(crc32_z(0, checked, text.size() - 4)));
  return text;
}

std::string header(int64_t width, int64_t height) {
  constexpr char bits = 8, grey = 0, deflated = 0, filtered = 0, notInterlaced = 0;
  std::string text;
  appendBigEndian(text, static_cast<uint32_t>(width));
  appendBigEndian(text, static_cast<uint32_t>(height));
  return text.append({bits, grey, deflated, filtered, notInterlaced});
}

/// Each row begins with the number of its filter, 0: the pixels stand as they are.
Result<std::string> compressed(std::span<const uint8_t> pixels, int64_t width) {
  std::string rows;
  rows.reserve(pixels.size() + pixels.size() / static_cast<size_t>(width));
  for (; !pixels.empty(); pixels = pixels.subspan(static_cast<size_t>(width))) {
    rows += '\0';
    rows.append(reinterpret_cast<const char *>(pixels.data()), static_cast<size_t>(width));
  }
  uLongf size = compressBound(rows.size());
  std::string text(size, '\0');
  if (::compress(reinterpret_cast<Bytef *>(text.data()), &size,
                 reinterpret_cast<const Bytef *>(rows.data()), rows.size()) != Z_OK)
    return outOfMemory("a picture", static_cast<int64_t>(size));
  text.resize(size);
  return text;
}

} // namespace

Status writePng(const std::string &path, std::span<const uint8_t> pixels, int64_t width,
                int64_t height) {
  if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX ||
      pixels.size() != static_cast<size_t>(width * height))
    return internalError("the pixels of a picture do not fit its size");
  Result<std::string> data = compressed(pixels, width);
  if (!data)
    return data.takeStatus();
  if (data->size() > INT32_MAX)
    return Error{Error::NotInSuchFiles, "the picture is too large for a PNG file", "a smaller one",
                 path, 0};
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
  for (const std::string &part : {std::string(signature), chunk("IHDR", header(width, height)),
                                  chunk("IDAT", *data), chunk("IEND", "")})
    if (Status written = file->write(part); !written.ok())
      return written;
  return file->commit();
}

} // namespace strata::runtime
