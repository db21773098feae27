// Reads the register for which Linux answers programs (HWCAP_CPUID), an emulator of it as well,
// whose /proc/cpuinfo is that of another machine.
#include "strata/runtime/MainId.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace strata::runtime {

MainId mainId() {
  MainId id;
#if defined(__aarch64__)
  constexpr unsigned long answersPrograms = 1 << 11; // HWCAP_CPUID
  if ((getauxval(AT_HWCAP) & answersPrograms) != 0)
    asm("mrs %0, midr_el1" : "=r"(id.bits));
#endif
  return id;
}

} // namespace strata::runtime
