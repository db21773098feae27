// What the names in a program's text stand for, as editors ask: where a name is declared, and where
// else it stands. Read off the syntax tree, so that programs with mistakes are served as far as
// they are understood.
#ifndef STRATA_FRONTEND_NAMEUSES_H
#define STRATA_FRONTEND_NAMEUSES_H

#include "strata/frontend/Ast.h"
#include "strata/frontend/Diagnostics.h"

namespace strata::frontend {

/// Something that has a name.
struct NamedThing {
  enum class Kind {
    Function,
    Operator,
    Semiring,
    Machine,
    Label,
    Tensor,
    Scalar,
    ScheduleLabel, ///< made by a scheduling command, for those behind it
    Parameter      ///< given with -D
  };
  Kind kind;
  std::string name;
  llvm::SMRange declared; ///< the name where it is declared, or where it stands first
  /// What declares it; null of what nothing declares.
  const ast::Stmt *statement = nullptr;
  const ast::FunctionParameter *parameter = nullptr;
  std::optional<unsigned> function; ///< in which it is known; absent: in all
};

/// A place where one of them is named.
struct NameUse {
  unsigned thing;
  llvm::SMRange range;
};

struct NameUses {
  std::vector<NamedThing> things;
  std::vector<NameUse> uses; ///< in no particular order

  /// The name at a place, or just behind it; null if there is none.
  const NameUse *at(llvm::SMLoc place) const;
};

/// Finds the names of a module, whose texts are in the diagnostics' source manager.
NameUses findNameUses(const ast::Module &module, const llvm::SourceMgr &sources);

/// Tells whether a word can be a name: letters, digits and '_', and none of the language's own.
bool isNameText(llvm::StringRef text);

/// The words that the grammar knows, sorted: `def`, `IndexLabel`, `for`, ...
llvm::ArrayRef<llvm::StringRef> languageWords();

} // namespace strata::frontend

#endif // STRATA_FRONTEND_NAMEUSES_H
