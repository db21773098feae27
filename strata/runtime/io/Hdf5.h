// HDF5 files: what lies in them, and files of one group, written.
//
// The HDF5 library was not made for files that lie: some of those make it crash or loop. It reads
// and writes in the program strata-hdf5, whose end, whatever it is, is seen here.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HDF5_H
#define STRATA_RUNTIME_IO_HDF5_H

#include "strata/runtime/io/ArrayGroup.h"
#include "strata/runtime/io/ArrayStore.h"
#include "strata/runtime/io/Hdf5Process.h"
#include "strata/runtime/io/InputFile.h"

#include <map>
#include <string_view>

namespace strata::runtime {

bool looksLikeHdf5(std::string_view bytes);

/// A file that strata-hdf5 reads, which must live as long as its arrays. Of a file that is mapped
/// only what is asked for is read; of any other the whole is in memory. Memory is in proportion to
/// the bytes of the file (compressed arrays: at most 1032 times theirs, and a
/// chunk for each thread).
class Hdf5Store final : public ArrayStore {
public:
  static Result<Hdf5Store> open(const InputFile &file);

  Result<std::optional<StoreNode>> describe(const std::string &path) override;
  Result<std::vector<FileArray>> read(std::span<const ArrayRequest> requests) override;
  Result<std::vector<std::string>> readTexts(const ArrayRequest &request) override;
  int64_t bytes() const override { return fileBytes; }

private:
  Hdf5Store(Descriptor image, std::string_view content)
      : image(std::move(image)), content(content), fileBytes(static_cast<int64_t>(content.size())) {
  }
  /// Runs the program; what it left.
  Result<ArrayGroup> ask(const std::vector<std::string> &arguments) const;
  Result<ArrayGroup> readArrays(std::span<const ArrayRequest> requests) const;

  Descriptor image;
  std::map<std::string, StoreNode> described; ///< by their paths; what was asked for, and more
  std::string_view content; ///< where arrays stay that lie in the file as in memory
  int64_t fileBytes;
};

/// Writes a file of one group, the root, all or nothing.
Status writeHdf5Group(const std::string &path, const std::string &attribute,
                      const ArrayGroup &group);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_HDF5_H
