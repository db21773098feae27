// What can be said of HDF5 files without their library.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Hdf5.h"

#include <algorithm>

namespace strata::runtime {

bool looksLikeHdf5(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\x89HDF\r\n\x1a\n", 8));
}

const FileArray *Hdf5Group::find(std::string_view name) const {
  auto found = std::ranges::find(arrays, name, &FileArray::name);
  return found == arrays.end() ? nullptr : &*found;
}

} // namespace strata::runtime
