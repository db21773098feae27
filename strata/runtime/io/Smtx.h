// `.smtx` files, in which the Deep Learning Matrix Collection publishes the places of pruned
// weights: reading and writing.
//
// After comment lines that begin with `%`: a line `rows, columns, entries` (commas optional), the
// offsets of the rows (from 0, one more than there are rows), and the columns of the entries (from
// 0). There are no values. Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_SMTX_H
#define STRATA_RUNTIME_IO_SMTX_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

/// Is there a line of three numbers with commas before anything else?
bool looksLikeSmtx(std::string_view head);

/// Reads a matrix whose values are 1, of the type in the options.
Result<Coordinates> readSmtx(const InputFile &file, const TensorFileOptions &options = {});

/// Writes a matrix whose values are all 1, all or nothing; other values are an error.
Status writeSmtx(const std::string &path, const Coordinates &list, const Progress &progress = {});

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_SMTX_H
