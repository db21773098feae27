// Draws one case, from the left side inwards: index variables, expression, operands, result.
#ifndef STRATA_TEST_GENERATOR_DRAWER_H
#define STRATA_TEST_GENERATOR_DRAWER_H

#include "Case.h"

namespace strata::test {

class Drawer {
public:
  explicit Drawer(uint64_t seed)
      : random(seed), rare(~seed), masks(seed * 31 + 7), quotients(seed * 17 + 3),
        patterns(seed * 13 + 5), blocks(seed * 11 + 9), sums(seed * 19 + 1),
        nothing(seed * 23 + 11), absent(seed * 29 + 13), comparisons(seed * 29 + 3),
        nans(seed * 37 + 17), alike(seed % 10 == 0) {}

  Case draw();

private:
  unsigned freshVariable();
  Expression drawExpression(std::vector<unsigned> scope, int leaves);
  Expression drawReduction(std::vector<unsigned> scope, int leaves);
  Expression drawLeaf(const std::vector<unsigned> &scope);
  Expression drawConstant();
  Expression drawFunction(const std::vector<unsigned> &scope, int leaves);
  Expression drawOperation(const std::vector<unsigned> &scope, int leaves);
  Expression drawDivisor(const std::vector<unsigned> &scope);
  Expression drawAccess(const std::vector<unsigned> &scope, bool divisor,
                        std::optional<unsigned> found = std::nullopt);
  Expression drawPointer(const std::vector<unsigned> &scope, unsigned found);
  Expression selected(Expression value, Expression pointer);
  Expression drawGather(const std::vector<unsigned> &scope);
  unsigned foundVariable();
  void drawScatter(int leaves);
  std::vector<unsigned> drawSubset(const std::vector<unsigned> &scope);
  Position drawPosition(unsigned variable, const std::vector<unsigned> &scope, bool dense);
  bool reuse(Expression &access, const std::vector<int64_t> &sizes);
  NamedFormat drawList(unsigned order);
  Case drawConversion();
  /// Reads a new operand over these variables, whose data are drawn from `from`.
  Expression addOperand(Random &from, const std::vector<unsigned> &variables,
                        const NamedFormat &format, const DrawData &how);
  Case drawPattern();
  Case drawBlocks();
  Expression drawBeside(const std::vector<unsigned> &labels, int sparse, bool divisor);
  Expression drawSumOfProducts(const std::vector<unsigned> &left);
  Expression drawEpilogue(Expression value, const std::vector<unsigned> &left);
  Case drawSums();
  Expression drawReductionWithoutTerms();
  void drawUpdatedResult();
  Case drawWithoutTerms();
  Expression drawTerm(const std::vector<unsigned> &labels, int sparse);
  Expression drawAbsentSum();
  Expression drawUnboundedFactor();
  Expression drawBesideFactor(Expression value);
  Case drawAbsentSums();
  Expression drawComparison(const std::vector<unsigned> &labels);
  void compareLabels();
  std::vector<bool> drawFactors(const std::vector<unsigned> &labels, bool straight, int64_t usual,
                                unsigned factors);
  NamedFormat drawBlockFormat(unsigned order, bool straight, int64_t usual);
  void drawResult();
  void drawInit();
  void drawPart();
  void updateWhat(Random &drawn, const DrawData &how);
  void drawMask();
  void drawFills();
  void drawNaNs();
  void keepFinite();
  void countPadding();
  void drawStatements();
  /// As many parts as `most`; where it is `asked` whether there are terms, none.
  void drawStored(Expression &e, int &most, bool asked);
  DrawData drawHow(bool divisor);

  bool isInteger() const { return strata::test::isInteger(c.type); }

  Random random;
  Random rare;        ///< what few cases have: the others stay as they are without
  Random masks;       ///< so have masks
  Random quotients;   ///< and indices that are divided
  Random patterns;    ///< and results with the pattern of an operand
  Random blocks;      ///< and products of blocks
  Random sums;        ///< and sums that are parts of the right side
  Random nothing;     ///< and reductions without terms
  Random absent;      ///< and sums without terms beside what is infinite
  Random comparisons; ///< and comparisons of labels
  Random nans;        ///< and fills that are NaN
  Case c;
  int64_t mostExtent = 20, sharedExtent = -1;
  bool stored = false; // a statement about what is stored
  bool alike;          // most operands are lists of coordinates over the same variables
  unsigned lists = 0;
};

/// Statements of the language ask whether a reduction had terms only where some may be missing.
bool mayBeMissing(const Expression &e);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_DRAWER_H
