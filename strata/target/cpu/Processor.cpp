// Asks LLVM which processors there are and what they can do.
#include "strata/target/cpu/Processor.h"

#include "strata/runtime/Caches.h"
#include "strata/runtime/Variables.h"
#include "strata/target/cpu/HostFeatures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"

using llvm::StringRef;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

// The architectures that code can be made for, this machine's first. What LLVM knows of them is
// ready afterwards.
static std::vector<llvm::Triple> architectures() {
  std::vector<llvm::Triple> triples{llvm::Triple(llvm::sys::getProcessTriple())};
  llvm::InitializeNativeTarget();
#if defined(STRATA_WRITES_AArch64) && !defined(__aarch64__)
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  triples.emplace_back("aarch64-unknown-linux-gnu");
#endif
#if defined(STRATA_WRITES_X86) && !defined(__x86_64__)
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  triples.emplace_back("x86_64-unknown-linux-gnu");
#endif
  return triples;
}

// What LLVM knows of a processor; `name` may be one that it does not know.
static std::unique_ptr<llvm::MCSubtargetInfo> describe(const llvm::Triple &triple, StringRef name) {
  std::string why;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, why);
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target ? target->createMCSubtargetInfo(triple, name, "") : nullptr);
}

static std::vector<StringRef> namesOf(const llvm::Triple &triple) {
  std::vector<StringRef> names;
  if (auto generic = describe(triple, ""))
    for (const llvm::SubtargetSubTypeKV &processor : generic->getAllProcessorDescriptions())
      names.push_back(processor.Key);
  // Other names for the same processors, too: apple-m1 is apple-a14.
  llvm::SmallVector<StringRef> others;
  if (triple.isAArch64())
    llvm::AArch64::fillValidCPUArchList(others);
  for (StringRef other : others)
    if (!llvm::is_contained(names, other))
      names.push_back(other);
  return names;
}

// LLVM ends the process when code of 64 bits is made for a processor without it.
static bool has64Bits(const llvm::Triple &triple, StringRef name) {
  return !triple.isX86() || describe(triple, name)->checkFeatures("+64bit");
}

static bool namesHost(StringRef name) { return name == "native" || name == "host"; }

Result<Processor> Processor::host() {
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(llvm::sys::getProcessTriple())};
  builder.setCPU(hostName().str());
  for (const auto &feature : hostFeatures())
    builder.getFeatures().AddFeature(feature.first(), feature.second);
  return Processor(std::move(builder), /*isHost=*/true);
}

Result<Processor> Processor::named(StringRef name) {
  if (namesHost(name))
    return host();
  // An unknown name would be warned of by LLVM itself, so that no description is made of one.
  for (const llvm::Triple &triple : architectures())
    if (llvm::is_contained(namesOf(triple), name)) {
      if (!has64Bits(triple, name))
        return Error{Error::Processor, "'" + name.str() + "' is a processor without 64 bits"};
      llvm::orc::JITTargetMachineBuilder builder{triple};
      builder.setCPU(name.str());
      return Processor(std::move(builder), /*isHost=*/false);
    }
  return Error{Error::Processor, "LLVM knows no processor '" + name.str() + "'"};
}

Result<Processor> Processor::fromEnvironment() {
  const char *name = runtime::variable("STRATA_CPU");
  if (!name || !*name)
    return host();
  Result<Processor> processor = named(name);
  if (!processor)
    return within("STRATA_CPU", processor.error());
  return processor;
}

std::vector<StringRef> Processor::names() {
  std::vector<StringRef> names{"native", "host"};
  for (const llvm::Triple &triple : architectures())
    for (StringRef name : namesOf(triple))
      if (!llvm::is_contained(names, name) && has64Bits(triple, name))
        names.push_back(name);
  return names;
}

CacheSizes Processor::caches() const {
  CacheSizes sizes;
  if (!isHost)
    return sizes;
  for (const runtime::Cache &cache : runtime::findCaches(runtime::visibleProcessors())) {
    int64_t own = cache.bytes / std::max<int64_t>(cache.sharing, 1);
    if (own <= 0)
      continue;
    if (cache.level == 1)
      sizes.first = own;
    else if (cache.level == 2)
      sizes.second = own;
    else if (cache.level == 3)
      sizes.third = std::min(own, sizes.third); // more is of no use, and would tell kernels apart
  }
  return sizes;
}

bool Processor::isOfThisArchitecture() const {
  return builder.getTargetTriple().getArch() ==
         llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

Status Processor::runsHere() const {
  if (isHost)
    return Status();
  if (!isOfThisArchitecture())
    return Error{Error::Processor,
                 "code for '" + name().str() + "' cannot run here: it is a processor of another " +
                     "architecture (" + builder.getTargetTriple().getArchName().str() + ")"};
  const llvm::StringMap<bool> here = hostFeatures();
  std::unique_ptr<llvm::MCSubtargetInfo> description = describe(builder.getTargetTriple(), name());
  std::vector<StringRef> missing;
  // What is no instruction set, but says what is fast, is not among the features of the host.
  for (const llvm::SubtargetFeatureKV &feature : description->getAllProcessorFeatures())
    if (auto found = here.find(feature.Key);
        found != here.end() && !found->second && description->getFeatureBits().test(feature.Value))
      missing.push_back(feature.Key);
  if (missing.empty())
    return Status();
  return Error{Error::Processor, "code for '" + name().str() +
                                     "' cannot run here: this machine's processor (" +
                                     hostName().str() + ") lacks " + llvm::join(missing, ", ")};
}

} // namespace strata
