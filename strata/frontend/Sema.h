// From a syntax tree to a program that can run: looks names up, resolves labels and their sizes,
// inlines functions, places sums, checks types and formats.
#ifndef STRATA_FRONTEND_SEMA_H
#define STRATA_FRONTEND_SEMA_H

#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"

#include <map>

namespace strata::frontend {

/// What analysis must know about storage formats. The language knows none by itself; emission,
/// which knows them all, supplies this.
class FormatVocabulary {
public:
  virtual ~FormatVocabulary();

  /// Names of whole formats, for messages.
  virtual llvm::ArrayRef<llvm::StringRef> formatNames() const = 0;
  /// Words for one level in a list like {D, CU}, for messages.
  virtual llvm::ArrayRef<llvm::StringRef> levelWords() const = 0;
  /// Level formats in a full map, for messages.
  virtual llvm::ArrayRef<llvm::StringRef> levelNames() const = 0;
  /// Why `format` cannot store a tensor of `order` dimensions; empty if it can. The counts of
  /// dimensions and levels, and the names in it, have been checked.
  virtual std::string problem(const ast::Format &format, unsigned order) const = 0;
  /// Has the format, which can store such a tensor, a place for every element?
  virtual bool storesAll(const ast::Format &format, unsigned order) const = 0;
};

/// The values given with -D NAME=VALUE. The environment's SPARSE_FILE_NAME... serve beside them.
struct Parameters : std::map<std::string, std::string> {
  using map::map;
  /// Files, numbers and sizes that are not given stay parameters of the program, which is compiled
  /// ahead; the environment does not serve.
  bool stayOpen = false;
};

/// Can a tensor of `order` dimensions with elements of `type` have the format, which stands outside
/// of a program? If not, that is an error, which calls it `tensor`.
bool checkFormat(const ast::Format &format, unsigned order, ElementType type,
                 llvm::StringRef tensor, const FormatVocabulary &formats, Diagnostics &diagnostics);

/// The same of one with a placement, which names the dimensions i, j, k, ... and gets their
/// numbers. Its machine has as many axes as there are places, and the cells that a parameter of its
/// name gives.
std::optional<Machine> checkPlacement(ast::Format &format, unsigned order, llvm::StringRef tensor,
                                      const Parameters &parameters, const FormatVocabulary &formats,
                                      Diagnostics &diagnostics);

/// The name of an axis of a machine to which its declaration gives none: x, y, z, w.
std::string axisName(size_t axis);

/// What is to become of tensors when the program has ended, by the names that `main` declares.
struct Outputs {
  struct Output {
    std::string name;
    std::string file = {}; ///< to write it to (-o NAME=FILE); empty: it is returned to the caller
  };
  std::vector<Output> list;
  bool all = false;     ///< whatever has a value then is returned; the analysis lists it
  bool unknown = false; ///< set by the analysis: a name has no value at the end of `main`
};

/// Analyzes a program file, beginning at `main`; nothing after an error.
std::optional<Program> analyze(const ast::Module &module, const Parameters &parameters,
                               const FormatVocabulary &formats, Diagnostics &diagnostics,
                               Outputs *outputs = nullptr);

/// Tells whether every parameter of a function says what it takes, so that no call need decide it.
bool declaresAll(const ast::Function &function);

/// Analyzes such a function of a program by itself: a caller gives the arguments, and gets what it
/// returns. Nothing after an error.
std::optional<Program> analyzeFunction(const ast::Module &module, const ast::Function &function,
                                       const Parameters &parameters,
                                       const FormatVocabulary &formats, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_SEMA_H
