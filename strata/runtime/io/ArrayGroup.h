// Named arrays with a text that describes them: what HDF5 files and archives hold of binsparse.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ARRAYGROUP_H
#define STRATA_RUNTIME_IO_ARRAYGROUP_H

#include "strata/runtime/io/FileArray.h"

#include <algorithm>
#include <string_view>

namespace strata::runtime {

/// One text, and arrays of numbers of one dimension.
struct ArrayGroup {
  std::string text = {};
  std::vector<FileArray> arrays = {};

  /// The array of this name; null if there is none.
  const FileArray *find(std::string_view name) const {
    auto found = std::ranges::find(arrays, name, &FileArray::name);
    return found == arrays.end() ? nullptr : &*found;
  }
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ARRAYGROUP_H
