// Files that say where each row or column begins, of matrices that have few entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_CHECKPOINTERS_H
#define STRATA_RUNTIME_IO_CHECKPOINTERS_H

#include "strata/runtime/Counted.h"
#include "strata/runtime/storage/Coordinates.h"

#include <algorithm>

namespace strata::runtime {

/// Refuses a file whose pointers would take more than 16 MiB, and more than 20 times as much as the
/// list of entries. There is one for each of so many rows or columns (`what`), and one more.
inline Status checkPointers(const std::string &path, const Coordinates &list, int64_t number,
                            const char *what) {
  const double each = static_cast<double>(std::to_string(list.count()).size()) + 1;
  const double bytes = each * (static_cast<double>(number) + 1);
  if (bytes <= std::max(16.0 * (1 << 20), 20.0 * static_cast<double>(list.bytes())))
    return {};
  return Error{Error::NotInSuchFiles,
               "such a file says where each of " + counted(number, what) +
                   " begins, which would take " +
                   std::to_string(static_cast<int64_t>(bytes / (1 << 20))) + " MiB for " +
                   counted(list.count(), "entry"),
               "a name of a file that lists entries alone, such as one that ends in .mtx", path, 0};
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_CHECKPOINTERS_H
