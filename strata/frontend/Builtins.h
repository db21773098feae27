// The functions that every program can call: their names, COMET's spellings of them, and how many
// arguments they take.
#ifndef STRATA_FRONTEND_BUILTINS_H
#define STRATA_FRONTEND_BUILTINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace strata::frontend {

struct Builtin {
  enum class Kind {
    // Statements
    Print,
    PrintElapsed,
    Write,
    // The whole right side of an assignment
    Read,
    Random,
    Stencil,
    LinearAlgebra,
    Concatenation,
    Reordering,
    // Anywhere in an expression
    Sum,
    Transpose,
    Explicit,
    Size,
    StoredCount,
    Time,
    // Known, and refused by name
    Unsupported,
  };

  llvm::StringRef name;
  Kind kind;
  unsigned minArguments, maxArguments;
  llvm::StringRef usage; // for messages

  bool isStatement() const {
    return kind == Kind::Print || kind == Kind::PrintElapsed || kind == Kind::Write;
  }
  bool isWholeRightSide() const {
    return kind == Kind::Read || kind == Kind::Random || kind == Kind::Stencil ||
           kind == Kind::LinearAlgebra || kind == Kind::Concatenation || kind == Kind::Reordering;
  }
};

/// The function of that name, or null.
const Builtin *findBuiltin(llvm::StringRef name);

/// The names to suggest.
llvm::ArrayRef<llvm::StringRef> builtinNames();

} // namespace strata::frontend

#endif // STRATA_FRONTEND_BUILTINS_H
