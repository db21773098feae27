// Compressed bytes by zlib and libzstd.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Compression.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/InternalError.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>
#include <zstd.h>

namespace strata::runtime {
namespace {

constexpr std::string_view gzipMagic = "\x1f\x8b", zstdMagic = "\x28\xb5\x2f\xfd";
constexpr int64_t pieceBytes = int64_t{1} << 18; ///< of a compressed stream, read at once

class GzipDecompressor final : public Decompressor {
public:
  ~GzipDecompressor() override {
    if (ready)
      inflateEnd(&state);
  }
  bool start() {
    constexpr int gzipOnly = 16;
    ready = inflateInit2(&state, MAX_WBITS + gzipOnly) == Z_OK;
    return ready;
  }

  Result<Step> run(std::string_view input, char *to, int64_t room) override {
    if (boundary && members > 0) {
      // Some programs fill the last block of a file with zeros.
      const size_t zeros = std::min(input.find_first_not_of('\0'), input.size());
      padded |= zeros > 0;
      if (zeros > 0)
        return Step{static_cast<int64_t>(zeros), 0};
      if (padded)
        return Error{Error::Damaged, "other bytes follow the compressed data", "its end"};
      inflateReset(&state);
    }
    state.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(input.data()));
    state.avail_in = static_cast<uInt>(std::min<size_t>(input.size(), pieceBytes));
    state.next_out = reinterpret_cast<Bytef *>(to);
    state.avail_out = static_cast<uInt>(std::min<int64_t>(room, 1 << 30));
    const uInt inBefore = state.avail_in, outBefore = state.avail_out;
    boundary = false;
    const int code = inflate(&state, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      boundary = true;
      ++members;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      return Error{Error::Damaged,
                   std::string("the gzip data is damaged") +
                       (state.msg ? std::string(" (") + state.msg + ")" : ""),
                   members > 0 ? "another gzip member, or the end" : "valid data"};
    }
    return Step{static_cast<int64_t>(inBefore - state.avail_in),
                static_cast<int64_t>(outBefore - state.avail_out)};
  }
  bool atBoundary() const override { return boundary; }

private:
  z_stream state = {};
  bool ready = false, boundary = false, padded = false;
  int64_t members = 0;
};

class ZstdDecompressor final : public Decompressor {
public:
  ~ZstdDecompressor() override { ZSTD_freeDStream(state); }
  bool start() { return (state = ZSTD_createDStream()) != nullptr; }

  Result<Step> run(std::string_view input, char *to, int64_t room) override {
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer out = {to, static_cast<size_t>(room), 0};
    const size_t left = ZSTD_decompressStream(state, &out, &in);
    if (ZSTD_isError(left))
      return Error{Error::Damaged,
                   std::string("the zstd data is damaged (") + ZSTD_getErrorName(left) + ")",
                   frames > 0 ? "another zstd frame, or the end" : "valid data"};
    boundary = left == 0;
    frames += boundary;
    return Step{static_cast<int64_t>(in.pos), static_cast<int64_t>(out.pos)};
  }
  bool atBoundary() const override { return boundary; }

private:
  ZSTD_DStream *state = nullptr;
  bool boundary = false;
  int64_t frames = 0;
};

template <typename D> Result<std::unique_ptr<Decompressor>> started() {
  auto decompressor = std::make_unique<D>();
  if (!decompressor->start())
    return outOfMemory("decompression", pieceBytes);
  return Result<std::unique_ptr<Decompressor>>(std::move(decompressor));
}

} // namespace

Compression compressionOf(std::string_view bytes) {
  if (bytes.starts_with(gzipMagic))
    return Compression::gzip;
  return bytes.starts_with(zstdMagic) ? Compression::zstd : Compression::none;
}

Result<std::unique_ptr<Decompressor>> Decompressor::create(Compression kind) {
  if (kind == Compression::none)
    return internalError("what is not compressed is decompressed");
  return kind == Compression::gzip ? started<GzipDecompressor>() : started<ZstdDecompressor>();
}

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

Result<int64_t> ByteReader::fill(char *to, int64_t room) {
  return file.compression() == Compression::none ? fillPlain(to, room) : fillDecompressed(to, room);
}

