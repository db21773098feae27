// Writes tensors into files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/WriteTensor.h"

#include "strata/host/Print.h"
#include "strata/runtime/io/TensorFile.h"

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::LevelArrays;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

Status writeTensor(const std::string &file, const Storage *storage, const StoredFormat &format,
                   const std::function<std::optional<LevelArrays>()> &levels,
                   const std::function<Result<Coordinates>()> &list, int64_t indexBase) {
  std::complex<double> fill = numberOf(format.fill, format.element);
  if (format.hasFill && !runtime::keepsFill(file))
    return Error{Error::NotInSuchFiles,
                 "elements that such files do not list are zero, but this tensor has the fill "
                 "value " +
                     fillText(fill) + " where it stores nothing",
                 "binsparse (.bsp.h5), or a Dense tensor"};
  if (storage)
    if (std::optional<std::vector<int64_t>> strides = denseStrides(format, storage->sizes()))
      if (std::optional<Status> written = runtime::writeDenseTensorFile(
              file, {storage->sizes(), *strides, format.element, storage->values().data}))
        return std::move(*written);
  if (std::optional<LevelArrays> arrays = levels())
    if (std::optional<Status> written = runtime::writeLevelsFile(file, *arrays))
      return std::move(*written);
  Result<Coordinates> entries = list();
  if (!entries)
    return entries.takeStatus();
  return format.hasFill ? runtime::writeTensorFile(file, *entries, fill)
                        : runtime::writeTensorFile(file, *entries, {.base = indexBase});
}

} // namespace strata::host
