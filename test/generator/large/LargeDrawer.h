// What draws one case: families of statements over shared helpers.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGEDRAWER_H
#define STRATA_TEST_GENERATOR_LARGE_LARGEDRAWER_H

#include "LargeCase.h"
#include "generator/Random.h"

namespace strata::test {

class LargeDrawer {
public:
  explicit LargeDrawer(uint64_t seed) : random(seed) {}
  LargeCase draw();

private:
  using Labels = std::vector<unsigned>;

  // ---- Families (DrawLarge.cpp) ----
  void drawElementwise();
  void drawProduct();
  void drawDenseProduct();
  void drawMasked();
  void drawReduction();
  void drawConversion();
  void drawRepeated();
  void drawSemiring();
  void drawLonely();
  void drawCentred();
  void drawTwoProducts();
  // ---- Products of several operands (DrawLargeNetworks.cpp) ----
  void drawNetwork();
  void drawSampled();
  void drawKhatriRao();
  void drawTensorTimes();
  void drawChain();
  void drawForm();

  // ---- Parts of them (LargeDrawer.cpp) ----
  void drawType();
  unsigned label(int64_t extent);
  int64_t drawExtent();
  int64_t drawEntries();
  Labels drawLabels(size_t order, bool hyper);
  LargeNode sparse(const Labels &labels, int64_t entries);
  LargeNode sparse(const Labels &labels) { return sparse(labels, drawEntries()); }
  LargeNode dense(const Labels &labels);
  LargeNode addOperand(const Labels &labels, LargeOperand operand);
  LargeNode prologue(LargeNode factor);
  LargeNode epilogue(LargeNode value, const Labels &of);
  void finish(LargeNode value, Labels left, bool permutes = true);
  double volumeOf(const Labels &labels) const;
  bool isReal() const { return real; }

  LargeCase c;
  Random random;
  strata_type type = STRATA_F64;
  bool real = true; ///< the type is real and has fractions
};

LargeNode binary(const std::string &word, LargeNode left, LargeNode right);
LargeNode call(const std::string &word, std::vector<LargeNode> operands);
LargeNode reduction(const std::string &word, std::vector<unsigned> labels, LargeNode value);
LargeNode constant(double value);

/// About how many entries a value has.
double entriesOf(const LargeNode &node, const LargeCase &c);
/// The share of coordinates at which a value has entries, if these lie anywhere.
double densityOf(const LargeNode &node, const LargeCase &c);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGEDRAWER_H