double ByteReader::share() const {
  if (!file.isMapped() || file.raw().empty())
    return 0;
  return static_cast<double>(used) / static_cast<double>(file.raw().size());
}

Result<int64_t> ByteReader::fillPlain(char *to, int64_t room) {
  int64_t size = std::min<int64_t>(room, static_cast<int64_t>(rest.size()));
  if (size > 0) // else neither need be there
    copyBytes(to, rest.data(), static_cast<size_t>(size));
  rest.remove_prefix(static_cast<size_t>(size));
  used += size;
  while (size < room && extent == Extent::all) {
    Result<int64_t> got = file.readOn(to + size, room - size);
    if (!got)
      return got;
    if (*got == 0)
      break;
    size += *got;
    used += *got;
  }
  return size;
}

Status ByteReader::refill() {
  if (extent == Extent::raw)
    return {};
  if (buffer.capacity() == 0) {
    Result<Buffer> made = Buffer::allocate(STRATA_I8, pieceBytes);
    if (!made)
      return made.takeStatus();
    buffer = std::move(*made);
  }
  Result<int64_t> got = file.readOn(static_cast<char *>(buffer.data()), pieceBytes);
  if (!got)
    return got.takeStatus();
  rest = {static_cast<const char *>(buffer.data()), static_cast<size_t>(*got)};
  return {};
}

Error ByteReader::damaged(Error why) const {
  return file.errorAt(0, why.code, why.message + " after byte " + std::to_string(used),
                      why.expected);
}

Result<int64_t> ByteReader::fillDecompressed(char *to, int64_t room) {
  if (!decompressor) {
    Result<std::unique_ptr<Decompressor>> made = Decompressor::create(file.compression());
    if (!made)
      return made.takeStatus();
    decompressor = std::move(*made);
  }
  int64_t size = 0;
  while (size < room) {
    if (rest.empty())
      if (Status filled = refill(); !filled.ok())
        return filled;
    const bool noMore = rest.empty();
    if (noMore && (extent == Extent::raw || decompressor->atBoundary()))
      break;
    Result<Decompressor::Step> step = decompressor->run(rest, to + size, room - size);
    if (!step && extent == Extent::raw)
      break;
    if (!step)
      return damaged(step.error());
    rest.remove_prefix(static_cast<size_t>(step->taken));
    used += step->taken;
    size += step->made;
    if (noMore && step->made == 0)
      return damaged({Error::CutOff, "the compressed data is cut off", "more of it"});
  }
  return size;
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

static std::string_view compressionEnding(std::string_view path) {
  for (std::string_view ending : {".gz", ".zst", ".zstd"})
    if (path.ends_with(ending))
      return ending;
  return {};
}

Compression compressionForName(std::string_view path) {
  const std::string_view ending = compressionEnding(path);
  if (ending.empty())
    return Compression::none;
  return ending == ".gz" ? Compression::gzip : Compression::zstd;
}

std::string_view withoutCompressionEnding(std::string_view path) {
  path.remove_suffix(compressionEnding(path).size());
  return path;
}

static Status compressGzip(const std::string &text, std::string &packed) {
  constexpr int gzip = 16, memory = 8;
  z_stream state = {};
  if (deflateInit2(&state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip, memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return outOfMemory("compression", static_cast<int64_t>(text.size()));
  packed.resize(deflateBound(&state, text.size()));
  state.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef *>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&state, Z_FINISH);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return code == Z_STREAM_END ? Status() : internalError("a compressed text exceeds zlib's bound");
}

Status compress(Compression kind, std::string &text) {
  if (text.size() >= size_t{1} << 31)
    return internalError("a text of " + std::to_string(text.size()) +
                         " bytes is compressed as one piece");
  if (kind == Compression::none || text.empty())
    return {};
  std::string packed;
  if (kind == Compression::gzip) {
    if (Status done = compressGzip(text, packed); !done.ok())
      return done;
  } else {
    packed.resize(ZSTD_compressBound(text.size()));
    const size_t size =
        ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(size))
      return Error{Error::System, std::string("zstd cannot compress: ") + ZSTD_getErrorName(size)};
    packed.resize(size);
  }
  text = std::move(packed);
  return {};
}

} // namespace strata::runtime
