// Which processor of ARM's architecture this is.
#ifndef STRATA_RUNTIME_MAINID_H
#define STRATA_RUNTIME_MAINID_H

#include <cstdint>

namespace strata::runtime {

/// What the register MIDR_EL1 of an ARM64 processor says.
struct MainId {
  uint64_t bits = 0; ///< 0: this is no such processor, or the system does not show the register

  uint64_t implementer() const { return bits >> 24 & 0xff; } ///< 0x41: Arm
  uint64_t part() const { return bits >> 4 & 0xfff; }        ///< 0xd0c: Neoverse N1
  uint64_t variant() const { return bits >> 20 & 0xf; }
  uint64_t revision() const { return bits & 0xf; }
};

/// That of the core which this thread runs on.
MainId mainId();

} // namespace strata::runtime

#endif // STRATA_RUNTIME_MAINID_H
