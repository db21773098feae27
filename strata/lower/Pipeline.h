// The compiler's table of contents: which passes run, in which order.
#ifndef STRATA_LOWER_PIPELINE_H
#define STRATA_LOWER_PIPELINE_H

#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/analysis/Resolutions.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace strata {

/// Where the road can be left, to look at the kernel there.
enum class Stage { Ta, Cin, Lvl, Scf, Vector, Llvm };

struct ProgramOptions {
  Resolutions forbidden = {};
  bool deterministic = false; ///< kernels have the same bits on all processors
  int64_t maxMemory = -1;     ///< what tensors may take, in bytes; negative: whatever there is
  bool returnsPieces = false; ///< what functions return stays in pieces, for callers that know them
};

/// On whole programs, before their kernels are outlined.
void addProgramPasses(mlir::OpPassManager &pm, const ProgramOptions &options = {});

/// Code for processors, or to be read: without pieces of loops and prefetches (up to Stage::Scf).
enum class Purpose { Running, Reading };

struct KernelOptions {
  Purpose purpose = Purpose::Running;
  int64_t vectorBytes = 32;     ///< of the processor's vectors
  int64_t vectorRegisters = 16; ///< so many vectors it has room for
  CacheSizes caches = {};
  bool gemm = false;    ///< a library multiplies matrices (runtime/Gemm.h)
  bool gathers = false; ///< faster than loading the elements one by one
  /// Little will be done: no second loops, between which samples decide, and no blocks of dense
  /// contractions.
  bool quick = false;
};

/// On a module of kernels (functions marked strata.kernel that return one ta.compute), up to and
/// including `stage`.
void addKernelPasses(mlir::OpPassManager &pm, Stage stage, const KernelOptions &options = {});

/// The two halves of that road to Stage::Llvm. Between them, functions that kernels share
/// (`isShared`) can be taken out of the module, and go through the second half by themselves.
void addPassesToShared(mlir::OpPassManager &pm, const KernelOptions &options = {});
void addPassesFromShared(mlir::OpPassManager &pm, const KernelOptions &options = {});

/// The part of that road between loops as a schedule has made them and Stage::Cin.
void addFinishingPasses(mlir::OpPassManager &pm);

struct WalkOptions {
  bool contractions = false; ///< loops that are marked as contractions become operations
  int64_t vectorBytes = 32;
};

/// The part of that road between Stage::Cin and Stage::Lvl.
void addWalkPasses(mlir::OpPassManager &pm, const WalkOptions &options = {});

/// All dialects that the road passes through.
void registerDialects(mlir::DialectRegistry &registry);

/// Makes the passes and the pipelines `strata-program`, `strata-kernel` known by name.
void registerPipelines();

} // namespace strata

#endif // STRATA_LOWER_PIPELINE_H
