// Tensors in Zarr stores, and stores of binsparse, written.
//
// Specification: https://zarr-specs.readthedocs.io/. Part of Strata, under the Apache License v2.0
// with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_ZARR_H
#define STRATA_RUNTIME_IO_ZARR_H

#include "strata/runtime/io/ArrayGroup.h"
#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

/// Tells whether this is the beginning of the JSON file that describes a group or an array.
bool looksLikeZarr(std::string_view head);

/// Reads the tensor that the selection names, or the one that such a store is made for, from the
/// store whose root the file describes (ZarrStore.h).
Result<TensorFileContent> readZarr(const InputFile &file, const TensorFileOptions &options);
/// Returns the type of its values, as the store says.
std::optional<strata_type> zarrValueType(const InputFile &file);
/// Returns the names of all tensors of the store.
Result<std::vector<std::string>> zarrTensors(const InputFile &file);

/// Writes a store of one group whose attribute has this name, all or nothing. A directory of this
/// name is replaced if it is a store of binsparse, and nothing else.
Status writeZarrGroup(const std::string &path, const std::string &attribute,
                      const ArrayGroup &group);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ZARR_H
