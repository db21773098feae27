// A command's arguments, taken apart.
#ifndef STRATA_TOOLS_ARGUMENTS_H
#define STRATA_TOOLS_ARGUMENTS_H

#include "strata/frontend/Sema.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/machine/Machine.h"
#include "strata/target/cpu/Processor.h"

#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace strata::tool {

/// A command as its users meet it.
struct Command {
  llvm::StringRef name; ///< "run"; empty for a statement
  llvm::StringRef help; ///< how to call it, by example
  const llvm::opt::OptTable &(*options)();
  llvm::StringRef input;   ///< what it takes besides options: "PROGRAM"
  llvm::StringRef summary; ///< what it does, in a line
};

struct Arguments {
  llvm::opt::InputArgList list;
  /// The process is done: help was given, or a mistake reported.
  std::optional<int> exitCode;

  /// The one file, program or statement; refuses to have none or several.
  std::optional<std::string> onlyInput(llvm::StringRef command, llvm::StringRef what);
};

/// Handles --help and --version, and reports what the command does not know.
Arguments parseArguments(const Command &command, llvm::ArrayRef<const char *> arguments);

/// "NAME=VALUE" or "NAME:VALUE", cut at the first of either.
struct NamedValue {
  std::string name, value;
};

/// Reports what is no such pair.
std::optional<NamedValue> parseNamedValue(const llvm::opt::Arg &argument, llvm::StringRef usage);
/// Reports what is not an integer from `least`.
std::optional<int64_t> parseCount(const llvm::opt::Arg &argument, int64_t least);
/// All -D.
std::optional<frontend::Parameters> parseParameters(const llvm::opt::InputArgList &list,
                                                    llvm::opt::OptSpecifier define);
/// --widths: 8, 16, 32 or 64; `otherwise` where it is not given.
std::optional<unsigned> parseWidths(const llvm::opt::InputArgList &list,
                                    llvm::opt::OptSpecifier widths, unsigned otherwise);

/// --max-memory: bytes; negative where it is not given.
std::optional<int64_t> parseMemory(const llvm::opt::InputArgList &list,
                                   llvm::opt::OptSpecifier memory);
/// --cpu=NAME, else STRATA_CPU, else this machine's processor.
std::optional<Processor> parseProcessor(const llvm::opt::InputArgList &list,
                                        llvm::opt::OptSpecifier cpu);
/// --machine=FILE, else what was measured of this machine, if anything was. Reports a file that is
/// given and describes none.
bool findMachine(const llvm::opt::InputArgList &list, llvm::opt::OptSpecifier option,
                 std::optional<machine::Machine> &machine);
/// What helps where a processor's code cannot run here.
constexpr llvm::StringRef cannotRunHint =
    "'strata emit' writes code for any processor; --cpu=native is this machine's";
/// --forbid=WAYS and COMET's --opt-X=false: all that are given; "all" is all but the order and what
/// is about dense tensors.
std::optional<Resolutions> parseForbidden(const llvm::opt::InputArgList &list,
                                          llvm::opt::OptSpecifier forbid);

} // namespace strata::tool

#endif // STRATA_TOOLS_ARGUMENTS_H
