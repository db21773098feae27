// What a process that needs HDF5 files and the program strata-hdf5, which has the library, hand to
// each other: a sequence of records, each followed by its bytes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HDF5RECORDS_H
#define STRATA_RUNTIME_IO_HDF5RECORDS_H

#include <cstdint>

namespace strata::runtime {

/// `pieces`: an array whose elements lie in the file as they are in memory, in the Hdf5Pieces that
/// follow, one behind the other. `chunks`: one of chunks of the file that gzip has compressed; what
/// follows is a Hdf5Chunks, and a Hdf5Chunk for each.
enum class Hdf5RecordKind : int32_t { text, array, error, end, pieces, chunks };

/// Bytes of the file.
struct Hdf5Piece {
  int64_t start;
  int64_t bytes;
};

/// The numbers of HDF5's filters.
constexpr int32_t hdf5FilterDeflate = 1, hdf5FilterShuffle = 2;

struct Hdf5Chunks {
  int64_t elements; ///< of each chunk, decompressed
  int64_t skipped;  ///< of those of the first chunk: they lie before the array's first
};

struct Hdf5Chunk {
  int64_t start;
  int64_t bytes;
  int32_t isPacked;   ///< by gzip
  int32_t isShuffled; ///< the bytes of its elements, before that
};

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
