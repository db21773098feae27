// The processor that machine code is made for.
#ifndef STRATA_TARGET_CPU_PROCESSOR_H
#define STRATA_TARGET_CPU_PROCESSOR_H

#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/runtime/Status.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

#include <vector>

namespace strata {

/// This machine's processor, or another one by LLVM's name for it: of the same architecture, or of
/// another one for which code can be written here.
class Processor {
public:
  /// "native" and "host" are this machine's; an error if LLVM does not know the name. A name that
  /// several architectures have is of this machine's.
  static runtime::Result<Processor> named(llvm::StringRef name);
  /// The one that STRATA_CPU names; this machine's if it is not set, or empty.
  static runtime::Result<Processor> fromEnvironment();
  /// All names that named() takes.
  static std::vector<llvm::StringRef> names();

  /// An error that lists what this machine's processor lacks, if code that is made for this one
  /// may use that.
  runtime::Status runsHere() const;
  /// "x86-64-v3"
  llvm::StringRef name() const { return builder.getCPU(); }
  const llvm::orc::JITTargetMachineBuilder &machineBuilder() const { return builder; }
  /// Says whether it has this machine's architecture.
  bool isOfThisArchitecture() const;
  /// This machine's, as far as the system tells them; of another processor nobody knows them.
  CacheSizes caches() const;

private:
  Processor(llvm::orc::JITTargetMachineBuilder builder, bool isHost)
      : builder(std::move(builder)), isHost(isHost) {}
  static runtime::Result<Processor> host();

  llvm::orc::JITTargetMachineBuilder builder;
  bool isHost;
};

} // namespace strata

#endif // STRATA_TARGET_CPU_PROCESSOR_H
