// Processors that kernels are made for, and what their code calls.
#include "strata/target/cpu/Processor.h"
#include "strata/target/cpu/CompilerBuiltins.h"
#include "strata/target/cpu/HostFeatures.h"
#include "strata/target/cpu/Jit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/RuntimeLibcalls.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Host.h"

#include <gmock/gmock.h>

#include <dlfcn.h>

using namespace strata;
using llvm::StringRef;

namespace {

// Names that LLVM lists for all processors. These have instructions for integers of up to 64 bits;
// half precision and integers are converted via float; nothing has 80 bits, exceptions, stack
// protectors or atomic accesses; glibc has no `_finite` any more.
bool neverCalled(StringRef name) {
  static const llvm::Regex names(
      "^__(atomic|sync|cxa|llvm|safestack)_|^_Unwind_|stack_chk|_finite$|"
      "^__[a-z]+[qhs]i[23]$|xf|^__fix(uns)?hf|^__float(un)?[sd]i[hb]f$");
  return names.match(name);
}

// What code generation may call is brought by the runtime, or is in the C library.
TEST(Processor, CodeFindsWhatItCalls) {
  llvm::RTLIB::RuntimeLibcallsInfo calls(llvm::Triple{llvm::sys::getProcessTriple()});
  std::vector<StringRef> missing;
  unsigned brought = 0;
  for (llvm::RTLIB::LibcallImpl call : llvm::RTLIB::libcall_impls()) {
    if (!calls.isAvailable(call))
      continue;
    StringRef name = calls.getLibcallImplName(call);
    bool own = llvm::any_of(compilerBuiltins(),
                            [&](const CompilerBuiltin &builtin) { return name == builtin.name; });
    brought += own;
    if (!own && !neverCalled(name) && !dlsym(RTLD_DEFAULT, name.str().c_str()))
      missing.push_back(name);
  }
  EXPECT_GT(brought, 100u);
  EXPECT_THAT(missing, testing::IsEmpty()) << llvm::join(missing, " ");
}

TEST(Processor, BuiltinsConvertHalfPrecision) {
  for (const CompilerBuiltin &builtin : compilerBuiltins())
    if (StringRef(builtin.name) == "__truncsfbf2") {
      auto truncate = reinterpret_cast<__bf16 (*)(float)>(builtin.address);
      EXPECT_EQ(__builtin_bit_cast(uint16_t, truncate(1.5f)), 0x3fc0);
      return;
    }
  FAIL() << "there is no __truncsfbf2";
}

TEST(Processor, HostRunsItsOwnCode) {
  for (const char *name : {"native", "host"}) {
    runtime::Result<Processor> host = Processor::named(name);
    ASSERT_TRUE(host.ok());
    EXPECT_TRUE(host->runsHere().ok());
    EXPECT_EQ(host->name(), hostName());
    EXPECT_TRUE(host->isOfThisArchitecture());
  }
}

TEST(Processor, UnknownNamesAreRefused) {
  EXPECT_FALSE(Processor::named("x86-64-v9").ok());
  EXPECT_FALSE(Processor::named("").ok());
}

// Vectors of 128 bits, and registers for 32 of them; of AVX2, 16 of 256; of AVX-512, 32 of 512.
TEST(Processor, OtherArchitecturesAreWrittenFor) {
  struct Expected {
    const char *name;
    int64_t bytes, registers;
    bool isArm;
  };
  for (auto [name, bytes, registers, isArm] :
       {Expected{"neoverse-n1", 16, 32, true}, Expected{"neoverse-v2", 16, 32, true},
        Expected{"apple-m1", 16, 32, true}, Expected{"x86-64-v2", 16, 16, false},
        Expected{"x86-64-v3", 32, 16, false}, Expected{"x86-64-v4", 64, 32, false}}) {
    runtime::Result<Processor> processor = Processor::named(name);
    ASSERT_TRUE(processor.ok()) << name;
    auto jit = Jit::create(*processor, Optimization::Full);
    ASSERT_TRUE(jit.ok()) << name;
    EXPECT_EQ((*jit)->vectorBytes(), bytes) << name;
    EXPECT_EQ((*jit)->vectorRegisters(), registers) << name;
    const bool here = llvm::Triple(llvm::sys::getProcessTriple()).isAArch64() == isArm;
    EXPECT_EQ(processor->isOfThisArchitecture(), here) << name;
    if (!here) {
      EXPECT_THAT(processor->runsHere().error().message,
                  testing::HasSubstr("of another architecture"))
          << name;
    }
  }
}

#ifdef __aarch64__
TEST(Processor, WhatAnArmHostLacksIsNamed) {
  EXPECT_TRUE(Processor::named("cortex-a53")->runsHere().ok() || !hostFeatures().lookup("aes"));
  for (auto [name, feature] : {std::pair("neoverse-v1", "sve"), std::pair("neoverse-v2", "sve2"),
                               std::pair("apple-m4", "sme")})
    if (!hostFeatures().lookup(feature)) {
      runtime::Status runs = Processor::named(name)->runsHere();
      ASSERT_FALSE(runs.ok());
      EXPECT_THAT(runs.error().message, testing::HasSubstr(feature));
    }
}
#endif

#ifdef __x86_64__
TEST(Processor, WhatTheHostLacksIsNamed) {
  EXPECT_TRUE(Processor::named("x86-64")->runsHere().ok());
  // No processor has both of these sets of instructions.
  for (auto [name, feature] : {std::pair("bdver4", "xop"), std::pair("diamondrapids", "amx-fp8")})
    if (!hostFeatures().lookup(feature)) {
      runtime::Status runs = Processor::named(name)->runsHere();
      ASSERT_FALSE(runs.ok());
      EXPECT_THAT(runs.error().message, testing::HasSubstr(feature));
    }
}
#endif

} // namespace
