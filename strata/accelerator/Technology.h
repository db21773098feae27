// Energy and area of what accelerators are made of: published figures, for 45 nm, and how they
// scale.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_TECHNOLOGY_H
#define STRATA_ACCELERATOR_TECHNOLOGY_H

#include "strata/accelerator/Numbers.h"

namespace strata::accelerator {

/// docs/Accelerators.md lists all figures with their sources.
struct UnitFigures {
  double picojoules = 0; ///< of an operation
  double area = 0;       ///< square micrometres
};

/// Of a multiplier of factors, and of the adder of its products.
UnitFigures multiplierFigures(Type type, int64_t nanometers);
UnitFigures adderFigures(Type type, int64_t nanometers);
/// Of a bit of a register: an operation is a clocked write.
UnitFigures registerBitFigures(int64_t nanometers);

/// A bank of static memory.
struct BankFigures {
  double area = 0; ///< square micrometres
  double readPicojoules = 0, writePicojoules = 0;
  double leakageMilliwatts = 0;
};
/// Of a bank of so many bytes, of which a read or write takes `wordBytes`, with so many ports for
/// reads and as many for writes.
BankFigures bankFigures(int64_t bytes, int64_t wordBytes, int64_t ports, int64_t nanometers);

/// What units and registers lose to leakage, in milliwatts for a square micrometre.
double logicLeakage(int64_t nanometers);

/// 45, 32, 20, 16, 14, 10 and 7 nm.
bool knowsTechnology(int64_t nanometers);

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_TECHNOLOGY_H
