// What a process that needs HDF5 files and the program strata-hdf5, which has the library, hand to
// each other: a sequence of records, each followed by its bytes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HDF5RECORDS_H
#define STRATA_RUNTIME_IO_HDF5RECORDS_H

#include <cstdint>

namespace strata::runtime {

/// `place`: an array whose elements lie in the file as they are in memory, from a byte on that is
/// what follows.
enum class Hdf5RecordKind : int32_t { text, array, error, end, place };

constexpr int64_t longestHdf5Name = 63;

struct Hdf5Record {
  Hdf5RecordKind kind;
  int32_t type;  ///< of an array: a FileType
  int64_t count; ///< elements, or letters
  int64_t bytes; ///< of what follows
  char name[longestHdf5Name + 1];
};

/// In a file of memory, which is mapped, a record and its bytes each begin at a multiple of this
/// (which is one of any page). In a stream one follows the other.
constexpr int64_t hdf5Alignment = 1 << 16;

constexpr int64_t alignedHdf5Bytes(int64_t bytes) {
  return (bytes + hdf5Alignment - 1) / hdf5Alignment * hdf5Alignment;
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_HDF5RECORDS_H
