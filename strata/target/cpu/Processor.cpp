// Asks LLVM which processors there are and what they can do.
#include "strata/target/cpu/Processor.h"

#include "strata/runtime/Caches.h"
#include "strata/runtime/Variables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using llvm::StringRef;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

// What LLVM knows of a processor; `name` may be one that it does not know.
static std::unique_ptr<llvm::MCSubtargetInfo> describe(StringRef name) {
  llvm::InitializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string why;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, why);
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target ? target->createMCSubtargetInfo(triple, name, "") : nullptr);
}

static bool namesHost(StringRef name) { return name == "native" || name == "host"; }

Result<Processor> Processor::host() {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return Error{llvm::toString(builder.takeError())};
  return Processor(std::move(*builder), /*isHost=*/true);
}

Result<Processor> Processor::named(StringRef name) {
  // An unknown name would be warned of by LLVM itself, so that no description is made of one.
  if (!llvm::is_contained(names(), name))
    return Error{"LLVM knows no processor '" + name.str() + "'"};
  if (namesHost(name))
    return host();
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(llvm::sys::getProcessTriple())};
  builder.setCPU(name.str());
  return Processor(std::move(builder), /*isHost=*/false);
}

Result<Processor> Processor::fromEnvironment() {
  const char *name = runtime::variable("STRATA_CPU");
  if (!name || !*name)
    return host();
  Result<Processor> processor = named(name);
  if (!processor)
    return Error{"STRATA_CPU: " + processor.error().message};
  return processor;
}

std::vector<StringRef> Processor::names() {
  std::vector<StringRef> names{"native", "host"};
  if (auto generic = describe(""))
    for (const llvm::SubtargetSubTypeKV &processor : generic->getAllProcessorDescriptions())
      names.push_back(processor.Key);
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

Status Processor::runsHere() const {
  if (isHost)
    return Status();
  llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
  std::unique_ptr<llvm::MCSubtargetInfo> description = describe(name());
  std::vector<StringRef> missing;
  // What is no instruction set, but says what is fast, is not among the features of the host.
  for (const llvm::SubtargetFeatureKV &feature : description->getAllProcessorFeatures())
    if (auto found = here.find(feature.Key);
        found != here.end() && !found->second && description->getFeatureBits().test(feature.Value))
      missing.push_back(feature.Key);
  if (missing.empty())
    return Status();
  return Error{"code for '" + name().str() + "' cannot run here: this machine's processor (" +
               llvm::sys::getHostCPUName().str() + ") lacks " + llvm::join(missing, ", ")};
}

} // namespace strata
