// What the JSON of a Zarr store says of an array, of version 2 or 3.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ZARRMETADATA_H
#define STRATA_RUNTIME_IO_ZARRMETADATA_H

#include "strata/runtime/io/FileArray.h"

#include <nlohmann/json_fwd.hpp>

namespace strata::runtime {

/// How the chunks of an array are compressed.
enum class ZarrCodec { none, gzip, zstd, blosc };

struct ZarrArray {
  std::vector<int64_t> sizes = {}, chunks = {}; ///< as many as it has dimensions
  FileType type = FileType::float64;            ///< `text`: each with its length before it
  bool bigEndian = false;
  bool columnMajor = false; ///< within a chunk
  ZarrCodec codec = ZarrCodec::none;
  std::string prefix = {}; ///< of the names of chunks, before their numbers
  char separator = '/';    ///< between these
  std::string fill = {};   ///< the bytes of an element of a chunk that is not there; empty: unknown

  /// Returns the name of a chunk's file.
  std::string chunkName(std::span<const int64_t> chunk) const;
};

/// Takes the metadata apart; an error says what is wrong or not known.
Result<ZarrArray> parseZarrArray(const nlohmann::json &json, int64_t version);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ZARRMETADATA_H
