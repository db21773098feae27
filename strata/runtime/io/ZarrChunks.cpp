// Reading chunk after chunk: each is loaded, decompressed, and its part of the rows copied.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/ZarrChunks.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Blosc.h"
#include "strata/runtime/io/Compression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>

namespace strata::runtime {
namespace {

namespace fs = std::filesystem;

constexpr int64_t mostRepeated = int64_t{1} << 26; ///< bytes of chunks that are not there
constexpr int64_t bestRatio = 32768;               ///< of what compresses best

/// The bytes of one chunk.
struct Chunk {
  Buffer buffer{STRATA_I8};
  int64_t bytes = 0;
  const char *data() const { return static_cast<const char *>(buffer.data()); }
};

Result<Chunk> decompressed(const InputFile &file, int64_t most) {
  ByteReader reader(file);
  Chunk chunk;
  while (chunk.bytes < most) {
    const int64_t room = std::min(most - chunk.bytes, std::max<int64_t>(chunk.bytes, 1 << 18));
    if (Status grown = chunk.buffer.resize(chunk.bytes + room); !grown.ok())
      return grown;
    Result<int64_t> got = reader.fill(static_cast<char *>(chunk.buffer.data()) + chunk.bytes, room);
    if (!got)
      return got.takeStatus();
    chunk.bytes += *got;
    if (*got < room)
      break;
  }
  return chunk;
}

/// Loads a chunk: at most so many bytes.
Result<Chunk> load(const InputFile &file, ZarrCodec codec, int64_t most) {
  const std::string_view raw = file.raw();
  if (codec == ZarrCodec::blosc) {
    Result<Buffer> buffer = decompressBlosc(raw);
    if (!buffer)
      return file.errorAt(0, buffer.error().code, buffer.error().message, buffer.error().expected);
    const int64_t bytes = buffer->count();
    return Chunk{.buffer = std::move(*buffer), .bytes = bytes};
  }
  if (codec == ZarrCodec::none) {
    Chunk chunk{.bytes = static_cast<int64_t>(raw.size())};
    if (Status made = chunk.buffer.resize(chunk.bytes); !made.ok())
      return made;
    std::copy(raw.begin(), raw.end(), static_cast<char *>(chunk.buffer.data()));
    return chunk;
  }
  const Compression wanted = codec == ZarrCodec::gzip ? Compression::gzip : Compression::zstd;
  if (file.compression() != wanted)
    return file.errorAt(0, Error::Damaged,
                        "the chunk is not compressed as the metadata of its array says");
  return decompressed(file, most);
}

/// Opens a chunk, unless it is a pipe, from which nothing may ever come, or a device.
Result<InputFile> openChunk(const fs::path &path) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return Error{Error::Damaged, "the chunk is no file", "a file", path.string(), 0};
  return InputFile::open(path.string());
}

class ChunkReader {
public:
  ChunkReader(fs::path folder, const ZarrArray &array, IndexRange rows, int64_t &bytesRead)
      : folder(std::move(folder)), array(array), order(array.sizes.size()), bytesRead(bytesRead),
        width(fileTypeBytes(array.type)) {
    begin.assign(order, 0);
    end = array.sizes;
    if (order > 0) {
      const IndexRange range = rows.of(array.sizes[0]);
      begin[0] = range.begin;
      end[0] = range.end;
    }
  }

  Result<FileArray> read() {
    std::vector<int64_t> sizes(order), factors;
    for (size_t d = 0; d < order; ++d)
      sizes[d] = end[d] - begin[d];
    factors = sizes;
    factors.push_back(width);
    const std::optional<int64_t> bytes = productOf(factors);
    factors = array.chunks;
    factors.push_back(width);
    const std::optional<int64_t> perChunk = productOf(factors);
    const int64_t most = mostRepeated + bestRatio * bytesOfFolder();
    if (!bytes || !perChunk || *bytes > most)
      return Error{Error::Inconsistent,
                   "'" + name() + "' has more elements by its metadata than its chunks can hold",
                   "chunks of as many elements", folder.string(), 0};
    chunkBytes = *perChunk;
    Result<Buffer> made = Buffer::allocate(STRATA_I8, *bytes);
    if (!made)
      return made.takeStatus();
    out = static_cast<char *>(made->data());
    if (*bytes > 0)
      if (Status done = readAll(); !done.ok())
        return done;
    auto owner = std::make_shared<Buffer>(std::move(*made));
    const char *data = static_cast<const char *>(owner->data());
    return FileArray{.name = name(),
                     .type = array.type,
                     .elementBytes = width,
                     .swapped = array.bigEndian != (std::endian::native == std::endian::big),
                     .sizes = sizes,
                     .count = *bytes / width,
                     .data = data,
                     .owner = std::move(owner)};
  }

