// Runs a program in ta and reports: what `strata run` and statements share.
#ifndef STRATA_TOOLS_RUNPROGRAM_H
#define STRATA_TOOLS_RUNPROGRAM_H

#include "Messages.h"
#include "Session.h"

#include "strata/accelerator/Design.h"
#include "strata/machine/Choices.h"
#include "strata/target/cpu/Processor.h"

#include "llvm/Option/ArgList.h"

namespace strata::tool {

struct RunRequest {
  std::string program; ///< what reports call it
  bool time = false, check = false, force = false, verbose = false, json = false;
  bool cache = true;   ///< are compiled kernels kept in the cache?
  bool phases = false; ///< assemble results first, then compute them
  int repeat = 1;
  int64_t maxMemory = -1;                  ///< bytes; negative: no limit
  std::optional<Processor> processor = {}; ///< that kernels are made for; none: fromEnvironment()
  int64_t indexBase = 1;                   ///< the first index in FROSTT files
  unsigned widths = 0; ///< of positions and coordinates; 0: as few bits as are enough
  std::optional<machine::Machine> machine = {};        ///< whose speeds --time compares with
  machine::Choices choices = {};                       ///< how kernels run
  std::optional<accelerator::Design> accelerator = {}; ///< that contractions are modelled on
  std::optional<std::string> gemmLibrary = {};         ///< that multiplies matrices
  std::string timesFile = {};                          ///< TACO's table of times; empty: none
};

/// --machine=FILE, else what was measured of this machine, else what is to be expected of it: how
/// kernels run, and with --time what their times are compared with, if it was measured. False after
/// a mistake, which was reported.
bool useMachine(const llvm::opt::InputArgList &list, llvm::opt::OptSpecifier option,
                RunRequest &request);

/// --gemm=LIBRARY, which goes with what it implies and not with what it contradicts. False after a
/// mistake, which was reported.
bool readGemm(const llvm::opt::Arg *library, bool isDeterministic, Resolutions &forbidden,
              RunRequest &request);

/// Runs a module that Session::prepare has seen. Results and reports go to standard output.
int runProgram(Session &session, mlir::ModuleOp module, const RunRequest &request);

struct RunReport;
/// The same, but `report` is told of a run that went well, instead of what the request asks for,
/// and gives the code to return; what the program prints is not shown.
int runProgram(Session &session, mlir::ModuleOp module, const RunRequest &request,
               llvm::function_ref<int(const RunReport &)> report);

/// Appends to a program in MLIR the writing of what `tensor` names when it has ended. False, with a
/// message, if nothing has that name.
bool addWrite(mlir::ModuleOp module, llvm::StringRef tensor, llvm::StringRef file);

/// The report of a run whose program could not even be loaded: with --json, its errors. Gives the
/// code to return.
int reportFailure(const RunRequest &request, int code = exitFailure);

} // namespace strata::tool

#endif // STRATA_TOOLS_RUNPROGRAM_H
