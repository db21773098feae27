// An accelerator for matrix products: what a description in accelerators/*.toml says of it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_ACCELERATOR_H
#define STRATA_ACCELERATOR_ACCELERATOR_H

#include "strata/accelerator/Numbers.h"
#include "strata/runtime/Status.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strata::accelerator {

/// The matrices of a micro-kernel, each in a scratchpad of its own.
enum Matrix : unsigned { A, B, C };

/// An accelerator computes the micro-kernel `C[rows, columns] += A[rows, depth] * B[depth,
/// columns]` of one fixed size on matrices in its scratchpads (the "hard accelerator" of Mutlu and
/// others, COMET, LCPC 2020, sections 6 and 7). The values here are those that a description leaves
/// out.
struct Accelerator {
  std::string name;

  /// Accelerators of this kind, which work at the same time on different tiles.
  int64_t count = 1;

  /// The micro-kernel.
  int64_t rows = 64, columns = 64, depth = 64;
  Type type = Type::int8; ///< of A and B

  /// The products that are made at once: those of so many rows and columns, for one value of the
  /// contracted dimension. The array divides the micro-kernel's rows and columns.
  int64_t arrayRows = 16, arrayColumns = 16;
  /// Pipelined units, each of which begins an operation in every cycle; 0: one for each place of
  /// the array.
  int64_t multipliers = 0, adders = 0;

  /// Cycles from the begin of an operation until its result can be used.
  int64_t loadLatency = 1, multiplyLatency = 1, addLatency = 1, storeLatency = 1;

  /// The banks of each scratchpad. Consecutive elements lie in consecutive banks.
  std::array<int64_t, 3> banks{16, 16, 16};
  int64_t ports = 1; ///< reads, and as many writes, that a bank begins in a cycle

  double megahertz = 100;
  int64_t nanometers = 45; ///< the technology's feature size

  /// Between the host's memory and the scratchpads.
  double bytesPerCycle = 64;
  /// Copies of the scratchpads: with two, the next tiles arrive while one is computed.
  int64_t buffers = 1;

  int64_t multiplierCount() const { return multipliers ? multipliers : arrayRows * arrayColumns; }
  int64_t adderCount() const { return adders ? adders : arrayRows * arrayColumns; }
  double hertz() const { return megahertz * 1e6; }
  /// Elements of a scratchpad.
  int64_t elements(Matrix matrix) const {
    return matrix == A ? rows * depth : matrix == B ? depth * columns : rows * columns;
  }
  /// Bytes of an element of a scratchpad: sums may be wider than factors.
  int64_t elementBytes(Matrix matrix) const {
    return matrix == C ? sumBytes(type) : factorBytes(type);
  }
};

/// Reads a description (TOML 1.0). An error names the file, the line and the column: of text that
/// is no TOML, keys that are unknown, and values that make no sense.
runtime::Result<Accelerator> readAccelerator(const std::string &file);
/// The same from text; `file` is what errors call it.
runtime::Result<Accelerator> parseAccelerator(const std::string &text, const std::string &file);

/// Gives a parameter the value that `text` stands for: `scratchpad.banks` 8,8,16, as in a
/// description, or one of the short names of parameters(). What they have to do with each other is
/// not checked.
runtime::Status setParameter(Accelerator &accelerator, const std::string &name,
                             const std::string &text);
/// The message of what makes no sense in an accelerator as a whole; empty if nothing does.
std::string faultOf(const Accelerator &accelerator);

/// A name that setParameter() knows.
struct ParameterName {
  std::string name;    ///< "clock.megahertz"
  std::string meaning; ///< with the unit
};
std::vector<ParameterName> parameters();

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_ACCELERATOR_H
