// FCIDUMP files, the integrals over orbitals that quantum chemistry programs exchange (Knowles and
// Handy 1989): reading.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FCIDUMP_H
#define STRATA_RUNTIME_IO_FCIDUMP_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

/// Does the text begin with the namelist `&FCI`?
bool looksLikeFcidump(std::string_view head);

/// Reads, by the order in the options: 4, the integrals (ij|kl) over two electrons, n x n x n x n;
/// 2, those over one, n x n; 0, the energy of the core. Of real orbitals, each place stands for all
/// that are equal by symmetry (up to 8, or 2); places that are given twice must agree.
Result<TensorFileContent> readFcidump(const InputFile &file, const TensorFileOptions &options = {});

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FCIDUMP_H
