// Asks LLVM, and on ARM64 the system: LLVM reads /proc/cpuinfo there, which under an emulator is
// that of another machine, and lists what a processor has, not what it lacks.
#include "strata/target/cpu/HostFeatures.h"

#include "strata/runtime/MainId.h"

#include "llvm/TargetParser/Host.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace strata {

#if defined(__aarch64__)

namespace {

/// A bit of what Linux says that a processor has, in one of its two words.
struct Bit {
  unsigned word, number;
  const char *feature;
};

/// Those sets of instructions of which code generation makes use by itself.
constexpr Bit bits[] = {
    {1, 0, "fp-armv8"}, {1, 1, "neon"},        {1, 3, "aes"},       {1, 6, "sha2"},
    {1, 7, "crc"},      {1, 8, "lse"},         {1, 10, "fullfp16"}, {1, 12, "rdm"},
    {1, 13, "jsconv"},  {1, 14, "complxnum"},  {1, 15, "rcpc"},     {1, 17, "sha3"},
    {1, 19, "sm4"},     {1, 20, "dotprod"},    {1, 22, "sve"},      {1, 23, "fp16fml"},
    {1, 25, "lse2"},    {1, 26, "rcpc-immo"},  {1, 27, "flagm"},    {2, 1, "sve2"},
    {2, 2, "sve-aes"},  {2, 4, "sve-bitperm"}, {2, 5, "sve-sha3"},  {2, 6, "sve-sm4"},
    {2, 7, "altnzcv"},  {2, 8, "fptoint"},     {2, 10, "f32mm"},    {2, 11, "f64mm"},
    {2, 13, "i8mm"},    {2, 14, "bf16"},       {2, 23, "sme"},      {2, 34, "cssc"},
    {2, 36, "sve2p1"},  {2, 37, "sme2"},       {2, 43, "mops"},
};

} // namespace

llvm::StringRef hostName() {
  const runtime::MainId id = runtime::mainId();
  return id.bits != 0 ? llvm::sys::detail::getHostCPUNameForARM(id.bits, {id.bits})
                      : llvm::sys::getHostCPUName();
}

llvm::StringMap<bool> hostFeatures() {
  const unsigned long words[] = {0, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
  llvm::StringMap<bool> features;
  for (const Bit &bit : bits)
    features[bit.feature] = (words[bit.word] >> bit.number & 1) != 0;
  return features;
}

#else

llvm::StringRef hostName() { return llvm::sys::getHostCPUName(); }

llvm::StringMap<bool> hostFeatures() { return llvm::sys::getHostCPUFeatures(); }

#endif

} // namespace strata
