// In place of Hdf5Reader and Hdf5Writer, where the HDF5 library cannot be linked.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5.h"

namespace strata::runtime {

static Error absent() {
  return {"this library is made without HDF5",
          "another file format: 'strata convert' reads and writes all of them"};
}

Result<Hdf5Group> readHdf5Group(std::string_view, const std::string &,
                                std::span<const std::string_view>) {
  return absent();
}

Status writeHdf5Group(const std::string &, const std::string &, const Hdf5Group &) {
  return absent();
}

} // namespace strata::runtime
