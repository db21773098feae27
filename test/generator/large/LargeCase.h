// A statement over tensors of 10^5 entries and more, as text of the language, and its operands.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGECASE_H
#define STRATA_TEST_GENERATOR_LARGE_LARGECASE_H

#include "strata/runtime/storage/Coordinates.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::test {

struct LargeLabel {
  std::string name;
  int64_t extent;
};

struct LargeNode {
  enum class Kind { access, constant, binary, call, reduction };
  Kind kind = Kind::constant;
  /// Of binary nodes the operator ("+", "@(min,+)"), of calls and reductions the function.
  std::string word = {};
  std::vector<LargeNode> operands = {};
  unsigned tensor = 0;               ///< of an access
  std::vector<unsigned> labels = {}; ///< of an access; of a reduction those that it binds
  double value = 0;                  ///< of a constant

  bool isProduct() const { return kind == Kind::binary && word == "*"; }
  bool isSum() const { return kind == Kind::reduction && word == "sum"; }
};

struct LargeOperand {
  std::string name;
  std::vector<int64_t> sizes;
  std::string format; ///< as the language writes it
  strata_type type = STRATA_F64;
  int64_t entries = 0; ///< drawn; some may coincide
  bool full = false;   ///< every coordinate is stored
  bool units = false;  ///< its values are 1 and -1, of which any product is exact
  int skewed = -1;     ///< a dimension of which one coordinate has nine tenths of the entries
  uint64_t seed = 0;

  double density() const;
};

struct LargeMask {
  unsigned tensor = 0;
  std::vector<unsigned> labels = {};
  bool complement = false;
};

struct LargeCase {
  std::string family = {};
  std::vector<LargeLabel> labels = {};
  std::vector<LargeOperand> tensors = {};
  LargeNode value = {};
  std::vector<unsigned> left = {};
  std::string resultFormat = {};
  std::optional<LargeMask> mask = {};

  std::vector<int64_t> resultSizes() const;
  /// "R(i,k) = sum(j, A(i,j) * B(j,k))"
  std::string text() const;
  /// The statement, and below it each operand with what it stores.
  std::string description() const;
  /// Drops tensors that nothing reads.
  void dropUnused();
};

/// Calls `body` with the node and all below it, the innermost first.
void forEachNode(LargeNode &node, llvm::function_ref<void(LargeNode &)> body);
void forEachNode(const LargeNode &node, llvm::function_ref<void(const LargeNode &)> body);

/// The labels that a value has, in the order in which they first occur.
std::vector<unsigned> labelsOf(const LargeNode &node);

/// "A(i,j)"
std::string accessText(const std::string &name, const std::vector<unsigned> &labels,
                       const LargeCase &c);
/// "sum(j, A(i,j) * B(j,k))"
std::string valueText(const LargeNode &node, const LargeCase &c);
/// The mask with its brackets; empty where there is none.
std::string maskText(const LargeCase &c);

/// The operand's entries, the same on every machine.
runtime::Result<runtime::Coordinates> entriesOf(const LargeOperand &operand);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGECASE_H
