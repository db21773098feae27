// Where a tensor lies in a store of groups and arrays, and how: what HDF5 files and Zarr stores of
// AnnData, 10x Genomics, MATLAB and others have in common once each is understood.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_STOREDTENSOR_H
#define STRATA_RUNTIME_IO_STOREDTENSOR_H

#include "strata/runtime/io/ArrayStore.h"
#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

struct StoredTensor {
  enum class Kind {
    array,      ///< all elements, in one array
    compressed, ///< a matrix by rows or columns: pointers, indices, values
    binsparse,  ///< what the text of an attribute describes
  };

  Kind kind = Kind::array;
  std::string format = {};           ///< the file's, as users know it: `AnnData`
  std::string header = {};           ///< what the file says of the tensor: `X, csr_matrix`
  std::string path = {};             ///< of the group or the array
  std::vector<int64_t> sizes = {};   ///< of the tensor, except of binsparse
  std::optional<FileType> type = {}; ///< of the values
  bool reversed = false;             ///< an array whose dimensions are the tensor's, last first
  bool byColumns = false;            ///< of a compressed matrix
  /// The paths of its arrays; those of indices and values are empty if there are no entries.
  std::string pointers = {}, indices = {}, values = {};
  std::string text = {}; ///< binsparse's description
  /// For each dimension the path of an array of its names; empty: it has none.
  std::vector<std::string> names = {};
};

/// Finds the tensor that a group or an array of the file is, or, where none is named, the one that
/// such a file is made for.
Result<StoredTensor> findTensor(ArrayStore &store, const std::string &group);

/// Reads it, or of an array or a matrix the part that is selected: of a matrix by rows only the
/// rows that are selected are read, and of one by columns those columns.
Result<TensorFileContent> readStoredTensor(ArrayStore &store, const FileSelection &selection,
                                           const TensorFileOptions &options);

/// Returns the type of its values.
std::optional<strata_type> storedValueType(ArrayStore &store, const FileSelection &selection);

/// Returns the paths of all groups and arrays that are tensors.
Result<std::vector<std::string>> tensorsOf(ArrayStore &store);

/// Does the same with an HDF5 file.
Result<TensorFileContent> readHdf5(const InputFile &file, const TensorFileOptions &options);
std::optional<strata_type> hdf5ValueType(const InputFile &file);
Result<std::vector<std::string>> hdf5Tensors(const InputFile &file);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_STOREDTENSOR_H
