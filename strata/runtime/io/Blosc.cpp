// Decompressing chunks of Blosc: a header, where each block begins, and blocks of streams, one for
// each byte of the elements or one for all.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Blosc.h"

#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/Unshuffle.h"

#include <algorithm>
#include <bit>
#include <zlib.h>
#include <zstd.h>

namespace strata::runtime {
namespace {

constexpr int64_t headerBytes = 16;
constexpr int64_t bestRatio = 32768; ///< of zstd, which compresses best

Error damagedBlosc() { return {Error::Damaged, "the data of Blosc is damaged", "valid data"}; }

uint32_t numberAt(std::string_view bytes, size_t at) {
  return loadNumber<uint32_t>(bytes.data() + at, std::endian::native == std::endian::big);
}

/// Decompresses a block of LZ4: literals and copies of what was written, in turn.
class Lz4Block {
public:
  Lz4Block(std::string_view input, char *to, int64_t bytes) : rest(input), to(to), room(bytes) {}

  bool run() {
    while (!rest.empty()) {
      const auto token = static_cast<unsigned char>(take());
      int64_t literals = token >> 4;
      if (!extend(literals) || literals > static_cast<int64_t>(rest.size()) ||
          literals > room - written)
        return false;
      std::memcpy(to + written, rest.data(), static_cast<size_t>(literals));
      rest.remove_prefix(static_cast<size_t>(literals));
      written += literals;
      if (rest.empty()) // the last sequence has no copy
        break;
      if (!copy(token & 15))
        return false;
    }
    return written == room;
  }

private:
  char take() {
    const char first = rest.front();
    rest.remove_prefix(1);
    return first;
  }
  /// Adds the bytes that follow a length of 15.
  bool extend(int64_t &length) {
    if (length != 15)
      return true;
    for (unsigned char more = 255; more == 255;) {
      if (rest.empty())
        return false;
      more = static_cast<unsigned char>(take());
      length += more;
    }
    return true;
  }
  bool copy(int64_t length) {
    if (rest.size() < 2)
      return false;
    const auto low = static_cast<unsigned char>(take());
    const int64_t back = low | static_cast<unsigned char>(take()) << 8;
    constexpr int64_t least = 4;
    if (!extend(length) || back == 0 || back > written || length + least > room - written)
      return false;
    // What is copied may overlap what it is copied to.
    for (int64_t at = 0; at < length + least; ++at, ++written)
      to[written] = to[written - back];
    return true;
  }

  std::string_view rest;
  char *to;
  int64_t room, written = 0;
};

enum class Codec { blosclz, lz4, snappy, zlib, zstd };

class BloscChunk {
public:
  explicit BloscChunk(std::string_view chunk) : chunk(chunk) {}

  Result<Buffer> run() {
    if (Status fine = readHeader(); !fine.ok())
      return fine;
    Result<Buffer> made = Buffer::allocate(STRATA_I8, bytes);
    if (!made)
      return made;
    out = static_cast<char *>(made->data());
    if (isCopy) {
      std::memcpy(out, chunk.data() + headerBytes, static_cast<size_t>(bytes));
      return made;
    }
    scratch.resize(static_cast<size_t>(std::min(blockBytes, bytes)));
    for (int64_t block = 0; block * blockBytes < bytes; ++block)
      if (!readBlock(block))
        return damagedBlosc();
    return made;
  }

private:
  Status readHeader() {
    if (static_cast<int64_t>(chunk.size()) < headerBytes)
      return damagedBlosc();
    const auto flags = static_cast<unsigned char>(chunk[2]);
    width = std::max<int64_t>(static_cast<unsigned char>(chunk[3]), 1);
    bytes = numberAt(chunk, 4);
    blockBytes = numberAt(chunk, 8);
    const auto size = static_cast<int64_t>(chunk.size());
    isShuffled = (flags & 1) != 0 && width > 1;
    isCopy = (flags & 2) != 0;
    isSplit = (flags & 16) == 0;
    codec = static_cast<Codec>(flags >> 5);
    if (chunk[0] != 2 || numberAt(chunk, 12) != chunk.size() || bytes > bestRatio * size ||
        (bytes > 0 && blockBytes == 0) || (isCopy && bytes != size - headerBytes))
      return damagedBlosc();
    if (isCopy)
      return {};
    if ((flags & 4) != 0)
      return Error{Error::UnsupportedFile, "the data of Blosc has its bits shuffled",
                   "bytes that are shuffled or not"};
    if (codec != Codec::lz4 && codec != Codec::zlib && codec != Codec::zstd)
      return Error{Error::UnsupportedFile,
                   std::string("the data of Blosc is compressed by ") +
                       (codec == Codec::blosclz  ? "blosclz"
                        : codec == Codec::snappy ? "snappy"
                                                 : "an unknown codec"),
                   "lz4, zlib or zstd"};
    const int64_t blocks = blockBytes == 0 ? 0 : (bytes + blockBytes - 1) / blockBytes;
    return blocks > (size - headerBytes) / 4 ? Status(damagedBlosc()) : Status();
  }

  bool readBlock(int64_t block) {
    const int64_t first = block * blockBytes, count = std::min(blockBytes, bytes - first);
    const bool isWhole = count == blockBytes;
    const int64_t streams = isSplit && isWhole && blockBytes % width == 0 ? width : 1;
    size_t at = numberAt(chunk, static_cast<size_t>(headerBytes + 4 * block));
    char *to = isShuffled ? scratch.data() : out + first;
    for (int64_t stream = 0; stream < streams; ++stream) {
      if (at > chunk.size() || chunk.size() - at < 4)
        return false;
      const size_t packed = numberAt(chunk, at);
      at += 4;
      if (packed > chunk.size() - at ||
          !readStream(chunk.substr(at, packed), to + stream * (count / streams), count / streams))
        return false;
      at += packed;
    }
    if (isShuffled)
      takeShuffled(out + first, count);
    return true;
  }

  bool readStream(std::string_view input, char *to, int64_t count) const {
    if (static_cast<int64_t>(input.size()) == count) {
      std::memcpy(to, input.data(), input.size());
      return true;
    }
    if (codec == Codec::lz4)
      return Lz4Block(input, to, count).run();
    if (codec == Codec::zstd)
      return ZSTD_decompress(to, static_cast<size_t>(count), input.data(), input.size()) ==
             static_cast<size_t>(count);
    auto made = static_cast<uLongf>(count);
    return uncompress(reinterpret_cast<Bytef *>(to), &made,
                      reinterpret_cast<const Bytef *>(input.data()), input.size()) == Z_OK &&
           made == static_cast<uLongf>(count);
  }

  /// Takes elements out of the scratch memory; bytes that are left over stand behind them.
  void takeShuffled(char *to, int64_t count) const {
    const int64_t elements = count / width;
    unshuffle(scratch.data(), elements, width, elements, to);
    std::copy(scratch.begin() + elements * width, scratch.begin() + count, to + elements * width);
  }

  std::string_view chunk;
  int64_t width = 1, bytes = 0, blockBytes = 0;
  bool isShuffled = false, isCopy = false, isSplit = false;
  Codec codec = Codec::lz4;
  std::string scratch;
  char *out = nullptr;
};

} // namespace

Result<Buffer> decompressBlosc(std::string_view chunk) { return BloscChunk(chunk).run(); }

} // namespace strata::runtime
