// Zarr stores in directories, versions 2 and 3: groups of arrays in chunks.
//
// Specification: https://zarr-specs.readthedocs.io/. Part of Strata, under the Apache License v2.0
// with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ZARRSTORE_H
#define STRATA_RUNTIME_IO_ZARRSTORE_H

#include "strata/runtime/io/ArrayStore.h"
#include "strata/runtime/io/InputFile.h"

namespace strata::runtime {

/// A directory. Of an array only the chunks are read that have what is asked for. Memory is in
/// proportion to the bytes of these files; of chunks that are not there, since all their elements
/// are the fill value, to a bound.
class ZarrStore final : public ArrayStore {
public:
  /// Opens the store whose root the file describes: in the opened directory, or beside the file.
  static Result<ZarrStore> open(const InputFile &file);

  Result<std::optional<StoreNode>> describe(const std::string &path) override;
  Result<std::vector<FileArray>> read(std::span<const ArrayRequest> requests) override;
  Result<std::vector<std::string>> readTexts(const ArrayRequest &request) override;
  int64_t bytes() const override { return bytesRead; }

private:
  ZarrStore(std::string root, int64_t version) : root(std::move(root)), version(version) {}

  std::string root;
  int64_t version;
  int64_t bytesRead = 0;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ZARRSTORE_H
