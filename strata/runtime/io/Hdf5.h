// Groups of arrays in HDF5 files, as far as binsparse needs them.
//
// The HDF5 library was not made for files that lie: some of those make it crash or loop. It reads
// and writes in the program strata-hdf5, whose end, whatever it is, is seen here.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HDF5_H
#define STRATA_RUNTIME_IO_HDF5_H

#include "strata/runtime/io/ArrayGroup.h"

#include <string_view>

namespace strata::runtime {

bool looksLikeHdf5(std::string_view bytes);

/// Reads the group (the root, or else one directly below it) that has the attribute: its text, and
/// the arrays whose names begin with one of these. Memory is in proportion to the bytes of the file
/// (deflated arrays: at most 1032 times theirs).
Result<ArrayGroup> readHdf5Group(std::string_view file, const std::string &attribute,
                                 std::span<const std::string_view> prefixes);

/// Writes a file of one group, the root, all or nothing.
Status writeHdf5Group(const std::string &path, const std::string &attribute,
                      const ArrayGroup &group);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_HDF5_H
