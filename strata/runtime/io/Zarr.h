// Zarr stores in directories, versions 2 and 3, as far as binsparse needs them: groups of arrays of
// one dimension.
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

/// Reads binsparse from the store whose group the file describes. Memory is in proportion to the
/// bytes of the store; of chunks that are not there, since all their elements are the fill value,
/// to a bound.
Result<TensorFileContent> readZarr(const InputFile &file, const TensorFileOptions &options);
/// The type of the values, as the description says.
std::optional<strata_type> zarrValueType(const InputFile &file);

/// Writes a store of one group whose attribute has this name, all or nothing. A directory of this
/// name is replaced if it is a store of binsparse, and nothing else.
Status writeZarrGroup(const std::string &path, const std::string &attribute,
                      const ArrayGroup &group);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_ZARR_H