  Result<std::vector<std::string>> readTexts() {
    std::vector<std::string> texts;
    if (order != 1)
      return Error{Error::Order, "'" + name() + "' is not an array of one dimension", "",
                   folder.string(), 0};
    for (int64_t row = begin[0]; row < end[0];) {
      const int64_t number = row / array.chunks[0];
      const fs::path path = folder / array.chunkName(std::array{number});
      Result<InputFile> file = openChunk(path);
      if (!file)
        return file.takeStatus();
      bytesRead += static_cast<int64_t>(file->raw().size());
      Result<Chunk> chunk = load(*file, array.codec, INT64_MAX);
      if (!chunk)
        return chunk.takeStatus();
      const int64_t first = row - number * array.chunks[0];
      const int64_t last = std::min(end[0] - number * array.chunks[0], array.chunks[0]);
      if (!addTexts(*chunk, first, last, texts))
        return file->errorAt(0, Error::Count, "the chunk has fewer texts than its array needs");
      row = number * array.chunks[0] + last;
    }
    return texts;
  }

private:
  std::string name() const { return folder.filename().string(); }

  int64_t bytesOfFolder() const {
    int64_t bytes = 0;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder, failed), none; !failed && at != none;
         at.increment(failed)) {
      std::error_code ignored;
      if (const auto size = at->file_size(ignored); !ignored)
        bytes += static_cast<int64_t>(size);
    }
    return bytes;
  }

  /// Takes a number of texts, and each behind its length.
  static bool addTexts(const Chunk &chunk, int64_t first, int64_t last,
                       std::vector<std::string> &texts) {
    constexpr bool big = std::endian::native == std::endian::big;
    int64_t at = 4;
    if (chunk.bytes < at || loadNumber<uint32_t>(chunk.data(), big) < static_cast<uint64_t>(last))
      return false;
    for (int64_t number = 0; number < last; ++number) {
      if (chunk.bytes - at < 4)
        return false;
      const int64_t length = loadNumber<uint32_t>(chunk.data() + at, big);
      at += 4;
      if (length > chunk.bytes - at)
        return false;
      if (number >= first)
        texts.emplace_back(chunk.data() + at, static_cast<size_t>(length));
      at += length;
    }
    return true;
  }

  /// Goes through the chunks that have some of the elements, the last dimension fastest.
  Status readAll() {
    std::vector<int64_t> first(order), last(order);
    for (size_t d = 0; d < order; ++d) {
      first[d] = begin[d] / array.chunks[d];
      last[d] = (end[d] - 1) / array.chunks[d];
    }
    for (std::vector<int64_t> number = first;;) {
      if (Status done = readChunk(number); !done.ok())
        return done;
      size_t d = order;
      while (d > 0 && number[d - 1] == last[d - 1]) {
        --d;
        number[d] = first[d];
      }
      if (d == 0)
        return {};
      ++number[d - 1];
    }
  }

  Status readChunk(const std::vector<int64_t> &number) {
    const fs::path path = folder / array.chunkName(number);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      return repeatFill(number);
    Result<InputFile> file = openChunk(path);
    if (!file)
      return file.takeStatus();
    const auto bytes = static_cast<int64_t>(file->raw().size());
    bytesRead += bytes;
    if (array.codec == ZarrCodec::none && bytes != chunkBytes)
      return file->errorAt(0, Error::Count, "the chunk has " + counted(bytes, "byte"),
                           "as many as the metadata of its array says");
    Result<Chunk> chunk = load(*file, array.codec, chunkBytes);
    if (!chunk)
      return chunk.takeStatus();
    if (chunk->bytes < chunkBytes)
      return file->errorAt(0, Error::Count, "the chunk has fewer elements than its array needs");
    copyRows(number, chunk->data(), /*repeat=*/false);
    return {};
  }

  /// The first of the elements of a chunk that are asked for, and the end of these.
  int64_t lowOf(const std::vector<int64_t> &number, size_t d) const {
    return std::max(begin[d], number[d] * array.chunks[d]);
  }
  int64_t highOf(const std::vector<int64_t> &number, size_t d) const {
    const int64_t first = number[d] * array.chunks[d];
    return array.chunks[d] < end[d] - first ? first + array.chunks[d] : end[d];
  }

  Status repeatFill(const std::vector<int64_t> &number) {
    int64_t elements = 1;
    for (size_t d = 0; d < order; ++d)
      elements *= highOf(number, d) - lowOf(number, d);
    constexpr int64_t mostPerByte = 1032;
    repeated += static_cast<double>(elements) * static_cast<double>(width);
    if (repeated > static_cast<double>(mostRepeated) + mostPerByte * static_cast<double>(bytesRead))
      return Error{Error::MissingPart, "chunks of '" + name() + "' are not there",
                   "no more than 64 MiB of elements that no file holds", folder.string(), 0};
    if (array.fill.empty())
      return Error{Error::MissingPart,
                   "a chunk is not there, and the fill value is none that can be read", "a number",
                   folder.string(), 0};
    copyRows(number, array.fill.data(), /*repeat=*/true);
    return {};
  }

  /// Copies the elements of a chunk that are asked for to their places, or one to all of these.
  void copyRows(const std::vector<int64_t> &number, const char *from, bool repeat) {
    std::vector<int64_t> low(order), high(order), to(order, width), step(order, width);
    for (size_t d = 0; d < order; ++d) {
      low[d] = lowOf(number, d);
      high[d] = highOf(number, d);
    }
    for (size_t d = order; d-- > 1;)
      to[d - 1] = to[d] * (end[d] - begin[d]);
    for (size_t at = 1; at < order; ++at) {
      const size_t d = array.columnMajor ? at : order - 1 - at;
      const size_t inner = array.columnMajor ? d - 1 : d + 1;
      step[d] = step[inner] * array.chunks[inner];
    }
    std::vector<int64_t> place = low;
    const bool runs = !repeat && order > 0 && step[order - 1] == width;
    for (;;) {
      int64_t source = 0, target = 0;
      for (size_t d = 0; d < order; ++d) {
        source += (place[d] - number[d] * array.chunks[d]) * step[d];
        target += (place[d] - begin[d]) * to[d];
      }
      const int64_t run = runs ? high[order - 1] - low[order - 1] : 1;
      std::memcpy(out + target, from + (repeat ? 0 : source), static_cast<size_t>(run * width));
      size_t d = runs ? order - 1 : order;
      while (d > 0 && place[d - 1] + 1 == high[d - 1]) {
        --d;
        place[d] = low[d];
      }
      if (d == 0)
        return;
      ++place[d - 1];
    }
  }

  fs::path folder;
  const ZarrArray &array;
  size_t order;
  int64_t &bytesRead;
  int64_t width, chunkBytes = 0;
  std::vector<int64_t> begin, end; ///< of the elements that are asked for
  char *out = nullptr;
  double repeated = 0; ///< bytes of chunks that are not there
};

} // namespace

Result<FileArray> readZarrChunks(const std::string &folder, const ZarrArray &array, IndexRange rows,
                                 int64_t &bytesRead) {
  return ChunkReader(folder, array, rows, bytesRead).read();
}

Result<std::vector<std::string>> readZarrTexts(const std::string &folder, const ZarrArray &array,
                                               IndexRange rows, int64_t &bytesRead) {
  return ChunkReader(folder, array, rows, bytesRead).readTexts();
}

} // namespace strata::runtime
