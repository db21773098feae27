// Writes parts of analyzed statements as the language spells them, with every sum written out, so
// that the text can be read again as a statement alone: sum(j, A(i,j) * x(j)).
#ifndef STRATA_FRONTEND_STATEMENTTEXT_H
#define STRATA_FRONTEND_STATEMENTTEXT_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace strata::frontend {

/// The text of one statement, piece by piece.
class StatementText {
public:
  /// `taken`: names that no index variable may have.
  StatementText(const std::vector<Tensor> &tensors, const std::vector<IndexVar> &vars,
                const llvm::StringSet<> &taken)
      : tensors(tensors), vars(vars), taken(taken) {}

  /// Tells which variables stand for coordinates that the element looks up: it is to come before
  /// any text is asked for.
  void learnLookups(const Element &element);

  std::string element(const Element &element) { return text(element, Loose); }
  /// "A(i,j)"; a scalar is its name. On the left side nothing is marked by `~`.
  std::string access(TensorId tensor, llvm::ArrayRef<Index> indices, bool onLeft = false);
  /// Returns the variables that the coordinate depends on, with those by which it is looked up.
  llvm::SmallVector<unsigned> varsBehind(const Index &index) const;

  /// The tensors in the text so far, in the order in which they were met.
  llvm::ArrayRef<TensorId> used() const { return met.getArrayRef(); }
  /// What cannot be written; empty if nothing was met.
  const std::string &problem() const { return trouble; }

private:
  enum Level { Loose, InSum, InProduct, Tight };

  std::string text(const Element &element, Level level);
  std::string constant(const Element &element) const;
  std::string sum(const Element &element, Level level);
  std::string product(const Element &element, Level level);
  std::string reduction(const Element &element, Level level);
  std::string apply(const Element &element, Level level);
  std::string arguments(const Element &element);
  std::string coordinate(const Index &index, bool onLeft);
  std::string window(const Index &index, int64_t size);
  std::string sumOfTerms(const Index &index);
  std::string nameOf(unsigned var);
  const Element *lookupOf(const Index &index) const;

  const std::vector<Tensor> &tensors;
  const std::vector<IndexVar> &vars;
  const llvm::StringSet<> &taken;
  llvm::DenseMap<unsigned, const Element *> lookups; ///< selectors by their variables
  std::map<unsigned, std::string> names;
  llvm::StringSet<> given;
  llvm::SetVector<TensorId> met;
  std::string trouble;
};

/// The constant size that a window gives an index variable: i(2,5) has three values.
std::optional<int64_t> windowSize(const IndexVar &var);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_STATEMENTTEXT_H
