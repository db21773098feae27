// safetensors: named dense tensors in one file, behind a header in JSON.
//
// Format: https://huggingface.co/docs/safetensors. Part of Strata, under the Apache License v2.0
// with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_SAFETENSORS_H
#define STRATA_RUNTIME_IO_SAFETENSORS_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"

#include <string_view>

namespace strata::runtime {

bool looksLikeSafetensors(std::string_view head);

/// Reads the tensor that the selection names, or the only one: of a selection of rows no others.
Result<TensorFileContent> readSafetensors(const InputFile &file, const TensorFileOptions &options);
std::optional<strata_type> safetensorsValueType(const InputFile &file);
/// Returns the names of the tensors, in the order in which they lie.
Result<std::vector<std::string>> safetensorsNames(const InputFile &file);

/// Writes a file of one tensor, all or nothing. Its name follows `::` in that of the file, or is
/// `tensor`.
Status writeSafetensors(const std::string &path, const DenseValues &values);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_SAFETENSORS_H
