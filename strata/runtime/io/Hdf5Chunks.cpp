// Decompressing chunk after chunk to its place in the array.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5Chunks.h"

#include "strata/runtime/Parallel.h"
#include "strata/runtime/io/Unshuffle.h"

#include <atomic>
#include <memory>
#include <new>
#include <zlib.h>

namespace strata::runtime {
namespace {

Error damagedChunk(const std::string &name) {
  return {Error::Damaged, "a compressed chunk of '" + name + "' is damaged"};
}

class ChunkedArray {
public:
  ChunkedArray(const Hdf5Record &record, const char *content, std::string_view file)
      : record(record), file(file) {
    if (record.bytes >= static_cast<int64_t>(sizeof layout)) {
      std::memcpy(&layout, content, sizeof layout);
      chunks.resize(static_cast<size_t>(record.bytes - static_cast<int64_t>(sizeof layout)) /
                    sizeof(Hdf5Chunk));
      std::memcpy(chunks.data(), content + sizeof layout, chunks.size() * sizeof(Hdf5Chunk));
    }
  }

  Result<FileArray> read() {
    if (!isSound())
      return damagedChunk(record.name);
    Result<Buffer> made = Buffer::allocate(STRATA_I8, record.count * width);
    if (!made)
      return made.takeStatus();
    auto owner = std::make_shared<Buffer>(std::move(*made));
    out = static_cast<char *>(owner->data());
    std::atomic<bool> fine = true, enough = true;
    inParts({0, static_cast<int64_t>(chunks.size()), 1}, [&](int64_t begin, int64_t end) {
      std::unique_ptr<char[]> packed; // a chunk, where it is not decompressed to its place
      for (int64_t at = begin; at < end && fine && enough; ++at) {
        if (!packed && needsRoom(at))
          packed.reset(new (std::nothrow) char[static_cast<size_t>(chunkBytes)]);
        if (!packed && needsRoom(at))
          enough = false;
        else if (!readChunk(at, packed.get()))
          fine = false;
      }
    });
    if (!enough)
      return outOfMemory("a chunk of an HDF5 file", chunkBytes);
    if (!fine)
      return damagedChunk(record.name);
    return FileArray{.name = record.name,
                     .type = static_cast<FileType>(record.type),
                     .elementBytes = width,
                     .sizes = {record.count},
                     .count = record.count,
                     .data = out,
                     .owner = std::move(owner)};
  }

private:
  bool isSound() {
    constexpr int64_t bestRatio = 1032;
    if (record.type < 0 || record.type > static_cast<int32_t>(FileType::complex128) ||
        record.count <= 0 || layout.elements <= 0 || layout.skipped < 0 ||
        layout.skipped >= layout.elements || layout.elements > INT64_MAX / 4 ||
        record.count > INT64_MAX / 4)
      return false;
    width = fileTypeBytes(static_cast<FileType>(record.type));
    const auto count = static_cast<int64_t>(chunks.size());
    const auto size = static_cast<int64_t>(file.size());
    if ((layout.skipped + record.count + layout.elements - 1) / layout.elements != count ||
        __builtin_mul_overflow(layout.elements, width, &chunkBytes))
      return false;
    int64_t left = size; // no byte of the file belongs to two chunks
    for (const Hdf5Chunk &chunk : chunks)
      if (chunk.start < 0 || chunk.bytes <= 0 || chunk.start > size ||
          chunk.bytes > size - chunk.start || chunkBytes / bestRatio > chunk.bytes ||
          (left -= chunk.bytes) < 0)
        return false;
    return true;
  }

  /// The place of a chunk's first element in the array, and of those that the array takes.
  struct Place {
    int64_t first, begin, end;
  };
  Place placeOf(int64_t number) const {
    const int64_t first = number * layout.elements - layout.skipped;
    return {first, std::max<int64_t>(first, 0), std::min(first + layout.elements, record.count)};
  }

  /// Tells whether a chunk is decompressed elsewhere than to its place.
  bool needsRoom(int64_t number) const {
    const Place place = placeOf(number);
    return place.end - place.begin != layout.elements ||
           chunks[static_cast<size_t>(number)].isShuffled;
  }

  /// Reads a chunk; `packed` is memory for one that needs it.
  bool readChunk(int64_t number, char *packed) const {
    const Hdf5Chunk &chunk = chunks[static_cast<size_t>(number)];
    const std::string_view stored =
        file.substr(static_cast<size_t>(chunk.start), static_cast<size_t>(chunk.bytes));
    const auto [first, begin, end] = placeOf(number);
    char *to = out + begin * width;
    if (!needsRoom(number))
      return unpack(stored, chunk.isPacked, to);
    if (!unpack(stored, chunk.isPacked, packed))
      return false;
    if (chunk.isShuffled)
      unshuffle(packed + (begin - first), layout.elements, width, end - begin, to);
    else
      std::memcpy(to, packed + (begin - first) * width, static_cast<size_t>((end - begin) * width));
    return true;
  }

  bool unpack(std::string_view stored, bool isPacked, char *to) const {
    if (!isPacked) {
      if (static_cast<int64_t>(stored.size()) != chunkBytes)
        return false;
      std::memcpy(to, stored.data(), stored.size());
      return true;
    }
    auto made = static_cast<uLongf>(chunkBytes);
    return uncompress(reinterpret_cast<Bytef *>(to), &made,
                      reinterpret_cast<const Bytef *>(stored.data()), stored.size()) == Z_OK &&
           static_cast<int64_t>(made) == chunkBytes;
  }

  const Hdf5Record &record;
  std::string_view file;
  Hdf5Chunks layout{};
  std::vector<Hdf5Chunk> chunks;
  int64_t width = 0, chunkBytes = 0; ///< chunkBytes: of each chunk, decompressed
  char *out = nullptr;
};

} // namespace

Result<FileArray> readHdf5Chunks(const Hdf5Record &record, const char *content,
                                 std::string_view file) {
  return ChunkedArray(record, content, file).read();
}

} // namespace strata::runtime
